"""What a format says about a stage: its tables, who sits where, and the results. Values only, no database, no clock.

A format is a pure function from the seeding and the results so far to a `Plan`. The scheduler compares that plan with
the matches that exist (kinds/schedule.py). A team is its id; a house player is `None`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from games.engine import Game, Opening

TeamId = int

TableKey = tuple[int, int]
"""The position of a table in the plan: its round and its number in the round, both from 1."""

Feed = tuple[str, int] | tuple[str, int, int, int] | tuple[str]
"""Where a seat's player comes from: ("seed", 4), ("table", round, number, place) or ("house",)."""


class Status(StrEnum):
    """What became of a seat at a table. `wording.seat_sentence` says it to people."""

    AWAITED = "awaited"  # nobody knows yet who sits here
    DUE = "due"  # plays here, or is still in
    PLACED = "placed"  # has a place, at a table from which nobody advances
    ADVANCED = "advanced"
    ELIMINATED = "eliminated"
    BYE = "bye"  # had no opponent
    HOUSE = "house"
    NO_BOT = "no_bot"
    DISQUALIFIED_REFEREE = "disqualified_referee"
    DISQUALIFIED_ORGANISERS = "disqualified_organisers"
    WITHDREW = "withdrew"
    PROMOTED = "promoted"  # advanced because a team placed above it has left


DEPARTED = frozenset({Status.NO_BOT, Status.DISQUALIFIED_ORGANISERS, Status.WITHDREW})

Out = Mapping[TeamId, Status]
"""The teams that may not go on, each with the way it left: one of `DEPARTED`."""


NOBODY: Out = MappingProxyType({})


class FormatError(ValueError):
    """Options that the format does not accept, or too few teams. Pages show the text to people."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match: three parallel lists with one entry per player. None is a house player.

    Higher scores are better here. For games in which lower is better, the caller changes the sign.
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
    """Combine several matches of the same players: scores are added, and places follow from the sums.

    Players are in the order of the first match. House players are told apart by their distance from the teams. A
    player disqualified in any match is disqualified.
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
    """Where each player sat in the first match: all rotated by the same number of seats, or house players in turn."""
    count = len(first)
    for by in range(count):
        if all(player == first[(at - by) % count] for at, player in enumerate(players)):
            return [(at - by) % count for at in range(count)]
    house = iter([at for at, player in enumerate(first) if player is None])
    return [next(house) if player is None else first.index(player) for player in players]


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table: a team's, a house player's for good, or (neither) still open."""

    feed: Feed
    team: TeamId | None = None
    house: bool = False
    status: Status = Status.AWAITED
    place: int | None = None  # as played at this table; it stays if somebody leaves later
    score: float | None = None
    instead_of: TeamId | None = None  # the team that left and whose seat, or way on, this is

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
        """A seat that a house player takes because the team left it before anything was played."""
        return cls(feed, house=True, status=status, instead_of=team)


@dataclass(frozen=True, slots=True)
class WantedMatch:
    """A match that must exist, whether played or not. Seats beyond the teams are for house players."""

    number: int  # within the table, from 1
    teams: tuple[TeamId, ...]
    seats: int  # at the table; a match has more if the game needs more players
    why: str
    playoff: bool = False
    # Players in the order of `teams`, then house players, rotated by this many seats; None: shuffled by the seed.
    rotation: int | None = None
    # Matches of a table with the same number here share their deals, game by game; None: deals of its own.
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table of the plan: who sits there, what is played and, once decided, the outcome."""

    round: int
    number: int
    name: str
    seats: tuple[Seat, ...]
    matches: tuple[WantedMatch, ...] = ()
    decided: bool = False
    places: tuple[TeamId, ...] = ()  # once decided: the teams by place, best first
    advancing: tuple[TeamId, ...] = ()  # once decided: the teams that advance, best first
    scores: tuple[float, ...] = ()  # parallel to places
    points: tuple[float, ...] = ()  # tournament points, parallel to places, in formats that award them

    @property
    def key(self) -> TableKey:
        return self.round, self.number

    @property
    def teams(self) -> tuple[TeamId, ...]:
        return tuple(seat.team for seat in self.seats if seat.team is not None)

    @property
    def is_bye(self) -> bool:
        """Whether a team sits here without an opponent."""
        return len(self.teams) == 1 and self.decided and not self.matches

    def seat_of(self, team: TeamId) -> Seat:
        return next(seat for seat in self.seats if seat.team == team)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A team's rank in the stage. Teams that tie share the better rank.

    `rank` is None while a team is still in, and for a team that has left.
    """

    team: TeamId
    rank: int | None
    round: int  # the last round in which it had a seat; 0: none
    place: int | None  # at its last table, as played
    score: float | None
    status: Status = Status.DUE  # of its last seat
    # The ranking criteria, parallel to the format's `columns`, most important first; in formats that have some.
    values: tuple[float, ...] = ()

    @property
    def is_out(self) -> bool:
        """Whether it has left the ranking. Teams disqualified by the referee keep a rank, unless the format differs."""
        return self.status in DEPARTED or (self.status == Status.DISQUALIFIED_REFEREE and self.rank is None)


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole stage as it stands now."""

    rounds: tuple[tuple[TablePlan, ...], ...]
    done: bool
    ranking: tuple[Ranked, ...]
    length: int = 0  # rounds in total, if later ones are not drawn yet; 0: as many as there are
    rankings: Mapping[int, tuple[Ranked, ...]] = field(default_factory=dict, compare=False)  # after rounds, if known

    def tables(self) -> list[TablePlan]:
        return [table for tables in self.rounds for table in tables]


