"""Organisers who void, restore, reset, shorten and abandon while workers write results, on PostgreSQL.

`in_turn` queues everybody at the contest's row, so the order in which two get it is chosen, not hoped for. Of more,
some may overtake others: once the first has changed the row, all who wait look for its new version.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest.ledger import hold
from contest.models import Contest, Team
from contest.refusal import Refused
from submissions.lease import LeaseLost
from tests.tournaments.stagecraft import Hall, finish, refereed
from tests.tournaments.test_races import Other, waiting
from tests.waiting import wait_for
from tournaments.clock import periodic
from tournaments.kinds import following
from tournaments.models import Match, Record, Review, Stage
from tournaments.organising import endings, releases, restoring, reviews, rounds, stages
from tournaments.organising.timetable import RoundWish
from tournaments.playing import play
from tournaments.results import ratings, replay

pytestmark = [pytest.mark.long("postgresql"), pytest.mark.promise, pytest.mark.django_db(transaction=True)]
pytestmark += [pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite allows one writer at a time")]

Action = Callable[[], Any]
PLANNED = ("single_elimination", "swiss", "round_robin", "combinations")
TWOS = {"table_size": 2, "games": 1}
TURNS = pytest.mark.parametrize("organiser_first", [True, False], ids=["organiser first", "worker first"])


@pytest.fixture
def hall() -> Hall:
    return Hall(teams=4)


def begun(hall: Hall, format: str = "single_elimination", **options: object) -> Stage:
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", format, {**TWOS, **options}))
    stages.start(stage, hall.ada)
    return Stage.objects.get(pk=stage.pk)


def in_turn(contest: Contest, *actions: Action) -> list[Any]:
    """Let others act at once, and get the contest's row in this order. Returns what each returned or raised."""
    others = []
    with transaction.atomic():
        hold(contest.pk)
        for number, action in enumerate(actions, start=1):
            others.append(Other(action))
            wait_for(lambda number=number: waiting() >= number, "nobody waits for the contest")
    return [other.join() for other in others]


def result_of(stage: Stage, **of: object) -> Action:
    """Claim a match of the stage. Returns what its worker does then."""
    match = stage.matches.filter(state="queued", **of).earliest("pk")
    claimed = play.claim(match.pk, "worker")
    assert claimed is not None
    played = refereed(claimed)

    def write() -> None:
        play.finish(claimed, played)
        following.follow_ledger(claimed.contest_id)

    return write


def brought(actions: Sequence[Action], *, organiser_first: bool) -> Sequence[Action]:
    organiser, worker = actions
    return (organiser, worker) if organiser_first else (worker, organiser)


def must_be_consistent(contest: Contest) -> None:
    """The ledger check finds nothing, no place has two matches that count, and every stage is in line."""
    while ratings.catch_up(contest.pk) is not None:
        pass
    assert list(replay.differences(Contest.objects.get(pk=contest.pk))) == []
    valid = Match.objects.valid().filter(contest=contest, stage__format__in=PLANNED)
    assert not list(valid.order_by().values("table", "number").annotate(count=Count("pk")).filter(count__gt=1))
    assert Record.objects.filter(match__contest=contest, match__resulted=None).count() == 0
    for stage in contest.stages.filter(state__in=Stage.UNDER_WAY, format__in=PLANNED):
        assert following.is_in_line(stage), stage


# One against one ------------------------------------------------------------------------------------------------------


HELD, LATER = RoundWish(2, hold=True), RoundWish(2, starts_at=timezone.now() + timedelta(days=2))
PRESSED: dict[str, tuple[RoundWish, Callable[..., Any]]] = {
    "start": (HELD, rounds.start_now),
    "show": (HELD, rounds.show_pairings),
    "hold": (LATER, rounds.hold),
    "shift": (LATER, lambda stage, by, number: rounds.shift(stage, by, number, minutes=15, seen=0)),
}


