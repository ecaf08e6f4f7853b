"""The house players of Barracuda: exact odds against plain enumeration, fairness, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, exp
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.barracuda import GAME
from games.barracuda.house.beliefs import GRAIN, Belief, strength
from games.barracuda.house.odds import Odds, Position, by_card, patterns, waiting
from games.barracuda.house.oddsmaker import Oddsmaker, race
from games.barracuda.house.reader import Reader
from games.barracuda.house.simple import Bold, Careful, Grabber, Offhand, TestBot, Thinker
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


@settings(max_examples=60, deadline=None)
@given(situations("reply"))
def test_the_odds_of_an_answer_to_a_card(position: Position) -> None:
    found = by_card(position)
    assert found == {card: counted(position, card) for card in found}


@settings(max_examples=60, deadline=None)
@given(situations("answered"))
def test_the_odds_while_the_opponent_answers_our_card(position: Position) -> None:
    assert waiting(position) == counted(position, None)


@settings(max_examples=60, deadline=None)
@given(situations("led"))
def test_the_odds_while_the_opponent_leads(position: Position) -> None:
    assert waiting(position) == counted(position, None)


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


def test_certainties() -> None:
    unseen = (0, *[8] * 12, 3)
    assert by_card(Position((13, 13, 13, 13, 13), 5, unseen, 0))[13].losses == 0
    assert waiting(Position((1,), 1, (0, 4, *[0] * 12), 0)) == Odds(0, 4, 0)
    assert by_card(Position((5,), 1, (0, *[1] * 13), 0)) == {5: Odds(4, 1, 8)}
    assert by_card(Position((5,), 0, tuple([0] * 14), 2, led=9)) == {5: Odds(1, 0, 0)}


@pytest.mark.parametrize("turn", [True, False])
def test_patterns_are_the_same_hands(turn: bool) -> None:
    """As many of each result as the odds, and on average as high as the unseen cards are."""
    position = Position((3, 7, 7, 12), 4, (0, *[2] * 13), 1)
    found = patterns(position, turn)
    odds = by_card(position)[12] if turn else waiting(position)
    numbers = {end: sum(each.hands for each in found if each.ends[-1] == end) for end in (1, 0, -1)}
    assert Odds(numbers[1], numbers[0], numbers[-1]) == odds
    mean = sum(each.hands * each.ranks for each in found) / sum(each.hands for each in found)
    assert mean == pytest.approx(4 * 7)


@settings(max_examples=30, deadline=None)
@given(hand=st.lists(RANK, min_size=5, max_size=5), turn=st.booleans())
def test_the_look_of_a_hand_is_near_its_odds(hand: list[int], turn: bool) -> None:
    unseen = tuple(0 if rank == 0 else 8 - hand.count(rank) for rank in range(14))
    position = Position(tuple(sorted(hand)), 5, unseen, 0)
    odds = max(by_card(position).values(), key=lambda each: each.wins) if turn else waiting(position)
    looks = 1 / (1 + exp(-strength(sum(hand), 5, 0, not turn) / GRAIN))
    assert looks == pytest.approx(odds.win + odds.tie / 2, abs=0.22)


def test_a_belief_follows_what_is_seen() -> None:
    belief = Belief((1.0, 1.0, 1.0))
    weak, strong = -2 * GRAIN, 3 * GRAIN
    assert belief.often()(weak) < 0.1
    assert belief.often()(strong) > 0.9
    assert belief.often(price=3.0)(strong) < belief.often()(strong)
    before = belief.often()(GRAIN)
    belief.learn(False, {strong: 0.5, GRAIN: 0.5})
    assert belief.often()(GRAIN) < before
    for _ in range(5):
        belief.learn(True, {weak: 1.0})
    assert belief.often()(GRAIN) > before


def test_a_race_of_points() -> None:
    assert race(1, 1) == 0.5
    assert race(1, 2) == 0.75
    assert race(0, 3) == 1.0
    assert race(3, 0) == 0.0
    for mine in range(1, 11):
        for theirs in range(1, 11):
            assert race(mine, theirs) + race(theirs, mine) == pytest.approx(1)
            assert race(mine, theirs) == pytest.approx((race(mine - 1, theirs) + race(mine, theirs - 1)) / 2)


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


def test_the_careful_one_wins_as_cheaply_as_it_can() -> None:
    assert asked(Careful, ("6 6 6 6 6", "13 9 7 5 1"), "6", seat=1) == 7
    assert asked(Careful, ("13 6 6 6 6", "13 9 7 5 1"), "13", seat=1) == 1
    assert asked(Careful, ("13 13 13 13 13", "1 1 1 1 1")) == 13


def ever(player: type[Thinker], hands: tuple[str, str], moves: str) -> set[Any]:
    """What it ever answers, with different random numbers."""
    return {asked(player, hands, moves, seat=1, number=number) for number in range(30)}


def test_the_grabber_wins_with_anything_the_offhand_one_with_the_cheaper_of_two() -> None:
    hands = ("6 6 6 6 6", "13 9 7 5 1")
    assert ever(TestBot, hands, "6") == {13, 9, 7, 5, 1}
    assert ever(Grabber, hands, "6") == {13, 9, 7}
    assert ever(Offhand, hands, "6") == {9, 7}
    assert ever(Offhand, ("13 6 6 6 6", "13 9 7 5 1"), "13") == {13, 9, 7, 5, 1}


def test_the_reader_bluffs_who_rejects_and_not_who_accepts() -> None:
    """The same poor hand, after five challenges that were rejected with good cards, and after five accepted with bad
    ones."""
    decided = []
    for accepted, grains in ((False, 3 * GRAIN), (True, 0)):
        player = Reader(0, GAME.options(), Random(1))
        for _ in range(5):
            player.accepting.learn(accepted, {grains: 1.0})
        for event in deal(start(), "8 6 5 4 2", "7 7 6 6 5"):
            player.tell(event)
        decided.append(player.choose([8, 6, 5, 4, 2, "challenge"]))
    assert decided == ["challenge", 6]


def test_the_reader_believes_who_seldom_offers() -> None:
    """It rejects with a hand that it would risk against a player that offers with any."""
    decided = []
    for bluffer in (False, True):
        player = Reader(1, GAME.options(), Random(1))
        for _ in range(8):
            player.offering.learn(bluffer, {0: 1.0})
        state = start()
        for event in [*deal(state, "1 1 1 1 1", "12 11 9 8 8"), *play(state, "!")]:
            player.tell(GAME.see(event, 1) or {})
        decided.append(player.choose(state.legal()))
    assert decided == ["reject", "accept"]


def test_the_bold_one_challenges_with_good_hands() -> None:
    assert asked(Bold, ("13 13 12 11 10", "1 1 1 1 1")) == "challenge"
    assert asked(Bold, ("9 7 6 5 2", "1 1 1 1 1")) == 6
    assert asked(Bold, ("1 1 1 1 1", "13 12 9 9 9"), "!", seat=1) == "accept"
    assert asked(Bold, ("1 1 1 1 1", "9 8 7 6 5"), "!", seat=1) == "reject"


def test_the_odds_player_challenges_what_it_cannot_lose_and_rejects_what_it_cannot_win() -> None:
    assert asked(Oddsmaker, ("13 13 13 13 13", "1 1 1 1 1"), "13 1") == "challenge"
    assert asked(Oddsmaker, ("13 13 13 13 13", "1 1 1 1 2"), "13 1 !", seat=1) == "reject"
    assert asked(Oddsmaker, ("6 6 6 6 6", "13 13 13 12 12"), "!", seat=1) == "accept"


def test_at_match_point_against_it_there_is_nothing_to_lose() -> None:
    """With nine points of the opponent, nobody hesitates to stake the game on a hand that would lose it anyway."""
    player = Oddsmaker(0, GAME.options(), Random(1))
    state = start()
    for event in deal(state, "13 11 9 8 2", "7 7 6 6 5"):
        player.tell(event)
    player.table.points = [0, 9]
    assert player.choose(state.legal()) == "challenge"


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
