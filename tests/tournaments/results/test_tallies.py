"""Totals of teams: updated with every result, and summed from the results, always the same."""

from __future__ import annotations

from statistics import mean, stdev

import pytest
from django.core.management import call_command

from tests.tournaments.chronicle import Chronicle
from tests.tournaments.stagecraft import rows_of
from tournaments.models import Match, MatchSeat, Rating, Stage, Tally
from tournaments.results import standings, tallies
from tournaments.results.visibility import everything
from tournaments.view_models.pairs import balance

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


def on_common_deals(chronicle):
    options = {**chronicle.stage.options, "duplicate": True}
    Stage.objects.filter(pk=chronicle.stage.pk).update(options=options)
    chronicle.stage.refresh_from_db()
    return chronicle


def record_of(chronicle, team):
    rows = {row.team: row.record for row in standings.of_contest(everything(chronicle.contest))}
    return rows[chronicle.teams[team]]


class TestUnits:
    def test_every_match_is_one(self):
        chronicle = Chronicle(2)
        for _ in range(6):
            chronicle.play((0, 1), (1, 2), games=3)
        values = [entry.points[0] / 3 for entry in chronicle.entries]
        record = record_of(chronicle, 0)
        assert record.average == pytest.approx(mean(values))
        assert record.margin == pytest.approx(2.571 * stdev(values) / 6**0.5)

    def test_matches_on_the_same_deals_are_one_together(self):
        """Four units of two matches each: matches that share the luck of the cards are not separate samples."""
        chronicle = on_common_deals(Chronicle(2))
        for seed in (7, 8, 9, 10):
            chronicle.play((0, 1), (1, 2), seed=seed)
            chronicle.play((1, 0), (1, 2), seed=seed)
        mine = [entry.points[entry.teams.index(chronicle.teams[0].pk)] for entry in chronicle.entries]
        values = [(one + other) / 4 for one, other in zip(mine[::2], mine[1::2], strict=True)]
        record = record_of(chronicle, 0)
        assert (record.matches, record.games, record.points) == (8, 16, sum(mine))
        assert record.average == pytest.approx(mean(values))
        assert record.margin == pytest.approx(3.182 * stdev(values) / 4**0.5)

    @pytest.mark.long("more")
    def test_half_of_one_counts_with_what_there_is_of_it(self):
        chronicle = on_common_deals(Chronicle(2))
        for seed in (7, 7, 8):
            chronicle.play((0, 1), (1, 2), seed=seed)
        chronicle.void(0)
        assert Tally.objects.get(team=chronicle.teams[0]).units == 2
        chronicle.void(0)
        assert Tally.objects.get(team=chronicle.teams[0]).units == 1
        assert record_of(chronicle, 0).margin is None


def outcomes(chronicle, team):
    """Won, tied and lost, as counted with every result and as added up from the results."""
    record = record_of(chronicle, team)
    tallies.add_up(chronicle.stage)
    assert record_of(chronicle, team) == record
    return record.won, record.tied, record.lost


class TestOutcomes:
    def test_a_shared_first_place_is_a_tie(self):
        chronicle = Chronicle(2)
        for places in ((1, 1), (1, 2), (1, 1), (2, 1)):
            chronicle.play((0, 1), places)
        assert outcomes(chronicle, 0) == (1, 2, 1)
        assert outcomes(chronicle, 1) == (1, 2, 1)
        seats = balance(Match.objects.all(), *chronicle.teams[:2])
        assert (seats.won, seats.tied, seats.lost) == (1, 2, 1), "the page of the pair agrees"

    def test_on_common_deals_too(self):
        chronicle = on_common_deals(Chronicle(2))
        chronicle.play((0, 1), (1, 1), seed=7)
        chronicle.play((1, 0), (2, 1), seed=7)
        assert outcomes(chronicle, 0) == (1, 1, 0)

    @pytest.mark.parametrize(("size", "expected"), [(2, (1, 0, 0)), (4, (0, 0, 1))])
    def test_house_players_count_where_four_meet(self, size, expected):
        chronicle = Chronicle(2, "tricky_eights", table_size=size)
        chronicle.play((0, None, 1, None), (2, 1, 3, 4))
        assert outcomes(chronicle, 0) == expected

    @pytest.mark.long("more")
    def test_they_count_in_the_place_of_a_team_that_left_combinations(self):
        chronicle = Chronicle(3, format="combinations", games=1)
        for team, places in ((0, (1, 1)), (0, (2, 1)), (1, (1, 2))):
            chronicle.play((team, None), places)
        assert outcomes(chronicle, 0) == (0, 1, 1)
        assert outcomes(chronicle, 1) == (1, 0, 0)

    def test_who_is_disqualified_has_lost(self):
        chronicle = Chronicle(2)
        match = chronicle.play((0, 1), (2, 2))
        match.seats.update(disqualified=True)
        tallies.add_up(chronicle.stage)
        assert outcomes(chronicle, 0) == outcomes(chronicle, 1) == (0, 0, 1)
        assert balance(Match.objects.all(), *chronicle.teams[:2]).tied == 0


class TestAddingUp:
    def test_rerate_mends_what_was_damaged(self, capsys):
        chronicle = Chronicle(3)
        for number in range(9):
            chronicle.play((number % 3, (number + 1) % 3), (1, 2))
        before = chronicle.tallied(), chronicle.written()
        Tally.objects.update(points=1)
        Tally.objects.first().delete()
        Rating.objects.update(mu=1)
        call_command("rerate", chronicle.contest.slug)
        assert (chronicle.tallied(), chronicle.written()) == before
        assert "0 matches changed" in capsys.readouterr().out

    @pytest.mark.long("more", "postgresql")
    @pytest.mark.parametrize("common", [False, True], ids=["", "common deals"])
    def test_fractions_add_up_alike_in_any_order(self, common):
        """Thirds of points and tenths of penalties, to the last bit."""
        chronicle = Chronicle(2)
        if common:
            on_common_deals(chronicle)
        matches = [chronicle.play((0, 1), (1, 2), games=3, seed=number // 3 + 1) for number in range(12)]
        for seat in MatchSeat.objects.all():
            MatchSeat.objects.filter(pk=seat.pk).update(penalty=seat.pk % 7 / 10)
        found = []
        for order in (matches, matches[::-1]):
            Tally.objects.all().delete()
            for match in order:
                again = Match.objects.get(pk=match.pk)
                tallies.count({again: tallies.gains_of(again)})
            found.append(chronicle.tallied())
        tallies.add_up(chronicle.stage)
        found.append(chronicle.tallied())
        assert found == [found[0]] * 3


@pytest.mark.long("more")
def test_what_others_read_while_results_come_in_costs_the_same_each_time(django_assert_num_queries):
    chronicle = Chronicle(4)
    stage = Stage.objects.select_related("contest").get(pk=chronicle.stage.pk)
    for count in (3, 30):
        while Match.objects.done().count() < count:
            chronicle.play((0, 1), (1, 2))
        with django_assert_num_queries(3):
            standings.of_contest(everything(chronicle.contest))
        with django_assert_num_queries(4):
            rows_of(stage)
