"""The desk's first page: everything that needs somebody, most urgent first, and nothing else."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from contest import teams
from contest.models import Contest, Question, Team
from contest.server import workers
from contest.server.workers import Confinement
from submissions.models import Submission
from tests.contest.test_views import text_of
from tests.tournaments.desks import Desk
from tests.tournaments.organising.test_reviews import first_round, play_review
from tests.tournaments.stagecraft import Hall, by_strength, finish, give_bot, play_out
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.worlds import play_on
from tournaments import attention
from tournaments.attention import Level, Look
from tournaments.clock import periodic
from tournaments.models import Client, Duty, Match, Stage
from tournaments.organising import releases, reviews, stages
from tournaments.organising.workload import workload
from tournaments.playing import play
from tournaments.seating import programs, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall(teams=8)


@pytest.fixture
def at_work(broker: Path, monkeypatch: pytest.MonkeyPatch):
    """A worker for all queues, with two processes, that lives as long as the test."""
    monkeypatch.setattr(workers, "FRESH", 200.0)
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
    def test_nothing_to_do(self, hall):
        hall.stage(start=False, publish=True)
        assert said(hall) == []

    @pytest.mark.long("more")
    def test_a_contest_without_stages(self, hall):
        found = about(hall, "There is no stage")
        assert (found.level, found.button) == (Level.KNOW, "Create one")

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

    def test_a_stage_that_was_refused(self, hall):
        Submission.objects.update(is_active=False)
        stage = hall.stage(start=False, publish=True)
        Stage.objects.filter(pk=stage.pk).update(starts_at=timezone.now() - timedelta(hours=1))
        periodic.tick()
        assert "None of the 8 teams" in about(hall, "could not start").text

    def test_a_draft_that_should_start(self, hall):
        stage = hall.stage(start=False)
        now = timezone.now()
        Stage.objects.filter(pk=stage.pk).update(starts_at=now + timedelta(hours=3))
        assert "should start in 3 hours" in about(hall, "Cup", now).text
        assert "should have started 1 hour ago" in about(hall, "Cup", now + timedelta(hours=4)).text

    @pytest.mark.long("more")
    @pytest.mark.parametrize(
        ("since", "level", "when"),
        [
            (-1, Level.ACT, "should start in less than a minute"),
            (0, Level.LOOK, "should start now"),
            (29, Level.LOOK, "should start now"),
            (30, Level.ACT, "should have started less than a minute ago"),
        ],
    )
    def test_a_start_that_is_due_this_moment_is_no_alarm_yet(self, hall, since, level, when):
        stage = hall.stage(start=False)
        now = timezone.now()
        Stage.objects.filter(pk=stage.pk).update(starts_at=now - timedelta(seconds=since))
        found = about(hall, "Cup", now)
        assert found.level == level
        assert when in found.text

    @pytest.mark.long("more")
    def test_a_draft_that_should_start_after_another(self, hall):
        now = timezone.now()
        ends_at = now + timedelta(hours=30)
        ladder = stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder", ends_at=ends_at))
        stages.start(ladder, hall.ada)
        stages.create(hall.contest, hall.ada, stages.Wish("Final", source=ladder, starts_after=True))
        assert not any("published" in text for _, text in said(hall, now)), "nobody has to hurry"
        found = about(hall, "Final is", ends_at - timedelta(minutes=3))
        assert (found.level, found.button) == (Level.ACT, "Publish it")
        assert "after Ladder, which ends in 3 minutes" in found.text
        Stage.objects.filter(pk=ladder.pk).update(state="done")
        assert "should have started when Ladder finished" in about(hall, "Final", now).text

    @pytest.mark.long("more")
    def test_stages_that_are_all_drafts(self, hall):
        stage = hall.stage(start=False)
        found = about(hall, "No stage is published")
        assert (found.level, found.button) == (Level.KNOW, "Publish it")
        assert found.url.endswith(f"/desk/stages/{stage.pk}/")
        other = hall.stage(start=False)
        found = about(hall, "No stage is published", hall.contest.upload_deadline - timedelta(hours=5))
        assert (found.level, found.button) == (Level.LOOK, "Publish them")
        assert found.url.endswith("/desk/stages/")
        stages.publish(other, hall.ada)
        assert said(hall) == []

    def test_a_round_that_can_be_released(self, hall):
        stage = staged(hall, options={"table_size": 2, "games": 1}, release=Stage.Release.ROUNDS)
        play_on(stage, most=3)
        assert said(hall) == []
        play_on(stage, most=1)
        found = about(hall, "Round 1 of Cup")
        assert (found.level, found.button) == (Level.LOOK, "Release it")
        assert found.url.endswith("/desk/visibility/")
        releases.release(stage, hall.ada, 1)
        assert said(hall) == []
        play_on(stage)
        assert about(hall, "Round 2 of Cup")

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

    def test_trouble_and_slowness(self, hall):
        stage = hall.stage()
        one, two = stage.matches.all()
        finish(one)
        Match.objects.filter(pk=one.pk).update(
            started_at=Match.objects.get(pk=one.pk).finished_at - timedelta(minutes=1)
        )
        claimed = play.claim(two.pk, "apollo:7")
        now = timezone.now()
        assert said(hall, now + timedelta(minutes=4)) == []
        assert "1 minute" in about(hall, "usual", now + timedelta(minutes=6)).text
        for times in range(1, 4):
            play.put_back(claimed, "bwrap: no such file", now)
            found = about(hall, "retried")
            assert found.about[0][0] == f"{two}: {times}×"
            assert found.level == (Level.ACT if times == 3 else Level.LOOK)
            claimed = play.claim(two.pk, "apollo:7", now + timedelta(hours=1)) if times < 3 else None

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

    @pytest.mark.long("more")
    def test_a_stage_is_given_a_moment_after_its_last_match(self, hall):
        stage = hall.stage()
        first = stage.matches.first()
        stage.matches.exclude(pk=first.pk).delete()
        now = timezone.now()
        Match.objects.filter(pk=first.pk).update(state=Match.State.DONE, finished_at=now)
        told = [it.text for it in attention.concerns(look(hall, now + timedelta(seconds=10)))]
        assert not [text for text in told if "none of its matches is queued" in text]
        assert about(hall, "none of its matches is queued", now + timedelta(minutes=1)).level == Level.LOOK

    def test_a_follower_whose_source_has_changed(self, hall):
        source = hall.stage()
        play_out(source)
        final = stages.create(hall.contest, hall.ada, stages.Wish("Final", entry="best", source=source, best=2))
        stages.start(final, hall.ada)
        assert not [text for _, text in said(hall) if "keeps its teams" in text]
        first = source.matches.done().filter(table__round=1).first()
        stages.void(first, hall.ada, "x")
        assert about(hall, "keeps its teams").text.startswith("Cup is being played again in part")

    @pytest.mark.long("more")
    def test_seed_numbers_are_missed_where_a_stage_goes_by_them(self, hall, client):
        hall.teams[0].seed = None
        hall.teams[0].save()
        client.force_login(hall.ada)
        address = reverse("desk", args=[hall.contest.slug])
        assert "without a seed number" not in client.get(address).text
        stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder"))
        assert "without a seed number" not in client.get(address).text
        hall.stage(start=False)
        assert "<strong>1</strong> without a seed number" in client.get(address).text

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

    def test_the_end(self, hall):
        now = hall.contest.upload_deadline + timedelta(days=1)
        assert "There is no stage" in about(hall, "no stage", now).text
        play_out(hall.stage())
        assert "End the contest" in about(hall, "All matches have been played", now).text
        Contest.objects.update(frozen_from=now - timedelta(hours=1))
        assert "freeze" in about(hall, "All matches have been played", now).text
        Contest.objects.update(ended_at=now)
        assert said(hall, now + timedelta(hours=1)) == []

    def test_a_clock_that_stands_still(self, hall):
        Duty.objects.create(name="tick", until=timezone.now() - timedelta(minutes=10))
        assert about(hall, "clock stopped 10 minutes ago").level == Level.ACT

    @pytest.mark.long("more")
    def test_dates_in_their_order(self, hall):
        stage = hall.stage(start=False)
        soon = timezone.now() + timedelta(hours=1)
        Stage.objects.filter(pk=stage.pk).update(starts_at=soon)
        assert [date.text for date in attention.dates(look(hall))][:2] == ["Cup starts", "Entry closes"]


class TestMachinery:
    def test_no_worker_at_all(self, hall):
        level, text = said(hall)[0]
        assert level == Level.ACT
        assert "No worker is running" in text

    def test_workers_that_are_gone(self, hall, at_work):
        workers.sign_of_life("matches@two", ("matches",))
        with workers._store() as store:
            old = json.loads(store.hget(workers.KEY, "matches@two")) | {"seen_at": timezone.now().timestamp() - 300}
            store.hset(workers.KEY, "matches@two", json.dumps(old))
        assert "matches@two, 5 minutes ago" in about(hall, "stopped responding").text

    @pytest.mark.long("more")
    def test_the_estimate_counts_the_processes(self, hall, at_work):
        stage = hall.stage()
        first = stage.matches.first()
        finish(first, by_strength(first))
        took = Match.objects.get(pk=first.pk).finished_at
        Match.objects.filter(pk=first.pk).update(started_at=took - timedelta(minutes=2))
        load = look(hall).load
        assert (load.processes, load.usual) == (2, timedelta(minutes=2))
        assert load.left(5) == timedelta(minutes=6)
        other = Hall(teams=8)
        other.stage()
        assert look(hall).load.left(5) == timedelta(minutes=8), "the other contest takes its turns"


class TestPage:
    def test_it_says_when_nothing_is_to_do(self, desk, hall, at_work):
        assert "notice-ok" not in desk.get("desk")
        hall.stage(start=False, publish=True)
        assert "notice-ok" in desk.get("desk")

    def test_it_is_sent_again_only_when_it_has_changed(self, desk, hall, at_work):
        mark = desk.get("desk").partition("?seen=")[2][:16]
        again = desk.client.get(desk.url("desk"), {"seen": mark}, headers={"HX-Request": "true"})
        assert again.status_code == 204
        Team.objects.filter(pk=hall.teams[0].pk).update(state="pending")
        other = desk.client.get(desk.url("desk"), {"seen": mark}, headers={"HX-Request": "true"})
        assert other.status_code == 200
        assert other.text.lstrip().startswith('<div id="desk"')

    @pytest.mark.long("more")
    def test_every_worker_says_how_it_confines_bots(self, desk, broker):
        assert "No worker is building bots or playing matches" in text_of(desk.client.get(desk.url("desk")))
        try:
            for name, level, reasons in (
                ("matches@one", "full", ()),
                (
                    "matches@two",
                    "landlock",
                    ("no namespaces: bubblewrap is not installed", "no control groups: no <b>"),
                ),
                ("builds@three", "none", ("no Landlock",)),
            ):
                workers.confines(Confinement(level, f"the title of {level}", level != "none", reasons))
                workers.sign_of_life(name, (name.partition("@")[0],))
            workers.confines(None)
            workers.sign_of_life("portal@one", ("portal",))
            page = text_of(desk.client.get(desk.url("desk")))
            assert "matches@one matches 1 up since " in page
            assert "no namespaces: bubblewrap is not installed no control groups: no &lt;b&gt;" in page
            assert "the title of none no Landlock" in page
            assert "portal@one portal 1 up since" in page
        finally:
            workers.confines(None)

    def test_without_the_broker(self, desk, settings, tmp_path):
        settings.CACHE_URL = f"unix://{tmp_path}/nobody.sock?db=1"
        page = text_of(desk.client.get(desk.url("desk")))
        assert "queue is not responding" in page
        assert "No worker is building" not in page

    @pytest.mark.long("more")
    def test_recently(self, desk, hall):
        teams.withdraw(hall.teams[0], hall.teams[0].memberships.get().user)
        assert f"Withdraw: {hall.teams[0]}" in desk.get("desk")

    @pytest.mark.long("more")
    def test_two_hundred_teams(self, client, django_assert_max_num_queries):
        hall = Hall(teams=200)
        client.force_login(hall.ada)
        hall.stage()
        Submission.objects.filter(team__in=hall.ids[:100]).update(state="rejected", is_active=False)
        waiting = hall.stage(start=False, publish=True)
        Stage.objects.filter(pk=waiting.pk).update(starts_at=timezone.now() + timedelta(hours=2))
        assert queue.waiting() == 0
        with django_assert_max_num_queries(40):
            page = Desk(hall, client).get("desk")
        assert "100 teams have no bot" in page
