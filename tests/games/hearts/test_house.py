"""The house players of Hearts: fair, legal, each stronger than the one before (cheaply: see benchmarks/house.py)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.cards import BIT, mask
from games.engine import Event
from games.hearing import Hearing
from games.hearts import GAME
from games.hearts.house.counting import CardCounter, distinct, is_queen, weight
from games.hearts.house.moon import Shooter
from games.hearts.house.playouts import Trick, play_out, scored, shot
from games.hearts.house.simple import Avoider
from games.hearts.house.table import Table
from games.hearts.rules import INDEX, PACK
from games.imagining import BY_RANK, by_rank
from games.players import HousePlayer, Seated
from games.referee import play
from games.rng import Portable
from tests.games.cast import playout
from tests.games.hearts.table import SUITS, deal, start, three
from tests.games.hearts.table import play as play_cards

HOUSE = {house.name: house for house in GAME.house}
PAIRS = [("avoider", "random", 4), pytest.param("card_counter", "avoider", 5, marks=pytest.mark.long("more"))]


def points_a_hand(strong: str, weak: str, seed: int) -> float:
    """How much better the first's seats do than the second's, on average, in two seatings of a deal."""
    lead = hands = 0
    for seating in ((strong, weak, strong, weak), (weak, strong, weak, strong)):
        seats = [Seated(name, f"house:{name}", HousePlayer(HOUSE[name])) for name in seating]
        record = play(GAME, seats, seed=seed, options=GAME.options(), preset="mactech-1998").record
        scores = record["result"]["scores"]
        lead += sum(score if name == weak else -score for score, name in zip(scores, seating, strict=True)) // 2
        hands += sum(event["event"] == "score" for event in record["events"])
    return lead / hands


@pytest.mark.parametrize(("strong", "weak", "deals"), PAIRS)
def test_it_is_stronger_than_the_one_before(strong: str, weak: str, deals: int) -> None:
    assert sum(points_a_hand(strong, weak, seed) for seed in range(deals)) / deals > 0.5


def test_the_shooter_shoots_the_moon_with_a_hand_for_it() -> None:
    """Thirteen cards that cannot be beaten: it takes everything, while the counter ducks what it can."""
    state = start(target=1)
    events = deal(state, "AC KC QC JC 2C AS KS QS AH KH QH JH AD", unpassed=True)
    seats = [
        HOUSE[name].make(seat, GAME.options(), Portable(1, 1, seat))
        for seat, name in enumerate(("shooter", "avoider", "avoider", "avoider"))
    ]
    hearing = Hearing(GAME, [(seat, player.tell) for seat, player in enumerate(seats)])
    for event in events:
        hearing.tell(event)
    while state.turn >= 0:
        action = seats[state.turn].choose(state.legal())
        assert state.is_legal(action)
        for event in [state.event(action), *state.apply(action)]:
            hearing.tell(event)
    assert state.points == [-26, 0, 0, 0]


@pytest.mark.parametrize("name", HOUSE)
def test_the_same_chance_gives_the_same_game(name: str) -> None:
    records = []
    for _ in range(2):
        seats = [Seated(name, f"house:{name}", HousePlayer(HOUSE[name])) for _ in range(4)]
        events = play(GAME, seats, seed=9, options=GAME.options({"target": 1}), preset="open").record["events"]
        records.append([(event["seat"], event.get("card", event.get("cards"))) for event in events if "seat" in event])
    assert records[0] == records[1]


# The table


@pytest.mark.parametrize("seat", range(4))
def test_a_table_knows_what_its_seat_may_know(seat: int) -> None:
    _, events = playout(GAME, 21, GAME.options({"target": 60}))
    truth, table = start(target=60), Table(seat)
    hearing = Hearing(GAME, [(seat, table.tell)])
    for event in events:
        hearing.tell(event)
        _follow(truth, event)
        if truth.turn < 0 or truth.passing:
            continue
        assert table.hand == truth.hands[seat]
        assert table.others == sum(truth.hands) - truth.hands[seat]
        for other in range(4):
            assert table.counts[other] == truth.hands[other].bit_count()
            assert not table.out[other] & truth.hands[other]
            if other != seat:
                assert table.held[other] & ~truth.hands[other] == 0
        if event["event"] == "trick":
            assert table.points == truth.points


def _follow(state: Any, event: Event) -> None:
    if event["event"] == "hand":
        state.deal(GAME.packed(event))
    elif event["event"] in ("pass", "play"):
        state.apply(GAME.action(event))


# Their decisions


def names(cards: Any) -> str:
    return " ".join(PACK[card] for card in sorted(cards))


def test_the_avoider_passes_the_queen_and_what_is_high() -> None:
    player = Avoider(0, GAME.options(), Random(1))
    assert names(player.give(mask(three("2C 3C 4C 5D 6D 7D QS AH KD 8C 9C 2S 3S")))) == "KD AH QS"


def test_the_counter_keeps_a_covered_queen() -> None:
    player = CardCounter(0, GAME.options(), Random(1))
    covered = mask(three("2S 3S 5S 7S QS 2C 3C 4C 2D 3D 4D AH KH"))
    assert "QS" not in names(player.give(covered))
    alone = mask(three("3S QS 2C 3C 4C 6C 2D 3D 4D 5D 9D 2H KH"))
    assert "QS" in names(player.give(alone))
    assert weight(INDEX["KS"], alone | BIT[INDEX["KS"]]) > weight(INDEX["3S"], alone)


@pytest.mark.parametrize(
    ("table", "hand", "card"),
    [
        ("KC", "2C 9C AC QS", "9C"),  # the highest that ducks
        ("5D", "QS AH KC 2C", "QS"),  # the queen as soon as possible
        ("KS 2S", "QS AS 3S", "QS"),  # under the king
    ],
)
def test_the_avoider_ducks_and_throws(table: str, hand: str, card: str) -> None:
    player = Avoider(3, GAME.options(), Random(1))
    led = table.split()
    hands = [[]] * 3 + [[*hand.split(), *["2H"] * (13 - len(hand.split()))]]
    player.tell({"event": "hand", "number": 4, "hands": hands, "pass": "none"})
    player.table.hand = mask(three(hand))
    for seat, name in enumerate(led, 3 - len(led)):
        player.tell({"event": "play", "seat": seat, "card": name})
    legal = [INDEX[name] for name in hand.split() if name[-1] == led[0][-1]] or [INDEX[n] for n in hand.split()]
    assert PACK[int(str(player.choose(sorted(legal))))] == card


def test_neighbours_are_one_choice_but_for_the_queen() -> None:
    cards = sorted(three("2C 3C 5C JS QS KS"))
    assert names(distinct(cards, mask(three("4C")), is_queen)) == "2C 5C JS QS KS"
    assert names(distinct(cards, 0, is_queen)) == "2C JS QS KS"


# Playouts


@pytest.mark.parametrize("seed", range(20))
def test_a_playout_ends_with_all_points_taken(seed: int) -> None:
    deck = list(range(52))
    Random(seed).shuffle(deck)
    hands = [by_rank(mask(deck[first : first + 13])) for first in (0, 13, 26, 39)]
    opener = next(seat for seat in range(4) if hands[seat] & BY_RANK[0])
    points = [0, 0, 0, 0]
    play_out(hands, Trick(opener, False), BY_RANK[0], points)
    assert sum(points) == 26


def test_a_playout_with_a_shooter_ends_when_somebody_else_gets_a_point() -> None:
    hands = [by_rank(mask(three(cards))) for cards in ("AC 2H", "KC 3H", "QC 4H", "JC AH")]
    points = [22, 0, 0, 0]
    play_out(hands, Trick(0, True), BY_RANK[INDEX["AC"]], points, shooter=0)
    assert points == [22, 0, 0, 4]
    hands = [by_rank(mask(three(cards))) for cards in ("AC AH", "KC 3H", "QC 4H", "JC KH")]
    points = [22, 0, 0, 0]
    play_out(hands, Trick(0, True), BY_RANK[INDEX["AC"]], points, shooter=0)
    assert points == [26, 0, 0, 0]
    assert scored(points) == [-26, 0, 0, 0]


def test_the_shooter_leads_what_cannot_be_beaten_and_takes_cheaply_when_last() -> None:
    hand, others = by_rank(mask(three("AC 5D 9H"))), by_rank(mask(three("KC KD KH")))
    assert shot(hand, hand | others, Trick(0, True)) == BY_RANK[INDEX["AC"]]
    trick = Trick(3, True)
    trick.played, trick.led, trick.best = 3, by_rank(mask(three(SUITS[0]))), BY_RANK[INDEX["9C"]]
    hand = by_rank(mask(three("2C 10C AC")))
    assert shot(hand, hand, trick) == BY_RANK[INDEX["10C"]]


def test_it_is_too_late_to_shoot_when_somebody_else_has_a_point() -> None:
    player = Shooter(1, GAME.options(), Random(1))
    state = start()
    events = deal(state, *SUITS, unpassed=True)
    events += play_cards(state, "2C 2D 2H 2S")
    for event in events:
        player.tell(GAME.see(event, 1) or {})
    assert player.aim([INDEX["3D"]]) is None
