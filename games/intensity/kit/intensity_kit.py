"""intensity_kit - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
puts its own copy beside your file.

You write four functions (shell.py describes them):

    player_name   choose_discards   choose_card   run_unit_tests

The last line of your file hands them to `run`, which reads the question, calls the one that is wanted, and prints what it
returns. Your program is started again for every question: nothing is left of the question before.

Print nothing to standard output: it belongs to the answer. Debug with `print(..., file=sys.stderr)`, or with `debug(...)`;
only your team can read that afterwards.
"""

import sys

BUFFALO = 47


def is_calf(card):
    return 30 <= card <= 39


def penalty(card):
    """What a card costs the player who wins its round."""
    return 7 if card == BUFFALO else 1 if is_calf(card) else 0


def debug(*words):
    """Write to standard error."""
    print(*words, file=sys.stderr)


class Question:
    """Everything you know when a card is due. Cards are numbers, 10 ... 49; lists of them are in the order of play, hands
    and discards in increasing order."""

    def __init__(self, position, hand, table=(), played=(), discarded=(), received=()):
        self.position = position  # your place at the table, 0 ... 3
        self.hand = list(hand)
        self.table = list(table)  # the cards of this round so far; empty: you lead
        self.played = list(played)  # the cards of all rounds before
        self.discarded = list(discarded)  # what you gave to the player on your left, (position + 1) % 4
        self.received = list(received)  # what you got from the player on your right

    @property
    def calf_played(self):
        """Whether a calf was played in an earlier round, so that calves may be led."""
        return any(map(is_calf, self.played))

    def legal(self):
        """The cards that you may play, in increasing order."""
        if self.table:
            digit = self.table[0] // 10
            return [card for card in self.hand if card // 10 == digit] or self.hand
        if self.calf_played:
            return self.hand
        return [card for card in self.hand if not is_calf(card)] or self.hand

    def rounds(self):
        """The rounds before this one, each as a list of (position, card) in the order of play."""
        leader, found = 0, []
        for start in range(0, len(self.played), 4):
            found.append([((leader + turn) % 4, card) for turn, card in enumerate(self.played[start : start + 4])])
            leader = winner(found[-1])
        return found

    def on_the_table(self):
        """The cards of this round so far, as (position, card)."""
        first = self.position - len(self.table)
        return [((first + turn) % 4, card) for turn, card in enumerate(self.table)]


def winner(round):
    """Who wins a round of (position, card)."""
    digit = round[0][1] // 10
    return max(round, key=lambda play: play[1] if play[1] // 10 == digit else 0)[0]


def run(player_name, choose_discards, choose_card, run_unit_tests):
    """Answer the question on standard input."""
    what, *numbers = map(int, sys.stdin.read().split())
    if what == 0:
        print(player_name())
    elif what == 1:
        print(*choose_discards(numbers))
    elif what == 2:
        print(choose_card(_question(*numbers[:3], numbers[3:])))
    else:
        run_unit_tests()


def _question(n_hand, n_table, position, numbers):
    groups = []
    for size in (n_hand, n_table, 4 * (10 - n_hand), 3, 3):
        groups.append(numbers[:size])
        numbers = numbers[size:]
    return Question(position, *groups)
