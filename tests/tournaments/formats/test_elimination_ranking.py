"""The ranking of single elimination when the referee disqualifies teams, the house plays, or teams leave."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.formats.playing import gone, ids
from tests.tournaments.formats.test_single_elimination import (
    FOURS,
    FOURS_TWO_ADVANCE,
    TWOS,
    by_chance,
    by_seed,
    play,
    some,
)
from tournaments import formats
from tournaments.formats.plan import Plan, Result, Status
from tournaments.formats.wording import Names, seat_sentence

FORMAT = formats.get("single_elimination")
EIGHT = list(range(1, 9))
FAULT, LEFT = Status.DISQUALIFIED_REFEREE, Status.DISQUALIFIED_ORGANISERS


def ranks(plan: Plan) -> dict[int, int | None]:
    return {ranked.team: ranked.rank for ranked in plan.ranking}


def statuses(plan: Plan, round: int, number: int) -> dict[int, Status]:
    return {seat.team: seat.status for seat in plan.rounds[round - 1][number - 1].seats if seat.team is not None}


class TestFaults:
    def test_a_team_that_the_referee_disqualified_is_below_all_honest_ones_of_its_round(self):
        """Three of four teams fault at table 1: the second there must not pass the losers of table 2."""
        results = {
            (1, 1): {1: Result((1, 4, 5, 8), (4, 1, 4, 4), (90, 10, 80, 70), frozenset({1, 5, 8}))},
            (1, 2): {1: Result((2, 3, 6, 7), (1, 2, 3, 4), (9, 3, 2, 1))},
        }
        found = ranks(FORMAT.plan(EIGHT, results, FOURS))
        assert [found[team] for team in (3, 6, 7)] == [3, 4, 5]
        assert [found[team] for team in (1, 5, 8)] == [6, 7, 8], "among themselves by their points"

    def test_house_players_do_not_lift_a_team(self):
        """Five teams at two tables of four: a team that is third behind two house players ranks below a second."""
        order = [1, 2, 3, 4, 5]
        results = {
            (1, 1): {1: Result((1, 4, None, None), (2, 4, 1, 3), (5, 1, 9, 4))},
            (1, 2): {1: Result((2, 3, 5, None), (1, 2, 3, 4), (9, 0.5, 0.2, 0))},
        }
        plan = FORMAT.plan(order, results, FOURS)
        assert [ranks(plan)[team] for team in (3, 5, 4)] == [3, 4, 5]
        assert next(ranked.place for ranked in plan.ranking if ranked.team == 4) == 4
        table = plan.rounds[0][0]
        assert "winner" not in seat_sentence(table, table.seats[1], Names()), "the house has won"

    def test_at_tables_of_two_only_the_two_teams_count(self):
        results = {(1, number): {1: Result((*pair, None, None), (3, 4, 1, 2), (2, 1, 9, 8))}
                   for number, pair in enumerate(([1, 4], [2, 3]), 1)}  # fmt: skip
        plan = FORMAT.plan([1, 2, 3, 4], results, {**TWOS, "seats": 4})
        assert [seat.place for seat in plan.rounds[0][0].seats] == [1, 2]

    def test_a_fault_in_a_play_off_is_the_last_place(self):
        results = {
            (1, 1): {
                1: Result((1, 4, 5, 8), (1, 1, 3, 4), (9, 9, 5, 1)),
                2: Result((1, 4, None, None), (4, 1, 2, 3), (0, 9, 5, 4), frozenset({1})),
            }
        }
        table = FORMAT.plan(EIGHT, results, FOURS).rounds[0][0]
        assert {seat.team: seat.place for seat in table.seats} == {4: 1, 5: 3, 8: 4, 1: 4}
        assert statuses(FORMAT.plan(EIGHT, results, FOURS), 1, 1)[1] == FAULT

    def test_everybody_disqualified_in_the_final_leaves_no_champion(self):
        _, results = play(EIGHT, TWOS, by_seed(EIGHT), rounds=2)
        results[3, 1] = {1: Result((1, 2), (2, 2), (3, 8), frozenset({1, 2}))}
        plan = FORMAT.plan(EIGHT, results, TWOS)
        assert plan.done
        assert list(ranks(plan).items())[:4] == [(2, 2), (1, 3), (3, 4), (4, 4)]

    def test_a_team_that_faults_in_the_semi_final_does_not_play_for_third_place(self):
        options = {**TWOS, "third_place": True}
        results = {
            (1, 1): {1: Result((1, 4), (1, 2), (9, 5), frozenset({4}))},
            (1, 2): {1: Result((2, 3), (1, 2), (9, 1))},
        }
        plan = FORMAT.plan([1, 2, 3, 4], results, options)
        third = plan.rounds[1][1]
        assert (third.teams, third.matches, third.decided) == ((3,), (), True)
        results[2, 1] = {1: Result((1, 2), (1, 2), (9, 1))}
        plan = FORMAT.plan([1, 2, 3, 4], results, options)
        assert ranks(plan) == {1: 1, 2: 2, 3: 3, 4: 4}

    @given(st.integers(2, 60), st.sampled_from([TWOS, FOURS, FOURS_TWO_ADVANCE]), st.integers(0, 2**32))
    @some
    def test_nobody_with_a_fault_is_above_an_honest_team_of_the_same_round(self, count, options, seed):
        plan, _ = play(ids(count), options, by_chance(Random(seed)))
        for one in plan.ranking:
            for other in plan.ranking:
                if one.round == other.round and one.status == FAULT != other.status:
                    assert one.rank > other.rank


class TestLeaving:
    @given(st.integers(2, 60), st.sampled_from([TWOS, FOURS, FOURS_TWO_ADVANCE]), st.integers(0, 2**32))
    @some
    def test_nobody_passes_anybody_when_a_team_leaves_after_the_end(self, count, options, seed):
        random = Random(seed)
        order = ids(count)
        plan, results = play(order, options, by_chance(random, ties=False))
        leaver = random.choice(order)
        after = FORMAT.plan(order, results, options, gone(leaver))
        stay = [ranked.team for ranked in plan.ranking if ranked.team != leaver]
        assert [ranked.team for ranked in after.ranking] == [*stay, leaver]
        assert ranks(after)[leaver] is None
        assert {seat.team: seat.place for seat in after.rounds[0][0].seats} == {
            seat.team: seat.place for seat in plan.rounds[0][0].seats
        }


class TestStatuses:
    def test_of_a_bracket_as_it_is_played(self):
        order = list(range(1, 6))
        plan = FORMAT.plan(order, {}, TWOS)
        assert statuses(plan, 1, 1) == {1: Status.BYE}
        assert statuses(plan, 1, 4) == {4: Status.DUE, 5: Status.DUE}
        assert plan.rounds[2][0].seats[0].status == Status.AWAITED
        plan, _ = play(order, TWOS, by_seed(order))
        assert statuses(plan, 1, 4) == {4: Status.ADVANCED, 5: Status.ELIMINATED}
        assert statuses(plan, 3, 1) == {1: Status.PLACED, 2: Status.PLACED}

    def test_the_next_in_line_is_promoted_instead_of_the_leaver(self):
        _, results = play(EIGHT, FOURS, by_seed(EIGHT), rounds=1)
        table = FORMAT.plan(EIGHT, results, FOURS, {1: Status.WITHDREW}).rounds[0][0]
        assert [(seat.team, seat.status, seat.place, seat.instead_of) for seat in table.seats[:2]] == [
            (1, Status.WITHDREW, 1, None),
            (4, Status.PROMOTED, 2, 1),
        ]

    @pytest.mark.parametrize("status", [Status.WITHDREW, Status.NO_BOT, LEFT])
    def test_a_house_player_has_the_seat_of_a_team_that_left_before_it_began(self, status):
        seat = FORMAT.plan(EIGHT, {}, FOURS, {1: status}).rounds[0][0].seats[0]
        assert (seat.house, seat.status, seat.instead_of) == (True, status, 1)
