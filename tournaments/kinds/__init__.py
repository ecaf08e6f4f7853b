"""The kinds of stage: one that follows a plan, a ladder, and a judged problem. Each is one object."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from contest.ledger import Held
from contest.models import Team
from games import referee
from games.engine import Game
from tournaments.formats import Format
from tournaments.formats.plan import Plan, TeamId
from tournaments.kinds.consequences import Imagined, StageImpact
from tournaments.kinds.expected import Expected, Times
from tournaments.kinds.judged import JUDGED
from tournaments.kinds.ladder import LADDER
from tournaments.kinds.planned import PLANNED
from tournaments.kinds.schedule import Changes
from tournaments.kinds.statuses import Told
from tournaments.models import Match, MatchSeat, Stage
from tournaments.results.standings import StageRow
from tournaments.results.visibility import Sight


class Kind(Protocol):
    """What a kind of stage answers. `sight`: by the results that its reader may see alone."""

    name: str
    plays_again: bool
    """Whether a match that is void is played again."""
    has_plan: bool
    """Whether matches are planned, not made from moment to moment."""
    expects_bots: bool
    """Whether a team without a bot at the start misses something."""
    idles: bool
    """Whether nothing may be there to be played for a while, although the stage goes on."""
    why_no_rehearsal: str
    """Why it cannot be rehearsed; blank where it can."""

    # Beginning

    def end_of(self, asked: datetime | None) -> datetime | None:
        """When a stage ends by the clock, of the end that an organiser asks for."""

    def goes_by_numbers(self, stage: Stage) -> bool:
        """Are its entrants ordered by their seed numbers?"""

    def sketch(self, stage: Stage, order: Sequence[TeamId]) -> Plan | None:
        """The plan of a stage that has just begun with these entrants. None: it cannot, or has no plan."""

    def check(self, stage: Stage) -> None:
        """Raise FormatError where the stage could not be played by its entrants."""

    def begin(self, stage: Stage, able: Sequence[TeamId]) -> None:
        """Fix who plays with which version. `able`: the entrants who can play now. The caller saves the stage."""

    def reschedule(self, stage: Stage, ends_at: datetime | None, options: Mapping[str, Any]) -> None:
        """Give a stage that is under way another end and other options. The caller saves it. Raises Refused."""

    def why_not_shorter(self, stage: Stage) -> str:
        """Why a stage that is under way cannot be shortened, in a sentence; blank where it can."""

    def shorten(self, stage: Stage) -> None:
        """Let a stage end after the round under way or, without rounds, now. The caller saves it."""

    def versions_now(self, teams: Collection[TeamId]) -> dict[TeamId, int]:
        """By team, the version that would play a match once more, where it need not be the one of then."""

    # Following results

    def entrants(self, stage: Stage) -> list[TeamId]:
        """In the order of their seeds."""

    def entrant_count(self, stage: Stage) -> int:
        """How many take part; 0 while nobody knows."""

    def plan(self, stage: Stage) -> Plan | None:
        """The stage as it stands. None: nothing is planned. Raises FormatError while there are too few entrants."""

    def follow(self, stage: Stage, contest: Held) -> Changes:
        """Do what follows from the results of a stage that is held, and published or later."""

    def in_line(self, stage: Stage) -> bool:
        """Would `follow` find nothing to do? A look without locks."""

    def moves_on(self, stage: Stage) -> bool:
        """Can anything follow from the result that was just written?"""

    def takes_arrivals(self) -> bool:
        """Could a team that has just come be matched at once?"""

    # How it is drawn

    def is_bracket(self, stage: Stage) -> bool:
        """Do winners go on from table to table?"""

    def is_long(self, stage: Stage) -> bool:
        """May it have thousands of tables, so that they are read as they are written and not planned anew?"""

    def seats_told(self, match: Match, sight: Sight) -> list[tuple[MatchSeat, Told]]:
        """Every team's seat with its status at the table. Empty where there are no tables."""

    # Results

    def games_told(self, game: Game, played: int) -> int:
        """How many games of a match everybody may know of."""

    def write_result(self, game: Game, seats: list[MatchSeat], played: referee.Match) -> None:
        """Write what came of a match into its seats."""

    def hides_games(self, match: Match) -> bool:
        """Has the match games that nobody without a role may know of yet?"""

    # What if

    def in_place_of_void(self, stage: Stage) -> str:
        """A sentence: what is played in place of a void match."""

    def consequences(self, stage: Stage, imagined: Imagined) -> StageImpact | None:
        """What would follow in a stage that has begun. None: nothing there is concerned, or nobody can tell."""

    def expected(self, stage: Stage, teams: int, times: Times) -> Expected | None:
        """What a stage that has not started will take with so many teams. None: nobody can tell, or there are too
        few."""

    # Who stands where

    def ranking(self, stage: Stage) -> list[TeamId]:
        """The teams from which a later stage takes the best. Raises FormatError where there is no plan."""

    def rows(self, stage: Stage, sight: Sight | None = None) -> list[StageRow]:
        """Every entrant with what it has done, best first. Raises FormatError where there is no plan."""

    def export(self, stage: Stage, sight: Sight | None = None) -> Iterator[dict[str, Any]]:
        """Its ranking as values of JSON; nothing while there is none."""

    def champion(self, stage: Stage, sight: Sight) -> Team | None:
        """Who alone is first, once the stage is over."""


KINDS: dict[str, Kind] = {kind.name: kind for kind in (PLANNED, LADDER, JUDGED)}


def of(stage: Stage) -> Kind:
    return of_format(stage.played_in)


def of_format(format: Format) -> Kind:
    return KINDS[format.kind]


__all__ = ["KINDS", "Kind", "of", "of_format"]
