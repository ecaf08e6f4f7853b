"""The house players of Intensity: legal, deterministic, fair, and each stronger than the one before."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import BIT, listed, mask
from games.engine import OVER
from games.hearing import Hearing
from games.intensity import GAME
from games.intensity.house import HOUSE, RANDOM_FOUR
from games.intensity.house.counting import CardCounter, hand_danger
from games.intensity.house.imagining import Imagining, distinct, worth_of
from games.intensity.house.playouts import BY_RANK, SUITS, Round, by_rank, play_out
from games.intensity.house.simple import Avoider
from games.intensity.house.table import ALL, Table
from games.intensity.rules import PENALTIES, tournament_points
from games.players import HousePlayer, Seated
from games.record import dumps
from games.referee import play
from games.rng import pack
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


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, seat=st.integers(0, 3))
def test_a_table_is_fair_and_right(seed: int, seat: int) -> None:
    """It gets what its seat may know, and everything it infers about the others is true."""
    table = Table(seat)
    hearing = Hearing(GAME, [(seat, table.tell)])
    chance = Random(seed)
    state = GAME.start(OPTIONS)
    events = list(state.deal(pack(seed, 1, 40)))
    while True:
        for event in events:
            hearing.tell(event)
        if state.turn == OVER:
            break
        if not state.discarding:
            assert table.hand == state.hands[seat]
            others = state.hands[:seat] + state.hands[seat + 1 :]
            assert table.others == others[0] | others[1] | others[2]
            assert table.given & ~state.hands[table.left] == 0
            assert all(not table.out[other] & state.hands[other] for other in range(4))
            assert table.counts == [hand.bit_count() for hand in state.hands]
            assert table.points == state.scores()
            assert table.broken == state.broken
            if state.turn == seat:
                assert len(table.after()) == 3 - table.played
        action = chance.choice(list(state.legal()))
        events = [state.event(action), *state.apply(action)]


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


def test_what_a_sensible_player_would_have_played_is_doubted() -> None:
    table = Table(0)
    table.tell({"event": "play", "seat": 1, "card": 27})
    table.tell({"event": "play", "seat": 2, "card": 23})
    assert listed(table.unlikely[2]) == (24, 25, 26), "the highest below is the one to play"
    table.tell({"event": "play", "seat": 3, "card": 11})
    assert listed(table.unlikely[3]) == (47, 48, 49), "the buffalo and what would catch it go first"
    assert table.unlikely[0] == table.unlikely[1] == 0
    late = Table(3)
    for seat, card in ((0, 24), (1, 21), (2, 26)):
        late.tell({"event": "play", "seat": seat, "card": card})
    assert listed(late.unlikely[2]) == (20, 21, 22, 23), "who could have ducked would have"


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


@pytest.mark.parametrize("kind", [Avoider, CardCounter])
def test_they_duck_and_throw(kind: type[Avoider]) -> None:
    assert choice(kind, [11, 14, 19, 22], [16, 30, 12], [11, 14, 19]) == 14, "the highest that stays below"
    assert choice(kind, [40, 46, 47], [48, 30, 41], [40, 46, 47]) == 47, "the buffalo, where somebody else takes it"
    assert choice(kind, [30, 12, 47], [24, 22, 21], [30, 12, 47]) == 47


def test_the_danger_of_a_hand() -> None:
    others = ALL
    assert hand_danger(BIT[19], others) > hand_danger(BIT[15], others) > hand_danger(BIT[10], others)
    assert hand_danger(BIT[48], others) > hand_danger(BIT[28], others), "it may catch the buffalo"
    assert hand_danger(mask([19, 11, 10]), others) < hand_danger(BIT[19], others) + hand_danger(BIT[10], others) + 0.5


def test_neighbours_are_thought_of_once() -> None:
    assert distinct([11, 12, 14, 20], 0) == [14, 20]
    assert distinct([11, 12, 14], BIT[13]) == [12, 14]
    assert distinct([46, 47, 48], 0) == [46, 47, 48], "the buffalo is worth something else"
    assert distinct([19, 20], 0) == [19, 20]


@pytest.mark.parametrize(
    ("points", "worth"), [([0, 5, 6, 7], 3.0), ([7, 5, 6, 0], -0.7), ([0, 0, 9, 9], 2.5), ([0, 0, 0, 0], 1.5)]
)
def test_what_a_final_score_is_worth(points: list[int], worth: float) -> None:
    assert worth_of(points, 0) == pytest.approx(worth)


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_playouts_keep_the_rules(seed: int) -> None:
    """Every card in a playout is legal, and all points are given out, compared with the rules themselves."""
    chance = Random(seed)
    state = GAME.start(OPTIONS)
    state.deal(pack(seed, 1, 40))
    for _ in range(4 + chance.randrange(39)):
        state.apply(chance.choice(list(state.legal())))
    hands = [by_rank(hand) for hand in state.hands]
    now = Round(state.turn, state.broken)
    now.played = (state.turn - state._leader) % 4 if state._led is not None else 0
    if now.played:
        now.led, now.best = SUITS[state._led // 10 - 1], BY_RANK[state._best]  # type: ignore[operator]
        now.winner, now.worth = state._winner, state._worth
    points = list(state.points)

    class Watched(list[int]):
        """Hands that change only by played cards, which the rules must allow."""

        def __setitem__(self, seat: int, hand: int) -> None:  # type: ignore[override]
            card = BY_RANK.index(self[seat] ^ hand)
            assert state.turn == seat
            assert state.is_legal(card)
            state.apply(card)
            super().__setitem__(seat, hand)

    first = chance.choice(list(state.legal()))
    play_out(Watched(hands), now, BY_RANK[first], points)
    assert state.turn == OVER
    assert points == state.points
    assert sum(points) == PENALTIES


def test_the_numbering_of_the_playouts() -> None:
    assert [BY_RANK[card].bit_length() - 1 for card in (10, 20, 30, 40, 11, 49)] == [0, 1, 2, 3, 4, 39]
    hand = mask([10, 29, 47])
    assert by_rank(hand) == BY_RANK[10] | BY_RANK[29] | BY_RANK[47]
    assert sum(SUITS) == by_rank(ALL)
    assert [suit.bit_count() for suit in SUITS] == [10] * 4
    assert listed(hand) == (10, 29, 47)
