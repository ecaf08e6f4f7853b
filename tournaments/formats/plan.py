"""What a format says about a stage: its tables, who sits where, with what result. Values only, no database, no clock.

A format is a pure function from the seeding and the results so far to a `Plan`. The scheduler compares that plan with
the matches that exist (kinds/schedule.py). A team is its id; a house player is `None`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from games.engine import Game, Opening

TeamId = int

TableKey = tuple[int, int]
"""Where a table is in the plan: its round and its number in the round, both from 1."""

Feed = tuple[str, int] | tuple[str, int, int, int] | tuple[str]
"""Where a seat's player comes from: ("seed", 4), ("table", round, number, place) or ("house",)."""


class Status(StrEnum):
    """What became of a seat at a table. `wording.seat_sentence` says it to people."""

    AWAITED = "awaited"  # it is not known yet who sits here
    DUE = "due"  # plays here, or is still in
    PLACED = "placed"  # has a place, and nobody advances from this table
    ADVANCED = "advanced"
    ELIMINATED = "eliminated"
    BYE = "bye"  # nobody to play against
    HOUSE = "house"
    NO_BOT = "no_bot"
    DISQUALIFIED_REFEREE = "disqualified_referee"
    DISQUALIFIED_ORGANISERS = "disqualified_organisers"
    WITHDREW = "withdrew"
    PROMOTED = "promoted"  # advanced because a team that came before it has left


DEPARTED = frozenset({Status.NO_BOT, Status.DISQUALIFIED_ORGANISERS, Status.WITHDREW})

Out = Mapping[TeamId, Status]
"""The teams that may not go on, each with how it left: one of `DEPARTED`."""


NOBODY: Out = MappingProxyType({})


class FormatError(ValueError):
    """Options that the format does not take, or too few teams. The text is shown to people."""


@dataclass(frozen=True, slots=True)
class Result:
    """A match as it was played: three parallel lists, one entry for each player; None is a house player.

    More points are better here. Where a game counts the other way, whoever makes the results changes the sign.
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

    @property
    def winner(self) -> TeamId | None:
        """The team that was better than all other teams, whatever the house did."""
        fit = self.teams - self.disqualified
        best = min(map(self.place, fit), default=0)
        first = [team for team in fit if self.place(team) == best]
        return first[0] if len(first) == 1 else None


Results = Mapping[TableKey, Mapping[int, Result]]
"""The valid results of a stage: by table, then by the match's number at the table (1 the match, 2 … its play-offs)."""


def combined(results: Sequence[Result]) -> Result:
    """Several matches of the same players as one: scores are added, and places follow from the sums.

    Players are in the order of the first match. House players are told apart by how far they sit from the teams. A
    player who was disqualified in any of the matches is disqualified.
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
    """Where each player sat in the first match: all moved on by as many seats, or else house players in turn."""
    count = len(first)
    for by in range(count):
        if all(player == first[(at - by) % count] for at, player in enumerate(players)):
            return [(at - by) % count for at in range(count)]
    house = iter([at for at, player in enumerate(first) if player is None])
    return [next(house) if player is None else first.index(player) for player in players]


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table: a team's, or a house player's for good, or (neither) still to be decided."""

    feed: Feed
    team: TeamId | None = None
    house: bool = False
    status: Status = Status.AWAITED
    place: int | None = None  # as played at this table; it stays when somebody leaves later
    score: float | None = None
    instead_of: TeamId | None = None  # the team that left, whose seat or whose way on this is

    @property
    def is_known(self) -> bool:
        return self.house or self.team is not None

    @classmethod
    def of_team(cls, feed: Feed, team: TeamId) -> Seat:
        return cls(feed, team, status=Status.DUE)

    @classmethod
    def of_house(cls, feed: Feed = ("house",)) -> Seat:
        return cls(feed, house=True, status=Status.HOUSE)

    @classmethod
    def left_by(cls, feed: Feed, team: TeamId, status: Status) -> Seat:
        """A seat that a house player takes because this team left it before anything was played."""
        return cls(feed, house=True, status=status, instead_of=team)


