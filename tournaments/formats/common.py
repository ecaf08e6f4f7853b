"""What formats share: the options that mean the same everywhere, and what is played at a table.

`table_size`       teams at a table, two or four; where the game needs more players, the house's join in
`games`            of a match; None: as many as the rules of the game say
`house`            the house's players for empty chairs, by turns
`freeze_versions`  versions stay as they were when the stage started
`duplicate`        everybody plays the same deals from every chair: as many matches at a table as it has chairs, with
                   the players moved on by one from match to match. Their sums count, as one.
`best_of`          so many matches at a table of two, one after the other, until one has won most of them
`chairs`           at a table, the house's included: not chosen, it follows from the game
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import Game
from tournaments.formats.plan import FormatError, Result, TeamId, WantedMatch, combined

MOST_GAMES = 100  # the record of more would not fit a page, nor a night
SIZES = (2, 4)


# Options --------------------------------------------------------------------------------------------------------------


def defaults(game: Game, games: int) -> dict[str, Any]:
    """The options that every format with tables has. `games`: of a match where the rules leave it open."""
    return {
        "games": None if game.decides else games,
        "house": list(game.fillers) or [game.house[0].name],
        "freeze_versions": True,
        "duplicate": False,
    }


def completed(title: str, known: Mapping[str, Any], changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """The known options with the changes on top, those of this module checked. Raises FormatError."""
    unknown = set(changes) - set(known) - {"chairs"}
    if unknown:
        raise FormatError(f"{title} has no option {', '.join(sorted(unknown))}")
    options = {**known, **changes}
    if game.seats[1] < 2:
        raise FormatError(f"{game.title} is played alone")
    for name, value in known.items():
        if isinstance(value, bool) and type(options[name]) is not bool:
            raise FormatError(f"{name} is yes or no, not {options[name]!r}")
    _check_tables(options, game)
    options["chairs"] = max(options.get("table_size", 2), game.seats[0])
    return options


def _check_tables(options: Mapping[str, Any], game: Game) -> None:
    sizes = [size for size in SIZES if size <= game.seats[1]]
    if options.get("table_size", 2) not in sizes:
        raise FormatError(f"In {game.title} {' or '.join(map(str, sizes))} teams can meet at a table")
    if options["games"] is not None or not game.decides:
        check_whole("The games per table", options["games"], 1, MOST_GAMES)
    names = [house.name for house in game.house]
    if not options["house"] or not set(options["house"]) <= set(names):
        raise FormatError(f"Empty chairs can be filled with {', '.join(names)}")
    if options["duplicate"] and not options["freeze_versions"]:
        raise FormatError("The same deals for every chair are fair only between versions that stay as they are")
    if options["duplicate"] and options["games"] is None:
        raise FormatError("The same deals for every chair need a number of games: by the rules it would differ")


def check_whole(what: str, value: object, least: int, most: int) -> None:
    """Raises FormatError unless it is a whole number from `least` to `most`. `what` is the subject of a sentence."""
    if type(value) is not int or not least <= value <= most:
        raise FormatError(f"{what} must be a whole number from {least} to {most}")


# What is played at a table --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Meeting:
    """The matches that are to be at a table, and once they are played what came of them, as one result."""

    matches: tuple[WantedMatch, ...]
    result: Result | None = None
    last: int = 1  # the highest number that they can have; play-offs are counted on from there


def meeting(
    teams: Sequence[TeamId],
    played: Mapping[int, Result],
    options: Mapping[str, Any],
    why: str,
    gone: Collection[TeamId] = (),
    rotation: int | None = None,
) -> Meeting:
    """What is played by these teams. `played` may hold matches of others: they are overlooked.

    `rotation`: of a single match (WantedMatch). `gone`: teams that may not go on; in a series of matches they have lost
    what is not played.
    """
    teams = tuple(teams)
    size = options.get("table_size", 2)
    results = {number: result for number, result in played.items() if result.teams == frozenset(teams)}
    if options.get("best_of", 1) > 1:
        return _series(teams, results, options, why, gone)
    if not options.get("duplicate"):
        return Meeting((WantedMatch(1, teams, size, why, rotation=rotation),), results.get(1))
    chairs = options["chairs"]
    numbers = range(1, chairs + 1)
    matches = tuple(
        WantedMatch(number, teams, size, f"{why} (seats {number} of {chairs})", rotation=number - 1, deal=1)
        for number in numbers
    )
    done = all(number in results for number in numbers)
    return Meeting(matches, combined([results[number] for number in numbers]) if done else None, chairs)


def _series(
    teams: tuple[TeamId, ...],
    results: Mapping[int, Result],
    options: Mapping[str, Any],
    why: str,
    gone: Collection[TeamId],
) -> Meeting:
    """Two teams, match after match with the seats swapped. The result's scores are the matches that each has won.

    Matches that were played stay, also when one before them is played again and they are no longer needed.
    """
    most = options["best_of"]
    numbers = range(1, most + 1)
    there = [number for number in numbers if number in results]
    won = {team: sum(winner(results[number]) == team for number in there) for team in teams}
    over = max(won.values()) > most // 2 or len(there) == most or bool(there and set(gone) & set(teams))
    wanted = there if over else sorted([*there, next(number for number in numbers if number not in results)])
    matches = tuple(
        WantedMatch(number, teams, 2, f"{why} (match {number}, best of {most})", rotation=number - 1)
        for number in wanted
    )
    if not over:
        return Meeting(matches, None, most)
    places = tuple(1 + sum(other > won[team] for other in won.values()) for team in teams)
    return Meeting(matches, Result(teams, places, tuple(map(float, won.values()))), most)


def winner(result: Result) -> TeamId | None:
    """Who was better than all other teams, whatever the house did."""
    fit = [team for team in result.players if team is not None and team not in result.disqualified]
    best = min((result.place(team) for team in fit), default=0)
    first = [team for team in fit if result.place(team) == best]
    return first[0] if len(first) == 1 else None


# Words ----------------------------------------------------------------------------------------------------------------


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def points_text(points: float) -> str:
    """`1`, `2½`; what is no half is written with two decimals at most."""
    whole, half = divmod(points, 1)
    if half == 0.5:
        return f"{int(whole) or ''}½"
    return f"{points:.2f}".rstrip("0").rstrip(".")
