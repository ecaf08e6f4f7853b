"""Cards in every notation of the games, as people see and hear them."""

from __future__ import annotations

import pytest
from django.template import Context, Template

from contest.templatetags import cards


@pytest.mark.parametrize(
    ("notation", "rank", "suit", "words"),
    [
        ("d9", "9", "d", "9 of diamonds"),  # tricky_eights
        ("ct", "10", "c", "10 of clubs"),
        ("ha", "A", "h", "ace of hearts"),
        ("s8", "8", "s", "8 of spades"),
        ("10c", "10", "c", "10 of clubs"),  # even_steven
        ("Qs", "Q", "s", "queen of spades"),
        ("QS", "Q", "s", "queen of spades"),  # hearts
        ("10H", "10", "h", "10 of hearts"),
        (47, "47", "", "47"),  # intensity
        (13, "13", "", "13"),  # barracuda
        ("d1", "d1", "", "d1"),  # not a card: shown as it stands
        ("", "", "", ""),
    ],
)
def test_every_notation_is_read(notation: str | int, rank: str, suit: str, words: str) -> None:
    face = cards.face(notation)
    assert (face.rank, face.suit, face.words) == (rank, suit, words)


def test_a_hand_is_held_by_suits_the_highest_first() -> None:
    assert cards.by_suit(["c2", "sa", "ct", "s3", "h8"]) == [["sa", "s3"], ["h8"], ["ct", "c2"]]
    assert cards.by_suit([3, 47, 12]) == [[47, 12, 3]]


def test_a_hand_is_one_picture_with_one_label() -> None:
    html = cards.hand(["c2", "sa"], "North", hidden=2, legal=["c2"], now="sa")
    assert html.count("aria-label") == 1
    assert 'aria-label="North: spades A, clubs 2, 2 hidden cards"' in html
    assert '<i class="card c legal">2</i>' in html
    assert '<i class="card s now">A</i>' in html
    assert html.count("card back") == 2


def test_an_empty_hand_says_so() -> None:
    assert 'aria-label="East: no cards"' in cards.hand([], "East")


@pytest.mark.parametrize("draw", [cards.card, cards.bare_card, lambda text: cards.hand([], text)])
def test_what_is_not_a_card_is_never_markup(draw: object) -> None:
    assert "<script>" not in draw("<script>")  # type: ignore[operator]


def test_a_card_taken_and_played_is_struck_out() -> None:
    assert "gone" in cards.small_card("d9", [[], ["d9"]])
    assert "9 of diamonds, played" in cards.small_card("d9", [[], ["d9"]])
    assert "gone" not in cards.small_card("d9", [["d8"], []])


@pytest.mark.parametrize(
    ("ms", "text", "short"),
    [
        (0, "0 ms", "0.0"), (0.2134, "0.21 ms", "0.2"), (3.14159, "3.1 ms", "3.1"), (42.42, "42.4 ms", "42"),
        (340, "340 ms", "340"), (999.4, "999 ms", "999"), (3211, "3.21 s", "3211"), (120_000, "120 s", "120000"),
        (None, "–", ""),
    ],
)  # fmt: skip
def test_times_can_be_read(ms: float | None, text: str, short: str) -> None:
    assert cards.milliseconds(ms) == text
    assert cards.short_ms(ms) == short


@pytest.mark.parametrize(
    ("share", "text"), [(None, ""), (0, "0 %"), (0.00001, "under 0.1 %"), (0.005, "0.5 %"), (0.5, "50 %"), (1, "100 %")]
)
def test_shares_can_be_read(share: float | None, text: str) -> None:
    assert cards.percent(share) == text


def test_in_a_template() -> None:
    template = Template("{% load cards %}{% card 'QS' 'big' %}{% suit_mark 'h' %}{{ rows|at:1 }}{{ 'd8'|card_words }}")
    html = template.render(Context({"rows": ["a", "b"]}))
    assert 'role="img" aria-label="queen of spades">Q</i>' in html
    assert 'class="suit h" role="img" aria-label="hearts"' in html
    assert html.endswith("b8 of diamonds")
