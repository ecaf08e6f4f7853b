"""Teams of one school are kept apart where the stage asks for it, as far as seeds, points and numbers allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

import games
from tests.tournaments.formats.playing import Playing
from tournaments.formats import single_elimination, swiss
from tournaments.formats.plan import Plan
from tournaments.formats.schools import pairs_of_one_school
from tournaments.formats.swiss_pairing import Field, duels, fours, pair_of

some = settings(max_examples=30, deadline=None)  # test_many_examples.py has more
Schools = dict[str, str]


def drawn(count: int, size: int, schools: Schools) -> Plan:
    game = games.get("hearts")
    options = single_elimination.FORMAT.options({"table_size": size, "schools_apart": True}, game)
    known = {str(team): schools.get(str(team), "") for team in range(1, count + 1)} if schools else {}
    return single_elimination.FORMAT.plan(range(1, count + 1), {}, {**options, "schools": known})


def seated(plan: Plan) -> list[list[int]]:
    """The seeds at the tables of round one, which are the teams here."""
    return [list(table.teams) for table in plan.rounds[0]]


def pairs(tables: Iterable[Sequence[int]], schools: Schools) -> int:
    return sum(pairs_of_one_school(schools.get(str(team), "") for team in table) for table in tables)


def draws_by_rows(tables: Sequence[Sequence[int]]) -> Iterator[list[list[int]]]:
    """All draws in which the first row stays and the others change places in their rows."""
    rows = [[at for at, table in enumerate(tables) if len(table) > row] for row in (1, 2, 3)]
    ways = [permutations([tables[at][row] for at in row_of]) for row, row_of in enumerate(rows, 1)]
    for way in product(*ways):
        found = [[table[0]] for table in tables]
        for row_of, teams in zip(rows, way, strict=True):
            for at, team in zip(row_of, teams, strict=True):
                found[at].append(team)
        yield found


@st.composite
def fields(draw: st.DrawFn, most: int) -> tuple[int, Schools]:
    """A number of teams from 2, and the schools of some of them."""
    count = draw(st.integers(2, most))
    names = st.sampled_from(["", *"abcd"[: draw(st.integers(1, 4))]])
    schools = draw(st.lists(names, min_size=count, max_size=count))
    return count, {str(team): school for team, school in enumerate(schools, 1) if school}


def test_eight_teams_of_two_schools_need_not_meet_by_seed() -> None:
    schools = {str(team): "North" if team in (1, 8, 2, 7) else "South" for team in range(1, 9)}
    by_seed = [[1, 8], [2, 7], [3, 6], [4, 5]]
    assert seated(drawn(8, 2, {})) == by_seed
    assert pairs(by_seed, schools) == 4
    plan = drawn(8, 2, schools)
    assert pairs(seated(plan), schools) == 0
    assert [table[0] for table in seated(plan)] == [1, 2, 3, 4], "the highest seeds stay"
    assert {seat.feed for table in plan.rounds[0] for seat in table.seats} == {("seed", n) for n in range(1, 9)}


@some
@given(fields(11), st.sampled_from([2, 4]))
def test_no_draw_of_a_bracket_by_rows_has_fewer_meetings(field: tuple[int, Schools], size: int) -> None:
    count, schools = field
    by_seed, found = seated(drawn(count, size, {})), seated(drawn(count, size, schools))
    assert [Counter(row) for row in by_rows(found)] == [Counter(row) for row in by_rows(by_seed)]
    assert pairs(found, schools) == min(pairs(draw, schools) for draw in draws_by_rows(by_seed))


def by_rows(tables: Sequence[Sequence[int]]) -> list[list[int]]:
    return [[table[row] for table in tables if len(table) > row] for row in range(4)]


def test_teams_without_a_school_are_drawn_by_seed() -> None:
    assert drawn(13, 4, {"3": "a", "5": "b"}) == drawn(13, 4, {})


@some
@given(fields(60))
def test_in_the_first_round_of_a_swiss_in_twos_nobody_meets_their_school_needlessly(field: tuple[int, Schools]) -> None:
    count, schools = field
    teams = tuple(range(1, count + 1))
    found = duels(swiss_field(teams, [0.0] * count, Counter(), schools))
    playing = [team for table in found if len(table) == 2 for team in table]
    largest = max(Counter(schools.get(str(team)) for team in playing if str(team) in schools).values(), default=0)
    assert pairs(found, schools) == max(0, largest - len(playing) // 2)


@some
@given(fields(9))
def test_in_the_first_round_of_a_swiss_in_fours_nobody_meets_their_school_needlessly(
    field: tuple[int, Schools],
) -> None:
    count, schools = field
    teams = tuple(range(1, count + 1))
    found = fours(swiss_field(teams, [0.0] * count, Counter(), schools))
    assert sorted(team for table in found for team in table) == list(teams)
    assert pairs(found, schools) == fewest_in_fours(teams, schools)


def fewest_in_fours(teams: tuple[int, ...], schools: Schools) -> int:
    if len(teams) <= 4:
        return pairs([teams], schools)
    last = teams[len(teams) // 4 * 4 :] or teams[-4:]  # its size is that of the incomplete table
    found = []
    for table in combinations(teams, len(last)):
        left = tuple(team for team in teams if team not in table)
        found.append(pairs([table], schools) + fewest_in_fours(left, schools))
    return min(found)


def swiss_field(
    teams: Sequence[int], points: Sequence[float], met: Counter[tuple[int, int]], schools: Schools
) -> Field:
    own = tuple(schools.get(str(team), "") for team in teams) if schools else ()
    return Field(tuple(teams), tuple(points), frozenset(met.items()), (0,) * len(teams), own)


@some
@given(fields(24), st.integers(0, 2**32), st.sampled_from([duels, fours]))
def test_schools_cost_no_repeat_and_no_difference_in_points(
    field: tuple[int, Schools], seed: int, draw: object
) -> None:
    count, schools = field
    random, met = Random(seed), Counter[tuple[int, int]]()
    points = dict.fromkeys(range(1, count + 1), 0.0)
    for _ in range(5):
        order = sorted(points, key=lambda team: -points[team])
        standing = [points[team] for team in order]
        found, without = (draw(swiss_field(order, standing, met, each)) for each in (schools, {}))  # type: ignore[operator]

        def costs(tables: Sequence[Sequence[int]]) -> tuple[int, float]:
            there = [pair for table in tables for pair in combinations(table, 2)]
            gaps = sum((points[one] - points[other]) ** 2 for one, other in there)
            return sum(met[pair_of(*pair)] ** (2 if draw is fours else 1) for pair in there), gaps

        assert costs(found)[0] <= costs(without)[0]
        if draw is duels:
            assert costs(found)[1] <= costs(without)[1]
        else:
            levels = [[sorted(points[team] for team in table) for table in tables] for tables in (found, without)]
            assert levels[0] == levels[1], "only teams with equal points change places"
        met.update(pair_of(*pair) for table in found for pair in combinations(table, 2))
        for table in found:
            points[random.choice(table)] += 1


def test_pairs_of_a_school_do_not_meet_in_a_whole_swiss() -> None:
    playing = Playing(swiss.FORMAT, 16, "intensity", table_size=2, rounds=3, schools_apart=True)
    playing.options["schools"] = {str(team): f"school {at // 2}" for at, team in enumerate(playing.order)}
    plan = playing.play_all(playing.by_chance(1))
    assert plan.done
    assert pairs((table.teams for table in plan.tables()), playing.options["schools"]) == 0
