"""Round robin: everybody meets everybody, seats, points, and teams that leave."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats.playing import Playing
from tournaments.formats import FormatError
from tournaments.formats.plan import Result
from tournaments.formats.round_robin import FORMAT

some = settings(max_examples=6, deadline=None)  # test_many_examples.py has more


def stage_of(count: int, game: str = "barracuda", **options: Any) -> Playing:
    return Playing(FORMAT, count, game, **options)


class TestSchedule:
    @given(st.integers(2, 200), st.booleans())
    @some
    def test_everybody_meets_everybody_and_plays_once_a_round(self, count, twice):
        plan = stage_of(count, home_and_away=twice).plan()
        legs = 2 if twice else 1
        assert len(plan.rounds) == legs * (count - 1 + count % 2)
        met: Counter[tuple[int, ...]] = Counter()
        for tables in plan.rounds:
            seated = [team for table in tables for team in table.teams]
            assert len(set(seated)) == len(seated) == count
            met.update(table.teams for table in tables)
        pairs = {teams: times for teams, times in met.items() if len(teams) == 2}
        byes = [times for teams, times in met.items() if len(teams) == 1]
        assert byes == [legs] * (count if count % 2 else 0)
        if twice:
            assert set(pairs.values()) == {1}, "the seats are swapped"
            assert all(teams[::-1] in pairs for teams in pairs)
        assert len({frozenset(teams) for teams in pairs}) == count * (count - 1) / 2 == len(pairs) / legs

    def test_a_round_is_played_when_the_one_before_is_over(self):
        stage = stage_of(6)
        assert {table.round for table, _ in stage.due()} == {1}
        stage.play(stage.due()[:2], stage.by_seed)
        assert {table.round for table, _ in stage.due()} == {1}
        stage.play(stage.due(), stage.by_seed)
        assert {table.round for table, _ in stage.due()} == {2}

    def test_the_second_leg_swaps_the_seats(self):
        stage = stage_of(4, home_and_away=True)
        plan = stage.play_all(stage.by_seed)
        assert all(match.rotation == 0 for table in plan.tables() for match in table.matches)
        assert "seats swapped" in plan.rounds[3][0].matches[0].why
        assert plan.rounds[3][0].teams == plan.rounds[0][0].teams[::-1]

    def test_duplicate_deals_and_the_house_on_other_seats(self):
        stage = stage_of(3, "intensity", duplicate=True)
        table = next(table for table in stage.plan().rounds[0] if len(table.teams) == 2)
        assert [seat.house for seat in table.seats] == [False, False, True, True]
        assert [(match.rotation, match.deal, match.seats) for match in table.matches] == [
            (rotation, 1, 2) for rotation in range(4)
        ]
        one, other = table.teams
        for match, scores in zip(table.matches, [(1, 0), (1, 0), (1, 0), (0, 4)], strict=True):
            stage.results.setdefault(table.key, {})[match.number] = stage.result(match, [*scores, 9, 9])
        decided = next(each for each in stage.plan().rounds[0] if each.key == table.key)
        assert (decided.places, decided.points, decided.scores) == ((other, one), (1, 0), (4, 3))


class TestRanking:
    def test_worked_out_by_hand(self):
        """
        A beats B and C and loses to D; B beats C, ties with D; C beats D. With 3 for a win and 1 for a tie:
        A 6, B 4, C 3, D 4 points. Sonneborn-Berger: A beat B and C: 4 + 3 = 7. B beat C, tied with D: 3 + 2 = 5.
        C beat D: 4. D beat A, tied with B: 6 + 2 = 8. Wins: A 2, B 1, C 1, D 1. B and D are level on points; D has
        beaten the better.
        """
        stage = stage_of(4, win=3, tie=1)
        a, b, c, d = stage.order
        won = {(a, b): a, (a, c): a, (a, d): d, (b, c): b, (b, d): None, (c, d): c}

        def judge(match):
            first = next(team for pair, team in won.items() if set(pair) == set(match.teams))
            return stage.result(match, [1 if team == first else 0 for team in match.teams])

        plan = stage.play_all(judge)
        assert plan.done
        assert FORMAT.columns(stage.options) == ("Points", "Sonneborn-Berger", "Wins")
        assert [(ranked.rank, ranked.team, ranked.values) for ranked in plan.ranking] == [
            (1, a, (6, 7, 2)),
            (2, d, (4, 8, 1)),
            (3, b, (4, 5, 1)),
            (4, c, (3, 4, 1)),
        ]

    def test_a_bye_counts_nothing(self):
        stage = stage_of(3)
        plan = stage.play_all(lambda match: stage.result(match, [1, 1]))
        assert [ranked.values for ranked in plan.ranking] == [(1.0, 1.0, 0.0)] * 3
        assert [ranked.rank for ranked in plan.ranking] == [1, 1, 1]

    def test_whom_the_referee_disqualifies_gets_nothing(self):
        stage = stage_of(2)
        plan = stage.play_all(lambda match: stage.result(match, [5, 5], match.teams))
        assert [ranked.values[0] for ranked in plan.ranking] == [0, 0]


class TestInterference:
    def test_who_would_have_met_one_that_is_out_gets_a_win_without_playing(self):
        stage = stage_of(4)
        stage.play_all(stage.by_seed, rounds=1)
        gone = stage.order[0]
        stage.out = {gone}
        plan = stage.play_all(stage.by_seed)
        assert gone in [team for table in plan.rounds[0] for team in table.teams], "what was played stands"
        assert [len(table.teams) for table in plan.rounds[1]] == [1, 2]
        alone = plan.rounds[1][0]
        assert (alone.decided, alone.matches, alone.points) == (True, (), (1.0,))
        assert plan.ranking[-1].team == gone
        assert plan.ranking[-1].is_out
        assert [ranked.team for ranked in plan.ranking[:3]] == stage.order[1:]

    @given(st.integers(3, 24), st.integers(0, 2**32))
    @some
    def test_what_is_played_again_holds_up_the_next_round_alone(self, count, seed):
        stage = stage_of(count)
        judge = stage.by_chance(seed)
        stage.play_all(judge, rounds=2)
        stage.play(stage.due()[:1], judge)
        (place, matches) = Random(seed).choice([item for item in stage.results.items() if item[0][0] == 1])
        again = matches[1].teams
        del stage.results[place]
        due = stage.due()
        assert {frozenset(match.teams) for table, match in due if table.round == 1} == {again}
        assert {table.round for table, _ in due} <= {1, 3}
        assert stage.play_all(judge).done


class TestOptions:
    def test_a_match_of_others_is_overlooked(self):
        stage = stage_of(2)
        stage.results[1, 1] = {1: Result((1, 2), (1, 2), (1, 0))}
        plan = FORMAT.plan(stage.order, stage.results, stage.options)
        assert not plan.done
        with pytest.raises(FormatError, match="at least two teams"):
            FORMAT.plan([1], {}, stage.options)
