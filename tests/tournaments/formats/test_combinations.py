"""All combinations in all seatings: each exactly once, a fair qualifier, the final, and who loses their rank."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from tests.tournaments.formats.playing import Playing
from tournaments.formats.combinations import FORMAT, chosen, tables_within

some = settings(max_examples=6, deadline=None)  # test_many_examples.py has more


def stage_of(count: int, game: str = "hearts", **options: Any) -> Playing:
    return Playing(FORMAT, count, game, **options)


def seated(stage: Playing, game: str) -> Counter[tuple[Any, ...]]:
    """Who sits where in each game of a table, as draw.py and the referee seat them."""
    openings = FORMAT.openings(stage.options, games.get(game)) or [{}]
    found: Counter[tuple[Any, ...]] = Counter()
    for match in stage.plan().tables()[0].matches:
        by = match.rotation or 0
        players = match.teams[-by:] + match.teams[:-by] if by else match.teams
        for opening in openings:
            found[tuple(players[at] for at in opening.get("seating", range(len(players))))] += 1
    return found


class TestSeatings:
    @pytest.mark.parametrize("game", ["hearts", "tricky_eights", "intensity"])
    @pytest.mark.parametrize("duplicate", [False, True])
    def test_all_24_exactly_once(self, game, duplicate):
        stage = stage_of(4, game, duplicate=duplicate)
        assert seated(stage, game) == Counter(permutations(stage.order))
        matches = stage.plan().tables()[0].matches
        assert [match.deal for match in matches] == ([1] * 4 if duplicate else [None])
        assert stage.options["games"] * len(matches) == 24

    @pytest.mark.parametrize("options", [{}, {"duplicate": True, "games": 20}])
    def test_where_the_rules_decide_each_of_both_seatings_is_a_match(self, options):
        stage = stage_of(2, "barracuda", **options)
        assert seated(stage, "barracuda") == Counter(permutations(stage.order))
        assert FORMAT.openings(stage.options, games.get("barracuda")) == []

    def test_the_openings_are_of_the_game(self):
        """The referee uses the openings unchanged."""
        for game in (games.get("hearts"), games.get("intensity")):
            options = FORMAT.options({}, game)
            for number, opening in enumerate(FORMAT.openings(options, game), start=1):
                game.start(game.options(), number=number, opening={**game.opening(1, number, 4), **opening})


class TestCombinations:
    @pytest.mark.parametrize(("count", "game"), [(4, "hearts"), (7, "hearts"), (10, "hearts"), (12, "barracuda")])
    def test_every_combination_once_and_no_final(self, count, game):
        stage = stage_of(count, game)
        plan = stage.play_all(stage.by_chance(1))
        seats = stage.seats
        assert len(plan.rounds) == 1
        teams = [tuple(table.teams) for table in plan.tables()]
        assert sorted(map(sorted, teams)) == sorted(map(sorted, combinations(stage.order, seats)))
        assert FORMAT.round_name(1, [len(teams)], stage.options) == "All combinations"

    @given(st.integers(5, 200), st.integers(2, 4), st.integers(1, 2000), st.integers(0, 2**32))
    @some
    def test_a_qualifier_lets_everybody_play_equally_often_with_everybody(self, count, seats, budget, seed):
        tables = tables_within(budget, count, seats, 1)
        groups = chosen(count, seats, tables, seed)
        assert len(set(groups)) == len(groups) == tables
        played = Counter(team for group in groups for team in group)
        assert len(played) == count
        assert max(played.values()) - min(played.values()) <= 1
        met = Counter(pair for group in groups for pair in combinations(group, 2))
        even = tables * comb(seats, 2) / comb(count, 2)
        often = [met[pair] for pair in combinations(range(count), 2)]
        assert even - 3 <= min(often)
        assert max(often) <= even + 3
        assert groups == chosen.__wrapped__(count, seats, tables, seed)

    @given(st.integers(2, 200), st.integers(1, 100_000), st.sampled_from(["hearts", "barracuda"]))
    @some
    def test_the_budget_holds_with_the_final_or_everybody_plays_once(self, count, budget, game):
        stage = stage_of(count, game)
        seats = min(stage.seats, count)
        each = stage.options["matches"] * (stage.options["games"] or 1)
        tables = tables_within(budget, count, seats, each)
        if tables == comb(count, seats):
            assert tables * each <= budget or tables == -(-count // seats)
        else:
            assert (tables + 1) * each <= budget or tables == -(-count // seats)


class TestQualifier:
    def test_the_best_four_play_the_final_which_decides_between_them(self):
        stage = stage_of(12, budget=24 * 30)
        plan = stage.plan()
        assert [len(tables) for tables in plan.rounds] == [29, 1]
        assert plan.rounds[1][0].teams == ()
        assert [FORMAT.round_name(number, [29, 1], stage.options) for number in (1, 2)] == ["Qualifier", "Final"]
        stage.play(stage.due(), stage.by_seed)
        final = stage.plan().rounds[1][0]
        best = [ranked.team for ranked in stage.plan().ranking[:4]]
        assert list(final.teams) == best
        assert set(best) <= set(stage.order[:6])
        stage.play(stage.due(), lambda match: stage.result(match, [1, 2, 3, 4]))
        plan = stage.plan()
        assert plan.done
        assert [ranked.team for ranked in plan.ranking[:4]] == best[::-1]
        assert [ranked.rank for ranked in plan.ranking] == list(range(1, 13))
        assert [(ranked.round, ranked.place) for ranked in plan.ranking][:5] == [
            (2, 1),
            (2, 2),
            (2, 3),
            (2, 4),
            (1, None),
        ]

    def test_the_order_goes_by_the_average_of_a_game_not_by_the_sum(self):
        """Five teams, two combinations: one team plays both, so it has the highest sum but a lower average."""
        stage = stage_of(5, budget=24 * 3)
        first, second = stage.plan().rounds[0]
        (both, *_) = busy = [team for team in stage.order if team in first.teams and team in second.teams]
        assert len(busy) == 3
        alone = next(team for team in first.teams if team not in busy)
        stage.play(
            stage.due(), lambda match: stage.result(match, [{both: 240, alone: 312}.get(t, 0) for t in match.teams])
        )
        ranking = stage.plan().ranking
        assert [(ranked.team, ranked.score) for ranked in ranking[:2]] == [(alone, 13.0), (both, 10.0)]

    def test_a_team_that_leaves_before_the_final_is_replaced_by_the_next_in_line(self):
        stage = stage_of(12, budget=24 * 30)
        stage.play(stage.due(), stage.by_seed)
        order = [ranked.team for ranked in stage.plan().ranking]
        stage.out = {order[1]}
        assert list(stage.plan().rounds[1][0].teams) == [order[0], *order[2:5]]

    def test_who_leaves_after_the_final_was_played_leaves_the_ranking_alone(self):
        stage = stage_of(12, budget=24 * 30)
        stage.play_all(stage.by_seed)
        finalists = stage.plan().rounds[1][0].teams
        stage.out = {finalists[0]}
        plan = stage.plan()
        assert plan.done
        assert plan.rounds[1][0].teams == finalists
        assert [ranked.team for ranked in plan.ranking[:3]] == list(finalists[1:])
        assert plan.ranking[-1].team == finalists[0]
        assert plan.ranking[-1].is_out


class TestRanking:
    def test_the_disqualified_leave_the_ranking_and_their_games_count_for_the_others(self):
        stage = stage_of(5)
        bad, *others = stage.order

        def judge(match):
            scores = [-10.0 if team == others[0] else -20.0 for team in match.teams]
            return stage.result(match, scores, {bad} & set(match.teams) if match.teams[-1] == others[-1] else ())

        plan = stage.play_all(judge)
        assert plan.done
        assert [ranked.team for ranked in plan.ranking] == [others[0], *others[1:], bad]
        assert [ranked.rank for ranked in plan.ranking] == [1, 2, 2, 2, None]
        assert [ranked.is_out for ranked in plan.ranking] == [False] * 4 + [True]
        assert plan.ranking[0].score == -10 / 24

    def test_a_disqualified_team_is_not_in_the_final(self):
        stage = stage_of(12, budget=24 * 30)
        strongest = stage.order[0]
        stage.play(
            stage.due(),
            lambda match: stage.result(
                match, [-stage.order.index(team) for team in match.teams], {strongest} & set(match.teams)
            ),
        )
        final = stage.plan().rounds[1][0]
        assert strongest not in final.teams
        assert len(final.teams) == 4

    def test_fewer_than_four_play_with_the_house(self):
        for count in (2, 3):
            stage = stage_of(count)
            (table,) = stage.plan().tables()
            assert [seat.house for seat in table.seats] == [False] * count + [True] * (4 - count)
            plan = stage.play_all(stage.by_seed)
            assert [ranked.team for ranked in plan.ranking] == stage.order


class TestInterference:
    def test_the_house_takes_the_seat_of_a_team_that_is_out_in_matches_not_yet_played(self):
        stage = stage_of(5)
        first, *_ = stage.due()
        stage.play([first], stage.by_seed)
        gone = stage.order[0]
        stage.out = {gone}
        plan = stage.plan()
        assert gone in plan.rounds[0][0].teams
        assert all(gone not in table.teams for table in plan.rounds[0][1:])
        assert all(len(table.seats) == 4 for table in plan.tables())
        done = stage.play_all(stage.by_seed)
        assert [ranked.team for ranked in done.ranking] == [*stage.order[1:], gone]

    @given(st.integers(2, 14), st.integers(0, 2**32))
    @some
    def test_without_a_result_the_plan_is_that_of_the_others(self, count, seed):
        stage = stage_of(count, budget=600)
        plan = stage.play_all(stage.by_chance(seed))
        place = Random(seed).choice([table.key for table in plan.rounds[0]])
        result = stage.results.pop(place)
        assert not stage.plan().done
        due = stage.due()
        assert {table.key for table, _ in due} == {place}, "the final waits"
        stage.results[place] = result
        assert stage.play_all(stage.by_chance(seed)).done
