"""The house players of Tricky Eights: legal, deterministic, fair, and each stronger than the one before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from statistics import fmean, stdev

import pytest

from games import get
from games.cards import BIT, SUIT_MASK, listed
from games.engine import CHANCE, House, Player
from games.imagining import BY_RANK, Unseen
from games.players import HousePlayer, Seated
from games.referee import play
from games.rng import Portable, pack
from games.tricky_eights.house import HOUSE
from games.tricky_eights.house.table import Table
from games.tricky_eights.rules import INDEX, PACK, State

GAME = get("tricky_eights")
OPTIONS = GAME.options()
NAMES = [house.name for house in HOUSE]
BY_NAME = {house.name: house for house in HOUSE}


def cards(names: str) -> list[int]:
    return [INDEX[name] for name in names.split()]


def mask(names: str) -> int:
    return sum(BIT[card] for card in cards(names))


def rounds(players: Sequence[Player], packs: Sequence[Sequence[int]]) -> list[int]:
    """Play these packs and return the points. Every choice is checked."""
    state = GAME.start(GAME.options({"target": 100_000}))
    waiting = list(packs)
    while state.turn != CHANCE or waiting:
        if state.turn == CHANCE:
            events = [*state.deal(waiting.pop(0))]
        else:
            action = players[state.turn].choose(state.legal())
            assert state.is_legal(action)
            events = [state.event(action), *state.apply(action)]
        for event in events:
            for seat, player in enumerate(players):
                seen = GAME.see(event, seat)
                assert seen is not None
                player.tell(seen)
    return state.scores()


def make(house: House, seat: int, *name: int) -> Player:
    return house.make(seat, OPTIONS, Portable(*name, seat))


# Who they are ---------------------------------------------------------------------------------------------------------


def test_there_are_players_of_each_class_of_the_seed_in_their_order() -> None:
    classes = ["random", "pseudo-random", "memoryless", "poor memory", "card counter", "beyond card counting"]
    assert list(dict.fromkeys(house.skill for house in HOUSE)) == classes
    assert NAMES[0] == "random"
    assert len(set(NAMES)) == len(NAMES)


# Legal, deterministic, fair -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSE, ids=NAMES)
def test_it_plays_whole_rounds_by_the_rules_in_every_seat(house: House) -> None:
    points = rounds([make(house, seat, 5) for seat in range(4)], [pack(5, number) for number in range(1, 5)])
    assert sum(points) == 100


@pytest.mark.parametrize("house", HOUSE, ids=NAMES)
def test_the_same_random_numbers_give_the_same_game(house: House) -> None:
    def record(seed: int) -> list[object]:
        seats = [Seated(f"player {seat}", f"house:{house.name}", HousePlayer(house)) for seat in range(4)]
        options = GAME.options({"target": 30})
        events = play(GAME, seats, seed=seed, options=options, preset="utah-1998").record["events"]
        return [{key: value for key, value in event.items() if key != "ms"} for event in events]

    assert record(8) == record(8)


def hidden_from(seat: int, deal: Sequence[int], random: Random) -> list[int]:
    """The same deal, with the cards that a seat cannot see exchanged among the other three hands."""
    others = [place for place in range(40) if place // 10 != seat]
    mixed = list(deal)
    shuffled = random.sample(others, len(others))
    for place, source in zip(others, shuffled, strict=True):
        mixed[place] = deal[source]
    return mixed


def first_choices(house: House, seat: int, deal: Sequence[int]) -> list[object]:
    """The cards a seat takes in its three takes, and its lead if it is the dealer; the others take the lowest card."""
    player = make(house, seat, 77)
    state = State(OPTIONS)
    for number in range(1, seat + 1):  # deal on until this seat is the dealer
        state.deal(pack(1, number))
        state.turn = CHANCE
    chosen: list[object] = []
    events = [*state.deal(deal)]
    while True:
        for event in events:
            seen = GAME.see(event, seat)
            assert seen is not None
            player.tell(seen)
        legal = state.legal()
        action = player.choose(legal) if state.turn == seat else legal[0]
        if state.turn == seat:
            chosen.append(action)
        if not state.pool:
            return chosen
        events = [state.event(action), *state.apply(action)]


@pytest.mark.parametrize("house", HOUSE, ids=NAMES)
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.promise
def test_hidden_cards_do_not_change_what_it_does(house: House, seat: int) -> None:
    random = Random(seat)
    for number in range(1, 6):
        deal = pack(40 + seat, number)
        choices = first_choices(house, seat, deal)
        assert len(choices) == 4  # three takes and the lead
        for _ in range(3):
            assert first_choices(house, seat, hidden_from(seat, deal, random)) == choices


# Each clearly stronger than the one before ----------------------------------------------------------------------------


THINK_LONG = ("card_counter", "beyond")
NEIGHBOURS = [
    pytest.param(*pair, marks=pytest.mark.long("more")) if pair[1] in THINK_LONG else pair for pair in pairwise(NAMES)
]


@pytest.mark.parametrize(("weak", "strong"), NEIGHBOURS)
def test_it_is_stronger_than_the_one_before(weak: str, strong: str) -> None:
    """Two against two, both seatings of each deal: more points on average, by three standard errors."""
    deals = 30 if strong == "beyond" else 100
    leads = []
    for deal in range(1, deals + 1):
        packs = [pack(deal, number) for number in range(1, 3)]
        lead = 0
        for seating in ((0, 1, 0, 1), (1, 0, 1, 0)):
            houses = [BY_NAME[(weak, strong)[who]] for who in seating]
            points = rounds([make(house, seat, deal) for seat, house in enumerate(houses)], packs)
            lead += sum(score if who else -score for score, who in zip(points, seating, strict=True))
        leads.append(lead)
    assert fmean(leads) > 3 * stdev(leads) / len(leads) ** 0.5


# Their ideas ----------------------------------------------------------------------------------------------------------


def chosen(name: str, hand: str, trick: str = "", pool: str = "") -> set[str]:
    """What a player ever chooses, with different random numbers. `trick`: the cards of the others, played in order."""
    found = set()
    for number in range(40):
        player = make(BY_NAME[name], 0, number)
        table = player.table  # type: ignore[attr-defined]
        table.hand, table.pool, table.number = mask(hand), mask(pool), 0 if pool else 5
        for seat, card in enumerate(trick.split(), 4 - len(trick.split())):
            table.tell({"event": "play", "seat": seat, "card": card})
        suit = table.led & table.hand
        legal = table.pool or suit or table.hand
        found.add(PACK[int(str(player.choose(listed(legal))))])
    return found


# Their shared memory --------------------------------------------------------------------------------------------------


def told(seat: int, deal: Sequence[int], decisions: int) -> tuple[Table, State]:
    """A table after that many decisions of a round in which everybody chooses the first legal card."""
    table, state = Table(seat), State(OPTIONS)
    events = [*state.deal(deal)]
    for number in range(decisions + 1):
        for event in events:
            seen = GAME.see(event, seat)
            assert seen is not None
            table.tell(seen)
        if number < decisions:
            action = state.legal()[0]
            events = [state.event(action), *state.apply(action)]
    return table, state


# The card counter's arithmetic ----------------------------------------------------------------------------------------


# Imagining ------------------------------------------------------------------------------------------------------------


def shared(names: str, room: list[int], out: list[int], random: Random) -> list[set[str]]:
    hands = Unseen(mask(names), room, out).share(random)
    return [{name for name in names.split() if BY_RANK[INDEX[name]] & hand} for hand in hands]


CLUBS, DIAMONDS = SUIT_MASK[:2]
HIDDEN = "c2 c3 c4 d2 d3 d4 h2 h3 h4 s2"