@pytest.mark.parametrize(("wish", "act"), PRESSED.values(), ids=PRESSED)
def test_two_organisers_press_at_once(hall, wish, act):
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", options=TWOS, timetable=[RoundWish(1), wish]))
    stages.start(stage, hall.ada)
    for match in stage.matches.all():
        finish(match)
    press = lambda: act(Stage.objects.get(pk=stage.pk), hall.ada, 2)  # noqa: E731
    assert [isinstance(said, Refused) for said in in_turn(hall.contest, press, press)] == [False, True]
    must_be_consistent(hall.contest)


@TURNS
def test_a_match_is_restored_while_its_replacement_finishes(hall, organiser_first):
    stage = begun(hall)
    match = finish(stage.matches.earliest("pk"))
    stages.void(match, hall.ada, "the wrong match")
    worker = result_of(stage, table=match.table_id)
    restore = lambda: restoring.restore(match, hall.ada, "it was another one")  # noqa: E731
    first, second = in_turn(hall.contest, *brought([restore, worker], organiser_first=organiser_first))
    assert first is None
    assert isinstance(second, LeaseLost if organiser_first else Refused), second
    counting = stage.matches.done().get(table=match.table_id)
    assert (counting == match) is organiser_first
    must_be_consistent(hall.contest)


@pytest.mark.parametrize("end", [endings.reset, endings.abandon])
@pytest.mark.parametrize("restored_first", [True, False])
def test_a_match_is_restored_while_the_stage_ends(hall, end, restored_first):
    stage = begun(hall)
    match = finish(stage.matches.earliest("pk"))
    stages.void(match, hall.ada, "the wrong match")
    acts = [lambda: end(stage, hall.ada, "a flood"), lambda: restoring.restore(match, hall.ada, "it was another one")]
    first, second = in_turn(hall.contest, *(reversed(acts) if restored_first else acts))
    assert first is None
    assert (second is None) if restored_first else isinstance(second, Refused), second
    assert stage.matches.done().count() == (1 if restored_first and end is endings.abandon else 0)
    must_be_consistent(hall.contest)


def test_a_match_and_its_replacement_are_not_both_restored(hall):
    stage = begun(hall)
    match = finish(stage.matches.earliest("pk"))
    stages.void(match, hall.ada, "x")
    other = finish(stage.matches.get(table=match.table_id, state="queued"))
    stages.void(other, hall.ada, "x")
    again = lambda it: lambda: restoring.restore(it, hall.ada, "x")  # noqa: E731
    outcomes = in_turn(hall.contest, again(other), again(match), again(other))
    assert [type(outcome) for outcome in outcomes] == [type(None), Refused, Refused]
    assert stage.matches.done().get() == other
    must_be_consistent(hall.contest)


@pytest.mark.parametrize("end", [endings.reset, endings.abandon])
def test_a_stage_ends_between_results(hall, end):
    """Those before it count until then, those after it never."""
    stage = begun(Hall(teams=8), "swiss", rounds=2)
    contest = stage.contest
    workers = [result_of(stage) for _ in range(4)]
    outcomes = in_turn(contest, *workers[:2], lambda: end(stage, hall.ada, "a flood"), *workers[2:])
    assert outcomes.pop(2) is None
    written = outcomes.count(None)  # two, unless somebody was overtaken
    assert all(outcome is None or isinstance(outcome, LeaseLost) for outcome in outcomes), outcomes
    assert stage.matches.done().count() == (0 if end is endings.reset else written)
    assert stage.matches.open().count() == 0
    must_be_consistent(contest)


@TURNS
def test_many_are_void_while_one_of_them_finishes(hall, organiser_first):
    """A semi-final takes the final with it."""
    stage = begun(hall)
    semi, _ = [finish(match) for match in stage.matches.order_by("pk")]
    actions = [lambda: stages.void(semi, hall.ada, "the wrong match"), result_of(stage, table__round=2)]
    first, second = in_turn(hall.contest, *brought(actions, organiser_first=organiser_first))
    assert first is None
    assert isinstance(second, LeaseLost) if organiser_first else second is None, second
    assert stage.matches.valid().filter(table__round=2).count() == 0
    assert stage.matches.get(state="queued").table_id == semi.table_id
    must_be_consistent(hall.contest)


