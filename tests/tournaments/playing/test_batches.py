"""tournaments.playing.batches: several short matches are claimed and written together, each exactly once."""

from __future__ import annotations

import threading

import pytest
from django.utils import timezone

from games.engine import MachineryError
from tests.tournaments.stagecraft import Hall, refereed, void
from tests.waiting import wait_for
from tournaments.models import Match, MatchSeat, Rating, Record, Tally
from tournaments.playing import batches, play, writing
from tournaments.playing.turns import Due
from tournaments.playing.writing import Result
from tournaments.results import tallies
from tournaments.seating import short

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

STAGE = 7


@pytest.fixture
def stage():
    """Eight matches, known to be short."""
    stage = Hall(teams=16).stage(table_size=2)
    short.learn(stage.pk, 0.01)
    return stage


@pytest.fixture
def at_once(monkeypatch):
    """Matches without processes, which take no longer than expected: the thread that ends a batch otherwise has another
    connection, which does not see the rows of a test's transaction."""
    monkeypatch.setattr(batches, "PATIENCE", 600.0)
    monkeypatch.setattr(play, "referee_match", lambda claimed, *_: refereed(claimed))


def states(stage) -> list[str]:
    return list(stage.matches.order_by("pk").values_list("state", flat=True))


class TestHowMany:
    def due(self, count: int, **values) -> list[Due]:
        return [Due(pk, 0, STAGE, hidden=False)._replace(**values) for pk in range(count)]

    def test_one_while_nobody_knows_how_long_they_take(self):
        assert len(batches.chosen(self.due(32))) == 1

    @pytest.mark.parametrize(("seconds", "expected"), [(0.0, 8), (0.25, 8), (0.5, 4), (1.5, 1), (60, 1)])
    def test_as_many_as_two_seconds_have_room_for(self, seconds, expected):
        short.learn(STAGE, seconds)
        assert len(batches.chosen(self.due(32))) == expected

    @pytest.mark.parametrize(("waiting", "expected"), [(0, 0), (1, 1), (4, 1), (5, 2), (16, 4)])
    def test_a_quarter_of_those_that_wait(self, waiting, expected):
        short.learn(STAGE, 0.01)
        assert len(batches.chosen(self.due(waiting))) == expected

    def test_what_has_failed_is_taken_alone(self):
        short.learn(STAGE, 0.01)
        first, *others = self.due(32)
        assert batches.chosen([first._replace(failures=1), *others]) == [first._replace(failures=1)]
        taken = batches.chosen([first, others[0]._replace(failures=1), *others[1:]])
        assert len(taken) == 8
        assert not any(it.failures for it in taken)


def test_they_are_written_together_and_add_up(stage, at_once):
    while play.play_next("one"):
        pass
    assert set(states(stage)) == {"done"}
    assert Record.objects.count() == stage.matches.count() > 8
    numbers = list(stage.matches.order_by("resulted").values_list("resulted", flat=True))
    assert len(set(numbers)) == len(numbers)
    assert max(Match.objects.values_list("attempt", flat=True)) == 1
    assert all(match.started_at <= match.finished_at for match in stage.matches.all())

    def figures():
        rated = Rating.objects.order_by("team").values_list("team", "mu", "sigma", "matches", "submission")
        links = MatchSeat.objects.order_by("pk").values_list("mu_before", "sigma_before", "mu_after", "sigma_after")
        return list(rated), list(links), list(Tally.objects.order_by("team").values_list("team", *tallies.COUNTED))

    before = figures()
    tallies.count_all(stage.contest)
    assert figures() == before


def test_a_match_that_became_void_meanwhile_costs_the_others_nothing(stage):
    claimed = play.claim_next("one")
    assert len(claimed) == 2
    results = [Result(match, refereed(match), timezone.now()) for match in claimed]
    void(claimed[0], "other deals")
    assert [match.pk for match in writing.write(results)] == [claimed[1].pk]
    assert writing.write(results) == [], "a second time changes nothing"
    assert Record.objects.get().match == claimed[1]
    assert Tally.objects.count() == 2


def test_what_has_not_begun_is_returned_when_one_fails(stage, monkeypatch):
    def fails(claimed, *_):
        raise MachineryError("no disk")

    monkeypatch.setattr(batches, "PATIENCE", 600.0)
    monkeypatch.setattr(play, "referee_match", fails)
    play.play_next("one")
    failed = stage.matches.get(failures=1)
    assert failed.last_error == "no disk"
    other = stage.matches.get(attempt=1, failures=0)
    assert (other.state, other.worker, other.last_error) == ("queued", "", "")


def test_if_they_cannot_be_written_together_each_is_written_alone(stage, at_once, monkeypatch):
    whole = writing.write

    def write(results):
        if len(results) > 1:
            raise RuntimeError("too many")
        return whole(results)

    monkeypatch.setattr(writing, "write", write)
    play.play_next("one")
    assert states(stage).count("done") == 2
    first, second = stage.matches.filter(state="done").order_by("started_at")
    assert first.started_at < second.started_at, "each began when it did, not when both were claimed"


@pytest.mark.django_db(transaction=True)
def test_nothing_waits_for_a_slow_match(monkeypatch):
    """The first is over, the second hangs: the first is written, and the third goes to another worker."""
    stage = Hall(teams=24).stage(table_size=2)
    short.learn(stage.pk, 0.01)
    monkeypatch.setattr(batches, "PATIENCE", 0.0)
    hangs = threading.Event()
    count = []

    def referee_match(claimed, *_):
        count.append(claimed)
        played = refereed(claimed)
        if len(count) == 2:
            wait_for(lambda: states(stage)[:3] == ["done", "running", "queued"])
            hangs.set()
        return played

    monkeypatch.setattr(play, "referee_match", referee_match)
    started = threading.Event()
    settle = batches.Batch.settle

    def settled(batch):
        wait_for(lambda: len(count) == 2 or hangs.is_set())
        started.set()
        settle(batch)

    monkeypatch.setattr(batches.Batch, "settle", settled)
    play.play_next("one")
    assert hangs.is_set()
    assert states(stage)[:3] == ["done", "done", "queued"]
    third = stage.matches.order_by("pk")[2]
    assert (third.failures, third.worker) == (0, "")
