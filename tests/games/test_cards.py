from hypothesis import given
from hypothesis import strategies as st

from games.cards import BIT, CARDS, IN_SUIT, RANKS, SPADES, SUIT_MASK, face, listed, mask, rank_of, suit_of, words

HANDS = st.sets(st.sampled_from(CARDS))


def test_a_card_is_its_suit_and_rank() -> None:
    assert [(suit_of(card), rank_of(card)) for card in (0, 12, 13, 51)] == [(0, 0), (0, 12), (1, 0), (3, 12)]
    assert words(6) == "eight of clubs"
    assert words(51) == "ace of spades"


@given(HANDS)
def test_a_set_is_listed_in_the_order_of_the_pack(cards: set[int]) -> None:
    assert listed(mask(cards)) == tuple(sorted(cards))


@given(st.sets(st.integers(13, 25)))
def test_the_table_of_one_suit_lists_from_low_to_high(cards: set[int]) -> None:
    assert IN_SUIT[mask(cards)] == tuple(sorted(cards))


def test_the_suits_share_out_the_pack() -> None:
    assert sum(SUIT_MASK) == sum(BIT) == 2**52 - 1


def test_every_card_has_a_face() -> None:
    faces = [face(card) for card in CARDS]
    assert len({(it.rank, it.suit) for it in faces if it}) == 52
    queen = face(SPADES * 13 + RANKS.index("queen"))
    assert queen is not None
    assert (queen.rank, queen.suit, queen.words, queen.group) == ("Q", "s", "queen of spades", "spades")
    two = face(0)
    assert two is not None
    assert two.words == "2 of clubs"
    assert face(None) is None
