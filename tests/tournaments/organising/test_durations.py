"""How long matches and rounds usually take, so that organisers can plan a Saturday."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.events import DECISIONS
from games.format import thinking_times
from games.record import dumps
from submissions.models import CheckGame, pack
from tests.cast import make_contest
from tests.tournaments.stagecraft import Hall, finish, play_out, refereed
from tournaments.models import Match, Stage
from tournaments.organising import stages, workload
from tournaments.organising.durations import budget, stage_budget
from tournaments.organising.stages import Wish
from tournaments.playing import play

pytestmark = pytest.mark.django_db


def test_before_anybody_has_a_bot_house_players_say_what_is_usual():
    contest = make_contest()
    one, ten = budget(contest, 1), budget(contest, 10)
    assert (one.measured, one.checked) == (False, False)
    assert ten.usual == 10 * one.usual > timedelta(seconds=4)


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

    def test_it_is_what_is_played_in_the_end(self, hall):
        for format, options in (("swiss", {"rounds": 2}), ("single_elimination", {"table_size": 2, "games": 1})):
            stage = stages.create(hall.contest, hall.ada, Wish(format, format, options))
            foreseen = stage_budget(stage)
            stages.start(stage, hall.ada)
            play_out(stage)
            regular = stage.matches.valid().filter(kind=Match.Kind.REGULAR)
            assert regular.count() == foreseen.matches

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
        assert [each.name for each in found.by_round] == ["Quarter-finals", "Semi-finals", "Final"]
        assert [each.usual / found.one.usual for each in found.by_round] == [2, 1, 1]
        one_by_one = stage_budget(Stage.objects.get(), in_turn={1}).by_round
        assert [each.usual / found.one.usual for each in one_by_one] == [4, 1, 1]
