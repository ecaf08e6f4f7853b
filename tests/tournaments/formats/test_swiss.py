"""The Swiss system: pairings of 2 … 200 teams, points, tie-breaks, and interventions by organisers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats.playing import Playing, gone
from tournaments.formats.plan import Plan, Result, TablePlan
from tournaments.formats.swiss import FORMAT
from tournaments.formats.swiss_pairing import Field, duels, fours, pair_of
from tournaments.formats.tiebreaks import place_points

entrants = st.integers(2, 200)
seeds = st.integers(0, 2**32)
some = settings(max_examples=4, deadline=None)  # test_many_examples.py has more


def twos(count: int, **options: Any) -> Playing:
    return Playing(FORMAT, count, "barracuda", **options)


def fours_of(count: int, **options: Any) -> Playing:
    return Playing(FORMAT, count, "intensity", **options)


def pairs_of(tables: Sequence[TablePlan]) -> Counter[tuple[int, int]]:
    return Counter(pair_of(*pair) for table in tables for pair in combinations(table.teams, 2))


def points_before(plan: Plan, round: int) -> Counter[int]:
    """Computed here from the tables."""
    points: Counter[Any] = Counter()
    for table in plan.tables():
        if table.round < round:
            for team, got in zip(table.places, table.points, strict=True):
                points[team] += got  # type: ignore[assignment]
    return points


def matchings(teams: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair them off."""
    if not teams:
        yield []
        return
    first, *rest = teams
    for other in rest:
        left = [team for team in rest if team != other]
        for pairs in matchings(left):
            yield [pair_of(first, other), *pairs]


