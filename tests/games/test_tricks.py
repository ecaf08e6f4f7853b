from hypothesis import given
from hypothesis import strategies as st

from games.cards import CARDS, mask, suit_of
from games.trick_rules import LED, TOP, playable, playable_cards

HANDS = st.sets(st.sampled_from(CARDS), min_size=1)


@given(HANDS, st.sampled_from(CARDS))
def test_who_holds_the_suit_must_follow_it(hand: set[int], led: int) -> None:
    following = {card for card in hand if suit_of(card) == suit_of(led)}
    assert set(playable_cards(mask(hand), led)) == (following or hand)


@given(HANDS)
def test_the_leader_plays_what_he_likes(hand: set[int]) -> None:
    assert playable(mask(hand), None) == mask(hand)


@given(st.lists(st.sampled_from(CARDS), min_size=1, max_size=4, unique=True))
def test_the_tables_agree_with_the_rule(cards: list[int]) -> None:
    following = [card for card in cards if LED[cards[0]] >> card & 1]
    assert TOP[cards[0]] >= max(following)