@TURNS
def test_a_stage_is_shortened_while_its_next_round_is_drawn(hall, organiser_first):
    """Whoever is first: nobody has begun to play the next round, so there is none."""
    stage = begun(hall, "swiss", rounds=3)
    for match in stage.matches.order_by("pk"):
        claimed = play.claim(match.pk, "worker")
        play.finish(claimed, refereed(claimed))
    actions = [lambda: endings.shorten(stage, hall.ada, "It is late."), lambda: following.reconcile(stage)]
    outcomes = in_turn(hall.contest, *brought(actions, organiser_first=organiser_first))
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)], outcomes
    stage.refresh_from_db()
    assert (stage.last_round, stage.state) == (1, "done")
    assert stage.matches.valid().filter(table__round__gt=1).count() == 0
    must_be_consistent(hall.contest)


@TURNS
def test_a_stage_is_shortened_while_the_next_round_begins(hall, organiser_first):
    stage = begun(hall, "swiss", rounds=3)
    for match in stage.matches.order_by("pk"):
        finish(match)
    next_one = stage.matches.filter(table__round=2).earliest("pk")
    actions = [lambda: endings.shorten(stage, hall.ada, "It is late."), lambda: play.claim(next_one.pk, "worker")]
    outcomes = in_turn(hall.contest, *brought(actions, organiser_first=organiser_first))
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)], outcomes
    stage.refresh_from_db()
    assert stage.last_round == (1 if organiser_first else 2)
    assert stage.matches.valid().filter(table__round=2).count() == (0 if organiser_first else 2)
    must_be_consistent(hall.contest)


@pytest.mark.parametrize("applied_first", [True, False])
def test_a_review_is_applied_while_its_original_becomes_void(hall, applied_first):
    stage = begun(hall)
    match = finish(stage.matches.earliest("pk"))
    review = reviews.start(stage, hall.ada, "x", [match.pk])
    finish(review.matches.get())
    acts = [lambda: reviews.apply(review, hall.ada), lambda: stages.void(match, hall.ada, "the wrong match")]
    first, second = in_turn(hall.contest, *(acts if applied_first else reversed(acts)))
    assert first is None or applied_first
    assert not isinstance(first, Exception)
    assert second is None or isinstance(second, Refused), second
    assert stage.matches.valid().filter(table=match.table_id, pending=False).count() == 1
    must_be_consistent(hall.contest)


# All against all ------------------------------------------------------------------------------------------------------


class Crowd:
    """Workers, organisers and the tick, each in a thread, doing what comes to their mind."""

    def __init__(self, hall: Hall, seed: int) -> None:
        self.hall, self.seed = hall, seed
        self.failures: list[str] = []
        self.out_of_order: set[str] = set()

    def let(self, *, acts: int, workers: int = 3, organisers: int = 2) -> None:
        doing = [self.work] * workers + [self.organise] * organisers + [self.tick]
        others = [
            Other(lambda do=do, number=number: self.go(do, number, acts)) for number, do in enumerate(doing, start=1)
        ]
        for other in others:
            outcome = other.join()
            assert outcome is None, outcome

    def go(self, do: Callable[[Random, str], None], number: int, acts: int) -> None:
        random = Random(f"{self.seed} {number}")
        for _ in range(acts):
            with CaptureQueriesContext(connection) as queries:
                try:
                    do(random, f"nr {number}")
                except (Refused, LeaseLost):
                    pass
                except Exception as error:
                    self.failures.append(f"{do.__name__}: {error!r}")
            self.out_of_order |= set(writing_before_the_contest([query["sql"] for query in queries]))

    def work(self, random: Random, name: str) -> None:
        due = list(Match.objects.claimable(timezone.now()).values_list("pk", flat=True)[:3])
        claimed = play.claim(random.choice(due), name) if due else None
        if claimed is None:
            return
        if random.random() < 0.1:
            play.put_back(claimed, "no disk", timezone.now())
            return
        play.finish(claimed, refereed(claimed))
        if not claimed.pending:
            following.follow_ledger(claimed.contest_id)

    def tick(self, random: Random, name: str) -> None:
        periodic.start_due_stages(timezone.now())
        for stage in Stage.objects.filter(contest=self.hall.contest):
            if not following.is_in_line(stage):
                following.reconcile(stage)
        ratings.catch_up(self.hall.contest.pk)
        following.follow_ledger(self.hall.contest.pk)

    def organise(self, random: Random, name: str) -> None:
        stage = random.choice(list(Stage.objects.filter(contest=self.hall.contest)))
        random.choice(ACTS)(self.hall, stage, random)


