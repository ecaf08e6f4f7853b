"""How long matches take, usually and at most, in words that help organisers plan a Saturday."""

from datetime import timedelta

import pytest
from django.utils import timezone

import games
from games.events import DECISIONS
from games.format import thinking_times
from games.record import dumps
from submissions.models import CheckGame, pack
from tests.cast import make_contest
from tests.tournaments.stagecraft import Hall, finish, play_out, refereed
from tournaments.models import Match
from tournaments.organising import stages, workload
from tournaments.organising.durations import budget, match_budget
from tournaments.organising.stage_durations import stage_budget
from tournaments.organising.stages import Wish
from tournaments.playing import play

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def test_the_most_is_what_the_rules_allow_to_all_bots_together():
    """A game to 300 has about 700 decisions; each bot may take four seconds for every line it is sent."""
    contest = make_contest(startup_seconds=5)
    one, ten = budget(contest, 1), budget(contest, 10)
    assert 600 < one.decisions < 3000
    assert one.most > timedelta(hours=2)
    assert ten.most == 10 * one.most
    assert not one.measured
    assert timedelta(seconds=5) < one.usual < timedelta(minutes=1)


def test_it_follows_the_options():
    short, long = make_contest(options={"target": 25}), make_contest(options={"target": 25, "time_limit": 8})
    assert budget(short, 1).decisions == budget(long, 1).decisions < 400
    startups = timedelta(seconds=4 * short.startup_seconds)
    assert budget(long, 1).most - startups == 2 * (budget(short, 1).most - startups)


def test_what_was_played_says_what_is_usual():
    hall = Hall(teams=8)
    first = hall.stage(games=2).matches.first()
    finish(first)
    end = timezone.now()
    Match.objects.filter(pk=first.pk).update(started_at=end - timedelta(seconds=30), finished_at=end)
    found = budget(hall.contest, 4)
    assert found.measured
    assert found.usual == timedelta(seconds=60)


def test_before_the_first_match_the_check_games_say_what_is_usual():
    hall = Hall(teams=4)
    guess = budget(hall.contest, 2)
    record = refereed(play.claim(hall.stage(games=2).matches.get().pk, "tester")).record
    for event in record["events"]:
        if event["event"] in DECISIONS:
            event["ms"] = 10.0
    bot = hall.teams[0].submissions.get()
    CheckGame.objects.create(submission=bot, number=1, seat=1, passed=True, record=pack(dumps(record)))
    found, thought = budget(hall.contest, 2), sum(thinking_times(record)[1]) / 1000
    assert thought > 0
    assert (guess.checked, found.checked, found.measured) == (False, True, False)
    assert abs(found.usual - timedelta(seconds=2 * 4 * (0.1 + thought / 2))) < timedelta(milliseconds=1)


@pytest.mark.long("more")
def test_a_clock_for_the_whole_game_bounds_what_its_questions_allow():
    contest = make_contest(game="barracuda", startup_seconds=1)
    assert budget(contest, 1).most == timedelta(seconds=2 * (2 + 100 * 0.05) + 2 * 1)


@pytest.mark.long("more")
def test_where_the_rules_say_how_long_a_match_is_it_is_that_of_equals_until_one_was_seen():
    contest = make_contest(game="barracuda", options={"target": 1})
    found = budget(contest, None)
    assert 5 <= found.games <= 41
    hall = Hall(teams=2, target=1, game="barracuda")
    played = finish(hall.stage().matches.get())
    assert budget(hall.contest, None).games == played.games


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_every_game_has_one(game):
    found = budget(make_contest(game=game.slug), 1)
    assert found.decisions > 0
    assert timedelta(0) < found.usual < timedelta(minutes=1)
    assert found.usual < found.most < timedelta(days=1)


