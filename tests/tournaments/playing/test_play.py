"""One match from the queue to its result: claims, leases, the one transaction, and failures of the machinery."""

import json
import os
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from contest.models import Contest
from contest.refusal import Refused
from games import record as records
from games.format import thinking_times
from submissions.lease import Lease, LeaseLost
from submissions.models import Submission
from tests.submissions import bots
from tests.tournaments.stagecraft import Hall, by_strength, finish, give_bot, refereed
from tournaments.models import BotLog, Match, Rating, Record
from tournaments.organising import stages
from tournaments.playing import play

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall(teams=4)


@pytest.fixture
def match(hall):
    return hall.stage().matches.get()


def fresh(match):
    return Match.objects.get(pk=match.pk)


def lose(match, now=None):
    """Its worker has been silent for longer than the lease, and the tick runs."""
    now = now or timezone.now()
    Match.objects.filter(pk=match.pk, state="running").update(lease_until=now - timedelta(seconds=1))
    return play.requeue_abandoned(now)


@pytest.mark.promise
class TestClaiming:
    def test_a_claim_writes_worker_attempt_and_lease(self, match):
        now = timezone.now()
        claimed = play.claim(match.pk, "apollo:7", now)
        row = fresh(match)
        assert (row.state, row.worker, row.attempt) == ("running", "apollo:7", 1)
        assert row.lease_until == now + play.LEASE
        assert row.started_at == now
        assert claimed == row

    def test_nobody_claims_twice(self, match):
        assert play.claim(match.pk, "one") is not None
        assert play.claim(match.pk, "two") is None
        assert fresh(match).worker == "one"

    @pytest.mark.parametrize("state", ["done", "void", "running"])
    def test_only_queued_matches_are_claimed(self, match, state):
        Match.objects.filter(pk=match.pk).update(state=state)
        assert play.claim(match.pk, "one") is None

    @pytest.mark.parametrize("workers", [1, 3])
    def test_contests_take_turns(self, workers):
        """The many tables of one contest do not delay those of another, however many workers there are."""
        halls = [Hall(teams=32), Hall(teams=8)]
        for hall in halls:
            hall.stage(table_size=2)
        order, playing = [], []
        for _ in range(8):
            pk = Match.objects.claimable(timezone.now()).taking_turns().values_list("pk", flat=True).first()
            playing.append(play.claim(pk, "one"))
            order.append(playing[-1].contest_id)
            if len(playing) == workers:
                Match.objects.filter(pk=playing.pop(0).pk).update(state="done", finished_at=timezone.now())
        assert order.count(halls[0].contest.pk) == order.count(halls[1].contest.pk) == 4

    def test_play_offs_come_first(self):
        hall = Hall(teams=8)
        stage = hall.stage()
        first = stage.matches.first()
        teams = [seat.team_id for seat in first.seats.all()]
        finish(first, dict.fromkeys(teams, 1))
        due = Match.objects.claimable(timezone.now())
        assert [match.kind for match in due] == ["playoff", "regular"]


