"""The commented game of the Utah problem, without its misprints (docs/rulings.md, Tricky Eights 4)."""

POOL = ["s2", "ct", "ha", "c6", "sa", "d5", "ck", "c9", "s5", "cq", "h5", "hk"]
SOUTH = ["h9", "h2", "s8", "ca", "h4", "hj", "c7", "sq", "st", "dk"]
TAKES = ["n s2 e hk s h5 w cq", "n s5 e c9 s ck w d5", "n sa e c6 s ha w ct"]
TRICKS = [
    "n d9 e d3 s dk w dj",
    "s h9 w h3 n hq e h8",
    "n c8 e c2 s ca w c5",
    "s h2 w ht n h7 e hk",
    "e d7 s s8 w dq n dt",
    "w s6 n s3 e sj s sq",
    "s h4 w h6 n c4 e d4",
    "w d8 n da e d2 s hj",
    "n cj e c3 s c7 w cq",
    "w s4 n s7 e sk s st",
    "e s9 s h5 w d6 n s2",
    "e c9 s ck w ct n s5",
    "s ha w d5 n sa e c6",
]
WINNERS = ["s", "n", "s", "e", "w", "s", "w", "n", "w", "e", "e", "s", "s"]
POINTS = [3, 3, 3, 1, 3, 1, 1, 3, 1, 1, 1, 1, 3]
SCORE = [6, 3, 11, 5]


def pairs(line: str) -> list[tuple[int, str]]:
    """`n d9 e d3` as seats and cards."""
    words = line.split()
    return [("nesw".index(who), card) for who, card in zip(words[::2], words[1::2], strict=True)]


def hands() -> list[list[str]]:
    """The ten cards dealt to each: what a player played, minus what it took. South's are in the problem."""
    played: list[list[str]] = [[], [], [], []]
    for line in TRICKS:
        for seat, card in pairs(line):
            played[seat].append(card)
    taken = {card for line in TAKES for _, card in pairs(line)}
    dealt = [[card for card in cards if card not in taken] for cards in played]
    assert sorted(dealt[2]) == sorted(SOUTH)
    dealt[2] = SOUTH
    return dealt