class TestStages:
    """A whole stage: how many matches, and how long."""

    @pytest.fixture
    def hall(self):
        return Hall(teams=8)

    def reckon(self, hall, format="single_elimination", options=None, **fields):
        stage = stages.create(hall.contest, hall.ada, Wish(f"Stage {format}", format, options or {}, **fields))
        return stage_budget(stage)

    @pytest.mark.parametrize(
        ("format", "options", "rounds", "least", "most"),
        [
            ("single_elimination", {}, 2, 3, 3),
            ("single_elimination", {"table_size": 2}, 3, 7, 7),
            ("single_elimination", {"table_size": 2, "third_place": True}, 3, 8, 8),
            ("single_elimination", {"table_size": 2, "best_of": 3}, 3, 14, 21),
            ("single_elimination", {"duplicate": True}, 2, 12, 12),
            ("swiss", {"rounds": 5}, 5, 10, 10),
            ("swiss", {"rounds": 5, "table_size": 2}, 5, 20, 20),
            ("round_robin", {}, 7, 28, 28),
            ("round_robin", {"home_and_away": True}, 14, 56, 56),
            ("combinations", {}, 1, 70, 70),
        ],
    )
    def test_the_number_of_matches(self, hall, format, options, rounds, least, most):
        found = self.reckon(hall, format, options)
        assert (found.teams, found.rounds, found.matches, found.most_matches) == (8, rounds, least, most)

    @pytest.mark.long("more")
    @pytest.mark.parametrize(
        ("format", "options", "matches"),
        [
            ("single_elimination", {"table_size": 2, "third_place": True}, 7),
            ("single_elimination", {"table_size": 2, "duplicate": True}, 24),
            ("swiss", {"rounds": 3, "table_size": 2}, 9),
            ("round_robin", {}, 21),
            ("round_robin", {"duplicate": True}, 84),
        ],
    )
    def test_a_bye_is_no_match(self, format, options, matches):
        assert self.reckon(Hall(teams=7), format, options).matches == matches

    def test_it_is_what_is_played_in_the_end(self, hall):
        for format, options in (("swiss", {"rounds": 2}), ("single_elimination", {"table_size": 2, "games": 1})):
            stage = stages.create(hall.contest, hall.ada, Wish(format, format, options))
            foreseen = stage_budget(stage)
            stages.start(stage, hall.ada)
            play_out(stage)
            regular = stage.matches.valid().filter(kind=Match.Kind.REGULAR)
            assert regular.count() == foreseen.matches

    @pytest.mark.long("more")
    def test_games_are_those_of_the_seatings(self):
        hall = Hall(teams=5, game="hearts", preset="open", target=None)
        found = self.reckon(hall, "combinations")
        assert (found.matches, found.one.games, found.games) == (5, 24, 120)

    @pytest.mark.long("more")
    def test_a_budget_of_games_bounds_it(self, hall):
        found = self.reckon(hall, "combinations", {"budget": 480})
        assert found.games <= 480
        assert found.rounds == 2

    @pytest.mark.long("more")
    def test_the_time_is_that_of_rounds_one_after_the_other(self, hall, monkeypatch):
        monkeypatch.setattr(workload, "processes", lambda: 3)
        found = self.reckon(hall, options={"table_size": 2})
        assert found.at_once == 3
        assert found.usual == 4 * found.one.usual, "four matches by three, then two, then one"
        assert found.most == 4 * found.one.most

    def test_a_ladder_says_how_many_in_an_hour(self, hall):
        found = self.reckon(hall, "ladder")
        assert found.matches == 0
        assert found.pace.an_hour == round(timedelta(hours=1) / found.one.usual * found.at_once)
        assert found.pace.in_all is None

    @pytest.mark.long("more")
    def test_a_rest_between_matches_is_a_brake(self, hall):
        now = timezone.now()
        found = self.reckon(hall, "ladder", {"table_size": 2, "pause": 600}, starts_at=now, ends_at=now + 2 * HOUR)
        cycle = found.one.usual + timedelta(minutes=10)
        assert found.pace.an_hour == round(HOUR / cycle * (found.teams // 2))
        assert abs(found.pace.in_all - 2 * found.pace.an_hour) <= 1

    @pytest.mark.long("more")
    def test_the_disk_is_that_of_the_records_so_far(self, hall):
        guess = self.reckon(hall, "ladder").pace
        assert not guess.measured
        assert 500 < guess.record < 100_000
        match = finish(hall.stage(table_size=2).matches.first())
        found = self.reckon(hall, "ladder").pace
        assert (found.record, found.measured) == (len(match.record.data), True)
        assert found.bytes_a_day == 24 * found.an_hour * found.record

    @pytest.mark.long("more")
    def test_of_those_who_will_come_from_an_earlier_stage(self, hall):
        cup = hall.stage()
        assert self.reckon(hall, entry="best", source=cup, best=4).teams == 4

    @pytest.mark.long("more")
    def test_too_few_teams_to_say(self):
        hall = Hall(teams=1)
        assert self.reckon(hall) is None
        assert self.reckon(hall, "ladder").teams == 1

    @pytest.mark.long("more")
    def test_runs_are_not_counted(self):
        contest = make_contest(game="even_steven", preset="open")
        stage = stages.create(contest, None, Wish("Problem", "judged_set", {"draw": 5}))
        assert stage_budget(stage) is None
        assert match_budget(stage).games == 5 + len(contest.game.sample)
