"""Rounds start by their timetable, once, and nobody learns early who meets in a round on hold."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import TestCase

from contest import followers
from contest.models import Kind, Question
from contest.refusal import Refused
from tests.cast import make_team
from tests.tournaments.stagecraft import Hall, finish, give_bot
from tests.tournaments.visitors import visitor
from tournaments.attention import Look, concerns, dates
from tournaments.clock import periodic
from tournaments.feeds.calendar import of_stage
from tournaments.kinds import planned
from tournaments.kinds.planned import stage_view
from tournaments.models import Match, Round, Stage
from tournaments.organising import endings, news, releases, rounds, stages
from tournaments.organising.timetable import RoundWish, rounds_of
from tournaments.organising.workload import workload
from tournaments.results import replay
from tournaments.results.visibility import everything, public
from tournaments.view_models.my_day import coming
from tournaments.view_models.timetables import timetable_of

BEGIN = datetime(2026, 6, 6, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)
Release = Round.Release


def told(stage: Stage) -> list[object]:
    sight = public(stage.contest)
    return [*of_stage(sight.stage(stage.pk), sight)]


@pytest.mark.promise
class Timetables(TestCase):
    def setUp(self) -> None:
        self.clock = time_machine.travel(BEGIN, tick=False)
        self.time = self.clock.start()
        self.addCleanup(self.clock.stop)
        self.hall = Hall(4)
        planned.CACHE.clear()  # numbers and moments come again

    def stage(self, *wishes: RoundWish, format: str = "single_elimination", **options: object) -> Stage:
        if format == "single_elimination":
            options = {"table_size": 2, "games": 1, **options}
        wish = stages.Wish("Cup", format, options, timetable=wishes)
        stage = stages.create(self.hall.contest, self.hall.ada, wish)
        stages.start(stage, self.hall.ada)
        stage.refresh_from_db()
        return stage

    def tick(self, at: datetime) -> None:
        self.time.move_to(at)
        periodic.reconcile_stages(at)
        releases.release_due(at)

    def play(self, stage: Stage, round: int) -> None:
        """All matches of a round, one after the other. Fails if there are none."""
        played = 0
        while match := stage.matches.filter(table__round=round, state=Match.State.QUEUED).first():
            finish(match)
            periodic.reconcile_stages(datetime.now(UTC))
            played += 1
        assert played

    def to_play(self, stage: Stage) -> list[int]:
        """The rounds of the matches that a worker could claim."""
        due = Match.objects.claimable(datetime.now(UTC)).filter(stage=stage)
        return sorted(due.values_list("table__round", flat=True))

    def state(self, stage: Stage, number: int, **who: bool) -> str:
        self.hall.contest.refresh_from_db()
        sight = everything(self.hall.contest) if who.get("all", True) else public(self.hall.contest)
        return timetable_of(sight.stage(stage.pk), sight)[number - 1].state

    def shown(self, stage: Stage, number: int) -> datetime | None:
        """When everybody is told that a round started, or is to start."""
        self.hall.contest.refresh_from_db()
        sight = public(self.hall.contest)
        return timetable_of(sight.stage(stage.pk), sight)[number - 1].at

    def look(self) -> Look:
        self.hall.contest.refresh_from_db()
        now = datetime.now(UTC)
        return Look(self.hall.contest, now, workload(self.hall.contest, now), [])

    def test_everybody_is_told_when_a_round_starts_after_a_break_and_when_it_did(self) -> None:
        for hold in (False, True):
            stage = self.stage(RoundWish(1), RoundWish(2, break_minutes=30, hold=hold))
            finish(stage.matches.first())
            assert self.shown(stage, 2) is None
            self.play(stage, 1)
            over, reader = datetime.now(UTC), public(self.hall.contest)
            assert self.shown(stage, 2) == over + HOUR / 2
            told = [coming(team, reader, over) for team in self.hall.teams]
            assert hold or len(list(filter(None, told))) == 2, "the others have lost"
            assert (over + HOUR / 2 in [date.at for date in dates(self.look())]) is not hold
            self.time.move_to(over + HOUR / 3)
            rounds.start_now(stage, self.hall.ada, 2)
            assert self.shown(stage, 2) == over + HOUR / 3
            self.play(stage, 2)
            assert self.shown(stage, 2) == over + HOUR / 3

    def test_of_tables_in_turn_one_plays_and_the_final_is_the_last(self) -> None:
        stage = self.stage(RoundWish(1), RoundWish(2, in_turn=True), third_place=True)
        self.play(stage, 1)
        third = stage.matches.get(table__round=2)
        assert third.table.number == 2
        finish(third)
        periodic.reconcile_stages(datetime.now(UTC))
        assert stage.matches.get(table__round=2, state=Match.State.QUEUED).table.number == 1

    def test_a_round_that_is_held_at_the_last_moment_stays_visible(self) -> None:
        stage = self.stage(RoundWish(1), RoundWish(2, starts_at=BEGIN + HOUR))
        self.play(stage, 1)
        rounds.hold(stage, self.hall.ada, 2)
        self.tick(BEGIN + 2 * HOUR)
        assert self.to_play(stage) == []
        self.hall.contest.refresh_from_db()
        sight = public(self.hall.contest)
        assert [table for table in stage_view(sight.stage(stage.pk), sight).plan.rounds[1] if table.teams]
        rounds.follow_timetable(stage, self.hall.ada, 2)
        assert self.to_play(stage) == [2]

    def test_a_shift_moves_what_follows_and_leaves_what_has_begun(self) -> None:
        stage = self.stage(
            RoundWish(1, release=Release.MOMENT, release_at=BEGIN + HOUR),
            RoundWish(2, starts_at=BEGIN + 2 * HOUR, release=Release.MOMENT, release_at=BEGIN + 3 * HOUR),
        )
        rounds.shift(stage, self.hall.ada, 2, minutes=15, seen=0)
        with pytest.raises(Refused):  # the press of another one who has seen the same
            rounds.shift(stage, self.hall.ada, 2, minutes=15, seen=0)
        first, second = stage.timetable.all()
        assert (first.release_at, second.starts_at) == (BEGIN + HOUR, BEGIN + timedelta(hours=2, minutes=15))
        assert second.release_at == BEGIN + timedelta(hours=3, minutes=15)
        rounds.shift(stage, self.hall.ada, 2, to=BEGIN + 5 * HOUR)
        assert stage.timetable.get(number=2).starts_at == BEGIN + 5 * HOUR
        with pytest.raises(Refused):
            rounds.shift(stage, self.hall.ada, 1, minutes=15)
        with pytest.raises(Refused):
            rounds.shift(stage, self.hall.ada, 2, to=BEGIN - HOUR)
        assert stage.timetable.get(number=2).starts_at == BEGIN + 5 * HOUR

    def test_the_first_change_of_a_bracket_without_a_timetable_is_one_of_that_round(self) -> None:
        for started in (True, False):
            stage = Hall(8).stage(table_size=2, start=started, publish=True)
            rounds.hold(stage, self.hall.ada, 2)
            assert [row.hold for row in rounds_of(stage, 3)] == [False, True, False]

    def test_a_shift_that_contradicts_itself_changes_nothing(self) -> None:
        wishes = (RoundWish(1), RoundWish(2, starts_at=BEGIN + 2 * HOUR), RoundWish(3, starts_at=BEGIN + 3 * HOUR))
        self.hall = Hall(8)
        options = {"table_size": 2, "games": 1}
        wish = stages.Wish("Cup", "single_elimination", options, starts_at=BEGIN + HOUR, timetable=wishes)
        wish = replace(wish, check_in_closes_at=BEGIN + HOUR / 2)
        stage = stages.create(self.hall.contest, self.hall.ada, wish)
        stages.publish(stage, self.hall.ada)
        before = list(stage.timetable.values()), told(stage)
        for number, move in (
            (2, {"minutes": 0}),
            (2, {"to": BEGIN + 2 * HOUR}),
            (2, {"to": BEGIN + HOUR}),
            (3, {"to": BEGIN + HOUR / 2}),
            (3, {"minutes": -60}),
            (1, {"minutes": -40}),  # check-in would be over
            (1, {"minutes": -60}),
            (3, {"to": datetime(9999, 12, 31, tzinfo=UTC)}),
            (4, {"minutes": 5}),
            (10**12, {"to": BEGIN + 9 * HOUR}),
        ):
            with pytest.raises(Refused):
                rounds.shift(stage, self.hall.ada, number, **move)
            with pytest.raises(Refused):
                rounds.hold(stage, self.hall.ada, max(number, 4))
        assert (list(stage.timetable.values()), told(stage)) == before

    def test_a_late_or_early_round_does_not_stop_the_later_ones_from_moving(self) -> None:
        self.hall = Hall(8)
        stage = self.stage(
            RoundWish(1), RoundWish(2, starts_at=BEGIN + 2 * HOUR), RoundWish(3, starts_at=BEGIN + 4 * HOUR)
        )
        self.tick(BEGIN + 3 * HOUR)  # the second waits for the first
        rounds.shift(stage, self.hall.ada, 3, minutes=15)
        third = stage.timetable.get(number=3).starts_at + HOUR
        wishes = [RoundWish(1), RoundWish(2, starts_at=BEGIN + 2 * HOUR), RoundWish(3, starts_at=third)]
        rounds.edit(stage, self.hall.ada, wishes)
        assert stage.timetable.get(number=3).starts_at == third
        rounds.shift(stage, self.hall.ada, 2, to=BEGIN + 4 * HOUR)
        self.play(stage, 1)
        rounds.start_now(stage, self.hall.ada, 2)
        rounds.shift(stage, self.hall.ada, 3, to=BEGIN + 3 * HOUR + HOUR / 2)
        assert stage.timetable.get(number=3).starts_at == BEGIN + 3 * HOUR + HOUR / 2

    def test_a_longer_break_moves_later_starts(self) -> None:
        self.hall = Hall(8)
        stage = self.stage(RoundWish(1), RoundWish(2, break_minutes=30), RoundWish(3, starts_at=BEGIN + 2 * HOUR))
        rounds.shift(stage, self.hall.ada, 2, minutes=15)
        assert stage.timetable.get(number=3).starts_at == BEGIN + 2.25 * HOUR
        self.play(stage, 1)
        rounds.shift(stage, self.hall.ada, 2, to=BEGIN + HOUR)
        assert [row.starts_at for row in stage.timetable.all()][1:] == [BEGIN + HOUR, BEGIN + 2.5 * HOUR]

    def test_rounds_of_a_stage_with_too_few_teams_are_arranged_but_do_not_start(self) -> None:
        self.hall = Hall(1)
        wish = stages.Wish("Cup", timetable=[RoundWish(1), RoundWish(2, break_minutes=5)])
        stage = stages.create(self.hall.contest, self.hall.ada, wish)
        rounds.hold(stage, self.hall.ada, 2)
        with pytest.raises(Refused):
            rounds.start_now(stage, self.hall.ada, 2)

    def test_a_held_stage_is_not_announced(self) -> None:
        wish = stages.Wish("Cup", starts_at=BEGIN + HOUR, timetable=[RoundWish(1, hold=True)])
        stage = stages.create(self.hall.contest, self.hall.ada, wish)
        stages.publish(stage, self.hall.ada)
        own = visitor(self.hall.teams[0].memberships.get().user)
        for at in (BEGIN, BEGIN + 2 * HOUR):
            self.tick(at)
            stage.refresh_from_db()
            assert stage.is_held
            assert not [it for it in dates(self.look()) if it.at == stage.starts_at]
            assert coming(self.hall.teams[0], public(self.hall.contest), at).stage.is_held
            assert own.get("/").status_code == own.get(stage.get_absolute_url()).status_code == 200
        assert str(stage) in " ".join(it.text for it in concerns(self.look()))

    def test_results_become_public_by_round_at_their_moment(self) -> None:
        stage = self.stage(
            RoundWish(1), RoundWish(2, starts_at=BEGIN + HOUR, release=Release.MOMENT, release_at=BEGIN + 2 * HOUR)
        )
        self.play(stage, 1)
        assert public(self.hall.contest).done().count() == 2
        self.tick(BEGIN + HOUR)
        self.play(stage, 2)
        for act in (releases.freeze, releases.lift):
            act(self.hall.contest, self.hall.ada)
            assert self.state(stage, 2, all=False) == Round.State.RUNNING, "as the feed says"
            assert public(self.hall.contest).done().count() == 2
        self.tick(BEGIN + 2 * HOUR)
        self.hall.contest.refresh_from_db()
        assert public(self.hall.contest).done().count() == stage.matches.done().count()
        assert not list(replay.differences(self.hall.contest))

    def test_a_held_round_that_started_is_shown_with_the_release_of_the_one_before(self) -> None:
        stage = self.stage(RoundWish(1, release=Release.MANUAL), RoundWish(2, hold=True, release=Release.MANUAL))
        self.play(stage, 1)
        rounds.start_now(stage, self.hall.ada, 2)
        for is_released in (False, True):
            self.hall.contest.refresh_from_db()
            sight = public(self.hall.contest)
            final = stage_view(sight.stage(stage.pk), sight).plan.rounds[1][0]
            assert bool(final.teams) is is_released
            if not is_released:
                releases.release(stage, self.hall.ada, 1)

    def test_a_round_is_released_by_hand_and_hidden_again(self) -> None:
        stage = self.stage(RoundWish(1, release=Release.MANUAL), RoundWish(2))
        self.play(stage, 1)
        assert not public(self.hall.contest).done().exists()
        releases.release(stage, self.hall.ada, 1)
        self.play(stage, 2)
        self.hall.contest.refresh_from_db()
        assert public(self.hall.contest).done().count() == stage.matches.done().count()
        stage.refresh_from_db()
        releases.take_back(stage, self.hall.ada, stage.released)
        self.hall.contest.refresh_from_db()
        assert not public(self.hall.contest).done().exists()

    def test_teams_are_told_once_that_a_round_is_near_or_has_moved(self) -> None:
        stage = self.stage(RoundWish(1), RoundWish(2, starts_at=BEGIN + HOUR))
        self.play(stage, 1)
        near = BEGIN + timedelta(minutes=51)
        for at in (BEGIN, near, near, near + timedelta(minutes=1)):
            self.time.move_to(at)
            news.remind(at)
        reminded = Question.objects.filter(entry=None)
        assert reminded.count() == 2  # the teams of the final
        sent = {"round": 2, "minutes": 15, "to": near, "text": "The projector is broken.", "seen": 0}
        desk, ada = f"/c/{self.hall.contest.slug}/desk/stages/{stage.pk}/shift/", visitor(self.hall.ada)
        answers = [ada.post(desk, sent, follow=True).text for _ in range(2)]  # the second one is too late
        assert all("The projector is broken." in answer for answer in answers), "no words are lost"
        for _ in range(2):
            followers.catch_up()
        told = Question.objects.filter(entry__kind=Kind.ROUND_MOVED)
        assert {question.team_id for question in told} == set(stage.tables.get(round=2).players)
        assert all("projector" in question.answer for question in told)
        self.time.move_to(near + timedelta(minutes=15))
        news.remind(near + timedelta(minutes=15))
        assert reminded.count() == 4

    def test_teams_are_told_once_of_a_start_that_comes_from_a_break(self) -> None:
        stage = self.stage(RoundWish(1), RoundWish(2, break_minutes=15))
        news.remind(BEGIN)
        self.play(stage, 1)
        for minutes, told in ((0, 0), (4, 0), (6, 2), (7, 2)):
            self.time.move_to(BEGIN + timedelta(minutes=minutes))
            news.remind(BEGIN + timedelta(minutes=minutes))
            assert Question.objects.filter(entry=None).count() == told

    def test_the_times_of_a_bracket_are_those_of_its_last_rounds_and_told_to_teams_that_may_play_there(self) -> None:
        wishes = [RoundWish(number, starts_at=BEGIN + (number - 1) * HOUR) for number in (2, 3)]
        stage = self.stage(RoundWish(1), *wishes)  # as for eight teams
        assert self.to_play(stage) == []
        for at in (BEGIN + HOUR, BEGIN + 2 * HOUR):
            self.tick(at - timedelta(minutes=5))
            news.remind(datetime.now(UTC))
            self.tick(at)
        assert self.to_play(stage) == [1, 1]
        reminded = Question.objects.filter(entry=None)
        assert reminded.count() == 8, "before the semi-finals are over, all may reach the final"
        with pytest.raises(Refused):
            rounds.shift(stage, self.hall.ada, 3, minutes=15)
        self.play(stage, 1)
        lost, sight = set(self.hall.ids) - set(stage.tables.get(round=2).players), public(self.hall.contest)
        found = {team: len([*of_stage(sight.stage(stage.pk), sight, team)]) for team in self.hall.teams}
        assert {team.pk for team, rounds in found.items() if rounds == 1} == lost

    def test_teams_that_come_after_the_publication_play_and_others_are_told_that_they_do_not(self) -> None:
        wish = stages.Wish("Cup", "single_elimination", {"table_size": 2, "games": 1}, starts_at=BEGIN + HOUR)
        stage = stages.create(self.hall.contest, self.hall.ada, wish)
        stages.publish(stage, self.hall.ada)
        late, idle = (make_team(self.hall.contest, name=name) for name in ("Late", "Idle"))
        give_bot(late)
        for _ in range(2):
            news.remind(BEGIN + timedelta(minutes=55))
        asked = {question.team_id: question.subject for question in Question.objects.all()}
        assert set(asked) == {*self.hall.ids, late.pk, idle.pk}
        assert Question.objects.count() == len(asked)
        assert [team for team, subject in asked.items() if subject != asked[late.pk]] == [idle.pk]
        stages.start(stage, self.hall.ada)
        followers.catch_up()
        stage = Stage.objects.get(pk=stage.pk)
        assert (stage.order, stage.left_out) == ([*self.hall.ids, late.pk], [idle.pk])
        assert [question.team_id for question in Question.objects.filter(entry__stage=stage)] == [idle.pk]

    def test_a_reset_begins_anew_without_the_old_moments(self) -> None:
        stage = self.stage(RoundWish(1), RoundWish(2, starts_at=BEGIN + HOUR, hold=True))
        endings.reset(stage, self.hall.ada, "wrong rules")
        second = stage.timetable.get(number=2)
        assert (second.starts_at, second.hold, second.started_at) == (None, True, None)
        stages.start(stage, self.hall.ada)
        assert self.to_play(stage) == [1, 1]
