"""A team's own program on its page: is it connected, what went wrong, and how to connect."""

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
from contest.refusal import Refused
from contest.server import ports
from games.sockets import PAUSE
from tournaments.models import Client, Duty, MatchSeat
from tournaments.results.visibility import sight
from tournaments.seating import programs
from tournaments.seating.player_numbers import team_numbers
from tournaments.view_models.queries import BY_PLACE

GAMES = 10


@dataclass(frozen=True, slots=True)
class Program:
    """What a reader may know of a team's program. `inside`: it is his own, or he has a role; `key`: its token, for
    those alone who may act for the team, since whoever has it can play in its place."""

    team: Team
    own: bool
    client: Client
    connected: bool
    serving: bool  # does the contest server run
    inside: bool
    key: str
    may_change: bool
    neighbours: int  # other teams with the same address
    number: int  # by which bots and programs know the team
    chairs: list[tuple[MatchSeat, str]]  # its last matches, each with how it ended for the team in a word
    ports: ports.Ports
    host: str
    pause: float
    revision: str


def program_of(request: HttpRequest, contest: Contest, team: Team) -> Program | None:
    """None where teams do not connect."""
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
        chairs=last_chairs(request, contest, team),
        ports=places,
        host=ports.host_for(request.get_host()),
        pause=PAUSE,
        revision=sight(request, contest).revision,
    )


def last_chairs(request: HttpRequest, contest: Contest, team: Team) -> list[tuple[MatchSeat, str]]:
    """The team's last matches that were played and that the reader may see, the newest first."""
    played = sight(request, contest).done()
    chairs = MatchSeat.objects.filter(team=team, match__in=played.order_by().values("pk"))
    found = chairs.select_related("match__stage").prefetch_related(Prefetch("match__seats", BY_PLACE))
    return [(chair, _ended(chair)) for chair in found.order_by("-match_id")[:GAMES]]


def _ended(chair: MatchSeat) -> str:
    places = [seat.place for seat in chair.match.seats.all()]
    if places.count(chair.place) > 1:
        return "tied"
    return "won" if chair.place == 1 else "lost" if len(places) == 2 else f"place {chair.place}"


@require_safe
@contest_page
def program(request: HttpRequest, contest: Contest, team_id: int) -> HttpResponse:
    """The live part of the block; with `?rev=N` nothing (204) while N is the newest revision."""
    team = _team(request, contest, team_id)
    found = program_of(request, contest, team)
    if found is None:
        raise Http404("no team of this contest connects")
    if request.GET.get("rev") == found.revision and found.serving:
        return HttpResponse(status=204)
    return render(request, "tournaments/_client_now.html", {"contest": contest, "team": team, "it": found})


@require_POST
@contest_page
def program_act(request: HttpRequest, contest: Contest, team_id: int, act: str) -> HttpResponse:
    """Set the address from which the program is known, or make another token."""
    team = _team(request, contest, team_id)
    known = access(request, contest)
    if not contest.live:
        raise Http404("no team of this contest connects")
    if not (known.organises or known.team == team):
        raise PermissionDenied("only a team and its organisers may change how its program is known")
    try:
        messages.success(request, _change(request, team, act))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect(f"{team.get_absolute_url()}#program")


def _change(request: HttpRequest, team: Team, act: str) -> str:
    if act == "token":
        programs.renew_token(team, me(request))
        return "Your program has a new token. The old one opens nothing any more."
    address = request.POST.get("address", "")
    programs.set_address(team, me(request), address)
    if not address.strip():
        return "No address is registered any more: your program must say its token."
    if programs.neighbours(programs.of(team)):
        return f"Another team has {address.strip()}, too: from there everybody must say the token."
    return f"Your program is known by the address {address.strip()} now."


def _team(request: HttpRequest, contest: Contest, team_id: int) -> Team:
    known = access(request, contest)
    own = known.team is not None and known.team.pk == team_id
    team = get_object_or_404(contest.teams.all() if known.sees_desk or own else contest.teams.listed(), pk=team_id)
    team.contest = contest
    return team
