"""A judged problem: every entry plays the published games and a hidden set, alone, and is right or wrong.

There is no bracket. Each ready version of a team is one run, played as one match. A team may try until it is right.
The organisers choose the hidden games: they write them, one to a line, or draw them from a seed that nobody else knows.
tournaments.kinds.judged makes the ranking, because it knows when runs were sent.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from games.engine import Game, Opening, OptionError
from tournaments.formats.plan import (
    NOBODY,
    Format,
    FormatError,
    Out,
    Plan,
    Ranked,
    Results,
    Seat,
    Status,
    TablePlan,
    TeamId,
    WantedMatch,
)
from tournaments.formats.withdrawals import with_departures

MOST_GAMES = 1000
DRAWN = 200
"""Hidden games of a new judged problem by default."""
WRONG_MINUTES = 20  # as in ACM contests
MOST_MINUTES = 1440
MOST_SEED = 2**63 - 1
"""Drawn seeds have 63 bits, so that nobody tries them all against a game that they have seen. Older ones had 31."""


def new_seed() -> int:
    """2^62 … 2^63 - 1."""
    return 2**62 + secrets.randbits(62)


class JudgedSet(Format):
    slug = "judged_set"
    title = "Judged problem"
    about = "Every version plays the published games and a hidden set. Right answers rank first, then penalty time."
    kind = "judged"
    rated = False
    under_way = "Being judged"
    ends_with_contest = True
    least = 0

    def fits(self, game: Game) -> bool:
        return game.seats[1] == 1 and bool(game.sample)

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """`hidden`: games, one to a line. `draw`: how many more to draw, from `draw_seed`. `wrong_minutes`: the penalty
        for each wrong run, counted once the team is right."""
        options: dict[str, Any] = {"hidden": "", "draw": 0, "draw_seed": 1, "wrong_minutes": WRONG_MINUTES}
        unknown = set(changes) - set(options)
        if unknown:
            raise FormatError(f"A judged problem has no option {', '.join(sorted(unknown))}")
        options |= changes
        if not self.fits(game):
            raise FormatError(f"{game.title} is not judged game by game")
        draw, seed = options["draw"], options["draw_seed"]
        if type(draw) is not int or not 0 <= draw <= MOST_GAMES:
            raise FormatError(f"The number of games to draw must be a whole number from 0 to {MOST_GAMES}")
        if type(seed) is not int or not 1 <= seed <= MOST_SEED:
            raise FormatError(f"The seed must be a whole number from 1 to {MOST_SEED}")
        wrong = options["wrong_minutes"]
        if type(wrong) is not int or not 0 <= wrong <= MOST_MINUTES:
            raise FormatError(f"The minutes for a wrong run must be a whole number from 0 to {MOST_MINUTES}")
        try:
            written = game.read_openings(options["hidden"])
        except OptionError as error:
            raise FormatError(f"The hidden games: {error}") from None
        if not 1 <= len(written) + draw <= MOST_GAMES:
            raise FormatError(f"A judged problem needs 1 to {MOST_GAMES} hidden games: write some, or draw some")
        return options

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        """The games of a run: the published ones, then the hidden ones."""
        drawn = [game.opening(options["draw_seed"], number, 1) for number in range(1, options["draw"] + 1)]
        return [*game.sample, *game.read_openings(options["hidden"]), *drawn]

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        """Return a table for each team. Its matches are its runs, numbered like the versions.

        The schedule adds two options: `entries`, the numbers of each team's ready versions, and `open`, whether more
        may come. A judged run stays, even while its version is built again or after its team has left.
        """
        entries: Mapping[TeamId, Sequence[int]] = options.get("entries", {})
        tables = []
        for number, team in enumerate(order, start=1):
            judged = results.get((1, number), {})
            runs = sorted({*judged, *(() if team in out else entries.get(team, ()))})
            matches = tuple(WantedMatch(run, (team,), 1, f"Version {run} is judged") for run in runs)
            right = any(result.score(team) > 0 for result in judged.values())
            settled = all(run in judged for run in runs)
            decided = settled and not options.get("open", True)
            status = Status.PLACED if decided else Status.DUE
            seat = Seat(("seed", number), team, status=status, score=float(right) if decided else None)
            tables.append(
                TablePlan(
                    *(1, number, f"Entry {number}", (seat,), matches),
                    decided=decided,
                    places=(team,),
                    scores=(float(right),),
                )
            )
        done = bool(tables) and all(table.decided for table in tables)
        rounds = with_departures([tuple(tables)] if tables else [], out)
        return Plan(tuple(rounds), done, _ranking(rounds[0] if rounds else (), out))

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        return (
            "Every version that passes its check plays the published games and a hidden set. It is right if it makes "
            "no mistake in any of them.",
            "Teams that are right rank above teams that are not. Among them, less penalty time is better, as in ACM "
            f"contests: the minutes to the first right run, plus {wrong_minutes(options)} for each wrong one before "
            "it. If penalties are equal, the earlier right run wins.",
        )

    def row_title(self, title: str, number: int) -> str:
        return f"Version {number}"

    def heading(self, title: str, number: int, player: str) -> str:
        return f"{player}, version {number}"

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        return "Runs"


def wrong_minutes(options: Mapping[str, Any]) -> int:
    """The penalty of a wrong run. Stages from before organisers could choose it lack the option."""
    minutes: int = options.get("wrong_minutes", WRONG_MINUTES)
    return minutes


def _ranking(tables: Sequence[TablePlan], out: Out) -> tuple[Ranked, ...]:
    """Rank teams that are right first; teams that left have no rank. tournaments.kinds.judged adds the penalty time."""
    solved = [table for table in tables if table.scores[0] and table.teams[0] not in out]
    found = [
        Ranked(
            team,
            None if team in out else 1 if table.scores[0] else len(solved) + 1,
            1,
            None,
            table.scores[0],
            table.seats[0].status,
        )
        for table in tables
        for team in table.teams
    ]
    return tuple(sorted(found, key=lambda ranked: (ranked.is_out, ranked.rank or 0)))


FORMAT = JudgedSet()