class TestTwos:
    @given(entrants, seeds, st.booleans())
    @some
    def test_everybody_plays_or_has_the_only_bye_and_nobody_meets_again(self, count, seed, faults):
        stage = twos(count)
        plan = stage.play_all(stage.by_chance(seed, faults=faults))
        assert len(plan.rounds) == plan.length == max(1, (count - 1).bit_length())
        for tables in plan.rounds:
            seated = sorted(team for table in tables for team in table.teams)
            assert seated == sorted(stage.order), "everybody once"
            assert [len(table.teams) for table in tables] == [2] * (count // 2) + [1] * (count % 2)
        assert max(pairs_of(plan.tables()).values()) == 1
        byes = Counter(table.teams[0] for table in plan.tables() if len(table.teams) == 1)
        assert max(byes.values(), default=1) == 1

    @given(entrants, seeds)
    @some
    def test_the_bye_is_for_the_lowest_who_had_none_and_scores_a_win(self, count, seed):
        stage = twos(count - 1 + count % 2 if count > 2 else 3)
        plan = stage.play_all(stage.by_chance(seed))
        had: set[int] = set()
        for round, tables in enumerate(plan.rounds, start=1):
            *_, bye = tables
            (team,) = bye.teams
            points = points_before(plan, round)
            without = [team for team in stage.order if team not in had]
            assert team == max(without, key=lambda team: (-points[team], stage.order.index(team)))
            assert (bye.decided, bye.points, bye.matches) == (True, (1.0,), ())
            had.add(team)

    @given(st.integers(2, 8), seeds)
    @some
    def test_no_repeat_that_any_other_pairing_would_avoid_and_the_fewest_where_none_does(self, count, seed):
        """Compare with all pairings, even after everybody has met everybody."""
        stage = twos(count, rounds=count + 2)
        plan = stage.play_all(stage.by_chance(seed))
        met: Counter[tuple[int, int]] = Counter()
        byes: Counter[int] = Counter()
        for tables in plan.rounds:
            fewest = min(byes[team] for team in stage.order)
            may_rest = [team for team in stage.order if byes[team] == fewest] if count % 2 else [None]
            best = min(
                sum(met[pair] for pair in pairs)
                for alone in may_rest
                for pairs in matchings([team for team in stage.order if team != alone])
            )
            drawn = pairs_of(tables)
            assert sum(met[pair] for pair in drawn) == best
            met += drawn
            byes.update(table.teams[0] for table in tables if len(table.teams) == 1)
        assert not byes or max(byes.values()) - min(byes[team] for team in stage.order) <= 1

    @given(st.integers(2, 4).map(lambda half: 2 * half), seeds)
    @some
    def test_the_points_of_those_who_meet_are_as_near_as_they_can_be(self, count, seed):
        """Compare with all pairings without a repeat."""
        stage = twos(count)
        plan = stage.play_all(stage.by_chance(seed))
        met: set[tuple[int, int]] = set()
        for round, tables in enumerate(plan.rounds, start=1):
            points = points_before(plan, round)

            def apart(pairs: Sequence[tuple[int, int]], points: Counter[int] = points) -> float:
                return sum((points[one] - points[other]) ** 2 for one, other in pairs)

            drawn = list(pairs_of(tables))
            assert apart(drawn) == min(apart(pairs) for pairs in matchings(stage.order) if not met & set(pairs))
            met |= set(drawn)

    @pytest.mark.parametrize(("count", "pairs"), [(8, [(1, 5), (2, 6), (3, 7), (4, 8)]), (5, [(1, 3), (2, 4), (5,)])])
    def test_round_one_sets_the_upper_half_against_the_lower(self, count, pairs):
        stage = twos(count)
        seed = {team: number for number, team in enumerate(stage.order, 1)}
        assert [tuple(seed[team] for team in table.teams) for table in stage.plan().tables()] == pairs

    def test_who_may_not_meet_again_meets_in_another_group(self):
        """The two with one point have met, and so have the two with none: they cross over."""
        field = Field((1, 2, 3, 4), (1.0, 1.0, 0.0, 0.0), frozenset({((1, 2), 1), ((3, 4), 1)}))
        assert duels(field) in (((1, 3), (2, 4)), ((1, 4), (2, 3)))

    def test_the_bye_goes_higher_where_that_avoids_a_repeat(self):
        """3 is the lowest, but 1 and 2 have met, and 2 has had a bye: so 1 gets it."""
        field = Field((1, 2, 3), (1.0, 1.0, 0.0), frozenset({((1, 2), 1)}), (0, 1, 0))
        assert duels(field) == ((2, 3), (1,))

    def test_near_neighbours_are_widened_until_everybody_is_paired(self):
        """80 teams with equal points, where one may not meet 60 of them: near neighbours are not enough."""
        teams = tuple(range(80))
        met = frozenset(((one, other), 1) for one in range(40) for other in range(40, 70))
        pairs = duels(Field(teams, (0.0,) * 80, met))
        assert sorted(team for pair in pairs for team in pair) == list(teams)
        assert not {pair_of(*pair) for pair in pairs} & {pair for pair, _ in met}

    def test_four_seats_of_the_game_are_filled_by_the_house_who_do_not_count(self):
        stage = Playing(FORMAT, 4, "intensity", table_size=2)
        table = stage.plan().rounds[0][0]
        assert [seat.house for seat in table.seats] == [False, False, True, True]
        (one, other) = table.teams
        stage.results[table.key] = {1: Result((None, one, other, None), (1, 2, 3, 4), (9, 5, 4, 1))}
        decided = stage.plan().rounds[0][0]
        assert (decided.places, decided.points, decided.scores) == ((one, other), (1.0, 0.0), (5, 4))


class TestFours:
    @given(entrants, seeds, st.booleans())
    @some
    def test_everybody_plays_every_round_and_the_house_at_the_last_table_alone(self, count, seed, faults):
        stage = fours_of(count)
        plan = stage.play_all(stage.by_chance(seed, faults=faults))
        assert len(plan.rounds) == plan.length
        for tables in plan.rounds:
            assert sorted(team for table in tables for team in table.teams) == sorted(stage.order)
            sizes = [len(table.teams) for table in tables]
            assert sizes[:-1] == [4] * (len(sizes) - 1)
            assert all(len(table.seats) == 4 for table in tables)

    @given(st.integers(5, 200), seeds)
    @some
    def test_those_with_similar_points_meet(self, count, seed):
        """Tables are cut from the order of points; an exchange moves nobody by more than one point."""
        stage = fours_of(count)
        plan = stage.play_all(stage.by_chance(seed))
        for round, tables in enumerate(plan.rounds, start=1):
            points = points_before(plan, round)
            sorted_points = sorted((points[team] for team in stage.order), reverse=True)
            for at, table in enumerate(tables):
                cut = sorted_points[4 * at : 4 * at + 4]
                assert all(cut[-1] - 3 <= points[team] <= cut[0] + 3 for team in table.teams)
        last = plan.rounds[-1][-1].teams
        assert sum(points[team] for team in last) / len(last) <= sum(sorted_points) / count + 1

    @given(st.integers(8, 60), seeds)
    @some
    def test_no_exchange_between_equal_points_next_to_each_other_would_avoid_a_repeat(self, count, seed):
        stage = fours_of(count)
        plan = stage.play_all(stage.by_chance(seed))
        met: Counter[tuple[int, int]] = Counter()
        for round, tables in enumerate(plan.rounds, start=1):
            points = points_before(plan, round)
            seats = [set(table.teams) for table in tables]
            for here, there in pairwise(seats):
                for one in here:
                    for other in there:
                        if points[one] == points[other]:
                            now = again(met, one, here) + again(met, other, there)
                            then = again(met, other, here - {one}) + again(met, one, there - {other})
                            assert then >= now
            met += pairs_of(tables)

    def test_an_exchange_keeps_those_apart_who_have_met(self):
        met = frozenset({((0, 1), 1), ((4, 5), 1)})
        tables = fours(Field(tuple(range(8)), (3.0,) * 8, met))
        assert sum({0, 1} <= set(table) or {4, 5} <= set(table) for table in tables) == 0
        far = fours(Field(tuple(range(8)), (9.0,) * 4 + (3.0,) * 4, met))
        assert far == ((0, 1, 2, 3), (4, 5, 6, 7)), "points come first"

    def test_the_lot_decides_between_equals_and_follows_from_the_seed(self):
        first = [fours_of(40, seed=seed).plan().rounds[0] for seed in (1, 1, 2)]
        assert first[0] == first[1]
        assert pairs_of(first[0]) != pairs_of(first[2])


def again(met: Counter[tuple[int, int]], team: int, others: set[int]) -> int:
    return sum(met[pair_of(team, other)] ** 2 for other in others if other != team)


class TestPoints:
    @pytest.mark.parametrize(
        ("places", "points"),
        [
            ((1, 2, 3, 4), (3, 2, 1, 0)),
            ((1, 1, 3, 4), (2.5, 2.5, 1, 0)),
            ((1, 2, 2, 2), (3, 1, 1, 1)),
            ((1, 1, 1, 4), (2, 2, 2, 0)),
            ((1, 1, 1, 1), (1.5, 1.5, 1.5, 1.5)),
            ((4, 1, 2, 2), (0, 3, 1.5, 1.5)),
        ],
    )
    def test_by_place_those_who_tie_share_equally(self, places, points):
        result = Result((1, 2, 3, 4), places, (0.0,) * 4)
        assert tuple(place_points(result).values()) == points

    def test_the_disqualified_get_nothing_and_the_others_what_is_above(self):
        result = Result((1, 2, 3, 4), (1, 4, 2, 4), (0.0,) * 4, frozenset({2, 4}))
        assert place_points(result) == {1: 3, 2: 0, 3: 2, 4: 0}


class TestTieBreaks:
    """Computed by hand."""

    def table(self, stage: Playing, place: tuple[int, int], **scores: float) -> None:
        teams = tuple(stage.order["ABCDE".index(name)] for name in scores)
        values = tuple(scores.values())
        places = tuple(1 + sum(other > value for other in values) for value in values)
        stage.results[place] = {1: Result(teams, places, values)}

    def test_five_in_twos_over_three_rounds(self):
        """
        Round 1   A 3:1 C   B 2:2 D   E bye        A 1   B ½   C 0   D ½   E 1
        Round 2   A 5:0 E   B 1:4 C   D bye        A 2   B ½   C 1   D 1½  E 1
        Round 3   A 2:2 D   C 1:3 E   B bye        A 2½  B 1½  C 1   D 2   E 2

        Buchholz: A met C E D: 1 + 2 + 2 = 5. B met D C and has its bye: 2 + 1 + 1½ = 4½. C met A B E: 2½ + 1½ + 2 = 6.
        D met B A and the bye: 1½ + 2½ + 2 = 6. E met A C and the bye: 2½ + 1 + 2 = 5½.
        Sonneborn-Berger: A beat C and E, tied with D: 1 + 2 + 1 = 4. B tied with D, lost to C, bye: 1 + 1½ = 2½. C beat
        B: 1½. D tied with B and A, bye: ¾ + 1¼ + 2 = 4. E beat C, bye: 1 + 2 = 3.
        Wins: A 2, B 0, C 1, D 0, E 1.
        D and E have 2 points each; D has the higher Buchholz.
        """
        stage = twos(5, rounds=3)
        a, b, c, d, e = stage.order
        drawn = {
            (1, 1): (a, c),
            (1, 2): (b, d),
            (1, 3): (e,),
            (2, 1): (a, e),
            (2, 2): (b, c),
            (2, 3): (d,),
            (3, 1): (a, d),
            (3, 2): (c, e),
            (3, 3): (b,),
        }
        self.table(stage, (1, 1), A=3, C=1)
        self.table(stage, (1, 2), B=2, D=2)
        self.table(stage, (2, 1), A=5, E=0)
        self.table(stage, (2, 2), B=1, C=4)
        self.table(stage, (3, 1), A=2, D=2)
        self.table(stage, (3, 2), C=1, E=3)
        plan = FORMAT.plan(stage.order, stage.results, {**stage.options, "drawn": drawn})
        assert plan.done
        assert FORMAT.columns(stage.options) == ("Points", "Buchholz", "Sonneborn-Berger", "Wins")
        assert [(ranked.rank, ranked.team, ranked.values) for ranked in plan.ranking] == [
            (1, a, (2.5, 5, 4, 2)),
            (2, d, (2, 6, 4, 0)),
            (3, e, (2, 5.5, 3, 1)),
            (4, b, (1.5, 4.5, 2.5, 0)),
            (5, c, (1, 6, 1.5, 1)),
        ]

    def test_five_in_fours_over_two_rounds(self):
        """
        Round 1   A 9 B 7 C 7 D 1, and E 5 with three of the house, who have 6, 2, 2.
                  A 3, B and C share 2 and 1: 1½ each, D 0. E is second: 2.
        Round 2   A 4 E 4 B 2 C 1, and D 8 with three of the house, who have 1, 1, 1.
                  A and E share 3 and 2: 2½ each, B 1, C 0. D 3.
        Points    A 5½  E 4½  D 3  B 2½  C 1½

        Buchholz: A met B C D E B C: 2½ + 1½ + 3 + 4½ + 2½ + 1½ = 15½. E met A B C: 9½. D met A B C: 9½.
        B met A C D, A E C: 5½ + 1½ + 3 + 5½ + 4½ + 1½ = 21½. C met A B D, A E B: 5½ + 2½ + 3 + 5½ + 4½ + 2½ = 23½.
        Sonneborn-Berger: A beat B C D, tied with E, beat B C: 2½ + 1½ + 3 + 2¼ + 2½ + 1½ = 13¼. E tied with A, beat
        B C: 2¾ + 2½ + 1½ = 6¾. D beat nobody: 0. B tied with C, beat D, then beat C: ¾ + 3 + 1½ = 5¼. C tied with B,
        beat D: 1¼ + 3 = 4¼.
        Wins: A 1 (the other was shared), E 0, D 1.
        """
        stage = fours_of(5, rounds=2)
        a, b, c, d, e = stage.order
        drawn = {(1, 1): (a, b, c, d), (1, 2): (e,), (2, 1): (a, e, b, c), (2, 2): (d,)}
        self.table(stage, (1, 1), A=9, B=7, C=7, D=1)
        self.table(stage, (2, 1), A=4, E=4, B=2, C=1)
        stage.results[1, 2] = {1: Result((None, e, None, None), (1, 2, 3, 3), (6, 5, 2, 2))}
        stage.results[2, 2] = {1: Result((None, None, d, None), (2, 2, 1, 2), (1, 1, 8, 1))}
        plan = FORMAT.plan(stage.order, stage.results, {**stage.options, "drawn": drawn})
        assert [(ranked.rank, ranked.team, ranked.values) for ranked in plan.ranking] == [
            (1, a, (5.5, 15.5, 13.25, 1)),
            (2, e, (4.5, 9.5, 6.75, 0)),
            (3, d, (3, 9.5, 0, 1)),
            (4, b, (2.5, 21.5, 5.25, 0)),
            (5, c, (1.5, 23.5, 4.25, 0)),
        ]

    def test_the_points_of_the_games_come_last_and_then_a_rank_is_shared(self):
        stage = twos(4, rounds=1)
        one, two, three, four = stage.order
        drawn = {(1, 1): (one, three), (1, 2): (two, four)}
        self.table(stage, (1, 1), A=5, C=1)
        self.table(stage, (1, 2), B=6, D=1)
        plan = FORMAT.plan(stage.order, stage.results, {**stage.options, "drawn": drawn})
        assert [(ranked.rank, ranked.team) for ranked in plan.ranking] == [(1, two), (2, one), (3, three), (3, four)]


class TestInterference:
    @given(st.integers(4, 60), seeds, st.sampled_from(["barracuda", "intensity"]))
    @some
    def test_what_has_begun_stays_while_something_before_it_is_played_again(self, count, seed, game):
        stage = Playing(FORMAT, count, game, rounds=4)
        judge = stage.by_chance(seed)
        stage.play_all(judge, rounds=2)
        before = stage.plan()
        stage.play(stage.due()[:1], judge)  # round 3 has begun
        place = Random(seed).choice([table.key for table in before.rounds[0] if table.matches])
        del stage.results[place]
        plan = stage.plan()
        assert [table.teams for table in plan.rounds[2]] == [table.teams for table in before.rounds[2]]
        assert (place, 1) in [(table.key, match.number) for table, match in stage.due()]
        stage.play([due for due in stage.due() if due[0].round == 3], judge)
        assert len(stage.plan().rounds) == 3, "no round four while round one is open"
        assert stage.play_all(judge).done

    @pytest.mark.parametrize("game", ["barracuda", "intensity"])
    def test_whole_rounds_are_played_again_as_they_were_drawn(self, game):
        stage = Playing(FORMAT, 9, game, rounds=4)
        judge = stage.by_chance(1)
        stage.play_all(judge, rounds=3)
        before = stage.plan()
        for place in [place for place in stage.results if place[0] < 3]:
            del stage.results[place]
        plan = stage.plan()
        for then, now in zip(before.rounds[:3], plan.rounds, strict=True):
            assert [table.teams for table in then] == [table.teams for table in now]
        assert {table.round for table, _ in stage.due()} == {1, 2}
        assert stage.play_all(judge).done

    @given(st.integers(4, 20), seeds, st.sampled_from(["barracuda", "intensity"]))
    @some
    def test_a_plan_that_goes_on_from_rounds_that_are_over_follows_from_all_results(self, count, seed, game):
        random, stage = Random(seed), Playing(FORMAT, count, game, rounds=6)
        judge = stage.by_chance(seed)
        for _ in range(40):
            plan = stage.plan()
            known = {**stage.options, "drawn": stage.drawn()}
            assert plan == FORMAT.plan(stage.order, stage.results, {**known, "anew": True}, gone(*stage.out))
            for rounds, ranking in plan.rankings.items():
                drawn = {table.key: table.teams for table in plan.tables() if table.round <= rounds}
                then = {place: matches for place, matches in stage.results.items() if place[0] <= rounds}
                terms = {**known, "drawn": drawn, "rounds": rounds, "anew": rounds}
                assert ranking == FORMAT.plan(stage.order, then, terms, gone(*stage.out)).ranking
            if due := stage.due(plan):
                stage.play(random.sample(due, k=random.randint(1, len(due))), judge)
            if stage.results and random.random() < 0.2:
                del stage.results[random.choice([*stage.results])]
            if random.random() < 0.2:
                stage.out ^= {random.choice(stage.order)}

    @given(st.integers(2, 60), seeds, st.sampled_from(["barracuda", "intensity"]))
    @some
    def test_a_round_that_has_not_begun_is_drawn_again(self, count, seed, game):
        stage = Playing(FORMAT, count, game, rounds=3)
        judge = stage.by_chance(seed)
        stage.play_all(judge, rounds=1)
        assert len(stage.plan().rounds) == 2
        place = next(table.key for table in stage.plan().rounds[0] if table.matches)
        without = {other: matches for other, matches in stage.results.items() if other != place}
        del stage.results[place]
        assert stage.plan() == FORMAT.plan(stage.order, without, {**stage.options, "drawn": stage.drawn()})
        assert len(stage.plan().rounds) == 1, "who meets next is not known"

    @given(st.integers(2, 40), seeds, st.sampled_from(["barracuda", "intensity"]))
    @some
    def test_who_is_out_is_drawn_no_more_and_what_was_played_stands(self, count, seed, game):
        random = Random(seed)
        stage = Playing(FORMAT, count, game, rounds=5)
        judge = stage.by_chance(seed, faults=True)
        while not (plan := stage.plan()).done:
            due = stage.due(plan)
            stage.play(random.sample(due, k=random.randint(1, len(due))), judge)
            played = {place: dict(matches) for place, matches in stage.results.items()}
            if random.random() < 0.3:
                gone = random.choice(stage.order)
                begun = max(round for round, _ in stage.results)
                stage.out.add(gone)
            after = stage.plan()
            assert stage.results == played, "no match is void"
            if stage.out and len(after.rounds) > begun:
                assert not [table for table in after.rounds[-1] if gone in table.teams]
        assert [ranked.is_out for ranked in plan.ranking] == sorted(ranked.is_out for ranked in plan.ranking)
        assert sorted(ranked.team for ranked in plan.ranking) == sorted(stage.order)

    def test_who_comes_back_has_missed_a_round(self):
        stage = twos(4, rounds=3)
        stage.out = {stage.order[3]}
        stage.play_all(stage.by_seed, rounds=1)
        stage.out = set()
        plan = stage.play_all(stage.by_seed)
        assert [len(tables) for tables in plan.rounds] == [2, 2, 2]
        assert stage.order[3] not in [team for table in plan.rounds[0] for team in table.teams]
        assert plan.ranking[-1].values[0] <= 2
