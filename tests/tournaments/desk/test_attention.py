"""The desk's first page: everything that needs somebody, most urgent first, and nothing else."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from contest import teams as team_actions
from contest import workers
from contest.models import Contest, Question, Team
from contest.workers import Confinement
from submissions.models import Submission
from tests.cast import make_user
from tests.tournaments.desks import Desk
from tests.tournaments.organising.test_reviews import first_round, play_review
from tests.tournaments.stagecraft import Hall, give_bot, play_out
from tournaments import attention
from tournaments.attention import Level, Look
from tournaments.models import Client, Duty, MatchSeat, Stage
from tournaments.organising import reviews, stages
from tournaments.organising.workload import workload
from tournaments.seating import programs, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall(teams=8)


@pytest.fixture
def at_work(broker: Path, monkeypatch: pytest.MonkeyPatch):
    """A worker for all queues, with two processes, that lives as long as the test."""
    monkeypatch.setattr(workers.Worker, "FRESH", timedelta(minutes=10))
    workers.confines(Confinement("full", "everything", True, ()))
    workers.works_with(2)
    workers.sign_of_life("all@here", ("matches", "builds", "portal", "webhooks"))
    yield
    workers.confines(None)
    workers.works_with(1)


def look(hall, now=None):
    now = now or timezone.now()
    contest = Contest.objects.get(pk=hall.contest.pk)
    return Look(contest, now, workload(contest, now), workers.known())


def said(hall, now=None):
    return [(it.level, it.text) for it in attention.concerns(look(hall, now))]


def about(hall, word, now=None):
    (found,) = [it for it in attention.concerns(look(hall, now)) if word in it.text]
    return found


@pytest.mark.usefixtures("at_work")
class TestConcerns:
    @pytest.mark.long("more")
    @pytest.mark.parametrize("wish", [{"starts_after": True}, {"entry": "best", "best": 2}])
    def test_a_published_stage_that_waits_for_a_draft(self, hall, wish):
        draft = hall.stage(start=False)
        final = stages.create(hall.contest, hall.ada, stages.Wish("Final", source=draft, **wish))
        stages.publish(final, hall.ada)
        found = about(hall, "Final waits for it")
        assert (found.level, found.button) == (Level.LOOK, "Publish it")
        assert found.url.endswith(f"/desk/stages/{draft.pk}/")
        stages.publish(draft, hall.ada)
        assert said(hall) == []

    def test_worst_first(self, hall):
        Team.objects.filter(pk=hall.teams[0].pk).update(state="pending")
        stage = hall.stage(start=False, publish=True)
        Stage.objects.filter(pk=stage.pk).update(refusal="None of them has a bot.")
        assert [level for level, _ in said(hall)] == [Level.ACT, Level.LOOK]

    def test_a_draft_that_should_start(self, hall):
        stage = hall.stage(start=False)
        now = timezone.now()
        Stage.objects.filter(pk=stage.pk).update(starts_at=now + timedelta(hours=3))
        assert "should start in 3 hours" in about(hall, "Cup", now).text
        assert "should have started 1 hour ago" in about(hall, "Cup", now + timedelta(hours=4)).text

    def test_who_is_without_a_bot_when_a_stage_starts_soon(self, hall):
        Submission.objects.filter(team=hall.teams[0]).update(is_active=False)
        stage = hall.stage(start=False, publish=True)
        assert said(hall) == [], "there is time"
        Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() + timedelta(hours=3))
        found = about(hall, "without 1 team")
        assert [name for name, _ in found.about] == [hall.teams[0].name]

    def test_rejected_silent_and_worse(self, hall):
        first, second, third = hall.teams[:3]
        Submission.objects.filter(team=first).update(is_active=False, state="rejected")
        Submission.objects.filter(team=second).delete()
        give_bot(third, number=2, active=False)
        Submission.objects.filter(team=third, number=2).update(state="rejected")
        of_teams = [text for _, text in said(hall) if "no stage" not in text]
        assert of_teams == ["1 team has no bot: the latest version was rejected."]
        near = hall.contest.upload_deadline - timedelta(hours=5)
        for words, level in (
            ("There is no stage", Level.LOOK),
            ("1 team has no bot", Level.LOOK),
            ("1 team has not uploaded a bot. The deadline is in 5 hours.", Level.LOOK),
            ("1 team plays with an older version", Level.KNOW),
        ):
            assert about(hall, words, near).level == level

    def test_people_who_wait(self, hall):
        Team.objects.filter(pk__in=hall.ids[:2]).update(state="pending")
        asked = timezone.now() - timedelta(hours=2)
        Question.objects.create(contest=hall.contest, team=hall.teams[3], subject="?", text="?", asked_at=asked)
        Question.objects.create(contest=hall.contest, team=hall.teams[3], subject="?", text="?", answered_at=asked)
        hall.stage(start=False, publish=True)
        assert said(hall) == [
            (Level.LOOK, "1 unanswered question, the oldest asked 2 hours ago."),
            (Level.LOOK, "2 teams wait for you to approve or refuse."),
        ]

    @pytest.mark.parametrize("came", ["uploaded the version", "was a member", "was its captain", "never"])
    def test_the_program_of_a_disqualified_team_comes_back(self, hall, came):
        hall.stage(start=False, publish=True)
        (first, second), sources = hall.teams[:2], Submission.objects
        person = make_user()
        if came == "was a member":
            team_actions.join(hall.contest, person, first.code)
            team_actions.leave(first.memberships.get(user=person))
        elif came == "was its captain":
            person = first.memberships.get().user
            team_actions.join(hall.contest, make_user(), first.code)
            team_actions.leave(first.memberships.get(user=person))
        team_actions.join(hall.contest, person, second.code)
        sources.update(sha256="", uploaded_by=None)
        uploader = person if came == "uploaded the version" else None
        sources.filter(team=first).update(sha256=f"{came} 1", source=b"int x; // 7\n", uploaded_by=uploader)
        assert not [text for _, text in said(hall) if "disqualified" in text]
        edited = {"sha256": f"{came} 2", "source": b"/* Mine. */\n\tint  X;"}
        sources.filter(team=second).update(**edited, uploaded_by=second.memberships.first().user)
        team_actions.disqualify(first, hall.ada, "It copied.")
        found = [text for _, text in said(hall) if "disqualified" in text]
        assert bool(found) == (came != "never")
        assert all(first.name in text and second.name in text for text in found)

    def test_reviews(self, hall):
        stage = hall.stage()
        play_out(stage)
        review = reviews.start(stage, hall.ada, "x", first_round(stage))
        assert about(hall, "again").level == Level.KNOW
        play_review(review)
        assert f"{review}: 2 of 2 matches" in about(hall, "again").text

    def test_stages_that_do_not_go_on(self, hall):
        stage = hall.stage()
        stages.pause(stage, hall.ada, "lunch")
        assert "(lunch)" in about(hall, "paused").text
        stages.resume(stage, hall.ada)
        stage.matches.all().delete()
        assert about(hall, "none of its matches is queued").level == Level.LOOK

    def test_a_follower_whose_source_has_changed(self, hall):
        source = hall.stage()
        play_out(source)
        final = stages.create(hall.contest, hall.ada, stages.Wish("Final", entry="best", source=source, best=2))
        stages.start(final, hall.ada)
        assert not [text for _, text in said(hall) if "keeps its teams" in text]
        first = source.matches.done().filter(table__round=1).first()
        stages.void(first, hall.ada, "x")
        assert about(hall, "keeps its teams").text.startswith("Cup is being played again in part")

    def test_answers_on_a_grid(self, hall):
        stage = hall.stage()
        play_out(stage)
        for team, matches in zip(hall.teams, (2, 1), strict=False):  # one match may be chance
            seats = MatchSeat.objects.filter(team=team)[:matches]
            assert MatchSeat.objects.filter(pk__in=[it.pk for it in seats]).update(grid_ms=10) == matches
        found = about(hall, "grid of the clock")
        assert [name for name, _ in found.about] == [f"{hall.teams[0].name}: 2 matches, 10 ms"]

    def test_connections(self, hall):
        hall.contest.live = True
        hall.contest.save()
        now = timezone.now()
        Client.objects.create(team=hall.teams[0], connected_since=now, seen_at=now)
        Client.objects.create(team=hall.teams[1], connected_from="192.0.2.1", seen_at=now - timedelta(hours=1))
        hall.stage()
        assert about(hall, "contest server is not running", now).level == Level.ACT
        Duty.take(programs.DUTY, "here:1", now, timedelta(minutes=1))
        found = about(hall, "lost the connection", now)
        assert found.text.startswith("1 team has lost the connection to the contest server. 1 of 8")
        assert (found.level, found.about[0][0]) == (Level.LOOK, hall.teams[1].name)
        assert not any("ever connected" in text for _, text in said(hall, now)), "they have bots"
        hall.teams[2].submissions.update(is_active=False)
        found = about(hall, "1 team has neither uploaded a bot nor ever connected", now)
        assert [name for name, _ in found.about] == [hall.teams[2].name]


class TestMachinery:
    def test_no_worker_at_all(self, hall):
        level, text = said(hall)[0]
        assert level == Level.ACT
        assert "No worker is running" in text

    def test_workers_that_are_gone(self, hall, at_work):
        workers.sign_of_life("matches@two", ("matches",))
        workers.Worker.objects.filter(name="matches@two").update(seen=timezone.now() - timedelta(minutes=20))
        assert "matches@two, 20 minutes ago" in about(hall, "stopped responding").text


class TestPage:
    def test_it_is_sent_again_only_when_it_has_changed(self, desk, hall, at_work):
        mark = desk.get("desk").partition("?seen=")[2][:16]
        again = desk.client.get(desk.url("desk"), {"seen": mark}, headers={"HX-Request": "true"})
        assert again.status_code == 204
        Team.objects.filter(pk=hall.teams[0].pk).update(state="pending")
        other = desk.client.get(desk.url("desk"), {"seen": mark}, headers={"HX-Request": "true"})
        assert other.status_code == 200
        assert other.text.lstrip().startswith('<div id="desk"')

    @pytest.mark.long("more")
    def test_two_hundred_teams(self, client, django_assert_max_num_queries):
        hall = Hall(teams=200)
        client.force_login(hall.ada)
        hall.stage()
        Submission.objects.filter(team__in=hall.ids[:100]).update(state="rejected", is_active=False)
        waiting = hall.stage(start=False, publish=True)
        Stage.objects.filter(pk=waiting.pk).update(starts_at=timezone.now() + timedelta(hours=2))
        assert queue.waiting() == 0
        with django_assert_max_num_queries(42):
            page = Desk(hall, client).get("desk")
        assert "100 teams have no bot" in page