@dataclass(frozen=True, slots=True)
class WantedMatch:
    """A match that must exist, played or not. Seats beyond the teams are for house players."""

    number: int  # within the table, from 1
    teams: tuple[TeamId, ...]
    seats: int  # at the table; a match has more where the game needs more players
    why: str
    playoff: bool = False
    # Players in the order of `teams`, then house players, all moved on by so many seats; None: by lot from the seed.
    rotation: int | None = None
    # Matches of a table with the same number here have the same deals, game by game; None: deals of its own.
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table of the plan: who sits there, what is played, and once it is decided what came of it."""

    round: int
    number: int
    name: str
    seats: tuple[Seat, ...]
    matches: tuple[WantedMatch, ...] = ()
    decided: bool = False
    places: tuple[TeamId, ...] = ()  # once decided: the teams as they were placed, best first
    advancing: tuple[TeamId, ...] = ()  # once decided: those who go on, best first
    scores: tuple[float, ...] = ()  # parallel to places
    points: tuple[float, ...] = ()  # of the tournament, parallel to places, in formats that give some

    @property
    def key(self) -> TableKey:
        return self.round, self.number

    @property
    def teams(self) -> tuple[TeamId, ...]:
        return tuple(seat.team for seat in self.seats if seat.team is not None)

    @property
    def is_bye(self) -> bool:
        """Does somebody sit here without an opponent?"""
        return len(self.teams) == 1 and self.decided and not self.matches

    def seat_of(self, team: TeamId) -> Seat:
        return next(seat for seat in self.seats if seat.team == team)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Where a team stands in the stage. Teams that tie share the better rank.

    `rank` is None while a team is still in, and for a team that has left.
    """

    team: TeamId
    rank: int | None
    round: int  # the last round in which it sat; 0: it never sat at a table
    place: int | None  # at its last table, as played
    score: float | None
    status: Status = Status.DUE  # of its last seat
    # What the order goes by, parallel to the format's `columns`, most important first; in formats that have some.
    values: tuple[float, ...] = ()

    @property
    def is_out(self) -> bool:
        """Has it left the ranking? A team that the referee disqualified has a rank, unless the format takes it away."""
        return self.status in DEPARTED or (self.status == Status.DISQUALIFIED_REFEREE and self.rank is None)


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole stage as it stands."""

    rounds: tuple[tuple[TablePlan, ...], ...]
    done: bool
    ranking: tuple[Ranked, ...]
    length: int = 0  # rounds in all, where later ones are not drawn yet; 0: those that are there

    def tables(self) -> list[TablePlan]:
        return [table for tables in self.rounds for table in tables]


class Plain:
    """What a format is unless it says otherwise."""

    kind = "planned"
    rated = True
    under_way = "Being played"
    ends_with_contest = False

    def is_bracket(self) -> bool:
        return False

    def draws_by_rounds(self) -> bool:
        return False

    def match_title(self, match: str, where: str) -> str:
        return f"{where} ({match.lower()})"

    def row_title(self, title: str, number: int) -> str:
        return title

    def heading(self, title: str, number: int, player: str) -> str:
        return title


class Format(Protocol):
    """What a module of this folder offers."""

    slug: str
    title: str
    about: str
    kind: str
    """Of its stages: "planned", "ladder" or "judged" (tournaments.kinds)."""
    rated: bool
    """Whether results go into the ratings of the contest."""
    under_way: str
    """What people call the state of a stage that has begun."""
    ends_with_contest: bool
    """Whether nothing more can come of a stage once the contest has ended, also while some of it waits."""
    least: int
    """How many teams must be able to play for a stage to start."""

    def is_bracket(self) -> bool:
        """Whether winners go on from table to table, as in a tree; else everybody meets others round by round."""

    def draws_by_rounds(self) -> bool:
        """Whether nothing new is known before a whole round is over. A round that has begun stays as it was drawn."""

    def fits(self, game: Game) -> bool:
        """Whether the game can be played in this format."""

    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """Complete options: the defaults with the changes on top. Raises FormatError on an unknown or bad value."""

    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        """Return the whole stage as it stands, from the entrants in seed order.

        Besides the stage's own options there are some that may be missing: `seed`, the source of all chance in the
        stage; `playing`, the teams of matches in progress, by table; and for formats that play round by round `drawn`
        and `rounds`. `drawn` holds by table the teams of every round up to the last in which a match is being played
        or was played (a single team: a bye), in that last round also those that have left their seat since. `rounds`
        says how many rounds to plan, for a look back.

        Deterministic. Raises FormatError when there are too few teams.
        """

    def counts_house(self, options: Mapping[str, Any]) -> bool:
        """Do house players count in the places of a match? Not where two teams meet: they only make it possible."""

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of `Ranked.values`, as headings of columns."""

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        """The games of every match, where the format sets them; empty: the game deals its own."""

    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """How it is played with these options, in sentences for contestants."""

    def match_title(self, match: str, where: str) -> str:
        """What people call a match. `match`: its own name; `where`: its table, and which of the matches there it is."""

    def row_title(self, title: str, number: int) -> str:
        """What stands for a match in a list that names its players too. `number`: within its table."""

    def heading(self, title: str, number: int, player: str) -> str:
        """The heading of a page about a match. `player`: the first one."""

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        """What people call a round of the plan."""
