"""Brackets with several matches at a table: series, the same deals from every seat; byes and the match for third
place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats.playing import Playing
from tournaments.formats.plan import Result, TablePlan, combined
from tournaments.formats.single_elimination import FORMAT

some = settings(max_examples=6, deadline=None)  # test_many_examples.py has more
seeds = st.integers(0, 2**32)


def stage_of(count: int, game: str = "barracuda", **options: Any) -> Playing:
    return Playing(FORMAT, count, game, **options)


def table(stage: Playing, round: int = 1, number: int = 1) -> TablePlan:
    return next(table for table in stage.plan().tables() if table.key == (round, number))


def record(
    stage: Playing, number: int, *scores: float, place: tuple[int, int] = (1, 1), out: tuple[int, ...] = ()
) -> None:
    """A played match of a table."""
    wanted = {match.number: match for match in table(stage, *place).matches}
    stage.results.setdefault(place, {})[number] = stage.result(wanted[number], list(scores), out)


class TestByes:
    @given(st.integers(2, 200), seeds)
    @some
    def test_they_are_the_highest_seeds_and_nothing_is_played(self, count, seed):
        stage = stage_of(count)
        plan = stage.play_all(stage.by_chance(seed, faults=True))
        first = plan.rounds[0]
        alone = [each for each in first if len(each.teams) == 1]
        assert [each.teams[0] for each in alone] == stage.order[: 2 ** (count - 1).bit_length() - count]
        for each in plan.tables():
            if len(each.teams) == 1:
                assert (each.decided, each.matches, each.places) == (True, (), each.teams)
            assert each.teams or each.round > 1

    def test_a_team_whose_opponent_is_out_goes_on(self):
        stage = stage_of(4)
        stage.out = {stage.order[3]}
        assert table(stage).advancing == (stage.order[0],)
        assert len(stage.due()) == 1


class TestSeries:
    def test_until_one_has_won_most_of_them(self):
        stage = stage_of(2, best_of=5)
        one, other = stage.order
        for number, scores in enumerate([(1, 0), (0, 1), (1, 0), (1, 0)], start=1):
            matches = table(stage).matches
            assert [match.number for match in matches] == list(range(1, number + 1)), "one after the other"
            assert [match.rotation for match in matches] == list(range(number)), "seats are swapped"
            assert not any(match.playoff for match in matches)
            record(stage, number, *scores)
        final = table(stage)
        assert (final.decided, final.places, final.scores) == (True, (one, other), (3, 1))
        assert stage.plan().done
        assert "match 2, best of 5" in final.matches[1].why

    def test_ties_are_for_nobody_and_a_level_series_is_played_off(self):
        stage = stage_of(2, best_of=3)
        for number, scores in enumerate([(1, 1), (1, 0), (0, 1)], start=1):
            record(stage, number, *scores)
        (*series, playoff) = table(stage).matches
        assert [match.number for match in series] == [1, 2, 3]
        assert (playoff.number, playoff.playoff) == (4, True)
        assert playoff.why.startswith("Play-off 1 of Final")
        record(stage, 4, 0, 1)
        assert table(stage).places == (stage.order[1], stage.order[0])
        assert table(stage).scores == (1, 1)

    def test_one_more_of_all_wins_where_some_were_tied(self):
        stage = stage_of(2, best_of=3)
        for number, scores in enumerate([(1, 1), (1, 0), (5, 5)], start=1):
            record(stage, number, *scores)
        assert table(stage).decided
        assert table(stage).scores == (1, 0)

    def test_a_disqualification_loses_that_match(self):
        stage = stage_of(2, best_of=3)
        one, other = stage.order
        record(stage, 1, 9, 0, out=(one,))
        record(stage, 2, 9, 0)
        record(stage, 3, 9, 0)
        assert table(stage).places == (one, other)

    def test_where_both_always_fault_it_ends(self):
        stage = stage_of(2, best_of=3)
        plan = stage.play_all(lambda match: stage.result(match, [0, 0], match.teams))
        assert plan.done
        assert len(plan.tables()[0].matches) == 4

    def test_play_offs_are_counted_on_from_the_most_there_can_be(self):
        """The third match is not needed, and never becomes a play-off."""
        stage = stage_of(2, best_of=3)
        record(stage, 1, 1, 0)
        record(stage, 2, 1, 0)
        assert [match.number for match in table(stage).matches] == [1, 2]

    def test_a_match_that_is_played_again_keeps_those_after_it(self):
        stage = stage_of(2, best_of=3)
        for number, scores in enumerate([(0, 1), (1, 0), (1, 0)], start=1):
            record(stage, number, *scores)
        del stage.results[1, 1][1]
        assert table(stage).decided, "two of three are won, whatever the first was"
        assert [match.number for match in table(stage).matches] == [2, 3]
        del stage.results[1, 1][2]
        assert [match.number for match in table(stage).matches] == [1, 3]
        assert not table(stage).decided

    def test_who_leaves_in_the_middle_has_lost(self):
        stage = stage_of(4, best_of=5)
        one, _, _, four = stage.order
        record(stage, 1, 1, 0)
        stage.out = {one}
        left = table(stage)
        assert (left.decided, left.advancing, [match.number for match in left.matches]) == (True, (four,), [1])


class TestDuplicate:
    def test_the_sums_decide_and_play_offs_come_after(self):
        stage = stage_of(4, "tricky_eights", duplicate=True)
        one, two, three, four = stage.order
        for number, scores in enumerate([(4, 3, 2, 1), (4, 3, 2, 1), (0, 2, 9, 0), (5, 5, 0, 0)], start=1):
            assert [match.number for match in table(stage).matches] == [1, 2, 3, 4], "all at once"
            record(stage, number, *scores)
        (*_, playoff) = table(stage).matches
        assert not table(stage).decided
        assert (playoff.number, playoff.teams, playoff.playoff, playoff.deal) == (5, (one, two, three), True, None)
        record(stage, 5, 1, 3, 2, 0)
        assert table(stage).places == (two, three, one, four)
        assert table(stage).scores == (13, 13, 13, 2)

    def test_whom_the_referee_disqualified_once_is_last(self):
        stage = stage_of(4, "tricky_eights", duplicate=True)
        for number in (1, 2, 3, 4):
            record(stage, number, 9, 5, 4, 3, out=(stage.order[0],) if number == 2 else ())
        assert table(stage).places == (*stage.order[1:], stage.order[0])

    def test_with_two_seats(self):
        stage = stage_of(2, duplicate=True, games=20)
        assert [(match.rotation, match.deal) for match in table(stage).matches] == [(0, 1), (1, 1)]


class TestCombined:
    def test_players_are_put_together_by_how_the_match_was_rotated(self):
        first = Result((1, None, 2, None), (1, 2, 3, 4), (10, 7, 5, 1))
        second = Result((None, 1, None, 2), (3, 1, 2, 4), (2, 10, 8, 0))
        assert combined([first, second]) == Result((1, None, 2, None), (1, 2, 3, 4), (20, 15, 5, 3))


class TestThirdPlace:
    @given(st.integers(4, 64), seeds, st.sampled_from([1, 3]))
    @some
    def test_those_who_lost_the_semi_finals_play_for_it(self, count, seed, best_of):
        stage = stage_of(count, third_place=True, best_of=best_of)
        plan = stage.play_all(stage.by_chance(seed))
        plain = stage_of(count)
        without = plain.play_all(plain.by_chance(seed))
        assert [len(tables) for tables in plan.rounds[:-1]] == [len(tables) for tables in without.rounds[:-1]]
        final, third = plan.rounds[-1]
        assert (final.name, third.name) == ("Final", "Third place")
        semi_losers = {each.places[1] for each in plan.rounds[-2] if len(each.places) > 1}
        assert set(third.teams) == semi_losers
        top = [*final.places, *third.places]
        assert [ranked.team for ranked in plan.ranking[: len(top)]] == top
        assert [ranked.rank for ranked in plan.ranking[: len(top)]] == list(range(1, len(top) + 1))
        assert [ranked.place for ranked in plan.ranking[: len(top)]] == list(range(1, len(top) + 1))
        sizes = [len(tables) for tables in plan.rounds]
        assert FORMAT.round_name(len(sizes), sizes, stage.options) == "Final"

    def test_its_players_come_from_the_semi_finals_as_these_are_played(self):
        stage = stage_of(4, third_place=True)
        assert [seat.feed for seat in table(stage, 2, 2).seats] == [("table", 1, 1, 2), ("table", 1, 2, 2)]
        record(stage, 1, 1, 0)
        third = table(stage, 2, 2)
        assert third.teams == (stage.order[3],)
        assert third.matches == ()
        assert [ranked.rank for ranked in stage.plan().ranking] == [None] * 4, "nobody's place is known"
        record(stage, 1, 0, 1, place=(1, 2))
        third = table(stage, 2, 2)
        assert third.teams == (stage.order[3], stage.order[1])
        assert third.matches[0].why == "Third place: those who lost Semi-final 1 and Semi-final 2"
        assert table(stage, 2, 1).matches[0].why == "Final: those who advance from Semi-final 1 and Semi-final 2"

    @pytest.mark.parametrize("count", [2, 3])
    def test_with_fewer_than_four_there_is_none(self, count):
        stage = stage_of(count, third_place=True)
        assert [len(tables) for tables in stage.plan().rounds][-1] == 1

    def test_a_tie_for_it_is_played_off(self):
        stage = stage_of(4, third_place=True)
        stage.play(stage.due(), stage.by_seed)
        record(stage, 1, 2, 2, place=(2, 2))
        assert table(stage, 2, 2).matches[-1].playoff

    def test_who_loses_the_other_player_is_third_without_a_match(self):
        stage = stage_of(4, third_place=True)
        stage.play(stage.due(), stage.by_seed)
        stage.out = {stage.order[3]}
        third = table(stage, 2, 2)
        assert (third.teams, third.decided, third.matches) == ((stage.order[2],), True, ())
        plan = stage.play_all(stage.by_seed)
        assert [ranked.team for ranked in plan.ranking] == stage.order

    def test_who_has_played_for_it_stays_there_when_a_finalist_leaves(self):
        stage = stage_of(4, third_place=True)
        stage.play(stage.due(), stage.by_seed)
        record(stage, 1, 2, 1, place=(2, 2))
        stage.out = {stage.order[0]}
        plan = stage.plan()
        assert plan.rounds[1][0].teams == (stage.order[1],)
        assert plan.rounds[1][1].places == (stage.order[3], stage.order[2])
        assert plan.done
        assert [ranked.team for ranked in plan.ranking] == [*(stage.order[at] for at in (1, 3, 2, 0))]

    def test_a_semi_final_that_ends_otherwise_the_second_time_sets_both_right(self):
        stage = stage_of(4, third_place=True)
        stage.play(stage.due(), stage.by_seed)
        record(stage, 1, 2, 1, place=(2, 2))
        one, two, three, four = stage.order
        record(stage, 1, 0, 1)
        assert [each.teams for each in stage.plan().rounds[1]] == [(four, two), (one, three)]
        assert (2, 2) not in stage.results or not stage.results[2, 2]
