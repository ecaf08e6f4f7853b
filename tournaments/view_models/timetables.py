"""The timetable of a stage as one reader may know it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from contest.formatting import duration
from contest.models import Kind
from tournaments import kinds
from tournaments.kinds.planned import PLANNED, stage_view
from tournaments.kinds.stage_views import StageView
from tournaments.kinds.timetable import ended_at
from tournaments.models import Round, Stage
from tournaments.organising.durations import whole_plan
from tournaments.organising.timetable import count_of, name_of, rounds_of
from tournaments.results.visibility import Sight

NOTICED = 60  # seconds between a start as arranged and a start


@dataclass(frozen=True, slots=True)
class RoundTime:
    """A round in the timetable. `starts_at`: as arranged, or as it follows from the end of the round before. `after`:
    "15 min after Round 1", of a break. `late`: seconds between its start as arranged and its start."""

    row: Round
    name: str
    state: Round.State
    starts_at: datetime | None
    started_at: datetime | None
    after: str = ""
    late: int = 0

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def has_begun(self) -> bool:
        return self.state in (Round.State.RUNNING, Round.State.DONE)

    @property
    def hides_pairings(self) -> bool:
        return self.row.hides_pairings(None)

    @property
    def lateness(self) -> str:
        """How late it started, in words; blank if nobody would notice."""
        return duration(timedelta(seconds=self.late)) if self.late >= NOTICED else ""

    @property
    def at(self) -> datetime | None:
        """When it started, or is to start."""
        return self.started_at if self.has_begun else self.starts_at


def timetable_of(stage: Stage, sight: Sight) -> list[RoundTime]:
    """All rounds of a stage with a plan, with the names that they have with the present teams. Empty for others."""
    if kinds.of(stage) is not PLANNED:
        return []
    view = stage_view(stage, sight)
    return view.once("timetable", lambda: _timetable(view, sight))


def arranged(stage: Stage, sight: Sight) -> list[RoundTime]:
    """The same, if any round waits for something. Empty for others, whose plan need not be known."""
    here = "arranged", stage.pk, stage.state
    if here not in sight.views:
        waits = stage.starts_at is not None or any(row.waits for row in Round.known_of(stage, sight.n))
        sight.views[here] = timetable_of(stage, sight) if waits else []
    found: list[RoundTime] = sight.views[here]
    return found


def next_to_come(stage: Stage, sight: Sight) -> RoundTime | None:
    """The first round after those that have started; None before the first, and where nothing is arranged for it."""
    times = arranged(stage, sight) if stage.has_started and not stage.has_ended else []
    begun = max((it.number for it in times if it.has_begun), default=0)
    coming = next((it for it in times if begun and it.number == begun + 1), None)
    return coming if coming is not None and coming.row.waits else None


def starts_of(stage: Stage, sight: Sight) -> dict[int, str]:
    """When rounds started or start, by their numbers: "Sat 14:30 CEST". For drawings."""
    times = [it for it in arranged(stage, sight) if it.state != Round.State.HELD]
    return {it.number: f"{timezone.localtime(it.at):%a %H:%M %Z}" for it in times if it.at}


def _timetable(view: StageView, sight: Sight) -> list[RoundTime]:
    stage, plan = view.stage, whole_plan(view.stage, view.plan) or view.plan
    count, before = count_of(plan), ""
    hidden = sight.pairings_hidden_from(stage)
    found = []
    for row in rounds_of(stage, count, sight.n, plan):
        if row.number > count > 0 and (stage.has_started or not sight.sees_all):
            continue  # arranged for more teams than there are
        tables = view.plan.rounds[row.number - 1] if row.number <= len(view.plan.rounds) else ()
        begun = any(view.at(table.key) for table in tables)
        started = row.started_at if stage.has_started and (hidden is None or row.number < hidden) else None
        if started and not sight.sees_all and not begun:  # it may follow from results that are hidden
            is_shown = row.shown_from is not None and sight.n is None and sight.withheld(stage) is None
            told = sight.entries.known.filter(kind=Kind.ROUND_STARTED, stage=stage.pk, at=started)
            started = started if is_shown or told.exists() else None
        if tables and all(table.decided for table in tables) and stage.has_started:
            state = Round.State.DONE
        elif begun or started:
            state = Round.State.RUNNING
        else:
            state = Round.State.HELD if row.hold else Round.State.WAITING
        at = stage.started_at if row.number == 1 and row.starts_at == stage.starts_at else row.started_at
        at = at if state in (Round.State.RUNNING, Round.State.DONE) else None
        minutes = row.break_minutes
        due = row.due_at(None if minutes is None else ended_at(stage, view.plan, row.number - 1, view.open))
        late = max(0, round((at - due).total_seconds())) if at and due else 0
        name = name_of(stage, row.number, plan)
        after = "" if minutes is None else f"{minutes} min after {before}" if minutes else f"after {before}"
        found.append(RoundTime(row, name, state, due, at, after, late))
        before = name
    return found


def timetable_told(stage: Stage, sight: Sight) -> list[dict[str, object]]:
    """For programs."""
    return [
        {
            "number": it.number,
            "name": it.name,
            "starts_at": it.row.starts_at,
            "break_minutes": it.row.break_minutes,
            "hold": it.row.hold,
            "in_turn": it.row.in_turn,
            "release": it.row.release,
            "release_at": it.row.release_at,
            "state": it.state.value,
            "started_at": it.started_at,
        }
        for it in timetable_of(stage, sight)
    ]
