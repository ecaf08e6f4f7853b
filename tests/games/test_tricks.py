import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import CARDS, mask, suit_of
from games.tricks import LED, TOP, best, playable, playable_cards
from games.tricky_eights.rules import INDEX

HANDS = st.sets(st.sampled_from(CARDS), min_size=1)


@given(HANDS, st.sampled_from(CARDS))
def test_who_holds_the_suit_must_follow_it(hand: set[int], led: int) -> None:
    following = {card for card in hand if suit_of(card) == suit_of(led)}
    assert set(playable_cards(mask(hand), led)) == (following or hand)


@given(HANDS)
def test_the_leader_plays_what_he_likes(hand: set[int]) -> None:
    assert playable(mask(hand), None) == mask(hand)


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("d9 d3 dk dj", 2),
        ("h9 h3 hq h8", 2),
        ("d7 s8 dq dt", 2),  # a spade takes nothing, however high
        ("h4 h6 c4 d4", 1),
        ("c2 da ha sa", 0),
        ("ca d2 s2 h2", 0),
    ],
)
def test_the_highest_card_of_the_suit_led_takes_the_trick(trick: str, winner: int) -> None:
    assert best([INDEX[name] for name in trick.split()]) == winner


@given(st.lists(st.sampled_from(CARDS), min_size=1, max_size=4, unique=True))
def test_the_tables_agree_with_the_rule(cards: list[int]) -> None:
    following = [card for card in cards if LED[cards[0]] >> card & 1]
    assert cards[best(cards)] == max(following)
    assert TOP[cards[0]] >= max(following)
