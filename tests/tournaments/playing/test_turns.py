"""tournaments.playing.turns: first the contest, then its matches; and how many statements that takes."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.tournaments.stagecraft import Hall, finish, refereed
from tournaments.kinds import following, ladder
from tournaments.models import Match, Stage
from tournaments.organising import reviews, stages
from tournaments.playing import batches, play, turns

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


def work(captured: CaptureQueriesContext) -> list[str]:
    """The statements that do something: SQLite also says when a transaction begins and ends."""
    edges = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return [it["sql"] for it in captured.captured_queries if not it["sql"].startswith(edges)]


def told(captured: CaptureQueriesContext) -> str:
    return "\n".join(" ".join(sql.split())[:90] for sql in work(captured))


def first_by_the_rule() -> int | None:
    due = Match.objects.claimable(timezone.now()).for_workers().taking_turns()
    return due.values_list("pk", flat=True).first()


def test_it_is_the_match_that_the_rule_names():
    """Contests in every situation: the same choice as by sorting all matches."""
    halls = [Hall(teams=16), Hall(teams=8), Hall(teams=4)]
    for hall in halls:
        hall.stage(table_size=2)
    for number in range(12):
        expected = first_by_the_rule()
        [claimed] = play.claim_next("one")
        assert claimed.pk == expected
        if number % 3:
            play.finish(claimed, refereed(claimed))
    assert first_by_the_rule() is not None


def test_the_smallest_priority_of_all_stages_comes_first():
    hall = Hall(teams=8)
    one, two = hall.stage(), hall.stage()
    late = two.matches.order_by("-pk")[0]
    Match.objects.filter(pk=late.pk).update(priority=-5)
    assert [it.pk for it in play.claim_next("one")] == [late.pk]
    assert play.claim_next("one")[0].stage == one


def test_what_waits_for_something_is_not_claimed():
    hall = Hall(teams=4)
    stage = hall.stage(table_size=2)
    now = timezone.now()
    later, live, *others = stage.matches.order_by("pk")
    assert not others
    Match.objects.filter(pk=later.pk).update(due_at=now + timedelta(seconds=30))
    Match.objects.filter(pk=live.pk).update(live=True)
    assert play.claim_next("one") == []
    stages.pause(stage, hall.ada)
    assert play.claim_next("one", now + timedelta(minutes=1)) == []
    stages.resume(stage, hall.ada)
    assert [it.pk for it in play.claim_next("one", now + timedelta(minutes=1))] == [later.pk]


def test_a_stage_that_is_paused_after_the_choice_gives_nothing(monkeypatch):
    hall = Hall(teams=4)
    stage = hall.stage()
    chosen = turns.turns(timezone.now())
    monkeypatch.setattr(turns, "turns", lambda now: chosen)
    stages.pause(stage, hall.ada)
    assert play.claim_next("late") == []


def test_matches_of_an_open_review_are_played_though_their_stage_is_over():
    hall = Hall(teams=2)
    stage = hall.stage()
    match = finish(stage.matches.get())
    stage.refresh_from_db()
    assert stage.state == Stage.State.DONE
    review = reviews.start(stage, hall.ada, "odd clocks", [match.pk])
    [claimed] = play.claim_next("one")
    assert claimed.review == review
    assert claimed.pending


@pytest.mark.long("more")
class TestNumberOfStatements:
    """Everything between a worker that asks for work and the one that asks again."""

    @pytest.fixture(autouse=True)
    def answers_at_once(self, monkeypatch):
        """What the players' processes cost is not counted, but all that is asked before them. All matches count as
        long, so that workers take them one by one."""

        def referee_match(claimed, *_, **__):
            play.prepared(claimed, lambda seat, number: None)
            with connection.execute_wrapper(unseen):
                return refereed(claimed)

        def unseen(execute, *arguments):
            raise AssertionError("the seats are known")

        monkeypatch.setattr(batches, "PATIENCE", 600.0)  # its thread does not see the rows of a test's transaction
        monkeypatch.setattr(play, "referee_match", referee_match)
        monkeypatch.setattr(play, "monotonic", count(step=60).__next__)

    def stage(self, kind: str, teams: int) -> Stage:
        hall = Hall(teams=teams)
        if kind == "ladder":
            return ladder_of(hall)
        stage = stages.create(hall.contest, None, stages.Wish("Rounds", "round_robin"))
        stages.start(stage, None)
        return stage

    @pytest.mark.parametrize("kind", ["rounds", "ladder"])
    @pytest.mark.parametrize("teams", [8, 64])
    def test_a_result_takes_twenty_at_most(self, kind, teams):
        stage = self.stage(kind, teams)
        with CaptureQueriesContext(connection) as captured:
            assert play.play_next("one") is not None
        assert len(work(captured)) <= 20, told(captured)
        assert stage.matches.filter(state="done").count() == 1


HOLD = 'FROM "contest_contest" WHERE "contest_contest"."id" ='


class TestOrderOfLocks:
    """The contest first, then everything else (contest.ledger.hold)."""

    def said(self, act) -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            act()
        return work(captured)

    def at(self, said: list[str], *words: str) -> int:
        """The first statement with one of these words."""
        return next(at for at, sql in enumerate(said) if any(word in sql for word in words))

    @pytest.mark.parametrize("step", ["claim", "finish"])
    def test_claiming_and_writing_take_the_contest_first(self, step):
        hall = Hall(teams=4)
        hall.stage()
        if step == "claim":
            said = self.said(lambda: play.claim_next("one"))
        else:
            [claimed] = play.claim_next("one")
            played = refereed(claimed)
            said = self.said(lambda: play.finish(claimed, played))
        writes = [at for at, sql in enumerate(said) if sql.startswith(("UPDATE", "INSERT", "DELETE"))]
        assert self.at(said, HOLD) < writes[0]

    def test_a_result_pairs_nobody(self):
        hall = Hall(teams=16)
        stage = ladder_of(hall)
        [claimed] = play.claim_next("one")
        played = refereed(claimed)
        said = self.said(lambda: play.finish(claimed, played))
        assert not [sql for sql in said if "tournaments_client" in sql or "INSERT INTO tournaments_match " in sql]
        assert stage.matches.count() == ladder.QUEUED

    def test_a_ladder_looks_at_its_teams_before_the_contest_is_held(self):
        stage = ladder_of(Hall(teams=16))
        for _ in range(ladder.QUEUED - 1):
            play.claim_next("one")
        said = self.said(lambda: following.reconcile(stage))
        assert stage.matches.count() > ladder.QUEUED
        assert self.at(said, "tournaments_rating") < self.at(said, HOLD)


def ladder_of(hall: Hall) -> Stage:
    stage = stages.create(hall.contest, None, stages.Wish("Ladder", "ladder", {"table_size": 2}))
    stages.start(stage, None)
    return stage


def test_a_hidden_result_moves_nothing_that_the_public_sees():
    hall = Hall(teams=8)
    stage = hall.stage(table_size=2)
    Stage.objects.filter(pk=stage.pk).update(release=Stage.Release.ROUNDS)
    hall.contest.refresh_from_db()
    before, public = hall.contest.revision, hall.contest.public_revision
    assert play.claim_next("one")
    hall.contest.refresh_from_db()
    assert hall.contest.revision > before
    assert hall.contest.public_revision == public
    Stage.objects.filter(pk=stage.pk).update(released=1)
    assert play.claim_next("one")
    hall.contest.refresh_from_db()
    assert hall.contest.public_revision == public + 1