@pytest.mark.promise
class TestFinishing:
    def test_everything_is_written_once(self, match):
        claimed = play.claim(match.pk, "one")
        played = refereed(claimed)
        play.finish(claimed, played)
        row = fresh(match)
        assert (row.state, row.games, row.lease_until, row.last_error) == ("done", 1, None, "")
        assert row.finished_at is not None
        record = records.loads(row.record.text())
        assert record == json.loads(records.dumps(played.record))
        assert records.verify(record) is None
        seats = list(row.seats.all())
        assert [seat.place for seat in seats] == record["result"]["places"]
        assert [seat.score for seat in seats] == record["result"]["scores"]
        assert all(seat.slowest_ms <= seat.total_ms for seat in seats)
        assert all(seat.mu_after is not None for seat in seats)
        assert Rating.objects.count() == 4
        with pytest.raises(LeaseLost):
            play.finish(claimed, played)
        assert Record.objects.count() == 1
        assert {rating.matches for rating in Rating.objects.all()} == {1}

    def test_a_late_worker_changes_nothing(self, match):
        late = play.claim(match.pk, "late")
        played = refereed(late)
        lose(match)
        punctual = play.claim(match.pk, "punctual")
        assert punctual.attempt == 2
        with pytest.raises(LeaseLost):
            play.finish(late, played)
        assert not Record.objects.exists()
        play.finish(punctual, played)
        with pytest.raises(LeaseLost):
            play.finish(late, played)
        assert fresh(match).worker == "punctual"
        assert Record.objects.count() == 1

    def test_when_a_part_fails_nothing_is_written(self, match):
        claimed = play.claim(match.pk, "one")
        played = refereed(claimed)
        played.record["result"]["scores"].pop()
        with pytest.raises(ValueError, match="argument"):
            play.finish(claimed, played)
        assert fresh(match).state == "running"
        assert not Record.objects.exists()
        assert not Rating.objects.exists()

    def test_results_of_a_contest_never_go_back_in_time(self):
        hall = Hall(teams=8)
        first, second = hall.stage().matches.all()
        ahead = timezone.now() + timedelta(hours=1)  # written by a machine whose clock is fast
        finish(first, by_strength(first))
        Match.objects.filter(pk=first.pk).update(finished_at=ahead)
        finish(second, by_strength(second))
        assert second.resulted > Match.objects.get(pk=first.pk).resulted

    def test_thinking_times_follow_the_players_through_the_seats(self):
        record = {
            "seats": [{}, {}],
            "events": [
                {"event": "game", "number": 1, "seating": [0, 1]},
                {"event": "play", "seat": 0, "card": "d5", "ms": 1.5},
                {"event": "play", "seat": 1, "card": "d6", "by": "referee"},
                {"event": "game", "number": 2, "seating": [1, 0]},
                {"event": "play", "seat": 0, "card": "d5", "ms": 2.5},
                {"event": "play", "seat": 1, "card": "d7", "ms": 4},
            ],
        }
        assert thinking_times(record) == [[1.5, 4], [2.5]]


@pytest.mark.promise
class TestLeases:
    def test_it_is_renewed_while_it_is_held(self, match):
        claimed = play.claim(match.pk, "one")
        before = timezone.now() - timedelta(seconds=5)
        Match.objects.filter(pk=match.pk).update(lease_until=before)
        Lease(Match.objects.held_by(claimed), length=play.LEASE).renew()
        assert fresh(match).lease_until > before

    def test_it_is_lost_when_somebody_else_has_the_match(self, match):
        claimed = play.claim(match.pk, "one")
        lease = Lease(Match.objects.held_by(claimed))
        lease.check()
        lose(match)
        play.claim(match.pk, "two")
        lease.renew()
        with pytest.raises(LeaseLost):
            lease.check()
        assert fresh(match).worker == "two"

    def test_a_match_that_is_still_held_is_left_alone(self, match):
        play.claim(match.pk, "one")
        assert play.requeue_abandoned(timezone.now()) == 0
        assert fresh(match).state == "running"

    def test_an_abandoned_one_is_queued_again_at_once(self, match):
        play.claim(match.pk, "apollo:7")
        assert lose(match) == 1
        row = fresh(match)
        assert (row.state, row.worker, row.lease_until, row.failures) == ("queued", "", None, 1)
        assert row.last_error == "The worker apollo:7 was lost."
        assert play.claim(match.pk, "two", row.due_at) is not None

    def test_one_that_was_renewed_meanwhile_keeps_its_match(self, match):
        """The tick has read the row as expired, but the worker wakes up and renews before the tick writes."""
        claimed = play.claim(match.pk, "one")
        later = timezone.now() + play.LEASE * 2
        Match.objects.filter(pk=match.pk).update(lease_until=later + play.LEASE)
        assert not play._requeue(claimed, "lost", due_at=later, expired_at=later)
        assert fresh(match).state == "running"


