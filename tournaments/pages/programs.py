"""A team's own program on the team's page: whether it is connected, what went wrong, and how to connect."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from contest.models import Contest, Team
from contest.permissions import access, contest_page, me
from contest.refusal import refusals_told
from contest.server import ports
from games.sockets import PAUSE
from tournaments.models import Client, Duty, Match, MatchSeat
from tournaments.results.visibility import sight
from tournaments.seating import programs
from tournaments.seating.player_numbers import team_numbers
from tournaments.view_models.queries import BY_PLACE

GAMES = 10


@dataclass(frozen=True, slots=True)
class Played:
    """A match that a team has played. `outcome`: won, lost, tied, or the place."""

    match: Match
    seat: MatchSeat
    outcome: str
    opponents: list[MatchSeat]


@dataclass(frozen=True, slots=True)
class Program:
    """What a reader may know of a team's program. `inside`: the reader is in the team or has a role. `key`: the token,
    only for people who may act for the team, because whoever has it can play as the team."""

    team: Team
    own: bool
    client: Client
    connected: bool
    serving: bool  # whether the contest server is running
    inside: bool
    key: str
    may_change: bool
    neighbours: int  # other teams with the same address
    number: int  # by which bots and programs know the team
    matches: list[Played]  # latest first
    ports: ports.Ports
    host: str
    pause: float
    revision: str


def program_of(request: HttpRequest, contest: Contest, team: Team) -> Program | None:
    """None in contests without connections."""
    places = ports.ports_of(contest.game)
    if not contest.live or places is None:
        return None
    mine, now = access(request, contest), timezone.now()
    own = mine.team == team
    inside = mine.sees_results or own
    acts = own or (mine.organises and not mine.as_public)
    client = Client.objects.filter(team=team).first() or (programs.of(team) if inside else Client(team=team))
    client.team = team
    return Program(
        team=team,
        own=own,
        client=client,
        connected=client.is_connected(now),
        serving=Duty.held(programs.DUTY, now) is not None,
        inside=inside,
        key=client.token if acts else "",
        may_change=acts and not contest.ended_at,
        neighbours=programs.neighbours(client) if inside else 0,
        number=team_numbers(contest)[team.pk],
        matches=latest_matches(request, contest, team),
        ports=places,
        host=ports.host_for(request.get_host()),
        pause=PAUSE,
        revision=sight(request, contest).revision,
    )


def latest_matches(request: HttpRequest, contest: Contest, team: Team) -> list[Played]:
    """The latest matches of a team that the reader may see, newest first."""
    played = sight(request, contest).done()
    seats = MatchSeat.objects.filter(team=team, match__in=played.order_by().values("pk"))
    found = seats.select_related("match__stage").prefetch_related(Prefetch("match__seats", BY_PLACE))
    return [_played(seat) for seat in found.order_by("-match_id")[:GAMES]]


def _played(seat: MatchSeat) -> Played:
    others = [other for other in seat.match.seats.all() if other.pk != seat.pk]
    if sum(other.place == seat.place for other in seat.match.contenders) > 1:
        outcome = "tied"
    elif seat.rank == 1:
        outcome = "won"
    else:
        outcome = "lost" if len(seat.match.contenders) == 2 else f"place {seat.rank}"
    return Played(seat.match, seat, outcome, others)


@require_safe
@contest_page
def program(request: HttpRequest, contest: Contest, team_id: int) -> HttpResponse:
    """The live part of the panel. With `?rev=N` 204 while N is the newest revision."""
    team = known_team(request, contest, team_id)
    found = program_of(request, contest, team)
    if found is None:
        raise Http404("no team of this contest connects")
    if request.GET.get("rev") == found.revision and found.serving:
        return HttpResponse(status=204)
    return render(request, "tournaments/_client_now.html", {"contest": contest, "team": team, "it": found})


@require_POST
@contest_page
def program_act(request: HttpRequest, contest: Contest, team_id: int, act: str) -> HttpResponse:
    """Set the address that identifies the program, or create a new token."""
    team = known_team(request, contest, team_id)
    known = access(request, contest)
    if not contest.live:
        raise Http404("no team of this contest connects")
    if not (known.organises or known.team == team):
        raise PermissionDenied("Only the team and the organisers can change how its program is recognised.")
    with refusals_told(request):
        messages.success(request, _change(request, team, act))
    return redirect(f"{team.get_absolute_url()}#program")


def _change(request: HttpRequest, team: Team, act: str) -> str:
    if act == "token":
        programs.renew_token(team, me(request))
        return "New token created. The old one no longer works."
    address = request.POST.get("address", "")
    programs.set_address(team, me(request), address)
    if not address.strip():
        return "Address removed. Your program must send its token."
    if programs.neighbours(programs.of(team)):
        return f"Saved, but another team registered {address.strip()} too. Programs there must send their token."
    return f"Saved. Programs from {address.strip()} now play for your team."


def known_team(request: HttpRequest, contest: Contest, team_id: int) -> Team:
    """A team that the reader may know of. Raises Http404."""
    team = get_object_or_404(access(request, contest).teams(), pk=team_id)
    team.contest = contest
    return team
