"""Practice from the order to the figures, with real bots in the sandbox."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

import games
from contest.models import Contest, LedgerEntry
from games import record as records
from games.engine import Game
from games.referee import Match as Played
from submissions.lease import Lease, LeaseLost
from tests.cast import make_contest
from tests.tournaments.practice.gym import armed, claimed, fresh, gym, order, play_all, with_version
from tests.tournaments.stagecraft import Hall
from tournaments.models import Match, PracticeGame, PracticeOrder, PracticeRecord, Rating, Tally
from tournaments.playing import watch as watching
from tournaments.playing.watch import Watch
from tournaments.practice import orders, play, queue

pytestmark = pytest.mark.django_db

FIRST = "tricky_eights"
EVERY = [
    pytest.param(game, id=game.slug, marks=[pytest.mark.long("more")] if game.slug != FIRST else [])
    for game in games.GAMES.values()
]
State, GameState = PracticeOrder.State, PracticeGame.State


@pytest.mark.parametrize("game", EVERY)
def test_every_game_is_practised(game: Game) -> None:
    contest = make_contest(game=game.slug, preset=game.presets[-1].name)
    team, other = armed(contest, "Aces", "Clubs")
    rivals = (f"team:{other.pk}",) if game.seats[1] > 1 else ()
    count = game.seats[1]
    placed = order(team, opponents=rivals, games=count)
    assert play_all() == count
    placed = fresh(placed)
    assert (placed.state, placed.why) == (State.DONE, "")
    played = list(placed.games.all())
    assert [it.seat for it in played] == list(range(count)), "the team moves on by one seat"
    for it in played:
        record = it.record.loaded()
        assert records.verify(record) is None
        assert records.games_played(record) == 1
        assert record["seats"][it.index]["name"] == "Aces, version 1" or game.introduction
        assert record["seats"][it.index]["bot"] == "bot.py"
        rivals = {seat["bot"] for at, seat in enumerate(record["seats"]) if at != it.index}
        assert "bot.py" not in rivals, "the file name of another team's bot is theirs to know"
        assert it.place == it.results[it.index]["place"]
        assert (it.attempt, it.failures) == (1, 0)


def test_nothing_of_it_counts() -> None:
    contest, (team, other) = gym()
    contest.refresh_from_db()
    before = contest.last_number, contest.revision
    order(team, opponents=(f"team:{other.pk}",), games=2)
    assert play_all() == 2
    contest.refresh_from_db()
    assert (contest.last_number, contest.revision) == before
    for model in (LedgerEntry, Match, Rating, Tally):
        assert not model.objects.exists()
    assert orders.games_against(other) == 2
    assert orders.games_against(team) == 0


def test_a_given_seed_gives_the_same_deals_and_a_fresh_one_others() -> None:
    _, (team, _) = gym()
    placed = [order(team, seed=77, games=2), order(team, seed=77, games=2), order(team, games=2)]
    play_all()
    hands = [[it.record.loaded()["events"][0]["hands"] for it in one.games.all()] for one in placed]
    assert hands[0] == hands[1] != hands[2]
    assert hands[0][0] != hands[0][1]
    assert [it.seed for it in placed[0].games.all()] == [77, 78]


def test_only_what_its_own_versions_wrote_is_kept() -> None:
    contest, (team,) = gym("Aces")
    loud = b"import sys\nprint('secret of ' + __name__, file=sys.stderr, flush=True)\n"
    source = (contest.game.folder / "kit" / "random_player.py").read_bytes()
    (other,) = armed(contest, "Clubs", source=loud + source)
    with_version(team, 2, source=loud + source)
    placed = order(team, version=1, opponents=(f"team:{other.pk}", "version:2", "house:random"), games=1)
    assert play_all() == 1
    kept = placed.games.get().record
    assert set(kept.pieces()) == {2}
    assert "secret" in kept.pieces()[2][0][1]


def test_a_late_worker_changes_nothing() -> None:
    _, (team, _) = gym()
    order(team, games=1)
    first = claimed()
    PracticeGame.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert play.requeue_abandoned(timezone.now()) == 1
    second = claimed()
    assert second.attempt == 2
    with pytest.raises(LeaseLost):
        play.finish(first, _refereed(first))
    assert not PracticeRecord.objects.exists()
    play.finish(second, _refereed(second))
    assert PracticeRecord.objects.count() == 1
    with pytest.raises(LeaseLost):
        play.finish(second, _refereed(second))


def _refereed(game: PracticeGame) -> Played:
    return play.referee_game(game, Watch(game), Lease(PracticeGame.objects.held_by(game)))


def test_what_the_portal_fails_on_is_given_up_after_a_while() -> None:
    _, (team, _) = gym()
    placed = order(team, games=2)
    for _ in range(play.MOST_FAILURES):
        PracticeGame.objects.update(due_at=timezone.now())
        game = claimed()
        assert game.number == 1
        assert play.put_back(game, "no jail")
    assert placed.games.get(number=1).state == GameState.FAILED
    assert fresh(placed).is_open
    assert play_all() == 1
    assert fresh(placed).state == State.DONE


def test_no_second_worker_gives_way_before_the_first_has_claimed_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that gave way still counts as one that began later, until its worker had time to claim the match."""
    _, (team, other) = gym()
    order(team, opponents=(f"team:{other.pk}",), games=3)
    monkeypatch.setattr(watching, "PATIENCE", 5)
    first, second = (Watch(claimed()) for _ in range(2))
    Hall(4).stage(games=1)
    for watch in (first, second, first, second):
        watch.look()
    assert (first.has_ended_it, second.has_ended_it) == (False, True)
    assert isinstance(second.claimed, PracticeGame)
    queue.give_back(second.claimed)
    for _ in range(watching.PATIENCE - 1):
        first.look()
    assert not first.has_ended_it
    first.look()
    assert first.has_ended_it, "the other worker seems to be lost"


@pytest.mark.parametrize("ending", ["contest", "closed", "own", "withdrawn", "declined"])
def test_what_may_not_go_on_is_ended(ending: str) -> None:
    _, (team, other) = gym()
    placed = order(team, opponents=(f"team:{other.pk}",), games=3)
    claimed()
    assert play.end_stopped(timezone.now()) == 0
    if ending == "contest":
        Contest.objects.update(ended_at=timezone.now())
    elif ending in ("closed", "own"):
        Contest.objects.update(practice=ending)
    elif ending == "withdrawn":
        type(team).objects.filter(pk=team.pk).update(state="withdrawn")
    else:
        orders.set_acceptance(other, other.people()[0].user, False)
    assert play.end_stopped(timezone.now()) == 1
    placed = fresh(placed)
    assert placed.state == State.CANCELLED
    assert placed.why
    assert {it.state for it in placed.games.all()} == {GameState.CANCELLED}
    assert play_all() == 0
