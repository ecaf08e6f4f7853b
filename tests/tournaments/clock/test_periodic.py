"""The tick: it restarts everything that has stopped, in one process at a time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from contest.models import AnsweredRequest, Contest
from submissions.models import Submission
from tests.cast import make_user
from tests.tournaments.stagecraft import Hall, give_bot, play_out
from tournaments.clock import periodic
from tournaments.kinds import following
from tournaments.models import Duty, Match, Stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.seating import queue

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


def stage_due(hall, **shift):
    stage = hall.stage(start=False, publish=True)
    Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() + timedelta(**shift))
    return stage


class TestDuty:
    def test_one_at_a_time(self):
        now = timezone.now()
        assert Duty.take("tick", "one", now, timedelta(seconds=60))
        assert not Duty.take("tick", "two", now, timedelta(seconds=60))
        assert Duty.take("tick", "two", now + timedelta(seconds=61), timedelta(seconds=60))
        assert not Duty.take("tick", "one", now + timedelta(seconds=62), timedelta(seconds=60))

    def test_a_tick_steps_aside_while_another_is_at_it(self):
        Duty.take("tick", "elsewhere:1", timezone.now(), timedelta(seconds=60))
        assert periodic.tick() is False
        Duty.objects.update(until=timezone.now() - timedelta(seconds=1))
        assert periodic.tick() is True
        assert periodic.tick() is True, "it gives the duty back"


class TestTick:
    def test_due_stages_start_by_themselves(self):
        hall = Hall(teams=4)
        due, later = stage_due(hall, seconds=-1), stage_due(hall, hours=1)
        periodic.tick()
        due.refresh_from_db()
        later.refresh_from_db()
        assert (due.state, later.state) == ("running", "published")
        assert hall.contest.acts.get(verb="start stage").user is None

    def test_a_stage_that_cannot_start_yet_is_tried_again(self, caplog):
        hall = Hall(teams=2, bots=False)
        stage = stage_due(hall, seconds=-1)
        periodic.tick()
        assert "cannot start: None of the 2 teams" in caplog.text
        stage.refresh_from_db()
        hall.contest.refresh_from_db()
        assert stage.refusal == "None of the 2 teams has an active bot; a stage needs at least two."
        revision = hall.contest.revision
        periodic.tick()
        hall.contest.refresh_from_db()
        assert hall.contest.revision == revision, "said once, and pages are not fetched again for it"
        for team in hall.teams:
            give_bot(team)
        periodic.tick()
        stage.refresh_from_db()
        assert (stage.state, stage.refusal) == ("running", "")

    def test_a_finished_stage_is_looked_at_once_for_every_change(self, django_assert_num_queries):
        """A settled stage with thousands of matches costs the tick one row, not a plan every ten seconds."""
        hall = Hall(teams=4)
        stage = hall.stage()
        play_out(stage)
        stage.refresh_from_db()
        assert stage.state == "done"
        now = timezone.now()
        periodic.reconcile_stages(now)
        with django_assert_num_queries(1):
            periodic.reconcile_stages(now)
        stage.matches.update(state="void")
        Contest.objects.get(pk=hall.contest.pk).touch()
        periodic.reconcile_stages(now)
        stage.refresh_from_db()
        assert (stage.state, stage.matches.open().count()) == ("running", 1)

    def test_lost_workers_and_lost_messages(self, django_capture_on_commit_callbacks):
        hall = Hall(teams=8)
        stage = hall.stage()
        first = stage.matches.first()
        play.claim(first.pk, "gone:1")
        Match.objects.filter(pk=first.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        assert queue.waiting() == 0
        with django_capture_on_commit_callbacks(execute=True):
            periodic.tick(timezone.now() + timedelta(seconds=1))
        first.refresh_from_db()
        assert (first.state, first.failures) == ("queued", 1)
        assert queue.waiting() == 2

    @pytest.mark.parametrize("state", ["published", "paused", "done"])
    def test_a_team_that_left_is_noticed_wherever_the_stage_stands(self, state):
        hall = Hall(teams=4)
        stage = hall.stage(start=state != "published", publish=True)
        if state == "done":
            play_out(stage)
        elif state == "paused":
            stages.pause(stage, hall.ada)
        hall.teams[0].state = "disqualified"
        hall.teams[0].save()
        periodic.tick()
        table = stage.tables.get()
        if state == "done":
            assert table.places == hall.ids, "a place is the one that was played"
        else:
            assert table.players[0] == "house:random"
        assert Stage.objects.get().state == state
        assert following.is_in_line(Stage.objects.get())

    def test_contests_that_have_ended_are_left_in_peace(self):
        hall = Hall(teams=4)
        play_out(hall.stage())
        hall.contest.ended_at = timezone.now()
        hall.contest.save()
        assert not Stage.objects.shown().exists()

    def test_abandoned_versions_too(self):
        hall = Hall(teams=2)
        past = timezone.now() - timedelta(minutes=5)
        Submission.objects.filter(team=hall.teams[0]).update(state="building", lease_until=past, attempt=1)
        periodic.tick()
        assert hall.teams[0].submissions.get().state == "queued"

    def test_one_part_in_trouble_does_not_keep_the_others_from_their_work(self, caplog):
        hall = Hall(teams=4)
        broken, due = stage_due(hall, hours=1), stage_due(hall, seconds=-1)
        Stage.objects.filter(pk=broken.pk).update(state="running", format="lost")
        periodic.tick()
        due.refresh_from_db()
        assert due.state == "running"
        assert f"stage {broken.pk} cannot be reconciled" in caplog.text
        periodic.tick()
        assert queue.waiting() == 1


class TestWaitingForChecks:
    """A due start waits a little for versions that are being built or checked."""

    def test_it_waits_and_then_starts_with_everybody(self):
        hall = Hall(teams=4)
        stage = stage_due(hall, seconds=-1)
        Submission.objects.filter(team=hall.teams[3]).update(state="checking", is_active=False)
        periodic.tick()
        stage.refresh_from_db()
        assert stage.state == "published"
        Submission.objects.filter(team=hall.teams[3]).update(state="ready", is_active=True)
        periodic.tick()
        stage.refresh_from_db()
        assert stage.state == "running"
        assert len(stage.versions) == 4

    @pytest.mark.long("more")
    def test_not_for_a_newer_version_of_a_team_that_has_one(self):
        hall = Hall(teams=4)
        stage = stage_due(hall, seconds=-1)
        newer = give_bot(hall.teams[3], active=False, number=2)
        Submission.objects.filter(pk=newer.pk).update(state="building")
        periodic.tick()
        stage.refresh_from_db()
        assert stage.state == "running"


def test_answers_to_repeated_requests_are_forgotten_after_a_while():
    user = make_user()
    AnsweredRequest.objects.create(user=user, key="old", at=timezone.now() - timedelta(days=2))
    AnsweredRequest.objects.create(user=user, key="new")
    periodic.tick()
    assert AnsweredRequest.objects.get().key == "new"
