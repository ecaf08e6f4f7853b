"""Organisers' actions on stages: what pages do not show, and what happens when two act at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from contest.models import Act
from contest.refusal import Refused
from submissions.models import Submission
from tests.cast import make_team
from tests.tournaments.stagecraft import Hall, arranged, by_strength, finish, give_bot, refereed
from tournaments.clock import periodic
from tournaments.kinds import following
from tournaments.models import Match, Stage
from tournaments.organising import admission, stages
from tournaments.organising.stages import Wish
from tournaments.playing import play
from tournaments.seating import queue


def at_once(*actions: Callable[[], object]) -> list[object]:
    """Do these at the same moment, each on its own connection. Returns the results, including exceptions."""
    barrier = threading.Barrier(len(actions))
    results: list[object] = [None] * len(actions)

    def run(number: int, action: Callable[[], object]) -> None:
        barrier.wait()
        try:
            results[number] = action()
        except Exception as error:
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.promise
@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_two_organisers_start_the_same_stage(self):
        hall = Hall(teams=8)
        stage = hall.stage(start=False)
        results = at_once(*[lambda: stages.start(Stage.objects.get(pk=stage.pk), hall.ada)] * 4)
        assert sorted(type(result).__name__ for result in results) == ["NoneType", "Refused", "Refused", "Refused"]
        assert stage.matches.count() == 2
        assert Act.objects.filter(verb="start stage").count() == 1

    def test_many_reconcile_the_same_stage(self):
        hall = Hall(teams=16)
        stage = hall.stage()
        for match in stage.matches.all():
            claimed = play.claim(match.pk, "tester")
            play.finish(claimed, arranged(claimed, by_strength(match)))
        results = at_once(*[lambda: following.reconcile(stage)] * 6)
        assert sorted(changes.created for changes in results) == [0, 0, 0, 0, 0, 1]
        assert stage.matches.filter(table__name="Final").count() == 1

    def test_many_workers_want_the_same_match(self):
        match = Hall(teams=4).stage().matches.get()
        results = at_once(*[lambda: play.claim(match.pk, "w")] * 6)
        assert sum(result is not None for result in results) == 1
        match.refresh_from_db()
        assert match.attempt == 1

    def test_two_beats(self):
        Hall(teams=4).stage()
        at_once(*[periodic.tick] * 4)
        assert queue.waiting() == 1

    def test_a_result_and_its_voiding(self):
        """Whichever comes first: either the match is void without a result, or its result is removed again."""
        for _ in range(5):
            hall = Hall(teams=4)
            stage = hall.stage()
            match = stage.matches.get()
            claimed = play.claim(match.pk, "tester")
            played = refereed(claimed)
            at_once(
                lambda claimed=claimed, played=played: play.finish(claimed, played),
                lambda match=match, hall=hall: stages.void(match, hall.ada, "both at once"),
            )
            match.refresh_from_db()
            assert match.state == "void"
            assert stage.matches.valid().get().state == "queued"
            assert not hall.contest.ratings.exists()


@pytest.mark.django_db
class TestSeeding:
    def test_by_number_with_the_others_after_them(self):
        hall = Hall(teams=3)
        hall.teams[0].seed, hall.teams[2].seed = None, 1
        for team in (hall.teams[0], hall.teams[2]):
            team.save()
        assert admission.seeded(Stage(contest=hall.contest)) == [hall.ids[2], hall.ids[1], hall.ids[0]]

    def test_only_teams_that_take_part(self):
        hall = Hall(teams=4)
        for team, state in zip(hall.teams, ("pending", "refused", "withdrawn"), strict=False):
            team.state = state
            team.save()
        assert admission.seeded(Stage(contest=hall.contest)) == [hall.ids[3]]
        assert admission.seeded(Stage(contest=hall.contest, seeding="hand", order=hall.ids)) == [hall.ids[3]]

    def test_a_late_team_is_in_when_it_is_drawn_again(self):
        hall = Hall(teams=4)
        stage = hall.stage(start=False, publish=True)
        late = make_team(hall.contest)
        stages.edit(stage, hall.ada, Wish("Cup"))
        stage.refresh_from_db()
        assert stage.order == [*hall.ids, late.pk]


@pytest.mark.django_db
class TestTrail:
    def test_every_action_is_in_the_audit_log(self):
        hall = Hall(teams=4)
        stage = stages.create(hall.contest, hall.ada, Wish("Cup"))
        stages.edit(stage, hall.ada, Wish("Big Cup"))
        stages.publish(stage, hall.ada)
        stages.unpublish(stage, hall.ada)
        stages.start(stage, hall.ada)
        stages.pause(stage, hall.ada, "rain")
        stages.resume(stage, hall.ada)
        stages.void(stage.matches.get(), hall.ada, "wet cards")
        stages.disqualify(hall.teams[0], hall.ada, "umbrella")
        other = stages.create(hall.contest, hall.ada, Wish("Small Cup"))
        stages.delete(other, hall.ada)
        written = [(act.verb, act.reason) for act in reversed(hall.contest.acts.filter(user=hall.ada))]
        assert [verb for verb, _ in written][1:] == [
            "create stage",
            "change stage",
            "publish stage",
            "unpublish stage",
            "start stage",
            "pause stage",
            "resume stage",
            "void match",
            "disqualify team",
            "create stage",
            "delete stage",
        ]
        assert ("pause stage", "rain") in written
        assert ("void match", "wet cards") in written

    def test_a_refused_action_leaves_no_trace(self):
        hall = Hall(teams=4)
        stage = hall.stage()
        before = Act.objects.count(), hall.contest.__class__.objects.get(pk=hall.contest.pk).revision
        for action in (stages.publish, stages.unpublish, stages.start, stages.resume, stages.delete):
            with pytest.raises(Refused):
                action(stage, hall.ada)
        with pytest.raises(Refused, match="Enter a reason"):
            stages.void(stage.matches.get(), hall.ada, "  ")
        assert (Act.objects.count(), hall.contest.__class__.objects.get(pk=hall.contest.pk).revision) == before


@pytest.mark.django_db
def test_a_paused_stage_ends_what_is_being_played_and_waits():
    hall = Hall(teams=8)
    stage = hall.stage()
    first, second = stage.matches.all()
    claimed = play.claim(first.pk, "tester")
    stages.pause(stage, hall.ada)
    play.finish(claimed, arranged(claimed, by_strength(first)))
    following.reconcile(stage)
    assert play.claim(second.pk, "tester") is None
    stage.refresh_from_db()
    assert stage.state == "paused"
    stages.resume(stage, hall.ada)
    finish(second, by_strength(second))
    assert stage.matches.valid().filter(table__name="Final").exists()


@pytest.mark.django_db
def test_a_start_waits_only_for_teams_of_its_own():
    hall = Hall(teams=3)
    stage = hall.stage(start=False, publish=True)
    Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now(), entry="invited", invited=hall.ids)
    stage.refresh_from_db()
    outsider = make_team(hall.contest)
    Submission.objects.filter(pk=give_bot(outsider).pk).update(state="queued", is_active=False)
    assert not admission.held_back(stage, timezone.now())
    assert not admission.held_back(stage, timezone.now() + timedelta(hours=1))
    assert Match.objects.count() == 0


@pytest.mark.django_db
def test_a_team_without_a_bot_at_the_start_leaves_no_seat_empty():
    """Nine teams, four without a bot: five play at two tables, not at three with the house in the empty seats."""
    hall = Hall(teams=9)
    Submission.objects.filter(team__in=hall.teams[:8:2]).update(is_active=False)
    stage = hall.stage()
    assert stage.left_out == [team.pk for team in hall.teams[:8:2]]
    first_round = stage.tables.filter(round=1)
    assert first_round.count() == 2
    playing = [player for table in first_round for player in table.players if isinstance(player, int)]
    assert sorted(playing) == sorted(team.pk for team in [*hall.teams[1:8:2], hall.teams[8]])
    assert set(stage.contest.acts.filter(verb="start stage").get().data["left_out"]) == set(stage.left_out)
