"""What is dealt in practice: fresh deals, those of a seed, or those of a match."""

from __future__ import annotations

from dataclasses import replace

from contest.refusal import Refused
from games import deals as recorded
from games.engine import Game, Opening, OptionError
from games.record import Record
from tournaments.practice.queue import WantedGame
from tournaments.seating.draw import any_seed

HIGHEST = 2**53 - 1_001
"""The largest seed that can be asked for. Later games of the order have the numbers after it, which JavaScript must
still read exactly."""


def lineup(players: int, shift: int) -> list[int]:
    """The players in the order of the seats, with player 0 in seat `shift` and the others after it, clockwise."""
    return [(index - shift) % players for index in range(players)]


def dealt(game: Game, players: int, count: int, *, seat: int | None, seed: int | None) -> list[WantedGame]:
    """That many games. Player 0 sits in `seat`, or (None) in the next seat from game to game.

    With a seed, game k has the seed `seed + k - 1`. Without one, each has a random seed; where entries are judged game
    by game, the published games come first.
    """
    found = []
    for index in range(count):
        where = index if seat is None else seat
        given = any_seed() if seed is None else seed + index
        published = seed is None and index < len(game.sample)
        opening: Opening = game.sample[index] if published else {}
        found.append(WantedGame(lineup(players, where % players), given, opening))
    return found


def of_record(game: Game, record: Record) -> list[WantedGame]:
    """The games of a match, each with its deals: player n in the place of the record's seat n.

    Raises Refused if the record's cards are not those of its seed.
    """
    several = record["events"][:1] != [] and record["events"][0]["event"] == "game"
    try:
        packs = recorded.packs_before(game, record)
    except OptionError:
        raise Refused(
            "The deals of this match cannot be played again, because they do not follow from its seed."
        ) from None
    openings = recorded.openings(record)
    players = range(len(record["seats"]))
    return [
        WantedGame(list(players), record["seed"], opening if several else {}, used)
        for opening, used in zip(openings, packs, strict=True)
    ]


def for_team(games: list[WantedGame], place: int) -> list[WantedGame]:
    """The same games with player 0 in that place of the record, and the others in the remaining places, in order."""
    found = []
    for wanted in games:
        others = iter(range(1, len(wanted.lineup)))
        found.append(replace(wanted, lineup=[0 if index == place else next(others) for index in wanted.lineup]))
    return found
