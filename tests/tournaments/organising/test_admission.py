"""Who enters a stage: all teams, the best of an earlier one, invited teams; and what happens if that one changes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from contest.models import Contest
from contest.refusal import Refused
from submissions.models import Submission
from tests.cast import make_team
from tests.tournaments.stagecraft import Hall, by_strength, finish, give_bot, play_out
from tournaments import attention
from tournaments.attention import Look
from tournaments.clock import periodic
from tournaments.kinds import following
from tournaments.kinds.planned import PLANNED
from tournaments.models import Client, Duty, Stage
from tournaments.organising import admission, stages
from tournaments.organising.stages import Wish
from tournaments.organising.workload import workload
from tournaments.seating import programs

pytestmark = pytest.mark.django_db


def follower(hall, earlier, *, publish=True, **fields):
    wish = Wish("Final", **{"entry": "best", "source": earlier, "best": 4, "seeding": "source", **fields})
    stage = stages.create(hall.contest, hall.ada, wish)
    if publish:
        stages.publish(stage, hall.ada)
    return fresh(stage)


def fresh(stage):
    return Stage.objects.get(pk=stage.pk)


def connect(team):
    """It is there as long as the test lasts."""
    now = timezone.now()
    Client.objects.create(team=team, connected_since=now, seen_at=now + timedelta(hours=1))


class TestEntrants:
    def test_the_best_in_the_order_of_the_ranking(self):
        hall = Hall(teams=8)
        cup = hall.stage()
        for match in cup.matches.all():  # the weakest seed at every table wins
            seats = sorted((seat.team.seed, seat.team_id) for seat in match.seats.all())
            finish(match, {team: place for place, (_, team) in enumerate(reversed(seats), 1)})
        play_out(cup)
        ranked = [it.team for it in PLANNED.plan(fresh(cup)).ranking]
        final = follower(hall, fresh(cup))
        assert final.order == ranked[:4] != hall.ids[:4]
        assert follower(hall, fresh(cup), seeding="number").order == sorted(ranked[:4])
        assert follower(hall, fresh(cup), best=None).order == ranked

    def test_who_has_left_makes_room_for_the_next(self):
        hall = Hall(teams=8)
        cup = hall.stage()
        play_out(cup)
        second = next(team for team in hall.teams if team.pk == follower(hall, fresh(cup)).order[1])
        stages.disqualify(second, hall.ada, "late")
        ranked = [it.team for it in PLANNED.plan(fresh(cup)).ranking]
        assert second.pk in ranked
        assert follower(hall, fresh(cup)).order == [team for team in ranked if team != second.pk][:4]

    def test_invited_teams_and_no_others(self):
        hall = Hall(teams=6)
        stage = stages.create(hall.contest, hall.ada, Wish("Guests", entry="invited", invited=hall.ids[3:0:-1]))
        stages.start(stage, hall.ada)
        assert fresh(stage).order == hall.ids[1:4]

    def test_all_seeded_by_an_earlier_stage_with_those_who_did_not_play_there_at_the_end(self):
        hall = Hall(teams=4)
        cup = hall.stage()
        finish(cup.matches.get(), {team: place for place, team in enumerate(reversed(hall.ids), 1)})
        late = make_team(hall.contest)
        final = follower(hall, fresh(cup), entry="all", best=None)
        assert final.order == [*reversed(hall.ids), late.pk]

    @pytest.mark.parametrize(
        ("fields", "text"),
        [
            ({"source": None}, "Choose the stage the teams come from"),
            ({"source": None, "entry": "all"}, "Choose the earlier stage"),
            ({"best": 0}, "At least one team"),
            ({"starts_after": True, "source": None, "entry": "all", "seeding": "number"}, "Choose the earlier"),
        ],
    )
    def test_refusals(self, fields, text):
        hall = Hall(teams=4)
        with pytest.raises(Refused, match=text):
            follower(hall, hall.stage(start=False), **fields)

    @pytest.mark.long("more")
    def test_no_stage_comes_after_itself(self):
        hall = Hall(teams=4)
        first = hall.stage(start=False)
        second = follower(hall, first, publish=False)
        for stage in (first, second):
            with pytest.raises(Refused, match="follows this stage"):
                stages.edit(stage, hall.ada, Wish("Round", entry="best", source=second, best=2))
        with pytest.raises(Refused, match="follows this stage"):
            stages.edit(first, hall.ada, Wish("Round", entry="best", source=second, best=2))
        with pytest.raises(Refused, match="depends on this stage"):
            stages.delete(first, hall.ada)


class TestPublishedAhead:
    def test_it_is_drawn_when_the_source_is_finished_and_starts_by_itself(self):
        hall = Hall(teams=8)
        cup = hall.stage()
        final = follower(hall, cup, starts_after=True)
        assert (final.order, final.entrants_name, final.tables.count()) == ([], "the best 4 of Cup", 0)
        assert following.is_in_line(final)
        periodic.tick()
        assert fresh(final).state == "published"
        play_out(cup)
        periodic.tick()
        final = fresh(final)
        assert final.state == "running"
        assert final.order == [it.team for it in PLANNED.plan(fresh(cup)).ranking][:4]
        assert final.matches.count() == 1

    @pytest.mark.long("more")
    def test_after_the_source_but_not_before_its_time(self):
        hall = Hall(teams=4)
        cup = hall.stage()
        final = follower(hall, cup, starts_after=True, starts_at=timezone.now() + timedelta(hours=1))
        play_out(cup)
        periodic.tick()
        assert fresh(final).state == "published"
        Stage.objects.filter(pk=final.pk).update(starts_at=timezone.now())
        periodic.tick()
        assert fresh(final).state == "running"


class TestTheSourceChanges:
    def played(self, **fields):
        hall = Hall(teams=8)
        cup = hall.stage()
        play_out(cup)
        return hall, fresh(cup), follower(hall, fresh(cup), **fields)

    def test_before_the_start_it_is_drawn_again(self):
        hall, _, final = self.played()
        first = next(team for team in hall.teams if team.pk == final.order[0])
        stages.disqualify(first, hall.ada, "copied")
        assert first.pk not in fresh(final).order
        assert len(fresh(final).order) == 4
        stages.reinstate(first, hall.ada, "not copied")
        assert fresh(final).order == final.order

    def test_while_something_is_played_again_nobody_knows(self):
        hall, cup, final = self.played()
        stages.void(cup.matches.get(table__name="Final"), hall.ada, "again")
        assert fresh(final).order == []
        assert not final.tables.exists()
        play_out(fresh(cup))
        periodic.tick()
        assert len(fresh(final).order) == 4
        assert final.tables.exists()
        assert hall.contest.acts.filter(verb="draw stage").count() == 2

    def test_after_the_start_it_stays_and_the_organiser_is_told(self):
        hall, cup, final = self.played()
        stages.start(final, hall.ada)
        before = fresh(final).order
        assert admission.drift(fresh(final)) is None
        stages.void(cup.matches.get(table__name="Final"), hall.ada, "again")
        assert admission.drift(fresh(final)).reopened
        again = cup.matches.valid().get(table__name="Final")
        finish(again, {team: place for place, team in enumerate(sorted(by_strength(again), reverse=True), 1)})
        periodic.tick()
        assert fresh(final).order == before
        found = admission.drift(fresh(final))
        assert found.reordered
        assert not found.reopened


class TestConnectedTeams:
    def hall(self):
        hall = Hall(teams=4, bots=False, live=True)
        give_bot(hall.teams[0])
        connect(hall.teams[2])
        return hall

    def test_a_connection_does_instead_of_a_bot(self):
        hall = self.hall()
        stage = hall.stage()
        assert stage.order == [hall.ids[0], hall.ids[2]]
        assert stage.left_out == [hall.ids[1], hall.ids[3]]
        assert set(stage.versions) == {str(hall.ids[0])}
        match = stage.matches.get()
        assert match.live
        assert match.seats.get(team=hall.teams[2]).is_live


def test_a_start_waits_for_what_was_uploaded_in_time_however_long_the_queue_is():
    hall = Hall(teams=4)
    stage = hall.stage()
    now = timezone.now()
    Stage.objects.filter(pk=stage.pk).update(starts_at=now, state="published", started_at=None)
    Contest.objects.filter(pk=hall.contest.pk).update(upload_deadline=now)
    values = {"language": "python", "filename": "bot.py", "source": b"", "size": 0, "sha256": "x"}
    newer = Submission.objects.create(team=hall.teams[1], number=9, uploaded_at=now - timedelta(seconds=1), **values)
    minutes = lambda count: admission.held_back(fresh(stage), now + timedelta(minutes=count))  # noqa: E731
    assert "uploaded in time" in minutes(1)
    assert "uploaded in time" in minutes(59)
    assert minutes(61) == ""
    Submission.objects.filter(pk=newer.pk).update(state="building", turn_at=now)
    assert minutes(9)
    assert minutes(11) == "", "its turn has come, and may take as long as it likes"
    Submission.objects.filter(pk=newer.pk).update(uploaded_at=now + timedelta(seconds=1))
    assert minutes(1) == "", "it came too late for this stage"
    Submission.objects.filter(pk=newer.pk).update(uploaded_at=now, activate_when_ready=False)
    assert minutes(1) == "", "it shall not play"


@pytest.mark.long("more")
class TestAProgramThatIsAway:
    """A contest with connected teams, at the minute when a stage is due."""

    @pytest.fixture
    def now(self):
        return timezone.now()

    @pytest.fixture
    def stage(self, now):
        hall = Hall(teams=4, bots=False, live=True)
        for team in hall.teams[:2]:
            give_bot(team)
        connect(hall.teams[2])
        Duty.take(programs.DUTY, "here:1", now - timedelta(hours=1), timedelta(hours=2))
        stage = hall.stage(start=False, publish=True)
        Stage.objects.filter(pk=stage.pk).update(starts_at=now)
        return fresh(stage)

    def seen(self, now, seconds):
        """The program disconnected some seconds ago."""
        Client.objects.update(connected_since=None, seen_at=now - timedelta(seconds=seconds))

    def test_it_may_be_about_to_come_again(self, stage, now):
        self.seen(now, 10)
        assert "reconnect" in admission.held_back(stage, now)
        periodic.start_due_stages(now)
        assert fresh(stage).state == "published"
        said = [it.text for it in attention.starts(Look(stage.contest, now, workload(stage.contest, now), None))]
        assert len(said) == 1
        assert said[0].startswith(f"{stage} is due"), "and its programs may be about to reconnect"
        Client.objects.update(connected_since=now, seen_at=now + timedelta(hours=1))
        periodic.start_due_stages(now)
        assert fresh(stage).state == "running"
        assert len(fresh(stage).order) == 3
