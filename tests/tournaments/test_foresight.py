"""What organisers are shown before they act, in words."""

from __future__ import annotations

import pytest

from submissions.models import Submission
from tests.tournaments.stagecraft import Hall, play_out
from tournaments import foresight
from tournaments.models import Match

pytestmark = pytest.mark.django_db


def words(table):
    return [(chair.seed, chair.text, chair.kind) for chair in table.chairs]


class TestBracket:
    def test_a_draft_as_it_would_start_now(self):
        hall = Hall(teams=5)
        Submission.objects.filter(team=hall.teams[3]).update(is_active=False)
        hall.teams[4].state = "withdrawn"
        hall.teams[4].save()
        shown = foresight.bracket(hall.stage(start=False))
        assert [it.name for it in shown.rounds] == ["Final"]
        assert shown.absent == [hall.teams[3]]
        assert words(shown.rounds[0].tables[0]) == [
            (1, hall.teams[0].name, "team"),
            (2, hall.teams[1].name, "team"),
            (3, hall.teams[2].name, "team"),
            (None, "A house player", "house"),
        ]

    def test_a_published_one_is_shown_without_who_left(self):
        hall = Hall(teams=5)
        stage = hall.stage(start=False, publish=True)
        hall.teams[4].state = "withdrawn"
        hall.teams[4].save()
        shown = foresight.bracket(stage)
        assert [it.name for it in shown.rounds] == ["Final"]

    def test_while_nobody_has_a_bot_all_are_expected(self):
        hall = Hall(teams=5)
        Submission.objects.update(is_active=False)
        shown = foresight.bracket(hall.stage(start=False))
        assert [it.name for it in shown.rounds] == ["Semi-finals", "Final"]
        assert shown.absent == hall.teams

    def test_names_of_rounds(self):
        shown = foresight.bracket(Hall(teams=32).stage(start=False, table_size=2))
        assert [it.name for it in shown.rounds] == ["Round 1", "Round 2", "Quarter-finals", "Semi-finals", "Final"]

    def test_who_is_awaited(self):
        shown = foresight.bracket(Hall(teams=8).stage(advance=2))
        assert {text for _, text, _ in words(shown.rounds[1].tables[0])} == {
            "First of Semi-final 1",
            "Second of Semi-final 1",
            "First of Semi-final 2",
            "Second of Semi-final 2",
        }

    def test_a_finished_one_has_places_and_matches(self):
        hall = Hall(teams=4)
        stage = hall.stage()
        play_out(stage)
        stage.refresh_from_db()
        table = foresight.bracket(stage).rounds[0].tables[0]
        assert [chair.place for chair in table.chairs] == [1, 2, 3, 4]
        assert table.decided
        assert table.matches == list(Match.objects.all())

    def test_too_few_teams(self):
        shown = foresight.bracket(Hall(teams=1).stage(start=False))
        assert (shown.rounds, shown.teams) == ([], 1)
