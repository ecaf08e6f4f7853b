"""The house players of Barracuda: exact odds against plain enumeration, fairness, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.barracuda import GAME
from games.barracuda.house.odds import Odds, Position, by_card, waiting
from games.barracuda.house.oddsmaker import Oddsmaker
from games.barracuda.house.simple import TestBot, Thinker
from games.barracuda.house.table import Table
from games.engine import CHANCE, OVER, FaultKind
from games.players import HousePlayer, Seated
from games.referee import play as play_match
from tests.games.barracuda.table import deal, play, start
from tests.games.cast import Dealer

# Odds computed in the plainest way: every set of cards that the opponent may hold, played out by brute force


def end(mine: Sequence[int], theirs: Sequence[int], table: tuple[int, int] | None, turn: int, lead: int) -> int:
    """1, 0 or -1: how the hand ends for us (0) with open cards. `table`: who has led, and which card."""
    if not mine and not theirs and table is None:
        return (lead > 0) - (lead < 0)
    hand = mine if turn == 0 else theirs
    found = []
    for place, card in enumerate(hand):
        rest = [*hand[:place], *hand[place + 1 :]]
        hands = (rest, theirs) if turn == 0 else (mine, rest)
        if table is None:
            found.append(end(*hands, (turn, card), 1 - turn, lead))
            continue
        leader, led = table
        winner = turn if card > led else leader if card < led else None
        change = 0 if winner is None else 1 if winner == 0 else -1
        found.append(end(*hands, None, leader if winner is None else winner, lead + change))
    return max(found) if turn == 0 else min(found)


def counted(position: Position, card: int | None) -> Odds:
    """The same odds by enumeration: for one of our cards, or (None) while the opponent is to play."""
    cards = [rank for rank, there in enumerate(position.unseen) for _ in range(there)]
    numbers = {1: 0, 0: 0, -1: 0}
    table: tuple[int, int] | None
    for chosen in combinations(range(len(cards)), position.others):
        theirs = [cards[place] for place in chosen]
        mine = list(position.hand)
        if card is None:
            table = (0, position.ours) if position.ours else None
            found = end(mine, theirs, table, 1, position.lead)
        else:
            mine.remove(card)
            if position.led:
                change = (card > position.led) - (card < position.led)
                turn = 0 if change > 0 else 1
                found = end(mine, theirs, None, turn, position.lead + change)
            else:
                found = end(mine, theirs, (0, card), 1, position.lead)
        numbers[found] += 1
    return Odds(numbers[1], numbers[0], numbers[-1])


RANK = st.integers(1, 13)


@st.composite
def situations(draw: st.DrawFn, kind: str) -> Position:
    """Up to three cards each, from a nearly empty pack, so that enumeration is feasible."""
    size = draw(st.integers(1, 3))
    hand = tuple(sorted(draw(st.lists(RANK, min_size=size, max_size=size))))
    left = draw(st.lists(RANK, min_size=size + 1, max_size=8))
    unseen = tuple(left.count(rank) for rank in range(14))
    lead = draw(st.integers(size - 5, 5 - size))
    if kind == "reply":
        return Position(hand, size - 1, unseen, lead, led=draw(RANK))
    if kind == "answered":
        return Position(hand[1:], size, unseen, lead, ours=hand[0])
    return Position(hand, size, unseen, lead)


@settings(max_examples=60, deadline=None)
@given(situations("lead"))
def test_the_odds_of_a_lead(position: Position) -> None:
    found = by_card(position)
    assert list(found) == sorted(set(position.hand))
    assert found == {card: counted(position, card) for card in found}


def test_the_odds_of_four_cards_each() -> None:
    position = Position((3, 7, 7, 12), 4, (0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1), 1)
    assert by_card(position) == {card: counted(position, card) for card in (3, 7, 12)}


@pytest.mark.parametrize("seed", range(4))
def test_every_hand_is_counted_once(seed: int) -> None:
    """With a whole pack: 99 unseen cards, of which the opponent holds 5."""
    chance = Random(seed)
    hand = tuple(sorted(chance.choices(range(1, 14), k=5)))
    unseen = tuple(0 if rank == 0 else 8 - hand.count(rank) for rank in range(14))
    for odds in (*by_card(Position(hand, 5, unseen, 0)).values(), waiting(Position(hand, 5, unseen, 0))):
        assert odds.wins + odds.ties + odds.losses == comb(99, 5)
        assert odds.win + odds.tie + odds.loss == pytest.approx(1)


# What they know


class Knowing:
    """What each seat must know, computed from the rules' own state."""

    def __init__(self) -> None:
        self.unseen = [[8] * 14, [8] * 14]

    def deal(self, hands: list[list[int]], fresh: bool) -> None:
        for seat in (0, 1):
            if fresh:
                self.unseen[seat] = [8] * 14
            for card in hands[seat]:
                self.unseen[seat][card] -= 1

    def forfeit(self, event: dict[str, Any], laid: int) -> None:
        seat = event["seat"]
        if laid:  # it went back into the other's hand
            self.unseen[seat][laid] += 1
        self.unseen[1 - seat][event["lost"]] -= 1
        self.unseen[seat][event["other"]] -= 1


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_the_memory_of_a_seat_is_true(seed: int) -> None:
    """Unseen cards are the pack without those this seat has held or seen, through shuffles and faults."""
    chance = Random(seed)
    dealer, tables, knowing = Dealer(GAME, seed), [Table(0), Table(1)], Knowing()
    state: Any = dealer.state
    while state.turn != OVER:
        laid, seat = state.table, state.turn
        if seat == CHANCE:
            fresh = GAME.dealt(state) == 0
            events = dealer.deal()
            knowing.deal(events[0]["hands"], fresh)
        elif chance.random() < 0.1:
            events = list(state.fault(FaultKind.CRASH).events)
            if events[0]["event"] == "forfeit":
                knowing.forfeit(events[0], laid)
        else:
            action = chance.choice(list(state.legal()))
            if type(action) is int:
                knowing.unseen[1 - seat][action] -= 1
            events = [state.event(action), *state.apply(action)]
        for owner, table in enumerate(tables):
            for event in events:
                table.tell(GAME.see(event, owner) or {})
            check_memory(table, state, knowing.unseen[owner])


