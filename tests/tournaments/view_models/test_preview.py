"""The words that organisers see before they act."""

from __future__ import annotations

import pytest

from submissions.models import Submission
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments.organising import impact, stages
from tournaments.organising.stages import Wish
from tournaments.view_models import preview

pytestmark = pytest.mark.django_db


def words(table):
    return [(seat.seed, seat.name, seat.taker) for seat in table.seats]


class TestBracket:
    def test_a_draft_as_it_would_start_now(self):
        hall = Hall(teams=5)
        Submission.objects.filter(team=hall.teams[3]).update(is_active=False)
        hall.teams[4].state = "withdrawn"
        hall.teams[4].save()
        shown = preview.stage_preview(hall.stage(start=False))
        assert [it.name for it in shown.rounds] == ["Final"]
        assert shown.absent == [hall.teams[3]]
        assert words(shown.rounds[0].tables[0]) == [
            (1, hall.teams[0].name, "team"),
            (2, hall.teams[1].name, "team"),
            (3, hall.teams[2].name, "team"),
            (None, "House player", "house"),
        ]


class TestRounds:
    """Formats with many tables show one round, read from the database."""

    def swiss(self, teams=8, *, start=True, **options):
        hall = Hall(teams=teams)
        stage = stages.create(hall.contest, hall.ada, Wish("Swiss", "swiss", {"rounds": 3, "games": 1, **options}))
        if start:
            stages.start(stage, hall.ada)
        stage.refresh_from_db()
        return hall, stage

    def test_the_round_that_is_played_unless_another_is_asked_for(self):
        _, stage = self.swiss()
        for match in stage.matches.all():
            finish(match, by_strength(match))
        shown = preview.stage_preview(stage)
        assert (shown.chosen, [it.name for it in shown.names], shown.asked) == (2, ["Round 1", "Round 2"], False)
        first = preview.stage_preview(stage, round=1)
        assert (first.chosen, first.asked) == (1, True)
        assert all(table.decided for table in first.rounds[0].tables)
        seats = [seat for table in first.rounds[0].tables for seat in table.seats]
        assert sorted(seat.seed for seat in seats) == list(range(1, 9))
        assert {seat.taker for seat in seats} == {"team"}
        assert preview.stage_preview(stage, round=99).chosen == 2

    @pytest.mark.long("more")
    def test_what_follows_from_voiding_a_match_of_an_earlier_round(self):
        """Rounds that have begun stay; one that has not is drawn again."""
        _, stage = self.swiss()
        for match in stage.matches.all():
            finish(match, by_strength(match))
        first = stage.matches.get(table__round=1, table__number=1)
        (found,) = impact.of_voiding(first).stages
        assert len(found.voided) == 2
        assert [it.name for it in found.changes] == ["Round 2, table 1", "Round 2, table 2"]
        assert found.reopened == ["Round 1, table 1"]
        second = stage.matches.filter(table__round=2).first()
        finish(second, by_strength(second))
        assert [it.voided for it in impact.of_voiding(first).stages] == [[]]