@pytest.mark.promise
class TestTheMachinery:
    @pytest.mark.parametrize("lost", [False, True], ids=["failed", "lost its worker"])
    def test_after_three_failures_it_waits_for_an_organiser(self, hall, match, lost):
        """An organiser plays it once more, and is asked again when that fails, too."""
        now = timezone.now()

        def fail() -> datetime | None:
            due = fresh(match).due_at
            claimed = play.claim(match.pk, "one", due)
            assert lose(match, due) == 1 if lost else play.put_back(claimed, "no disk", due)
            return fresh(match).due_at

        with pytest.raises(Refused):
            stages.play_stopped(match.contest, hall.ada)
        first, second = fail(), fail()
        assert lost or second - first > timedelta(minutes=10), "an outage heals by itself"
        for failures in (3, 4):
            assert fail() is None
            row = fresh(match)
            assert (row.state, row.failures) == ("queued", failures)
            assert play.claim(match.pk, "two", now + timedelta(days=9)) is None
            assert play.claim_next("two", now + timedelta(days=9)) == []
            assert Match.objects.pull_in(now, play.LEASE, play.RETRIES.last) == 0
            stages.play_stopped(match.contest, hall.ada)
        assert play.claim(match.pk, "three") is not None

    def test_a_late_failure_changes_nothing(self, match):
        late = play.claim(match.pk, "late")
        lose(match)
        play.claim(match.pk, "punctual")
        assert not play.put_back(late, "too late")
        assert fresh(match).worker == "punctual"

    def test_a_version_that_cannot_be_built_any_more_is_our_failure(self, match):
        """`pass` builds; an unknown language does not. No bot is blamed, and the match is retried."""
        Submission.objects.update(language="klingon")
        play.play_match(match.pk, "one")
        row = fresh(match)
        assert (row.state, row.failures) == ("queued", 1)
        assert "klingon" in row.last_error
        assert row.due_at > timezone.now()

    def test_what_nobody_expected_is_our_failure_too(self, match):
        Match.objects.filter(pk=match.pk).update(options={})
        play.play_match(match.pk, "one")
        row = fresh(match)
        assert (row.state, row.failures) == ("queued", 1)
        assert row.last_error


@pytest.mark.promise
class TestInTheSandbox:
    def play(self, *sources, target=10):
        hall = Hall(teams=len(sources), bots=False, target=target)
        for team, source in zip(hall.teams, sources, strict=True):
            give_bot(team, source=source)
        match = hall.stage().matches.get()
        play.play_match(match.pk)
        return fresh(match)

    def seat(self, match, number):
        return match.seats.get(team__seed=number)

    def test_bots_play_and_their_logs_are_kept(self):
        match = self.play(bots.TALKS, bots.GOOD_PYTHON)
        assert (match.state, match.failures, match.last_error) == ("done", 0, "")
        assert records.verify(records.loads(match.record.text())) is None
        assert match.worker == f"{os.uname().nodename}:{os.getpid()}"
        log = BotLog.objects.get()
        assert log.seat == self.seat(match, 1)
        place, text = log.pieces()[0]
        assert text.startswith("thinking about")
        assert 0 < place <= len(records.loads(match.record.text())["events"])
        assert match.stage.state == "done" or fresh(match).stage.state == "done"

    def test_a_bot_that_crashes_is_out_and_the_others_game_goes_on(self):
        match = self.play(bots.CRASHES, bots.GOOD_PYTHON, bots.GOOD_PYTHON)
        crashed = self.seat(match, 1)
        assert (crashed.disqualified, crashed.fault_kind, crashed.faults, crashed.place) == (True, "crash", 1, 4)
        assert not self.seat(match, 2).disqualified
        assert match.table.places[-1] == crashed.team_id

    def test_every_bot_stays_on_the_core_of_its_referee(self):
        """A bot on another core costs 25 µs per wake-up; a jail opened too early may use all cores."""
        says = "import os, sys; print('cores', sorted(os.sched_getaffinity(0)), file=sys.stderr)"
        match = self.play(bots.python_bot(first=says), bots.GOOD_PYTHON)
        pieces = BotLog.objects.get(seat=self.seat(match, 1)).pieces()  # several, if its referee reads while it writes
        assert "".join(said for _, said in pieces) == f"cores [{play.my_core()}]\n"

    @pytest.mark.long("more")
    def test_a_bot_has_the_memory_that_its_match_was_made_with(self):
        """Changing a contest's limits during a stage does not change existing matches."""
        hungry = bots.python_bot(first="hoard = bytearray(100 << 20)")
        hall = Hall(teams=2, bots=False, memory_mb=256)
        give_bot(hall.teams[0], source=hungry)
        give_bot(hall.teams[1], source=bots.GOOD_PYTHON)
        match = hall.stage().matches.get()
        assert match.limits == {"memory_mb": 256, "startup_seconds": 5.0}
        Contest.objects.update(memory_mb=64, startup_seconds=0.1)
        play.play_match(match.pk)
        assert [seat.fault_kind for seat in fresh(match).seats.all()] == ["", "", "", ""]
        stages.void(fresh(match), hall.ada, "again")
        again = hall.contest.matches.get(state="queued")
        assert again.limits == {"memory_mb": 64, "startup_seconds": 0.1}


