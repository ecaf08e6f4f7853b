"""The ladder: available teams are matched again and again, until its time is over."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from contest import contests
from contest.models import Act, Contest
from tests.cast import make_team
from tests.tournaments.stagecraft import Hall, finish, give_bot, rows_of
from tournaments.clock import periodic
from tournaments.kinds import following, ladder
from tournaments.models import Client, Match, MatchSeat, Rating, Stage, Table
from tournaments.organising import endings, reviews, stages
from tournaments.playing import play
from tournaments.results import standings, tallies
from tournaments.results.visibility import everything

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def climb(hall, *, ends_in=None, **options):
    """A ladder in progress, with tables of two by default."""
    ends_at = timezone.now() + ends_in if ends_in else None
    wish = stages.Wish("Ladder", "ladder", {"table_size": 2} | options, ends_at=ends_at)
    stage = stages.create(hall.contest, hall.ada, wish)
    Stage.objects.filter(pk=stage.pk).update(seed=17)
    stages.start(stage, hall.ada)
    stage.refresh_from_db()
    return stage


def open_(stage):
    return list(stage.matches.open().order_by("pk"))


def line_up(match):
    return {seat.team_id for seat in match.seats.all()} - {None}


def met(stage):
    """The teams in open matches."""
    return {team for match in open_(stage) for team in line_up(match)}


def play_on(stage, count):
    """Play this many matches, always the one that has waited longest."""
    return [finish(open_(stage)[0]) for _ in range(count)]


def connect(*teams, at=None):
    """They were last seen then, or are here as long as the test lasts."""
    now = at or timezone.now() + HOUR
    for team in teams:
        Client.objects.update_or_create(team=team, defaults={"connected_since": now, "seen_at": now})


def let_pass(**length):
    """Date everything that was played this far back."""
    for match in Match.objects.filter(finished_at__isnull=False):
        Match.objects.filter(pk=match.pk).update(finished_at=match.finished_at - timedelta(**length))


class TestRunning:
    def test_it_starts_with_a_few_matches_at_one_table(self):
        hall = Hall(teams=20)
        stage = climb(hall)
        made = open_(stage)
        assert [match.number for match in made] == list(range(1, ladder.QUEUED + 1))
        assert Table.objects.get(stage=stage).name == "Ladder"
        met = [team for match in made for team in line_up(match)]
        assert len(met) == len(set(met)) == 2 * ladder.QUEUED
        assert all("had not played yet" in match.why for match in made)

    def test_results_bring_the_next_matches_at_once(self):
        hall = Hall(teams=6)
        stage = climb(hall)
        play_on(stage, 12)
        assert stage.matches.done().count() == 12
        assert open_(stage), "it goes on without a tick"
        seats = MatchSeat.objects.filter(match__stage=stage, match__state="done")
        assert {seats.filter(team=team).count() for team in hall.teams} <= {3, 4, 5}
        assert sorted(stage.matches.values_list("number", flat=True)) == list(range(1, stage.matches.count() + 1))

    def test_the_tick_starts_what_stands_still(self):
        hall = Hall(teams=4)
        stage = climb(hall)
        stage.matches.all().delete()
        periodic.tick()
        assert len(open_(stage)) == 2

    @pytest.mark.long("more")
    def test_one_alone_waits_for_the_second(self):
        hall = Hall(teams=1)
        stage = climb(hall)
        assert open_(stage) == []
        late = make_team(hall.contest)
        give_bot(late)
        periodic.tick()
        assert met(stage) == {hall.ids[0], late.pk}
        stage.refresh_from_db()
        assert stage.order == [hall.ids[0], late.pk]

    def test_tables_of_four_are_filled_by_the_house_where_there_are_too_few(self):
        hall = Hall(teams=3)
        (match,) = open_(climb(hall, table_size=4))
        assert line_up(match) == set(hall.ids)
        assert [seat.house for seat in match.seats.all() if seat.house] == ["random"]

    def test_the_active_version_plays(self):
        hall = Hall(teams=2)
        stage = climb(hall)
        newer = give_bot(hall.teams[0], number=2)
        play_on(stage, 1)
        (match,) = open_(stage)
        assert match.seats.get(team=hall.teams[0]).submission == newer

    def test_a_rest_between_matches(self):
        hall = Hall(teams=2)
        stage = climb(hall, pause=120)
        play_on(stage, 1)
        assert open_(stage) == []
        let_pass(seconds=121)
        periodic.tick()
        assert len(open_(stage)) == 1


class TestTrouble:
    def test_who_leaves_is_not_matched_and_its_open_match_is_void(self):
        hall = Hall(teams=3)
        stage = climb(hall)
        (match,) = open_(stage)
        leaver = next(team for team in hall.teams if team.pk in line_up(match))
        stages.disqualify(leaver, hall.ada, "cheating")
        match.refresh_from_db()
        assert match.state == "void"
        assert str(leaver) in match.void_reason
        assert met(stage) == set(hall.ids) - {leaver.pk}
        rows = rows_of(Stage.objects.get(pk=stage.pk))
        assert (rows[-1].team, rows[-1].ranked.rank, rows[-1].ranked.is_out) == (leaver, None, True)

    def test_a_void_match_leaves_no_trace_and_is_not_played_again(self):
        hall = Hall(teams=2)
        stage = climb(hall)
        _, second = play_on(stage, 2)
        stages.void(second, hall.ada, "wrong rules")
        numbers = set(stage.matches.values_list("number", flat=True))
        assert numbers == {1, 2, 3}, "a new one is on its way, on other deals"
        assert Rating.objects.get(team=hall.teams[0]).matches == 1
        rows = rows_of(Stage.objects.get(pk=stage.pk))
        assert [row.record.matches for row in rows] == [1, 1]

    def test_paused_nothing_is_made_and_resumed_it_goes_on(self):
        hall = Hall(teams=6)
        stage = climb(hall)
        stages.pause(stage, hall.ada, "lunch")
        waiting = len(open_(stage))
        periodic.tick()
        assert len(open_(stage)) == waiting
        assert not Match.objects.claimable(timezone.now()).exists()
        stages.resume(stage, hall.ada)
        assert play_on(stage, 5)

    @pytest.mark.long("more")
    def test_a_match_of_a_review_is_nobody_s_next_number(self):
        hall = Hall(teams=2)
        stage = climb(hall)
        first, *_ = play_on(stage, 3)
        review = reviews.start(stage, hall.ada, "a fault of the referee", [first.pk])
        copy = review.matches.get()
        assert copy.number == 1
        play_on(stage, 1)
        assert max(stage.matches.filter(pending=False).values_list("number", flat=True)) == 5
        finish(copy)
        assert Rating.objects.get(team=hall.teams[0]).matches == 4
        reviews.apply(review, hall.ada)
        assert Rating.objects.get(team=hall.teams[0]).matches == 4
        assert tallies.count_all(hall.contest) == 0, "as if it had always been so"
        play_on(stage, 1)
        assert max(stage.matches.values_list("number", flat=True)) == 6


class TestTheEnd:
    def test_no_match_begins_after_it_and_open_ones_are_played(self):
        hall = Hall(teams=6)
        stage = climb(hall, ends_in=HOUR)
        Stage.objects.filter(pk=stage.pk).update(ends_at=timezone.now())
        waiting = len(open_(stage))
        periodic.tick()
        stage.refresh_from_db()
        assert (stage.state, len(open_(stage))) == ("running", waiting)
        play_on(stage, waiting)
        stage.refresh_from_db()
        assert (stage.state, open_(stage)) == ("done", [])
        assert stage.finished_at
        assert Act.objects.get(contest=hall.contest, verb="finish stage").user is None
        periodic.tick()
        assert Act.objects.filter(contest=hall.contest, verb="finish stage").count() == 1

    def test_a_match_of_a_finished_one_is_void_and_it_stays_finished(self):
        hall = Hall(teams=4)
        stage = climb(hall)
        endings.shorten(stage, hall.ada, "Time is up.")
        (match, *_) = play_on(stage, len(open_(stage)))
        stages.void(match, hall.ada, "a fault of the referee", hold=True)
        stage.refresh_from_db()
        assert (stage.state, open_(stage)) == ("done", [])
        assert stage.finished_at

    @pytest.mark.long("more")
    def test_it_ends_with_its_contest_and_nothing_starts_after_it(self):
        hall = Hall(teams=4)
        stage = climb(hall)
        final = stages.create(hall.contest, hall.ada, stages.Wish("Final", source=stage, starts_after=True))
        stages.publish(final, hall.ada)
        contests.end(hall.contest, hall.ada, "rain")
        play_on(stage, len(open_(stage)))
        stage.refresh_from_db()
        assert stage.state == "done"
        periodic.tick()
        final.refresh_from_db()
        assert final.state == "published"
        contests.reopen(hall.contest, hall.ada, "the sun shines")
        periodic.tick()
        final.refresh_from_db()
        assert final.state == "running"

    @pytest.mark.long("more")
    def test_the_table_stays_as_it_was_then(self):
        """Matches of a later stage move the ratings of the contest, not the table of the ladder."""
        hall = Hall(teams=4)
        stage = climb(hall, ends_in=HOUR)
        play_on(stage, 8)
        endings.shorten(stage, hall.ada, "Time is up.")
        play_on(stage, len(open_(stage)))
        stage.refresh_from_db()
        then = [(row.team, row.ranked.rank, row.mu, row.sigma) for row in rows_of(stage)]
        assert [rank for _, rank, *_ in then] == [1, 2, 3, 4]
        cup = hall.stage(table_size=2)
        for match in cup.matches.open():
            finish(match)
        assert [(row.team, row.ranked.rank, row.mu, row.sigma) for row in rows_of(stage)] == then
        now = {row.team: row.mu for row in standings.of_contest(everything(hall.contest))}
        assert {team: mu for team, _, mu, _ in then} != now


class TestConnected:
    @pytest.fixture
    def hall(self):
        hall = Hall(teams=6, bots=False, target=None, game="barracuda", preset="barracuda-2014", options={})
        Contest.objects.filter(pk=hall.contest.pk).update(live=True)
        hall.contest.refresh_from_db()
        return hall

    def test_only_those_who_are_connected_play(self, hall):
        stage = climb(hall)
        assert open_(stage) == []
        connect(*hall.teams[:3])
        periodic.tick()
        (match,) = open_(stage)
        assert match.live
        assert line_up(match) < set(hall.ids[:3])
        assert {seat.submission for seat in match.seats.all()} == {None}

    def test_they_meet_uploaded_bots_too(self, hall):
        give_bot(hall.teams[0])
        connect(hall.teams[1])
        (match,) = open_(climb(hall))
        assert line_up(match) == {hall.ids[0], hall.ids[1]}
        assert match.live
        assert [seat.team_id for seat in match.seats.all() if seat.is_live] == [hall.ids[1]]

    @pytest.mark.long("more")
    def test_who_plays_live_elsewhere_is_not_asked_for_a_second_game(self, hall):
        connect(*hall.teams[:3])
        stage = climb(hall)
        (match,) = open_(stage)
        play.claim(match.pk, "server")
        other = climb(hall)
        assert open_(other) == []

    @pytest.mark.long("more")
    def test_before_the_last_hour_nobody_is_missed(self, hall):
        stage = climb(hall, ends_in=2 * HOUR)
        connect(hall.teams[0])
        connect(hall.teams[1], at=timezone.now() - HOUR)
        periodic.tick()
        assert open_(stage) == []

    def test_in_the_last_hour_all_participants_play_even_if_away(self, hall):
        stage = climb(hall, ends_in=HOUR / 2)
        connect(hall.teams[0])
        connect(*hall.teams[1:3], at=timezone.now() - HOUR)
        periodic.tick()
        (match,) = open_(stage)
        assert hall.ids[0] in line_up(match), "nobody plays where nobody is there"
        assert line_up(match) < set(hall.ids[:3]), "who has never come does not take part"
        assert match.live
        (absent,) = line_up(match) - {hall.ids[0]}
        assert match.why.endswith(f"even if it is away: {match.seats.get(team=absent).team}.")


def test_the_demo_s_ladder_plays_a_match_a_minute():
    hall = Hall(8, endless=True)
    stage = climb(hall)
    (first,) = open_(stage)
    Match.objects.update(created_at=F("created_at") - ladder.DEMO_PAUSE)
    following.reconcile(stage)
    assert open_(stage) == [first], "one at a time"
    finish(first)
    (second,) = open_(stage)
    finish(second)
    assert open_(stage) == []
    Match.objects.update(created_at=F("created_at") - ladder.DEMO_PAUSE)
    following.reconcile(stage)
    assert len(open_(stage)) == 1