def check_memory(table: Table, state: Any, unseen: list[int]) -> None:
    assert table.unseen[1:] == unseen[1:]
    if state.turn >= 0:
        mine, theirs = table.seat, 1 - table.seat
        assert table.hand == state.hands[mine]
        assert table.others == len(state.hands[theirs])
        assert table.lead == state.tricks[mine] - state.tricks[theirs]


# Their decisions


def asked(player: type[Thinker], hands: tuple[str, str], moves: str = "", seat: int = 0, number: int = 1) -> Any:
    """The decision of such a player after these moves."""
    state = start()
    made = player(seat, GAME.options(), Random(number))
    for event in [*deal(state, *hands), *play(state, moves)]:
        seen = GAME.see(event, seat)
        assert seen is not None
        made.tell(seen)
    assert state.turn == seat
    return made.choose(state.legal())


def test_the_test_bot_never_challenges_and_accepts_with_a_good_hand() -> None:
    assert asked(TestBot, ("13 13 13 13 13", "1 1 1 1 1")) == 13
    assert asked(TestBot, ("1 1 1 1 1", "13 13 13 12 12"), "!", seat=1) == "accept"
    assert asked(TestBot, ("1 1 1 1 1", "3 3 3 2 2"), "!", seat=1) == "reject"


def ever(player: type[Thinker], hands: tuple[str, str], moves: str) -> set[Any]:
    """What it ever answers, with different random numbers."""
    return {asked(player, hands, moves, seat=1, number=number) for number in range(30)}


def test_the_odds_player_challenges_what_it_cannot_lose_and_rejects_what_it_cannot_win() -> None:
    assert asked(Oddsmaker, ("13 13 13 13 13", "1 1 1 1 1"), "13 1") == "challenge"
    assert asked(Oddsmaker, ("13 13 13 13 13", "1 1 1 1 2"), "13 1 !", seat=1) == "reject"
    assert asked(Oddsmaker, ("6 6 6 6 6", "13 13 13 12 12"), "!", seat=1) == "accept"


@pytest.mark.parametrize("house", GAME.house, ids=lambda house: house.name)
def test_the_same_chance_makes_the_same_game(house: Any) -> None:
    records = [
        play_match(
            GAME,
            [Seated(name, name, HousePlayer(one)) for name, one in (("a", house), ("b", GAME.house[1]))],
            seed=8,
            options=GAME.options({"target": 3}),
            preset="open",
            games=2,
        ).record
        for _ in range(2)
    ]
    for record in records:
        for event in record["events"]:
            event.pop("ms", None)
    assert records[0] == records[1]


def share(strong: str, weak: str, games: int) -> float:
    """The share of games won by the first, with each deal played from both seats."""
    house = {one.name: one for one in GAME.house}
    won = 0
    for names in ((strong, weak), (weak, strong)):
        seats = [Seated(name, name, HousePlayer(house[name])) for name in names]
        record = play_match(GAME, seats, seed=11, options=GAME.options(), preset="open", games=games // 2).record
        won += record["result"]["scores"][names.index(strong)]
    return won / (games // 2 * 2)


@pytest.mark.parametrize(
    ("strong", "weak", "games", "least"),
    [
        ("test_bot", "random", 300, 0.6),
        ("grabber", "test_bot", 200, 0.62),
        ("offhand", "grabber", 200, 0.6),
        pytest.param("careful", "offhand", 300, 0.52, marks=pytest.mark.long("more")),
        ("bold", "careful", 300, 0.55),
        pytest.param("odds", "bold", 40, 0.6, marks=pytest.mark.long("more")),
    ],
)
def test_each_is_stronger_than_the_one_before(strong: str, weak: str, games: int, least: float) -> None:
    """A cheap version; benchmarks/house.py has the table."""
    assert share(strong, weak, games) > least
