"""The samples from the Even Steven problem (with the line breaks that our copy had lost)."""

DEALER_INPUT = "4 876390176\n4 653723903\n"

PLAYER_INPUT = """\
4 4h 2d Qs Jc
8c
Qc
9s
YOU LOSE
4 Kd 8c As 5s
3s
6h
Kh
5c
YOU WIN
"""

PLAYER_OUTPUT = "Jc\nQs\n2d\n5s\n8c\nKd\nAs\n"

DEALER_OUTPUT = "Game 1\nYOU LOSE NECESSARILY\nGame 2\nYOU WIN\n"
