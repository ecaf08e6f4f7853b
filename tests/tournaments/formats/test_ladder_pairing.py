"""Pairing on a ladder: nobody starves, whatever the ratings are and however long matches take."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats.ladder import NEAR, Free, Terms, tables

NOON = datetime(2014, 1, 10, 12, tzinfo=UTC)
PATIENCE = timedelta(seconds=30)


def after(seconds):
    return NOON + timedelta(seconds=seconds)


def team(number, rating=1500.0, since=0.0, met=(), **more):
    return Free(number, rating, after(since), frozenset(met), **more)


def made(free, size=2, room=99, busy=0, now=0.0, seed=1):
    terms = Terms(size, room, busy, late=after(now) - PATIENCE)
    return [[one.team for one in table] for table in tables(free, terms, Random(seed))]


class TestChoice:
    def test_who_waited_longest_chooses_first(self):
        free = [team(1, since=30), team(2, since=10), team(3, since=20)]
        (table,) = made(free, now=40)
        assert table[0] == 2

    def test_partners_are_near_in_rating(self):
        free = [team(number, rating=100.0 * number, since=number) for number in range(40)]
        for seed in range(20):
            chooser, mate = made(free, seed=seed, room=1)[0]
            assert chooser == 0
            assert 1 <= mate <= NEAR

    def test_not_whom_it_met_last(self):
        free = [team(1, met=[2]), team(2, since=1, met=[1]), team(3, rating=9000, since=2)]
        assert made(free)[0] == [1, 3]

    def test_it_waits_a_little_for_those_who_still_play(self):
        free = [team(1, since=95, met=[2]), team(2, since=95, met=[1])]
        assert made(free, busy=2, now=100) == []
        assert made(free, busy=2, now=126) == [[1, 2]]

    def test_tables_of_four(self):
        free = [team(number, since=number) for number in range(11)]
        found = made(free, size=4)
        assert sorted(map(len, found)) == [3, 4, 4], "the last three do not wait for ever: nobody plays"
        assert sorted(map(len, made(free, size=4, busy=4, now=10))) == [4, 4], "they wait for a fourth"
        assert len({one for table in found for one in table}) == 11


class TestRoom:
    def test_workers_get_only_as_many_as_they_can_take(self):
        assert len(made([team(number) for number in range(20)], room=3)) == 3

    def test_without_room_a_bot_still_meets_somebody_who_is_connected(self):
        assert made([team(1), team(2, since=5, live=True), team(3, since=6)], room=0) == [[1, 2]]


class TestAbsent:
    def test_somebody_who_is_here_plays_at_every_table(self):
        free = [team(number, live=True, here=number > 5) for number in range(9)]
        found = made(free)
        assert len(found) == 3
        assert all(max(table) > 5 for table in found)


class Simulation:
    """Teams that keep playing each other, by the pairing alone."""

    def __init__(self, random, ratings, size, room):
        self.random, self.size, self.room = random, size, room
        self.free = {number: team(number, rating) for number, rating in enumerate(ratings)}
        self.ratings = ratings
        self.playing = []  # (until, table)
        self.now = 0.0
        self.passed_over = dict.fromkeys(self.free, 0)  # tables made while it waited
        self.most = 0
        self.rematches = self.tables = 0

    def step(self):
        terms = Terms(self.size, self.room - len(self.playing), 0, after(self.now) - PATIENCE)
        terms = Terms(terms.size, terms.room, sum(len(table) for _, table in self.playing), terms.late)
        for table in tables(list(self.free.values()), terms, self.random):
            self.tables += 1
            numbers = [one.team for one in table]
            assert len(set(numbers)) == len(numbers) > 1
            self.rematches += any(one.team in other.met for one in table for other in table)
            for one in table:
                del self.free[one.team]
                self.passed_over[one.team] = 0
            for number in self.free:
                self.passed_over[number] += 1
                self.most = max(self.most, self.passed_over[number])
            self.playing.append((self.now + self.random.choice([1, 3, 10, 60]), numbers))
        assert self.playing, "somebody always plays"
        self.playing.sort()
        self.now, numbers = self.playing.pop(0)
        for number in numbers:
            met = frozenset(numbers) - {number}
            self.free[number] = Free(number, self.ratings[number], after(self.now), met)


AWKWARD = st.one_of(
    st.lists(st.floats(0, 3000), min_size=2, max_size=25),
    st.integers(2, 25).map(lambda count: [1500.0] * count),  # all the same
    st.integers(2, 12).map(lambda count: [3.0**number for number in range(count)]),  # further and further apart
    st.integers(3, 25).map(lambda count: [9999.0] + [1.0] * (count - 1)),  # one alone at the top
)


@given(AWKWARD, st.sampled_from([2, 4]), st.integers(1, 8), st.integers(0, 99))
@settings(max_examples=10, deadline=None)
def test_nobody_starves(ratings, size, room, seed):
    """While a team waits, fewer tables are made than there are teams, not counting those made while it may still wait
    for opponents other than its last ones."""
    simulation = Simulation(Random(seed), ratings, size, room)
    for _ in range(150):
        simulation.step()
    at_once = room * int(PATIENCE.total_seconds())
    assert simulation.most <= len(ratings) + at_once
    if len(ratings) > 2 * size * room:  # enough others are always free
        assert simulation.most < len(ratings)


@pytest.mark.parametrize("count", [5, 8, 31])
def test_rematches_are_rare_where_there_are_others(count):
    simulation = Simulation(Random(count), [1500.0 + 10 * number for number in range(count)], 2, room=2)
    for _ in range(200):
        simulation.step()
    assert simulation.rematches <= 0.03 * simulation.tables
