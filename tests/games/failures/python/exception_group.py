class Illegal(Exception):
    """A card that may not be played."""


def play(card):
    raise Illegal(f"{card} does not follow\nthe suit that was led")


play("c2")
