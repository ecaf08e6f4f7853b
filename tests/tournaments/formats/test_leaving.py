"""A team leaves during a round: it does not play matches that have not begun; those that have begun stay."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats.playing import Playing
from tournaments.formats import combinations, round_robin, single_elimination, swiss
from tournaments.formats.plan import TableKey, TablePlan

TWOS = [(swiss.FORMAT, 1.0), (round_robin.FORMAT, 1.0)]


def begun(stage: Playing) -> tuple[TablePlan, TablePlan, TablePlan]:
    """Three tables of a round: one played, one in progress, one not begun."""
    played, running, waiting = stage.plan().rounds[0]
    stage.play([(played, played.matches[0])], stage.by_seed)
    stage.playing[running.key] = frozenset(running.teams)
    return played, running, waiting


def at(stage: Playing, place: TableKey) -> TablePlan:
    return next(table for table in stage.plan().tables() if table.key == place)


@pytest.mark.parametrize(("format", "win"), TWOS)
class TestTwos:
    def test_the_other_one_gets_a_win_without_playing(self, format, win):
        stage = Playing(format, 6, "barracuda")
        played, running, waiting = begun(stage)
        stays, leaves = waiting.teams
        stage.out = {played.teams[0], running.teams[0], leaves}
        assert at(stage, played.key).matches == played.matches
        assert at(stage, running.key).matches == running.matches
        table = at(stage, waiting.key)
        assert (table.name, table.decided, table.matches) == (waiting.name, True, ())
        assert (table.places, table.points) == ((stays,), (win,))
        assert [seat.feed for seat in table.seats] == [seat.feed for seat in waiting.seats]

    def test_who_comes_back_in_the_same_round_meets_the_other_one(self, format, win):
        stage = Playing(format, 6, "barracuda")
        *_, waiting = begun(stage)
        stage.out = {waiting.teams[1]}
        stage.plan()
        stage.out = set()
        assert at(stage, waiting.key) == waiting

    def test_later_the_win_stays(self, format, win):
        stage = Playing(format, 6, "barracuda", **({"rounds": 3} if format is swiss.FORMAT else {}))
        *_, waiting = begun(stage)
        stage.out = {waiting.teams[1]}
        stage.playing = {}
        stage.play(stage.due(), stage.by_seed)
        due = [due for due in stage.due() if due[0].round == 2]
        stage.play(due[:1], stage.by_seed)
        stage.plan()
        stage.out = set()
        assert at(stage, waiting.key).places == waiting.teams[:1]
        stage.out = {waiting.teams[0]}
        assert at(stage, waiting.key).places == waiting.teams[:1], "also of one who leaves then"
        stage.out = set()
        assert stage.play_all(stage.by_seed).done

    def test_where_both_leave_nobody_gets_anything(self, format, win):
        stage = Playing(format, 6, "barracuda")
        *_, waiting = begun(stage)
        stage.out = set(waiting.teams)
        table = at(stage, waiting.key)
        assert (table.decided, table.matches, table.places, table.points) == (True, (), (), ())

    def test_what_becomes_void_is_not_played_again_by_who_is_out(self, format, win):
        stage = Playing(format, 6, "barracuda")
        played, running, waiting = begun(stage)
        stage.playing = {}
        stage.play([(running, running.matches[0]), (waiting, waiting.matches[0])], stage.by_seed)
        stage.play(stage.due()[:1], stage.by_seed)  # round two has begun
        stays, leaves = played.teams
        stage.out = {leaves}
        stage.plan()
        del stage.results[played.key]
        assert stage.plan() == stage.plan(), "nothing to do the second time"
        table = at(stage, played.key)
        assert (table.decided, table.matches, table.places, table.points) == (True, (), (stays,), (win,))

    def test_a_set_of_matches_on_the_same_deals_that_has_begun_is_finished(self, format, win):
        stage = Playing(format, 6, "intensity", duplicate=True, **({"table_size": 2} if format is swiss.FORMAT else {}))
        *_, waiting = stage.plan().rounds[0]
        stage.play([(waiting, waiting.matches[0])], stage.by_seed)
        stage.out = {waiting.teams[0]}
        assert at(stage, waiting.key).matches == waiting.matches


class TestFours:
    def test_the_house_takes_the_seat(self):
        stage = Playing(swiss.FORMAT, 12, "intensity")
        played, running, waiting = begun(stage)
        stage.out = {played.teams[0], running.teams[1], waiting.teams[2]}
        assert at(stage, played.key).matches == played.matches
        assert at(stage, running.key).matches == running.matches
        table = at(stage, waiting.key)
        assert [seat.house for seat in table.seats] == [False, False, True, False]
        assert table.seats[2].feed == waiting.seats[2].feed
        assert [match.teams for match in table.matches] == [tuple(t for t in waiting.teams if t != waiting.teams[2])]

    def test_a_team_that_comes_back_has_its_seat_again_unless_it_was_played_without_it(self):
        stage = Playing(swiss.FORMAT, 12, "intensity")
        *_, waiting = begun(stage)
        stage.out = {waiting.teams[2]}
        without = at(stage, waiting.key)
        stage.out = set()
        assert at(stage, waiting.key) == waiting
        stage.out = {waiting.teams[2]}
        stage.playing[waiting.key] = frozenset(at(stage, waiting.key).teams)
        stage.out = set()
        now = at(stage, waiting.key)
        assert (now.teams, now.matches) == (without.teams, without.matches)

    def test_one_plays_with_the_house_alone_and_nobody_at_all_not(self):
        stage = Playing(swiss.FORMAT, 12, "intensity")
        *_, waiting = begun(stage)
        stage.out = set(waiting.teams[1:])
        (match,) = at(stage, waiting.key).matches
        assert (match.teams, match.seats) == (waiting.teams[:1], 4)
        stage.out = set(waiting.teams)
        table = at(stage, waiting.key)
        assert (table.decided, table.matches, table.places) == (True, (), ())


def test_in_combinations_a_match_that_is_being_played_stays_and_the_others_are_played_by_the_house():
    stage = Playing(combinations.FORMAT, 5, "hearts")
    running, *others = stage.plan().tables()
    stage.playing[running.key] = frozenset(running.teams)
    gone = stage.order[0]
    stage.out = {gone}
    now = at(stage, running.key)
    assert (now.teams, now.matches) == (running.teams, running.matches)
    for table in others:
        now = at(stage, table.key)
        assert gone not in now.teams
        assert [match.teams for match in now.matches] == [now.teams]
        assert sum(seat.house for seat in now.seats) == (gone in table.teams)


def test_a_finalist_of_combinations_who_leaves_during_the_final_stays_in_it():
    stage = Playing(combinations.FORMAT, 8, "hearts", budget=24 * 9)
    stage.play(stage.due(), stage.by_seed)
    final = stage.plan().rounds[1][0]
    stage.out = {final.teams[0]}
    assert final.teams[0] not in at(stage, final.key).teams
    stage.playing[final.key] = frozenset(final.teams)
    now = at(stage, final.key)
    assert (now.teams, now.matches) == (final.teams, final.matches)


FIELDS: list[tuple[Any, str, dict[str, Any]]] = [
    (round_robin.FORMAT, "barracuda", {}),
    (round_robin.FORMAT, "barracuda", {"home_and_away": True}),
    (combinations.FORMAT, "barracuda", {"budget": 600}),
    (combinations.FORMAT, "hearts", {"budget": 600}),
    (single_elimination.FORMAT, "barracuda", {}),
    (single_elimination.FORMAT, "barracuda", {"third_place": True, "best_of": 3}),
    (single_elimination.FORMAT, "hearts", {"table_size": 4, "advance": 1}),
    (single_elimination.FORMAT, "hearts", {"table_size": 4, "advance": 2}),
]


@given(st.integers(2, 16), st.integers(0, 2**32), st.sampled_from(FIELDS))
@settings(max_examples=12, deadline=None)  # test_many_examples.py has more
def test_no_match_is_void_because_somebody_leaves_or_comes_back(
    count: int, seed: int, field: tuple[Any, str, dict[str, Any]]
) -> None:
    random, (format, game, options) = Random(seed), field
    stage = Playing(format, count, game, **options)
    judge = stage.by_chance(seed, faults=True)
    while not (plan := stage.plan()).done:
        due = stage.due(plan)
        stage.play(random.sample(due, k=random.randint(1, len(due))), judge)
        if random.random() < 0.25:
            team = random.choice(stage.order)
            stage.out = stage.out ^ {team} if format is round_robin.FORMAT else stage.out | {team}
        played = {place: dict(matches) for place, matches in stage.results.items()}
        stage.plan()
        assert stage.results == played
    assert sorted(ranked.team for ranked in plan.ranking) == sorted(stage.order)
    flags = [ranked.is_out for ranked in plan.ranking]
    assert flags == sorted(flags)
