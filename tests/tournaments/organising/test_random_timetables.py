"""Random timetables, with organisers who change their minds, clocks that jump, and processes that die.

Whatever happens, a round starts once, in its turn, not before its time and not while it is held. Who meets in a held
round stays with the organisers, and a round that starts late says how late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from unittest.mock import patch

import pytest
import time_machine
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from contest import followers
from contest.models import Kind, Question
from contest.refusal import Refused
from tests.tournaments.histories import some_match
from tests.tournaments.stagecraft import Hall
from tournaments import kinds
from tournaments.clock import periodic
from tournaments.feeds import calendar
from tournaments.kinds import following, planned, schedule
from tournaments.kinds.planned import stage_view
from tournaments.models import Match, Round, Stage
from tournaments.organising import news, releases, rounds, stages
from tournaments.organising.timetable import RoundWish
from tournaments.playing import play
from tournaments.results import replay
from tournaments.results.visibility import public
from tournaments.view_models.stages_told import rounds_told
from tournaments.view_models.timetables import timetable_of

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

BEGIN = datetime(2026, 6, 6, 10, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ROUNDS = 4

WAYS = (
    ("single_elimination", {"table_size": 2, "games": 1}),
    ("swiss", {"table_size": 2, "games": 1, "rounds": 3}),
    ("round_robin", {"games": 1}),
)
EVENTS = (
    *("play", "play", "play", "tick", "tick", "wait", "wait", "jump"),
    *("start", "hold", "follow", "show", "shift", "shift to", "pause"),
    *("lose a result", "die while starting", "two ticks", "two organisers", "void", "leave"),
)


@dataclass(frozen=True)
class Told:
    """A timetable and what happens: events, each with a number."""

    way: int
    teams: int
    stage_starts: int | None
    wishes: tuple[RoundWish, ...]
    events: tuple[tuple[str, int], ...]


@st.composite
def stories(draw: st.DrawFn, most: int) -> Told:
    at, wishes = 0, []
    starts = draw(st.none() | st.integers(1, 20))
    for number in range(1, ROUNDS + 1):
        how = draw(st.sampled_from(("at once", "clock", "break", "clock"))) if number > 1 else "at once"
        at += draw(st.integers(21, 60))
        wishes.append(
            RoundWish(
                number,
                starts_at=BEGIN + at * MINUTE if how == "clock" else None,
                break_minutes=draw(st.integers(0, 30)) if how == "break" else None,
                hold=draw(st.integers(0, 3)) == 0,
                in_turn=draw(st.integers(0, 5)) == 0,
            )
        )
    events = draw(st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 40)), min_size=4, max_size=most))
    return Told(draw(st.integers(0, 2)), draw(st.integers(3, 6)), starts, tuple(wishes), tuple(events))


class Died(Exception):
    pass


class Day:
    """A stage with a timetable, and what an observer has noted who looks at it after each event."""

    def __init__(self, told: Told, clock: time_machine.Coordinates) -> None:
        self.clock, self.random = clock, Random(told.teams)
        self.hall = Hall(told.teams, target=1)
        format, options = WAYS[told.way]
        at = None if told.stage_starts is None else BEGIN + told.stage_starts * MINUTE
        wish = stages.Wish("Cup", format, options, starts_at=at, timetable=told.wishes)
        self.stage = stages.create(self.hall.contest, self.hall.ada, wish)
        Stage.objects.filter(pk=self.stage.pk).update(seed=17)
        stages.publish(self.stage, self.hall.ada)
        self.began: dict[int, datetime] = {}
        self.by_hand: set[int] = set()
        self.reminders = 0
        self.look()

    @property
    def now(self) -> datetime:
        return datetime.now(UTC)

    # What happens -----------------------------------------------------------------------------------------------------

    def happen(self, name: str, number: int) -> None:
        """What is refused has changed nothing."""
        self.stage.refresh_from_db()
        self.hall.contest.refresh_from_db()
        stage, ada, round = self.stage, self.hall.ada, number % ROUNDS + 1
        actions: dict[str, Callable[[], object]] = {
            "play": lambda: [self.play() for _ in range(number % 3 + 1)],
            "tick": self.tick,
            "wait": lambda: (self.move(number * MINUTE), self.tick()),
            "jump": lambda: self.move((number - 20) * 5 * MINUTE),
            "start": lambda: self.start(round),
            "hold": lambda: rounds.hold(stage, ada, round),
            "follow": lambda: rounds.follow_timetable(stage, ada, round),
            "show": lambda: rounds.show_pairings(stage, ada, round),
            "shift": lambda: rounds.shift(stage, ada, round, minutes=number - 15),
            "shift to": lambda: rounds.shift(stage, ada, round, to=self.now + (number - 5) * MINUTE),
            "pause": lambda: (stages.resume if stage.state == Stage.State.PAUSED else stages.pause)(stage, ada),
            "lose a result": lambda: self.play(follow=False),
            "die while starting": lambda: self.die(number),
            "two ticks": self.two_ticks,
            "two organisers": lambda: [self.start(round), self.start(round)],
            "void": lambda: self.void(number),
            "leave": lambda: number % 4 or stages.withdraw(self.hall.teams[-1], ada, "Ill."),
        }
        with suppress(Refused):
            actions[name]()
        self.look()

    def move(self, by: timedelta) -> None:
        self.clock.move_to(self.now + by)

    def tick(self) -> None:
        for part in (followers.catch_up, *PARTS):
            part() if part is followers.catch_up else part(self.now)

    def two_ticks(self) -> None:
        """The second one has looked before the first one began, and writes after it."""
        due, shown = list(Stage.objects.due(self.now)), list(Stage.objects.shown())
        self.tick()
        with patch.object(Stage.objects, "due", lambda at: Stage.objects.filter(pk__in=[each.pk for each in due])):
            periodic.start_due_stages(self.now)
        for stage in shown:
            following.reconcile(stage)

    def die(self, number: int) -> None:
        """While the matches of a round are made, a tick or an organiser's process is killed."""
        with patch.object(schedule.timetable, "wanted", side_effect=Died), suppress(Died):
            try:
                (
                    self.tick
                    if number % 2
                    else lambda: rounds.start_now(self.stage, self.hall.ada, number % ROUNDS + 1)
                )()
            except Refused:
                pass

    def start(self, round: int) -> None:
        stage = Stage.objects.get(pk=self.stage.pk)
        before = rounds.last_begun(stage)
        rounds.start_now(stage, self.hall.ada, round)
        assert before < round, "it had started"
        self.by_hand.add(round)

    def play(self, *, follow: bool = True) -> None:
        match = Match.objects.claimable(self.now).filter(stage=self.stage).first()
        claimed = play.claim(match.pk, "tester") if match else None
        if claimed is None:
            return
        played = some_match("tricky_eights", claimed.contest.preset, len(play.seats_of(claimed)))
        play.finish(claimed, played)
        if follow:
            following.follow_results([claimed])

    def void(self, number: int) -> None:
        if done := list(self.stage.matches.done().order_by("-pk")[:2]):
            stages.void(done[number % len(done)], self.hall.ada, "Why not?")

    # What is seen -----------------------------------------------------------------------------------------------------

    def look(self) -> None:
        stage = self.stage = Stage.objects.get(pk=self.stage.pk)
        self.hall.contest.refresh_from_db()
        rows = {row.number: row for row in stage.timetable.all()}
        made = set(stage.matches.values_list("table__round", flat=True))
        begun = made | {number for number, row in rows.items() if row.started_at and stage.has_started}
        for number in sorted(begun - self.began.keys()):
            self.look_at_start(stage, number, rows.get(number) or Round(number=number))
            self.began[number] = self.now
        left_out = set(range(1, max(self.began, default=0))) - self.began.keys()
        assert left_out <= self.idle(stage), "a round was left out"
        starts = stage.ledger.filter(kind=Kind.ROUND_STARTED).values_list("round", flat=True)
        assert len(starts) == len(set(starts)), "a round has started twice"
        assert all(row.started_at is None or number in self.began for number, row in rows.items())
        there = stage.matches.valid().values_list("table", "number")
        assert len(there) == len(set(there))
        self.look_as_public(stage, rows)

    def idle(self, stage: Stage) -> set[int]:
        """The rounds in which nobody plays, because all of their opponents have left."""
        plan = kinds.of(stage).plan(stage)
        assert plan is not None
        return {number for number, tables in enumerate(plan.rounds, 1) if not any(table.matches for table in tables)}

    def look_at_start(self, stage: Stage, number: int, row: Round) -> None:
        if number in self.by_hand:
            return
        assert not row.hold, f"round {number} was held"
        starts_at = stage.starts_at if number == 1 else row.starts_at
        assert starts_at is None or starts_at <= self.now, f"round {number} started before its time"
        if row.break_minutes is not None:
            before = stage.matches.filter(table__round__lt=number)
            assert not before.valid().open().exists(), f"round {number} did not wait for the one before"
            over = max((match.finished_at for match in before.done() if match.finished_at), default=stage.started_at)
            assert over is not None
            assert over + row.break_minutes * MINUTE <= self.now, f"the break before round {number} was too short"

    def look_as_public(self, stage: Stage, rows: dict[int, Round]) -> None:
        held = [number for number, row in rows.items() if row.hold and number not in self.began]
        hidden = [number for number in held if rows[number].shown_from is None]
        sight = public(self.hall.contest)
        shown = sight.stage(stage.pk)
        times = {time.number: time for time in timetable_of(shown, sight)}
        for number, time in times.items():
            assert time.has_begun is (number in self.began) or number in self.idle(stage), (number, time)
            if number in self.began and time.starts_at and number not in self.by_hand:
                assert time.late == (self.began[number] - time.starts_at).total_seconds()
        calls = {event.uid: event.sure for event in calendar.of_stage(shown, sight)}
        assert not any(calls.get(f"round-{stage.pk}-{number}") for number in held if not stage.has_ended)
        count = Question.objects.filter(entry=None).count()
        reminded, self.reminders = count - self.reminders, count
        if not hidden or stage.has_ended:
            return
        tables = [table for table in stage_view(shown, sight).plan.tables() if table.round >= hidden[0]]
        assert not [table for table in tables if table.teams or table.matches]
        assert not sight.matches().filter(stage=stage.pk, table__round__gte=hidden[0]).exists()
        told = [each for each in rounds_told(shown, sight) if each["number"] >= hidden[0]]
        assert not [seat for each in told for table in each["tables"] for seat in table["seats"] if seat["team_id"]]
        drawn = [number for number in range(1, hidden[0]) if number not in self.began]
        assert drawn or reminded in (0, len(stage.order)), "a reminder tells who meets"

    def finish(self) -> None:
        """In the end, all is played: nothing waits for ever."""
        for number in range(1, ROUNDS + 1):
            self.happen("follow", number - 1)
        if self.stage.state == Stage.State.PAUSED:
            self.happen("pause", 0)
        if not self.stage.has_started:
            self.happen("start", 0)
        for _ in range(60):
            if self.stage.has_ended:
                break
            self.move(90 * MINUTE)
            self.happen("tick", 0)
            self.happen("play", 2)
        assert self.stage.state == Stage.State.DONE, f"waits for ever after {self.began}"
        assert not list(replay.differences(self.hall.contest))


PARTS = (
    periodic.pull_in_times,
    periodic.reconcile_stages,
    periodic.start_due_stages,
    releases.release_due,
    news.remind,
)


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def holds(told: Told) -> None:
    planned.CACHE.clear()  # numbers and moments come again
    with rolled_back(), time_machine.travel(BEGIN, tick=False) as clock:
        day = Day(told, clock)
        for name, number in told.events:
            day.happen(name, number)
        day.finish()


@settings(max_examples=10)
@given(told=stories(most=12))
def test_rounds_start_once_in_turn_and_in_time(told: Told) -> None:
    holds(told)


@pytest.mark.long("more")
@settings(max_examples=80)
@given(told=stories(most=30))
def test_of_many_more(told: Told) -> None:
    holds(told)
