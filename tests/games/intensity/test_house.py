"""The house players of Intensity: legal, deterministic, fair, and each stronger than the one before."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import mask
from games.hearing import Hearing
from games.intensity import GAME
from games.intensity.house import HOUSE, RANDOM_FOUR
from games.intensity.house.counting import CardCounter
from games.intensity.house.imagining import Imagining
from games.intensity.house.simple import Avoider
from games.intensity.house.table import ALL, Table
from games.intensity.rules import tournament_points
from games.players import HousePlayer, Seated
from games.record import dumps
from games.referee import play
from tests.games.cast import playout, without_times

OPTIONS = GAME.options()
BY_NAME = {house.name: house for house in HOUSE}
CLASSES = tuple(house.name for house in HOUSE if house.name not in RANDOM_FOUR)
SEEDS = st.integers(0, 2**40)


def record_of(names: list[str], seed: int) -> dict:
    seats = [Seated(name, f"house:{name}", HousePlayer(BY_NAME[name])) for name in names]
    return play(GAME, seats, seed=seed, options=OPTIONS, preset="open").record


def test_the_four_of_2018_are_random_players_by_name() -> None:
    assert RANDOM_FOUR == ("lulu", "morgan", "amy", "rat") == GAME.fillers
    assert [house.name for house in HOUSE][:5] == ["random", *RANDOM_FOUR]
    assert all(BY_NAME[name].make is BY_NAME["random"].make for name in RANDOM_FOUR)


@pytest.mark.parametrize("name", CLASSES)
def test_they_play_legally_and_the_same_from_the_same_seed(name: str) -> None:
    """The referee rejects illegal plays of a house player."""
    for seed in range(1 if name == "imagining" else 3):
        first, again = (record_of([name] * 4, seed) for _ in range(2))
        assert dumps(without_times(first)) == dumps(without_times(again))


@pytest.mark.parametrize(
    ("strong", "weak", "deals"),
    [
        ("avoider", "random", 20),
        pytest.param("card_counter", "avoider", 150, marks=pytest.mark.long("more")),
        pytest.param("imagining", "avoider", 12, marks=pytest.mark.long("more")),
    ],
)
def test_each_class_is_stronger_than_those_before(strong: str, weak: str, deals: int) -> None:
    """A cheap version of benchmarks/house.py: shares of the tournament points, two against two on the same deals. The
    two strongest are too close for so few games."""
    shares = []
    for seed in range(deals):
        share = 0.0
        for seating in ((0, 1, 0, 1), (1, 0, 1, 0)):
            result = record_of([(strong, weak)[who] for who in seating], seed)["result"]
            points = tournament_points(result["places"])
            share += sum(won for won, who in zip(points, seating, strict=True) if who == 0) / 12
        shares.append(share)
    assert fmean(shares) - stdev(shares) / deals**0.5 > 0.5


# What they know


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_imagined_hands_agree_with_all_that_was_seen(seed: int) -> None:
    player = Imagining(2, OPTIONS, Random(seed))
    _, events = playout(GAME, seed)
    hearing = Hearing(GAME, [(2, player.tell)])
    stop = Random(seed).randrange(6, len(events) - 1)
    for event in events[:stop]:
        hearing.tell(event)
    table = player.table
    hands = player.imagine()
    assert hands[2] == table.hand
    assert table.given & ~hands[table.left] == 0
    assert [hand.bit_count() for hand in hands] == table.counts
    assert hands[0] | hands[1] | hands[2] | hands[3] == ALL & ~table.gone
    assert all(not table.out[seat] & hands[seat] for seat in range(4))


# Their decisions


def told(cards: list[int], table: list[int], *, leader: int = 1, earlier: tuple[int, ...] = ()) -> Table:
    """A table at position 0 that holds these cards while others lie on it."""
    known = Table(0)
    known.discarding = False
    known.hand = mask(cards)
    known.gone = mask(earlier)
    for turn, card in enumerate(table):
        known.tell({"event": "play", "seat": (leader + turn) % 4, "card": card})
    return known


def choice(kind: type[Avoider] | type[CardCounter], cards: list[int], lying: list[int], legal: list[int]) -> int:
    player = kind(0, OPTIONS, Random(1))
    player.table = told(cards, lying)
    return player.play(legal)
