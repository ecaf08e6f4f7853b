"""Trials on the queue of practice: the decision, and what may happen on the way to it."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from contest.refusal import Refused
from games.pairs import Measure, seats_of, worth
from games.record import games as split_games
from games.record import verify
from games.trial import Decision, steps
from submissions.lease import LeaseLost
from tests.tournaments.practice.gym import claimed, fresh, play_all, with_version
from tests.tournaments.practice.laboratory import STRONG, WEAK, asked, known, laboratory, played_out, refereed
from tournaments.models import PracticeGame, PracticeOrder, PracticeRecord, Trial
from tournaments.practice import play, rights, trials

pytestmark = pytest.mark.django_db

State, GameState = PracticeOrder.State, PracticeGame.State


def assert_follows_from_the_records(trial: Trial) -> None:
    """Compute everything once more from the stored records."""
    trial, game, differences = known(trial), trial.order.contest.game, []
    players = trial.order.players.count() - 1
    for number in range(1, trial.counted + 1):
        reached = []
        for own, row in enumerate(trial.order.games.filter(number__in=(2 * number - 1, 2 * number))):
            record = row.record.loaded()
            assert verify(record) is None
            place = seats_of(number, players).index(0)
            assert (row.own, row.index) == (own, place)
            reached.append((record, worth(game, record, place, Measure(trial.measure), 1)))
        (ours, new), (theirs, old) = reached
        assert ours["seed"] == theirs["seed"]
        assert split_games(ours)[0][0] == split_games(theirs)[0][0], "the same hands"
        differences.append(new - old)
    assert differences == [it.difference for it in trial.pairs.filter(number__lte=trial.counted)]
    *_, last = steps(trial.design, differences)
    decision = last.decision.value if last.decision else ""
    assert (decision, last.pairs, last.mean, last.ratio) == (
        trial.decision,
        trial.counted,
        trial.difference,
        trial.ratio,
    )


def test_a_better_version_is_found_and_the_rest_is_not_played() -> None:
    _, team = laboratory()
    trial = asked(team)
    count = played_out(trial)
    trial, order = known(trial), fresh(trial.order)
    assert (trial.decision, order.state, order.why) == (Decision.BETTER, State.DONE, "")
    assert count < 2 * trial.cap
    assert not order.games.open().exists()
    assert trial.lower is not None
    assert trial.lower >= 0
    assert order.games.count() <= 2 * (trial.counted + trials.AHEAD)
    assert_follows_from_the_records(trial)


@pytest.mark.parametrize("seed", range(2))
def test_any_trial_follows_from_its_records_in_whatever_order_games_end(seed: int) -> None:
    random = Random(seed)
    _, team = laboratory()
    high = random.choice((2.0, 6.0))
    trial = asked(team, high=high, cap=20, measure=random.choice(list(Measure)), seed=seed)
    played_out(trial, random, new=random.choice((STRONG, WEAK)))
    assert known(trial).decision
    assert_follows_from_the_records(trial)


def test_a_game_of_a_lost_worker_counts_once() -> None:
    _, team = laboratory()
    trial = asked(team, cap=12)
    first = claimed()
    late = refereed(first)
    PracticeGame.objects.filter(pk=first.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert play.requeue_abandoned(timezone.now()) == 1
    played_out(trial)
    before = list(trial.pairs.values_list("number", "new", "old"))
    assert len(before) == len({number for number, *_ in before})
    with pytest.raises(LeaseLost):
        play.finish(first, late)
    assert list(trial.pairs.values_list("number", "new", "old")) == before
    assert PracticeRecord.objects.count() == trial.order.games.done().count()
    assert_follows_from_the_records(trial)


def test_a_pair_on_which_the_portal_fails_does_not_count() -> None:
    _, team = laboratory()
    trial = asked(team, cap=12, high=0.001)
    for _ in range(play.MOST_FAILURES):
        PracticeGame.objects.filter(number=1).update(due_at=timezone.now())
        game = claimed()
        assert game.number == 1
        assert play.put_back(game, "no jail")
    played_out(trial)
    trial = known(trial)
    assert trial.pairs.get(number=1).difference is None
    assert (trial.counted, trial.pairs.count()) == (12, 13)


def test_a_trial_uses_the_quota_of_practice_for_all_that_it_may_play() -> None:
    _, team = laboratory(practice_per_hour=100)
    trial = asked(team, cap=40)
    assert rights.left(team, timezone.now()) == 20
    with pytest.raises(Refused, match="20 games"):
        asked(team, cap=12)
    played_out(trial)
    played = trial.order.games.spent().count()
    assert played < 80
    assert rights.left(team, timezone.now()) == 100 - played


@pytest.mark.parametrize(
    "question",
    [
        {"old": 2},
        {"new": 3},
        {"high": float("inf")},
        {"cap": trials.MOST_PAIRS + 1},
        {"opponents": ("house:nobody",)},
    ],
)
def test_refused(question: dict[str, Any]) -> None:
    _, team = laboratory()
    with pytest.raises(Refused):
        asked(team, **question)
    assert not PracticeOrder.objects.exists()


@pytest.mark.long("more")
def test_real_programs_in_the_sandbox() -> None:
    contest, team = laboratory(game="tricky_eights", options={"target": 10})
    source = (contest.game.folder / "kit" / "random_player.py").read_bytes()
    team.submissions.filter(number=2).delete()
    with_version(team, 2, source=source + b"\n")
    trial = asked(team, cap=12, high=1000.0, opponents=("house:random",))
    assert play_all() >= 24 - 1
    assert known(trial).decision
    assert_follows_from_the_records(trial)
