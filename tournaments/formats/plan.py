"""The words in which a format says who meets whom. Pure values: no database, no clock, no chance.

A format is a pure function from the seeding and the results so far to a `Plan`; the scheduler compares the plan with
the matches that are there (schedule.py). Teams are their ids; a house player is `None`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol

from games.engine import Game, Opening

TeamId = int

Place = tuple[int, int]
"""A table's place in the plan: its round and its number in the round, both from 1."""

Feed = tuple[str, int] | tuple[str, int, int, int] | tuple[str]
"""Where a chair's player comes from: ("seed", 4), ("table", round, number, place) or ("house",)."""


class FormatError(ValueError):
    """Options that the format does not take, or too few teams. The text is shown to people."""


@dataclass(frozen=True, slots=True)
class Result:
    """A match as it was played: three parallel lists, one entry a player; None is a house player.

    More points are better here: whoever makes the results turns the sign in games where few points are good.
    """

    players: tuple[TeamId | None, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    disqualified: frozenset[TeamId] = frozenset()  # by the referee, in this match

    @property
    def teams(self) -> frozenset[TeamId]:
        return frozenset(team for team in self.players if team is not None)

    def place(self, team: TeamId) -> int:
        return self.places[self.players.index(team)]

    def score(self, team: TeamId) -> float:
        return self.scores[self.players.index(team)]


Results = Mapping[Place, Mapping[int, Result]]
"""The valid results of a stage: by table, then by the match's number at the table (1 the match, 2 … its play-offs)."""


def combined(results: Sequence[Result]) -> Result:
    """Several matches of the same players as one: scores are added, and places follow from the sums.

    Players stand in the order of the first match; the house's are told apart by their chairs, counted from the teams'.
    Disqualified is who was in any of them.
    """
    if len(results) == 1:
        return results[0]
    players = results[0].players
    sums = [0.0] * len(players)
    for result in results:
        for at, score in zip(_aligned(players, result.players), result.scores, strict=True):
            sums[at] += score
    out = frozenset[TeamId]().union(*(result.disqualified for result in results))
    level = [(player in out, -score) for player, score in zip(players, sums, strict=True)]
    places = tuple(
        len(players) if player in out else 1 + sum(other < own for other in level)
        for player, own in zip(players, level, strict=True)
    )
    return Result(players, places, tuple(sums), out)


def _aligned(first: Sequence[TeamId | None], players: Sequence[TeamId | None]) -> list[int]:
    """Where each of the players sat in the first match: all moved on alike, or else (house) one after the other."""
    count = len(first)
    for by in range(count):
        if all(player == first[(at - by) % count] for at, player in enumerate(players)):
            return [(at - by) % count for at in range(count)]
    house = iter([at for at, player in enumerate(first) if player is None])
    return [next(house) if player is None else first.index(player) for player in players]


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair at a table: taken by a team, or for good by a house player, or (neither) still to be decided."""

    feed: Feed
    team: TeamId | None = None
    house: bool = False

    @property
    def is_known(self) -> bool:
        return self.house or self.team is not None


@dataclass(frozen=True, slots=True)
class WantedMatch:
    """A match that is to be there, whether it has been played or not. Chairs beyond the teams are the house's."""

    number: int  # within the table, from 1
    teams: tuple[TeamId, ...]
    chairs: int  # at the table; a match has more where the game needs more players
    why: str
    playoff: bool = False
    # The players in the order of `teams`, the house's after them, everybody moved on by so many chairs; None: drawn
    # from the match's seed.
    rotation: int | None = None
    # Matches of a table with the same number here have the same deals, game by game; None: deals of its own.
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class TablePlan:
    round: int
    number: int
    name: str
    chairs: tuple[Chair, ...]
    matches: tuple[WantedMatch, ...] = ()
    decided: bool = False
    places: tuple[TeamId, ...] = ()  # once decided: best first, the disqualified last
    advancing: tuple[TeamId, ...] = ()  # once decided: those who go on, best first
    scores: tuple[float, ...] = ()  # parallel to places
    points: tuple[float, ...] = ()  # of the tournament, parallel to places, in formats that give some

    @property
    def place(self) -> Place:
        return self.round, self.number

    @property
    def teams(self) -> tuple[TeamId, ...]:
        return tuple(chair.team for chair in self.chairs if chair.team is not None)

    @property
    def is_bye(self) -> bool:
        """Somebody has nobody to meet."""
        return len(self.teams) == 1 and self.decided and not self.matches


@dataclass(frozen=True, slots=True)
class Ranked:
    """Where a team stands in the stage. Teams that tie share the better rank; `rank` is None while it is still in."""

    team: TeamId
    rank: int | None
    round: int  # the last round it reached; 0: it never sat at a table
    place: int | None  # at its last table, among teams
    score: float | None
    is_out: bool = False  # disqualified or withdrawn, or without a bot when the stage started
    # What the order goes by, parallel to the format's `columns`, most important first; in formats that have some.
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    rounds: tuple[tuple[TablePlan, ...], ...]
    done: bool
    ranking: tuple[Ranked, ...]
    length: int = 0  # rounds in all, where later ones are not drawn yet; 0: those that are there

    def tables(self) -> list[TablePlan]:
        return [table for tables in self.rounds for table in tables]


class Format(Protocol):
    """What a module of this folder offers."""

    slug: str
    title: str
    about: str
    kind: str
    """Of its stages: "planned", "ladder" or "judged" (tournaments.kinds)."""
    page: str
    """How it is drawn: "bracket" (a tree), "rounds", "ladder" or "runs"."""
    runs: bool
    """Every ready version of every team is a match of its own, also of teams that enter while the stage goes on."""
    continuous: bool
    """There is no plan: matches are made from moment to moment (tournaments.kinds.ladder), until the stage ends."""
    by_rounds: bool
    """Nothing new is known before a whole round is over, and a round that has begun stays as it was drawn."""
    least: int
    """Teams that must be able to play for a stage to start."""

    def is_bracket(self) -> bool:
        """Whether winners go on from table to table, as in a tree; else everybody meets others round by round."""

    def draws_by_rounds(self) -> bool:
        """Whether nothing new is known before a whole round is over. A round that has begun stays as it was drawn."""

    def fits(self, game: Game) -> bool:
        """Whether the game can be played in this format."""

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """Complete options: the defaults with the changes on top. Raises FormatError on an unknown or bad value."""

    def plan(
        self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Set[TeamId] = frozenset()
    ) -> Plan:
        """The whole stage as it stands, from the entrants in seed order. `out`: teams that may not go on.

        To the stage's own options comes `seed` (of all chance in the stage), and for formats by rounds `drawn`: by
        place the teams at all tables (also of one team: a bye) of the rounds up to the last of which a match is being
        played or was; in that last one also those who have left their chair since. `playing` are the teams of matches
        that are being played, by place. All may be missing. For a look back such formats plan as many rounds as
        `rounds` says.
        Deterministic; raises FormatError when there are too few teams.
        """

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of `Ranked.values`, as heads of columns."""

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        """The games of every match, in the place of the game's own; empty: the game's own."""

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """How it is played with these options, in sentences for those who take part."""

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        """What people call a round of the plan."""
