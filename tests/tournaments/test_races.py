"""Two processes at once, on PostgreSQL.

No test sleeps and hopes: a race begins when the server itself reports that the second process waits for the first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from contest.ledger import hold
from submissions import intake
from submissions.intake import Upload
from submissions.lease import LeaseLost
from tests.tournaments.stagecraft import Hall, finish, refereed
from tests.waiting import wait_for
from tournaments.clock import periodic
from tournaments.kinds import following
from tournaments.models import Match, MatchSeat, Record, Stage
from tournaments.organising import stages
from tournaments.playing import play, writing
from tournaments.results import ratings, tallies
from tournaments.seating import short

pytestmark = [pytest.mark.long("postgresql"), pytest.mark.promise, pytest.mark.django_db(transaction=True)]
pytestmark += [pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite allows one writer at a time")]


class Other:
    """Another process, in a thread with its own connection. `outcome` is what the action returned or raised."""

    def __init__(self, action: Callable[[], Any]) -> None:
        self.outcome: Any = None
        self._action = action
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.outcome = self._action()
        except Exception as error:
            self.outcome = error
        finally:
            connection.close()

    def join(self) -> Any:
        self._thread.join(timeout=60)
        assert not self._thread.is_alive()
        return self.outcome

    def must_wait(self) -> None:
        """Wait until the server reports that somebody waits for a lock."""
        wait_for(lambda: waiting() or not self._thread.is_alive())
        assert self._thread.is_alive(), f"it did not wait: {self.outcome!r}"


def waiting() -> int:
    with connection.cursor() as cursor:
        here = "SELECT pid FROM pg_locks JOIN pg_database ON oid = database WHERE datname = current_database()"
        cursor.execute(f"SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN ({here})")
        return int(cursor.fetchone()[0])


@pytest.fixture
def hall() -> Hall:
    return Hall(teams=4)


@pytest.fixture
def match(hall: Hall) -> Match:
    return hall.stage().matches.get()


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def test_a_match_is_claimed_by_one(match):
    with transaction.atomic():
        mine = play.claim(match.pk, "one")
        other = Other(lambda: play.claim(match.pk, "two"))
        other.must_wait()
    assert mine is not None
    assert other.join() is None
    assert (fresh(match).worker, fresh(match).attempt) == ("one", 1)


@pytest.mark.parametrize("pause", [False, True])
def test_a_match_that_became_void_or_whose_stage_was_paused_meanwhile_is_not_claimed(hall, match, pause):
    with transaction.atomic():
        stages.pause(match.stage, hall.ada, "lunch") if pause else stages.void(match, hall.ada, "other deals")
        other = Other(lambda: play.claim(match.pk, "late"))
        other.must_wait()
    assert other.join() is None
    assert fresh(match).state == ("queued" if pause else "void")


def test_a_match_that_was_done_meanwhile_is_not_claimed(match):
    """Both saw it queued; the first claims and finishes it before the second writes."""
    with transaction.atomic():
        hold(match.contest_id)
        other = Other(lambda: play.claim(match.pk, "late"))
        other.must_wait()
        claimed = play.claim(match.pk, "one")
        play.finish(claimed, refereed(claimed))
    assert other.join() is None
    assert (fresh(match).state, Record.objects.count()) == ("done", 1)


def test_a_match_is_finished_once(match):
    claimed = play.claim(match.pk, "one")
    played = refereed(claimed)
    with transaction.atomic():
        play.finish(claimed, played)
        other = Other(lambda: play.finish(claimed, played))
        other.must_wait()
    assert isinstance(other.join(), LeaseLost)
    assert Record.objects.count() == 1
    assert {seat.team.rating.matches for seat in match.seats.select_related("team__rating")} == {1}


def test_nobody_deadlocks_who_uploads_for_a_team_that_is_put_out(hall):
    """The audit log's row refers to the contest: if the team were locked first, this would wait for an organiser who
    wants the team."""
    team = hall.teams[0]
    before = team.submissions.count()
    with transaction.atomic():
        hold(hall.contest.pk)
        source = [Upload("better.py", b"print('x')\n")]
        other = Other(lambda: intake.receive(team, hall.ada, source, for_team=True))
        other.must_wait()
        stages.disqualify(team, hall.ada, "two accounts")
    assert "disqualified" in str(other.join())
    assert team.submissions.count() == before


@pytest.mark.parametrize("action", ["claim", "put_back", "requeue", "finish", "reconcile"])
def test_nobody_deadlocks_with_an_organiser(hall, match, action):
    """The organiser holds the contest and wants the match: taking the match first and the contest second loses."""
    claimed = None if action == "claim" else play.claim(match.pk, "one")
    played = claimed and refereed(claimed)
    later = timezone.now() + timedelta(hours=1)
    actions: dict[str, tuple[Callable[[], Any], Callable[[Any], bool]]] = {
        "claim": (lambda: play.claim(match.pk, "two"), lambda it: it is None),
        "put_back": (lambda: play.put_back(claimed, "no disk"), lambda it: it is False),
        "requeue": (lambda: play.requeue_abandoned(later), lambda it: it == 0),
        "finish": (lambda: play.finish(claimed, played), lambda it: isinstance(it, LeaseLost)),
        "reconcile": (lambda: following.reconcile(match.stage), lambda it: not it),
    }
    do, expected = actions[action]
    with transaction.atomic():
        hold(hall.contest.pk)
        other = Other(do)
        other.must_wait()
        stages.void(match, hall.ada, "other deals")
    outcome = other.join()
    assert expected(outcome), outcome
    assert fresh(match).state == "void"
    assert match.stage.matches.open().count() == 1


def test_many_workers_share_the_matches():
    hall = Hall(teams=24)
    hall.stage(table_size=2)
    claimed: list[int] = []

    def work(name: str) -> None:
        for pk in Match.objects.claimable(timezone.now()).values_list("pk", flat=True):
            if play.claim(pk, name):
                claimed.append(pk)

    for other in [Other(lambda name=f"worker {number}": work(name)) for number in range(6)]:
        assert other.join() is None
    assert sorted(claimed) == sorted(Match.objects.values_list("pk", flat=True))
    assert set(Match.objects.values_list("state", "attempt")) == {("running", 1)}


def test_many_workers_take_short_matches_together():
    """Each asks for the next ones; nobody gets a match twice, and none is left."""
    halls = [Hall(teams=32), Hall(teams=24)]
    for hall in halls:
        short.learn(hall.stage(table_size=2).pk, 0.01)
    claimed: list[int] = []

    def work(name: str) -> None:
        while taken := play.claim_next(name):
            claimed.extend(match.pk for match in taken)

    for other in [Other(lambda name=f"worker {number}": work(name)) for number in range(6)]:
        assert other.join() is None
    assert sorted(claimed) == sorted(Match.objects.values_list("pk", flat=True))
    assert set(Match.objects.values_list("state", "attempt")) == {("running", 1)}


def test_of_a_batch_only_what_still_counts_is_written(hall):
    """An organiser voids one of two matches while their results wait for the contest."""
    stage = Hall(teams=16).stage(table_size=2)
    short.learn(stage.pk, 0.01)
    claimed = play.claim_next("one")
    assert len(claimed) == 2
    results = [writing.Result(match, refereed(match)) for match in claimed]
    with transaction.atomic():
        hold(stage.contest_id)
        other = Other(lambda: writing.write(results))
        other.must_wait()
        stages.void(claimed[0], hall.ada, "other deals")
    assert [match.pk for match in other.join()] == [claimed[1].pk]
    assert [fresh(match).state for match in claimed] == ["void", "done"]
    assert Record.objects.count() == 1


def test_two_that_pair_a_ladder_make_no_team_play_twice():
    hall = Hall(teams=12)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder", {"table_size": 2}))
    stages.start(stage, hall.ada)
    while play.claim_next("one"):
        pass
    others = [Other(lambda: following.reconcile(stage)) for _ in range(4)]
    made = [other.join() for other in others]
    assert not [it for it in made if isinstance(it, Exception)], made
    open_ = MatchSeat.objects.filter(match__in=stage.matches.open(), team__isnull=False)
    teams = list(open_.values_list("team", flat=True))
    assert len(teams) == len(set(teams)) > 8


def test_two_that_bring_a_stage_in_line_make_every_match_once():
    hall = Hall(teams=8)
    stage = hall.stage()
    for match in stage.matches.all():
        claimed = play.claim(match.pk, "one")
        play.finish(claimed, refereed(claimed))
    others = [Other(lambda: following.reconcile(stage)) for _ in range(4)]
    changes = [other.join() for other in others]
    assert not [it for it in changes if isinstance(it, Exception)], changes
    assert sum(it.created for it in changes) == stage.matches.open().count() > 0


def test_the_last_results_of_a_round_make_the_next_one_once():
    """The last one sees that the round is over, however close the results are."""
    hall = Hall(teams=16)
    wish = stages.Wish("Swiss", "swiss", {"rounds": 2, "table_size": 4, "games": 1})
    stage = stages.create(hall.contest, hall.ada, wish)
    stages.start(stage, hall.ada)
    pairs = [(claimed, refereed(claimed)) for match in stage.matches.all() if (claimed := play.claim(match.pk, "w"))]
    for other in [
        Other(lambda pair=pair: (play.finish(*pair), following.follow_ledger(pair[0].contest_id))) for pair in pairs
    ]:
        assert not isinstance(other.join(), Exception), other.outcome
    assert stage.matches.filter(table__round=2).count() == stage.tables.filter(round=2).count() == 4
    assert all(stage.tables.filter(round=1).values_list("decided", flat=True))


def test_a_due_stage_is_started_once(hall):
    stage = hall.stage(start=False, publish=True)
    now = timezone.now()
    Stage.objects.filter(pk=stage.pk).update(starts_at=now)
    for other in [Other(lambda: periodic.start_due_stages(now)) for _ in range(4)]:
        assert other.join() is None
    assert hall.contest.acts.filter(verb="start stage").count() == 1
    assert stage.matches.count() == 1


def test_results_that_come_in_at_once_are_rated_one_after_the_other():
    hall = Hall(teams=16)
    stage = hall.stage()
    pairs = [(claimed, refereed(claimed)) for match in stage.matches.all() if (claimed := play.claim(match.pk, "w"))]
    for other in [Other(lambda pair=pair: play.finish(*pair)) for pair in pairs]:
        assert other.join() is None
    moments = list(stage.matches.done().order_by("resulted").values_list("finished_at", flat=True))
    assert len(set(moments)) == len(pairs) == 4
    following.reconcile(stage)
    last = stage.matches.open().first()
    finish(last)
    assert fresh(last).state == "done"


def test_results_of_a_ladder_that_come_in_at_once_make_nobody_play_twice():
    """Each worker that has written a result makes the next matches: one after the other, each seeing the others'."""
    hall = Hall(teams=9)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder", {"table_size": 2}))
    stages.start(stage, hall.ada)
    for _ in range(3):
        pairs = [
            (claimed, refereed(claimed)) for match in stage.matches.open() if (claimed := play.claim(match.pk, "w"))
        ]
        with transaction.atomic():
            hold(hall.contest.pk)
            others = [
                Other(lambda pair=pair: (play.finish(*pair), following.follow_ledger(pair[0].contest_id)))
                for pair in pairs
            ]
            others[0].must_wait()
        for other in others:
            assert not isinstance(other.join(), Exception), other.outcome
        following.reconcile(stage)
        seats = [seat for match in stage.matches.open() for seat in match.seats.all()]
        playing = [seat.team_id for seat in seats if seat.team_id is not None]
        assert len(set(playing)) == len(playing) >= 6
    numbers = list(stage.matches.values_list("number", flat=True))
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert tallies.count_all(hall.contest) == 0


def test_ratings_that_are_in_arrears_let_results_through(monkeypatch):
    """Others write between two steps; in the end all is as if nothing had ever been void."""
    monkeypatch.setattr(ratings, "STEP", 2)
    hall = Hall(teams=4)
    stage = stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder", {"table_size": 2}))
    stages.start(stage, hall.ada)
    for _ in range(12):
        finish(stage.matches.open().first())
    stages.void(stage.matches.done().first(), hall.ada, "never mind")
    claimed = play.claim(stage.matches.open().first().pk, "w")
    played = refereed(claimed)
    with transaction.atomic():
        ratings.catch_up(hall.contest.pk)
        other = Other(lambda: play.finish(claimed, played))
        other.must_wait()
    assert other.join() is None
    while ratings.catch_up(hall.contest.pk) is not None:
        pass
    assert tallies.count_all(hall.contest) == 0
