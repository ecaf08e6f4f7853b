"""Judging an entry: the games it plays, and the verdict on it.

Sources: "Scoring" in the Even Steven problem; docs/rulings.md, Even Steven 5 and 6.

games = parse_games(text)                       what an organiser writes, or SAMPLE
play(GAME, seats, openings=games, …)            the referee
verdict_of(record["events"])                    CORRECT, INCORRECT or CRASHED
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine import Event, Opening, OptionError
from games.even_steven.rules import CRASHED, INCORRECT, MODULUS, MOST, UNNECESSARILY

CORRECT = "correct"

SAMPLE = "4 876390176\n4 653723903\n"
"""The games that the Even Steven problem prints ("Sample Input for Dealer"). They are public."""


class GamesError(OptionError):
    """Lines that describe no game. `problems`: the number of each, from 1, and what is wrong with it."""

    def __init__(self, problems: Sequence[tuple[int, str]]) -> None:
        super().__init__("; ".join(f"line {number}: {problem}" for number, problem in problems))
        self.problems = list(problems)


def parse_line(line: str) -> Opening | None:
    """Parse a line `N seed`; None for a blank one. Raises ValueError with a text for people."""
    words = line.split()
    if not words:
        return None
    if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f"{_short(line.strip())!r} is not two numbers, N and a seed, such as 4 876390176")
    cards, seed = map(int, (word[:_DIGITS] for word in words))
    if not 0 < cards <= MOST:
        raise ValueError(f"N is the number of cards in the hand, 1 to {MOST}, not {_short(words[0])}")
    if not 0 < seed < MODULUS:
        raise ValueError(f"the seed is a number from 1 to {MODULUS - 1}, not {_short(words[1])}")
    return {"seed": seed, "cards": cards}


def parse_games(text: str) -> list[Opening]:
    """Return the games of a dealer's input as openings for the referee. Raises GamesError, which names every bad
    line."""
    games: list[Opening] = []
    problems: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            game = parse_line(line)
        except ValueError as error:
            problems.append((number, str(error)))
        else:
            games += [game] if game else []
    if problems:
        raise GamesError(problems)
    return games


def verdicts(events: Sequence[Event]) -> Iterator[str]:
    """Return how each game of a record ended."""
    return (event["verdict"] for event in events if event["event"] == "result")


def verdict_of(events: Sequence[Event]) -> str:
    """Return the verdict on an entry (CORRECT, INCORRECT or CRASHED) from the events of its record."""
    for verdict in verdicts(events):
        if verdict in (INCORRECT, CRASHED):
            return verdict
        if verdict == UNNECESSARILY:
            return INCORRECT
    return CORRECT


def first_failure(events: Sequence[Event]) -> int | None:
    """Return the number (from 1) of the first game that made the entry wrong, or None when it is correct."""
    for number, verdict in enumerate(verdicts(events), 1):
        if verdict in (INCORRECT, CRASHED, UNNECESSARILY):
            return number
    return None


_DIGITS = 20  # longer than any number allowed here


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"
