"""The kinds of stage, each one object: planned stages, ladders and judged problems."""

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
from tournaments.kinds.plans import Restored
from tournaments.kinds.schedule import Changes
from tournaments.kinds.statuses import Told
from tournaments.models import Match, MatchSeat, Stage
from tournaments.results.visibility import Sight


class Kind(Protocol):
    """What a kind of stage provides. With a `sight`, only the results that its reader may see count."""

    name: str
    plays_again: bool
    """Whether a void match is played again."""
    has_plan: bool
    """Whether matches are planned. Otherwise they are made as the stage goes on."""
    expects_bots: bool
    """Whether a team without a bot at the start misses something."""
    idles: bool
    """Whether a stage in progress may have nothing to play for a while."""
    why_no_rehearsal: str
    """Why it cannot be rehearsed; blank if it can."""

    # Beginning

    def end_of(self, asked: datetime | None) -> datetime | None:
        """When a stage ends by the clock, given the end that an organiser asks for."""

    def goes_by_numbers(self, stage: Stage) -> bool:
        """Whether its entrants are ordered by their seed numbers."""

    def sketch(self, stage: Stage, order: Sequence[TeamId]) -> Plan | None:
        """The plan of a stage that has just started with these entrants. None: no plan, or it is impossible."""

    def check(self, stage: Stage) -> None:
        """Raise FormatError if its entrants could not play the stage."""

    def begin(self, stage: Stage, able: Sequence[TeamId]) -> None:
        """Fix who plays which version. `able`: the entrants that can play now. The caller saves the stage."""

    def reschedule(self, stage: Stage, ends_at: datetime | None, options: Mapping[str, Any]) -> None:
        """Change the end and the options of a stage in progress. The caller saves it. Raises Refused."""

    def why_not_shorter(self, stage: Stage) -> str:
        """Why a stage in progress cannot be shortened, as a sentence; blank if it can."""

    def shorten(self, stage: Stage) -> None:
        """End a stage after the round in progress or, without rounds, now. The caller saves it."""

    def versions_now(self, teams: Collection[TeamId]) -> dict[TeamId, int]:
        """By team, the version that would replay a match, for teams that need not use the original one."""

    # Following results

    def entrants(self, stage: Stage) -> list[TeamId]:
        """The entrants in seed order."""

    def entrant_count(self, stage: Stage) -> int:
        """The number of entrants; 0 while it is unknown."""

    def plan(self, stage: Stage) -> Plan | None:
        """The stage as it stands. None: this kind has no plan. Raises FormatError while there are too few entrants."""

    def look_ahead(self, stage: Stage) -> object:
        """What `follow` is told, computed before anything is locked. None: nothing."""

    def follow(self, stage: Stage, contest: Held, ahead: object) -> Changes:
        """Do what follows from the results. The stage must be locked, and published or later."""

    def in_line(self, stage: Stage) -> bool:
        """Whether `follow` would find nothing to do. Reads without locks."""

    def moves_on(self, stage: Stage) -> bool:
        """Whether anything can follow from the result just written."""

    def takes_arrivals(self) -> bool:
        """Whether a team that has just arrived could be matched at once."""

    # Drawing

    def is_bracket(self, stage: Stage) -> bool:
        """Whether winners advance from table to table."""

    def is_long(self, stage: Stage) -> bool:
        """Whether it may have thousands of tables, so that pages read them from the database and never plan anew."""

    def seats_told(self, match: Match, sight: Sight) -> list[tuple[MatchSeat, Told]]:
        """Each team's seat with its status at the table. Empty if there are no tables."""

    # Results

    def games_told(self, game: Game, played: int) -> int:
        """How many games of a match everybody may know of."""

    def fill_result(self, game: Game, seats: list[MatchSeat], played: referee.Match) -> None:
        """Set the outcome of a match in its seats. The caller writes them."""

    def hides_games(self, match: Match) -> bool:
        """Whether the match has games that only people with a role may know of yet."""

    # What if

    def in_place_of_void(self, stage: Stage) -> str:
        """What is played in place of a void match, as a sentence."""

    def restored(self, stage: Stage, match: Match) -> Restored:
        """Return what changes if a void match is restored. Its table must stand, and no other result may count there.
        Raises Refused if the stage no longer has a place for it."""

    def consequences(self, stage: Stage, imagined: Imagined) -> StageImpact | None:
        """What would change in a stage that has begun. None: nothing, or it cannot be computed."""

    def expected(self, stage: Stage, teams: int, times: Times) -> Expected | None:
        """What a stage that has not started will take with this many teams. None: unknown, or too few teams."""

    # Rankings

    def ranking(self, stage: Stage) -> list[TeamId]:
        """The teams from which a later stage takes the best. Raises FormatError if there is no plan."""

    def export(self, stage: Stage, sight: Sight) -> Iterator[dict[str, Any]]:
        """Its ranking as JSON values; nothing while there is none."""

    def champion(self, stage: Stage, sight: Sight) -> Team | None:
        """The team alone in first place, once the stage is over."""


KINDS: dict[str, Kind] = {kind.name: kind for kind in (PLANNED, LADDER, JUDGED)}


def of(stage: Stage) -> Kind:
    return of_format(stage.played_in)


def of_format(format: Format) -> Kind:
    return KINDS[format.kind]


__all__ = ["KINDS", "Kind", "of", "of_format"]
