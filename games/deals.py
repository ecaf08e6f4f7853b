"""Check whether the cards of a record come from its seed, and find the pack with which each game began."""

from __future__ import annotations

from games.engine import Event, Game, Opening, OptionError
from games.record import Record, games
from games.referee import DEAL


def openings(record: Record) -> list[Opening]:
    """Return how each game opened, by its `game` event. The record of a single game may have none."""
    found: list[Opening] = []
    for events in games(record):
        opening = {key: value for key, value in events[0].items() if key not in ("event", "number")}
        found.append(opening if events[0]["event"] == "game" else {})
    return found


def packs_before(game: Game, record: Record) -> list[int]:
    """Return how many packs the match had used before each game. Raises OptionError when a hand is not from its seed.

    How many packs a game needs depends on its players, so the number is the one whose pack gives the first hand.
    """
    found: list[int] = []
    fewest = most = 0
    for number, (opening, events) in enumerate(zip(openings(record), games(record), strict=True), 1):
        hands = [event for event in events if event["event"] == "hand"]
        possible = [DEAL * opening["deal"]] if "deal" in opening else range(fewest, most + 1)
        fits = (packs for packs in possible if hands[:1] in ([], [_first_hand(game, record, number, opening, packs)]))
        packs = next(fits, None)
        if packs is None:
            raise OptionError(f"the cards of game {number} are not those of the record's seed")
        found.append(packs)
        fewest, most = packs + 1, packs + len(hands)
    return found


def _first_hand(game: Game, record: Record, number: int, opening: Opening, packs: int) -> Event:
    state = game.start(game.options(record["options"], record["rules"]), number=number, opening=opening)
    return state.deal(game.shuffle(record["seed"], packs + 1, opening))[0]