class TestProcessorTime:
    """If the game measures it, it costs points: separate from the game's, but included in the place."""

    @pytest.fixture
    def claimed(self):
        hall = Hall(teams=3, target=1, game="hearts")
        return play.claim(hall.stage().matches.get().pk, "tester")

    def slowed(self, claimed, team, ms):
        """The match, in which one team has used this much processor time for its first decision."""
        played = refereed(claimed)
        player = next(seat.index for seat in claimed.seats.all() if seat.team_id == team)
        seat = records.game_seating(played.record, 1).index(player)
        decision = next(event for event in played.record["events"] if event.get("seat") == seat and "ms" in event)
        decision["cpu_ms"] = ms
        return played

    def test_the_slowest_winner_is_last(self, claimed):
        plain = refereed(claimed)
        seats = {seat.team_id: seat.index for seat in claimed.seats.all() if seat.team_id}
        best = min(seats, key=lambda team: plain.record["result"]["scores"][seats[team]])
        play.finish(claimed, self.slowed(claimed, best, 500.25))
        seat = claimed.seats.get(team=best)
        assert seat.score == plain.record["result"]["scores"][seats[best]]
        assert (seat.cpu_ms, seat.penalty, seat.counted) == (500.25, 500.25, seat.score + 500.25)
        assert seat.place == 4
        others = claimed.seats.exclude(pk=seat.pk)
        assert sorted(other.place for other in others)[0] == 1
        assert all(other.penalty == 0 for other in others)


def test_a_bot_has_the_name_that_it_gives_itself(db):
    hall = Hall(teams=4, target=None, game="intensity")
    claimed = play.claim(hall.stage().matches.get().pk, "tester")
    played = refereed(claimed)
    played.record["seats"][0]["name"] = "Rosie"
    play.finish(claimed, played)
    names = {seat.index: seat.own_name for seat in claimed.seats.all()}
    assert names == {0: "Rosie", 1: "", 2: "", 3: ""}


def test_a_match_is_as_long_as_the_rules_say(db, client):
    hall = Hall(teams=2, target=1, game="barracuda")
    stage = hall.stage()
    assert stage.options["games"] is None
    match = finish(stage.matches.get())
    record = records.loads(match.record.text())
    assert records.verify(record) is None
    scores = sorted(record["result"]["scores"])
    assert match.games == sum(scores) > 1
    assert scores[1] == 21 or scores[1] - scores[0] == 5
    page = client.get(match.get_absolute_url())
    assert page.text.count("barracuda.log of game") == match.games
    replay = client.get(f"/m/{match.pk}/{match.games}/")
    assert f"Game {match.games}" in replay.text