def some(random: Random, rows: Any) -> Any:
    found = list(rows.order_by("pk"))
    if not found:
        raise Refused("there is none")
    return random.choice(found)


def _review(hall: Hall, stage: Stage, random: Random) -> None:
    review = stage.reviews.filter(state=Review.State.OPEN).first()
    if review is None:
        reviews.start(stage, hall.ada, "x", [some(random, reviews.choosable(stage)).pk], other_deals=True)
    else:
        random.choice([reviews.apply, reviews.drop])(review, hall.ada)


def _leave(hall: Hall, stage: Stage, random: Random) -> None:
    team = some(random, Team.objects.filter(contest=hall.contest))
    random.choice([stages.disqualify, stages.withdraw])(team, hall.ada, "x")


def _start_again(hall: Hall, stage: Stage, random: Random) -> None:
    {"paused": stages.resume, "running": stages.pause}.get(stage.state, stages.start)(stage, hall.ada)


def _ending(hall: Hall, stage: Stage, random: Random) -> None:
    random.choice([endings.reset, endings.reset, endings.shorten, endings.abandon])(stage, hall.ada, "x")


def _freeze(hall: Hall, stage: Stage, random: Random) -> None:
    random.choice([releases.freeze, releases.lift])(hall.contest, hall.ada)


def _void(hall: Hall, stage: Stage, random: Random) -> None:
    stages.void(some(random, stage.matches.valid()), hall.ada, "x", hold=random.random() < 0.2)


def _restore(hall: Hall, stage: Stage, random: Random) -> None:
    void = stage.matches.filter(state="void", table__until=0).exclude(resulted=None)
    restoring.restore(some(random, void), hall.ada, "x")


def _come_back(hall: Hall, stage: Stage, random: Random) -> None:
    stages.reinstate(some(random, Team.objects.filter(contest=hall.contest)), hall.ada, "x")


ACTS = [_void, _void, _restore, _restore, _review, _leave, _come_back, _come_back, _start_again, _start_again]
ACTS += [_ending, _freeze]

WRITES = re.compile(r"INSERT|UPDATE|DELETE|.* FOR (NO KEY )?UPDATE", re.DOTALL)
CONTEST = re.compile(r'SELECT .* FROM "contest_contest" .* FOR NO KEY UPDATE', re.DOTALL)


def writing_before_the_contest(queries: Sequence[str]) -> list[str]:
    """The first statement of each transaction that writes or locks several times and does not hold the contest."""
    found: list[str] = []
    writes: list[str] | None = None
    for sql in queries:
        if sql == "BEGIN":
            writes = []
        elif sql in ("COMMIT", "ROLLBACK"):
            if writes and len(writes) > 1 and not CONTEST.match(writes[0]):
                found.append(re.sub(r"\d+", "0", writes[0])[:200])
            writes = None
        elif writes is not None and WRITES.match(sql):
            writes.append(sql)
    return found


@pytest.mark.parametrize("seed", range(1))
def test_everybody_acts_at_once(seed):
    hall = Hall(teams=6)
    for format, options in (("swiss", {"rounds": 3}), ("single_elimination", {}), ("ladder", {"pause": 0})):
        begun(hall, format, **options)
    crowd = Crowd(hall, seed)
    crowd.let(acts=12)
    assert not crowd.failures
    crowd.let(acts=3, workers=0, organisers=0)
    must_be_consistent(hall.contest)
    assert sorted(crowd.out_of_order) == []
