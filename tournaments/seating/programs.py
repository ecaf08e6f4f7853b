"""Teams' own programs: how the contest server recognises them, and what people see of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from contest.ledger import hold
from contest.models import Act, Contest, Phase, Team, User
from contest.permissions import access_of
from contest.refusal import Refused
from games.server.door import plain
from tournaments.models import Client
from tournaments.models.programs import new_token

DUTY = "botserver"
"""The name of the duty that the contest server holds while it runs."""

RETURNING = (Team.State.APPROVED, Team.State.PENDING, Team.State.WITHDRAWN)
"""The states of teams that take part or may (re)join without anybody checking their address."""


def enter(contest: Contest) -> None:
    """Give every team that takes part a client, with its token, if it has none."""
    missing = contest.teams.competing().filter(client=None)
    if missing.exists():
        Client.objects.bulk_create([Client(team=team) for team in missing], ignore_conflicts=True)


def of(team: Team) -> Client:
    """The team's client, created on first use."""
    return Client.objects.get_or_create(team=team)[0]


@transaction.atomic
def set_address(team: Team, by: User, address: str) -> None:
    """Set the address that identifies the team's program without a token; blank: none. Raises Refused.

    An address can stand for only one team. If another team has it, only an organiser may register it again, and then it
    identifies neither.
    """
    client = _to_change(team)
    try:
        wanted = plain(address.strip()) if address.strip() else None
    except ValueError:
        raise Refused(f"“{address.strip()[:60]}” is not an address such as 192.0.2.17 or 2001:db8::17.") from None
    if wanted == client.address:
        return
    if _others_at(wanted, client, RETURNING).exists() and not access_of(by, team.contest).organises:
        raise Refused(f"Another team has registered {wanted}. Use the token, or ask the organisers.")
    before, client.address = client.address, wanted
    client.save(update_fields=["address"])
    Act.record(team.contest, by, "set address of program", team, before=before or "", after=wanted or "")
    team.contest.touch()


@transaction.atomic
def renew_token(team: Team, by: User) -> None:
    """Create a new token. The old one stops working, and connections made with it are closed. Raises Refused."""
    client = _to_change(team)
    client.token = new_token()
    client.save(update_fields=["token"])
    Act.record(team.contest, by, "renew token of program", team)
    team.contest.touch()


def _to_change(team: Team) -> Client:
    """The team's client, locked."""
    team.contest = hold(team.contest_id)
    if team.contest.phase() == Phase.ENDED:
        raise Refused("The contest has ended, so programs no longer connect.")
    return of(team)


@dataclass(frozen=True, slots=True)
class Overview:
    """The programs of a contest's teams, for organisers: clients with their teams, sorted by name."""

    connected: list[Client]
    gone: list[Client]  # were connected, and are not now
    never: list[Client]

    @property
    def teams(self) -> int:
        return len(self.connected) + len(self.gone) + len(self.never)


def overview(contest: Contest, now: datetime | None = None) -> Overview | None:
    """Who is connected and who is not (one query). None in contests without connections."""
    if not contest.live:
        return None
    now = now or timezone.now()
    found = Overview([], [], [])
    for team in contest.teams.competing().select_related("client"):
        client = getattr(team, "client", None) or Client(team=team)
        there = client.is_connected(now)
        (found.connected if there else found.gone if client.seen_at else found.never).append(client)
    return found


def neighbours(client: Client) -> int:
    """How many other teams have registered the same address, so that it identifies none of them."""
    return _others_at(client.address, client, [Team.State.APPROVED]).count()


def _others_at(address: str | None, client: Client, states: Collection[str]) -> QuerySet[Client]:
    """Other teams in these states with that address, in all contests of the contest server."""
    if address is None:
        return Client.objects.none()
    others = Client.objects.filter(address=address, team__state__in=states, team__contest__live=True)
    going_on = others.exclude(team__contest__ended_at__lte=timezone.now()).exclude(pk=client.pk)
    return going_on.filter(team__contest__game_slug=client.team.contest.game_slug)
