"""What the desk shows of a stage, by its kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tournaments.desk.forms import PaceForm
from tournaments.formats import Format
from tournaments.kinds.judged import JUDGED
from tournaments.kinds.ladder import LADDER
from tournaments.kinds.planned import PLANNED
from tournaments.models import Stage
from tournaments.organising.durations import StageBudget, stage_budget


@dataclass(frozen=True, slots=True)
class Panel:
    """Which parts the pages about a stage have."""

    is_judged: bool = False  # versions that are judged; no seats, no draw
    goes_on: bool = False  # an end that can be moved, and teams that come and go
    is_bracket: bool = False  # a bracket, with ties that are played off

    @property
    def is_planned(self) -> bool:
        """A draw, which can be looked at before the start."""
        return not (self.is_judged or self.goes_on)


class StageDesk(Protocol):
    """The face of a kind of stage on the organiser's desk."""

    kind: str
    listed_by: tuple[str, ...]
    """The order in which its matches are listed."""

    def panel(self, format: Format) -> Panel: ...

    def budget(self, sketch: Callable[[], Stage]) -> StageBudget | None:
        """What a stage takes that somebody is filling in. None: nobody can tell."""

    def pace_form(self, stage: Stage) -> PaceForm | None:
        """What can be changed while it is played, if anything can."""

    def hidden_games(self, stage: Stage) -> list[str]:
        """The games that only those with a role may see, a line each."""


class PlannedDesk:
    kind = PLANNED.name
    listed_by: tuple[str, ...] = ("table__round", "table__number", "number", "pk")

    def panel(self, format: Format) -> Panel:
        return Panel(is_bracket=format.is_bracket())

    def budget(self, sketch: Callable[[], Stage]) -> StageBudget | None:
        return stage_budget(sketch())

    def pace_form(self, stage: Stage) -> None:
        """Nothing."""

    def hidden_games(self, stage: Stage) -> list[str]:
        return []


class LadderDesk:
    kind = LADDER.name
    listed_by: tuple[str, ...] = ("-resulted",)

    def panel(self, format: Format) -> Panel:
        return Panel(goes_on=True)

    def budget(self, sketch: Callable[[], Stage]) -> StageBudget | None:
        return stage_budget(sketch())

    def pace_form(self, stage: Stage) -> PaceForm:
        return PaceForm.of(stage)

    def hidden_games(self, stage: Stage) -> list[str]:
        return []


class JudgedDesk:
    kind = JUDGED.name
    listed_by: tuple[str, ...] = ("table__round", "table__number", "number", "pk")

    def panel(self, format: Format) -> Panel:
        return Panel(is_judged=True)

    def budget(self, sketch: Callable[[], Stage]) -> None:
        """Nobody knows how many versions will come."""

    def pace_form(self, stage: Stage) -> None:
        """Nothing."""

    def hidden_games(self, stage: Stage) -> list[str]:
        game = stage.contest.game
        games = stage.played_in.openings(stage.options, game)
        return [game.write_opening(opening) for opening in games[len(game.sample) :]]


DESK: dict[str, StageDesk] = {face.kind: face for face in (PlannedDesk(), LadderDesk(), JudgedDesk())}


def face_of(format: Format) -> StageDesk:
    return DESK[format.kind]
