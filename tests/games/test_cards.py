from games.cards import CARDS, RANKS, SPADES, face


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
