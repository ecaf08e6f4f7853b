"""A player of Hearts with the bad habit that its argument names: the lines of a harness."""

import sys

HABIT = sys.argv[1] if len(sys.argv) > 1 else ""


def say(text):
    print(text, flush=True)


def follow(hand, words):
    """The first card that the rules allow, more or less."""
    table, first = words[3:], words[1] == "0"
    held = [index for index, card in enumerate(hand) if card]
    if table:
        same = [index for index in held if hand[index][-1] == table[0][-1]]
        return (same or [index for index in held if not first or hand[index][-1] != "H"] or held)[0]
    return next((index for index in held if hand[index] == "2C"), held[0])


def say_pass(hand):
    if HABIT == "two":
        say("0 1")
    elif HABIT == "double":
        say("0 1 2\n3 4 5")
    elif HABIT == "stray":
        say(f"hand: {hand}\n0 1 2")
    else:
        say("0 1 2")


def say_play(hand, words):
    index = follow(hand, words)
    if words[1] == "2" and HABIT == "crash":
        raise KeyError("QS")
    say(index)
    hand[index] = ""


def main():
    hand = []
    if HABIT == "banner":
        say("Hearts, by team 7")
    for line in sys.stdin:
        words = line.split()
        if words[0] == "hand":
            hand = words[2:]
        elif words[0] == "received":
            for index, card in zip(words[1::2], words[2::2], strict=True):
                hand[int(index)] = card
        elif words[0] in ("hello", "end"):
            say("ready")
        elif words[0] == "pass":
            say_pass(hand)
        elif words[0] == "play":
            say_play(hand, words)


main()
