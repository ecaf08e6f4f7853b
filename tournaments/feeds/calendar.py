"""The dates of contests as calendars (RFC 5545) that people subscribe to.

An event keeps its UID when it moves, and its SEQUENCE grows, so calendars follow a shift. What is hidden from a reader
is in none of them: names and starts of rounds follow from no result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from icalendar import Calendar
from icalendar import Event as Component

from contest.models import Act, Contest, Team, User
from contest.permissions import access_of
from tournaments.kinds.planned import stage_view
from tournaments.models import Stage
from tournaments.results.visibility import Sight
from tournaments.view_models.timetables import timetable_of

SECONDS = 300  # that calendars may keep what they have read
DATES = (
    ("opens_at", "Entry opens"),
    ("entry_deadline", "Entry closes"),
    ("upload_deadline", "Uploads close"),
)
STARTS, ENDS = {"start", "starts at"}, {"end", "ends at"}
"""How the audit log names them: as in the form, and as moments that another zone moves."""


@dataclass(frozen=True, slots=True)
class Event:
    """`uid` without the portal's name. `moves`: how often it was moved. `sure`: not on hold."""

    uid: str
    at: datetime
    title: str
    path: str
    moves: int = 0
    sure: bool = True


def of_contest(sight: Sight, team: Team | None = None) -> Iterator[Event]:
    """Its deadlines and the rounds of its stages, for this team those in which it may play."""
    contest = sight.contest
    acts = Act.objects.filter(contest=contest)
    moved = list(acts.filter(verb="change settings").values_list("data", flat=True))
    for name, title in DATES:
        if name == "opens_at" or not contest.endless:
            at, moves = getattr(contest, name), sum(name in (data.get("changes") or {}) for data in moved)
            if name == "upload_deadline" and team is not None and sight.access.knows_later_deadline(team):
                at = team.upload_deadline
                moves += acts.filter(verb="change upload deadline of team", data__team=team.pk).count()
            yield Event(f"{name}-{contest.pk}", at, f"{title}: {contest.name}", contest.get_absolute_url(), moves)
    for stage in sight.stages:
        if team is None or not stage.order or team.pk in stage.order:
            yield from of_stage(stage, sight, team)


def of_stage(stage: Stage, sight: Sight, team: Team | None = None) -> Iterator[Event]:
    """The rounds that have a start, in a bracket those that this team plays or may reach; without rounds, the start and
    the end of the stage. A start is a move, because it may be early or late."""
    if stage.state == Stage.State.DRAFT:
        return
    path, where = stage.get_absolute_url(), f"{stage.name}, {sight.contest.name}"
    starts, ends = _moves(stage, sight.contest)
    times, again = timetable_of(stage, sight), 2 * stage.resets
    view = stage_view(stage, sight) if team and stage.order and stage.played_in.is_bracket() else None
    played = {table.round for table in view.plan.tables() if team and team.pk in table.teams} if view else ()
    for time in times:
        is_out = view and team and time.number not in played and team.pk not in view.players_of(time.number)
        if (at := time.at) and not is_out:
            sure = time.has_begun or not time.row.hold
            moves = time.row.moves + (starts if time.number == 1 else 0) + again + time.has_begun
            yield Event(f"round-{stage.pk}-{time.number}", at, f"{time.name}: {where}", path, moves, sure)
    if not times and (at := stage.started_at or stage.starts_at):
        yield Event(f"stage-{stage.pk}", at, f"{where} starts", path, starts + again + stage.has_started)
    if stage.ends_at:
        yield Event(f"end-{stage.pk}", stage.ends_at, f"{where} ends", path, ends + again + stage.has_ended)


def _moves(stage: Stage, contest: Contest) -> tuple[int, int]:
    """How often its start and its end were changed, up to the last reset that the reader knows of."""
    acts = Act.objects.filter(contest=contest, verb__in=("change stage", "reset stage"), data__stage=stage.pk)
    starts, ends, resets = 0, 0, 0
    for verb, data in acts.order_by("pk").values_list("verb", "data"):
        resets += verb == "reset stage"
        if resets > stage.resets:
            break
        changed = (data.get("changes") or {}).keys()
        starts, ends = starts + bool(changed & STARTS), ends + bool(changed & ENDS)
    return starts, ends


def of_person(user: User) -> Iterator[Event]:
    """What is on in the contests in which somebody plays or has a role and that have not ended."""
    for contest in Contest.objects.mine(user).filter(ended_at=None).order_by("pk"):
        sight = Sight(access_of(user, contest))
        yield from of_contest(sight, sight.access.team)


def answer(request: HttpRequest, name: str, events: Iterable[Event], *, private: bool) -> HttpResponse:
    """A calendar of this name."""
    host = urlsplit(settings.PORTAL_URL).hostname or "kibitz"
    calendar = Calendar()
    calendar.add("prodid", "-//Kibitz//Timetable//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", timedelta(seconds=SECONDS), parameters={"value": "DURATION"})
    for event in sorted(events, key=lambda it: (it.at, it.uid)):
        component = Component()
        component.add("uid", f"{event.uid}@{host}")
        component.add("sequence", event.moves)
        component.add("dtstamp", event.at.astimezone(UTC))  # the same whenever somebody asks
        component.add("dtstart", event.at.astimezone(UTC))
        component.add("summary", event.title)
        component.add("url", request.build_absolute_uri(event.path))
        component.add("status", "CONFIRMED" if event.sure else "TENTATIVE")
        component.add("transp", "TRANSPARENT")
        calendar.add_component(component)
    response = HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Referrer-Policy"] = "no-referrer"
    patch_cache_control(response, max_age=SECONDS, **{"private" if private else "public": True})
    return response
