"""The shuffle is part of the record's format: these numbers must never change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import GAMES
from games.build import house_seated
from games.engine import Game
from games.pairs import parting
from games.referee import play
from games.rng import Portable, choice, pack

PACK_1211_1 = [47, 45, 44, 27, 35, 16, 39, 23, 21, 20, 3, 1]
PACK_1211_2 = [33, 14, 15, 12, 9, 4, 30, 40, 21, 29, 39, 47]
PACK_0_1_104 = [2, 27, 83, 86, 59, 80, 65, 72, 53, 76, 37, 4]
CHOICES = [2, 2, 2, 1]
BITS = [40726, 34137, 59075, 61008]
RANGE = [11, 6, 6, 9, 2, 1, 12, 1]
FLOAT = 0.8855450118265766

SEEDS = st.integers(0, 2**63)


def test_packs_on_file_never_change() -> None:
    assert pack(1211, 1)[:12] == PACK_1211_1
    assert pack(1211, 2)[:12] == PACK_1211_2
    assert pack(0, 1, 104)[:12] == PACK_0_1_104
    assert [choice(1211, seat, 7, 13) for seat in range(4)] == CHOICES


def test_a_house_players_chance_never_changes() -> None:
    chance = Portable(1211, 1, 0)
    assert [chance.getrandbits(16) for _ in range(4)] == BITS
    assert [chance.randrange(13) for _ in range(8)] == RANGE
    assert chance.random() == FLOAT


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_house_player_decides_the_same_whenever_it_has_the_same_seed_and_seat(game: Game) -> None:
    options = game.options(game.lengths[-1].options if game.lengths else {})
    for house in game.house:
        names = (*[game.house[0].name] * (game.seats[1] - 1), house.name)
        one, other = (
            play(
                game,
                [house_seated(game, name) for name in names],
                seed=1998,
                options=options,
                preset=game.preset().name,
                games=1,
            ).record
            for _ in range(2)
        )
        assert parting(one["events"], other["events"]) is None


@given(SEEDS, st.integers(1, 1000))
def test_a_pack_depends_on_seed_and_number_alone(seed: int, number: int) -> None:
    first = pack(seed, number)
    pack(seed, number + 1)
    choice(seed, 0, number, 52)
    assert pack(seed, number) == first
    assert pack(seed, number + 1) != first
    assert pack(seed + 1, number) != first


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Chi-squared over 52 places of one card in 20,000 packs: 51 degrees of freedom, so 51 ± 10.1."""
    for card in (0, 25, 51):
        counts = [0] * 52
        for number in range(20_000):
            counts[pack(3, number).index(card)] += 1
        expected = 20_000 / 52
        assert 20 < sum((count - expected) ** 2 / expected for count in counts) < 100
