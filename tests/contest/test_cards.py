"""Cards in every notation of the games, as people see and hear them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import games
from contest import cards
from games.engine import Game

EIGHTS = games.get("tricky_eights")


@pytest.mark.parametrize(
    ("notation", "rank", "suit", "words"),
    [
        ("d9", "9", "d", "9 of diamonds"),
        ("ct", "10", "c", "10 of clubs"),
        ("ha", "A", "h", "ace of hearts"),
        ("s8", "8", "s", "8 of spades"),
        ("d1", "d1", "", "d1"),  # not a card: shown unchanged
        ("", "", "", ""),
        (47, "47", "", "47"),
    ],
)
def test_a_card_is_what_its_game_says(notation: str | int, rank: str, suit: str, words: str) -> None:
    face = cards.face(EIGHTS, notation)
    assert (face.rank, face.suit, face.words) == (rank, suit, words)


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_every_game_draws_its_whole_pack(game: Game) -> None:
    """Distinct cards look different, and sound different."""
    notations = list(dict.fromkeys(game.pack))
    faces = [cards.face(game, notation) for notation in notations]
    assert len({(face.rank, face.suit) for face in faces}) == len({face.words for face in faces}) == len(notations)
    assert all(cards.is_card_of(f" {notation} ", game) for notation in notations)
    assert not cards.is_card_of("no card", game)
    hand = cards.hand(game, notations, "All")
    assert hand.count("<i ") == len(notations)


@pytest.mark.parametrize(
    "draw",
    [cards.card, lambda game, text: cards.hand(game, [text], text)],
    ids=["card", "hand"],
)
def test_what_is_not_a_card_is_never_markup(draw: Callable[..., str]) -> None:
    assert "<script>" not in draw(EIGHTS, "<script>")