class Format(ABC):
    """What each module of this folder provides."""

    slug: str
    title: str
    about: str
    kind: str = "planned"
    """The kind of its stages: "planned", "ladder" or "judged" (tournaments.kinds)."""
    rated: bool = True
    """Whether results count for the contest's ratings."""
    under_way: str = "In progress"
    """The display name of the state of a stage in progress."""
    ends_with_contest: bool = False
    """Whether a stage is over when the contest ends, even if some matches still wait."""
    least: int
    """The number of teams that must be able to play before a stage can start."""

    def is_bracket(self) -> bool:
        """Whether winners advance from table to table. Otherwise teams meet round by round."""
        return False

    def draws_by_rounds(self) -> bool:
        """Whether the next round is drawn only after a whole round. A round that has begun stays as it was drawn."""
        return False

    def ranks_by_round(self) -> bool:
        """Whether the order of the teams that reached the same round (`Ranked.round`) goes by that round alone."""
        return False

    def fits(self, game: Game) -> bool:
        """Whether the game can be played in this format."""
        return game.seats[1] > 1

    @abstractmethod
    def options(self, changes: Mapping[str, Any], game: Game) -> dict[str, Any]:
        """Return the defaults with the changes on top. Raises FormatError for unknown or bad values."""

    @abstractmethod
    def plan(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out = NOBODY) -> Plan:
        """Return the whole stage as it stands, from the entrants in seed order.

        Besides the stage's own options there are optional ones. `seed` is the source of all chance in the stage.
        `schools` maps the teams of the draw (their ids as text) to schools ("": none), if the stage keeps them apart.
        `playing` maps tables to the teams of matches in progress. Formats that play round by round also take `drawn`
        and `rounds`. `drawn` maps tables to their teams, for every round up to the last one in which a match was
        played or is in progress; a single team has a bye. In that last round it includes teams that have left their
        seat since. `rounds` limits how many rounds to plan, for a look at the past.

        Deterministic. Raises FormatError if there are too few teams.
        """

    def counts_house(self, options: Mapping[str, Any]) -> bool:
        """Whether house players count in places. Not if only two teams meet: they only make the game possible."""
        return bool(options.get("table_size", 2) > 2)

    def columns(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The column headings for `Ranked.values`."""
        return ()

    def openings(self, options: Mapping[str, Any], game: Game) -> list[Opening]:
        """The games of every match, if the format sets them. Empty: the game deals its own."""
        return []

    @abstractmethod
    def rules(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The rules of the format with these options, as sentences for contestants."""

    def match_title(self, match: str, where: str) -> str:
        """The display name of a match. `match`: its own name. `where`: its table, and its number there if needed."""
        return f"{where} ({match.lower()})"

    def row_title(self, title: str, number: int) -> str:
        """The name of a match in a list that also shows its players. `number`: within its table."""
        return title

    def heading(self, title: str, number: int, player: str) -> str:
        """The heading of a match page. `player`: the first one."""
        return title

    def round_name(self, number: int, tables_by_round: list[int], options: Mapping[str, Any]) -> str:
        """The display name of a round of the plan."""
        return f"Round {number}"
