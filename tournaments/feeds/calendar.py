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
from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from icalendar import Calendar
from icalendar import Event as Component

from contest.models import Act, Contest, Team, User
from contest.permissions import access_of
from tournaments.models import Stage
from tournaments.results.visibility import Sight
from tournaments.view_models.timetables import timetable_of

SECONDS = 300  # that calendars may keep what they have read
DATES = (
    ("opens_at", "Entry opens"),
    ("entry_deadline", "Entry closes"),
    ("upload_deadline", "Uploads close"),
)
STARTS, ENDS = {"start", "starts_at"}, {"end", "ends_at"}
"""How the audit log names them: as in the form, and as fields that another zone moves."""


@dataclass(frozen=True, slots=True)
class Event:
    """`uid` without the portal's name. `moves`: how often it was moved. `sure`: not on hold."""

    uid: str
    at: datetime
    title: str
    path: str
    moves: int = 0
    sure: bool = True


def of_contest(sight: Sight) -> Iterator[Event]:
    """Its deadlines, and the rounds of its stages."""
    contest = sight.contest
    moved = list(Act.objects.filter(contest=contest, verb="change settings").values_list("data", flat=True))
    for name, title in DATES:
        if name == "opens_at" or not contest.endless:
            moves = sum(name in (data.get("changes") or {}) for data in moved)
            uid, path = f"{name}-{contest.pk}", contest.get_absolute_url()
            yield Event(uid, getattr(contest, name), f"{title}: {contest.name}", path, moves)
    for stage in sight.stages:
        yield from of_stage(stage, sight)


def of_stage(stage: Stage, sight: Sight) -> Iterator[Event]:
    """The rounds that have a start; without rounds, the start and the end of the stage."""
    if stage.state == Stage.State.DRAFT:
        return
    path, where = stage.get_absolute_url(), f"{stage.name}, {sight.contest.name}"
    times = timetable_of(stage, sight)
    acts = Act.objects.filter(contest=sight.contest, verb="change stage", data__stage=stage.pk)
    changed = [set(data.get("changes") or ()) for data in acts.values_list("data", flat=True)]
    starts, ends = (sum(not names.isdisjoint(each) for each in changed) for names in (STARTS, ENDS))
    for time in times:
        if at := time.started_at if time.has_begun and time.starts_at else time.starts_at:
            sure = time.has_begun or not time.row.hold
            moves = time.row.moves + (starts if time.number == 1 else 0)
            yield Event(f"round-{stage.pk}-{time.number}", at, f"{time.name}: {where}", path, moves, sure)
    if not times and (at := stage.started_at or stage.starts_at):
        yield Event(f"stage-{stage.pk}", at, f"{where} starts", path, starts)
    if stage.ends_at:
        yield Event(f"end-{stage.pk}", stage.ends_at, f"{where} ends", path, ends)


def of_team(team: Team, sight: Sight) -> Iterator[Event]:
    """The deadlines of its contest, and the rounds of the stages in which it may play."""
    others = {stage.pk for stage in sight.stages if stage.order and team.pk not in stage.order}
    mine = [stage for stage in sight.stages if stage.pk not in others]
    rounds = {event.uid for stage in mine for event in of_stage(stage, sight)}
    for event in of_contest(sight):
        if event.uid in rounds or not event.uid.startswith(("round-", "stage-", "end-")):
            yield event


def of_person(user: User) -> Iterator[Event]:
    """What is on in the contests in which somebody plays or has a role and that have not ended."""
    for contest in Contest.objects.mine(user).filter(ended_at=None).order_by("pk"):
        sight = Sight(access_of(user, contest))
        team = sight.access.team
        yield from of_contest(sight) if team is None else of_team(team, sight)


def answer(name: str, events: Iterable[Event], *, private: bool) -> HttpResponse:
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
        component.add("url", f"{settings.PORTAL_URL}{event.path}")
        component.add("status", "CONFIRMED" if event.sure else "TENTATIVE")
        component.add("transp", "TRANSPARENT")
        calendar.add_component(component)
    response = HttpResponse(calendar.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Referrer-Policy"] = "no-referrer"
    patch_cache_control(response, private=private, public=not private, max_age=SECONDS)
    return response
