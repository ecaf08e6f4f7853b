"""What the desk shows for each kind of stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tournaments.desk.forms.ladder import PaceForm
from tournaments.formats import Format
from tournaments.kinds.judged import JUDGED
from tournaments.kinds.ladder import LADDER
from tournaments.kinds.planned import PLANNED
from tournaments.models import Stage
from tournaments.organising.stage_durations import StageBudget, stage_budget


@dataclass(frozen=True, slots=True)
class Panel:
    """The parts that a stage's desk pages have."""

    is_judged: bool = False  # versions are judged; no seats, no draw
    goes_on: bool = False  # its end can be moved, and teams come and go
    is_bracket: bool = False  # a bracket, with play-offs

    @property
    def is_planned(self) -> bool:
        """Whether it has a draw, which organisers can view before the start."""
        return not (self.is_judged or self.goes_on)


class StageDesk(Protocol):
    """A kind of stage on the organisers' desk."""

    kind: str
    listed_by: tuple[str, ...]
    """The order of its list of matches."""

    def panel(self, format: Format) -> Panel: ...

    def budget(self, sketch: Callable[[], Stage]) -> StageBudget | None:
        """The estimate for a stage that somebody is filling in. None: unknown."""

    def pace_form(self, stage: Stage) -> PaceForm | None:
        """The form for changes during play. None: nothing can be changed."""

    def hidden_games(self, stage: Stage) -> list[str]:
        """The games that only people with a role may see, one per line."""


class PlannedDesk:
    kind = PLANNED.name
    listed_by: tuple[str, ...] = ("table__round", "table__number", "number", "pk")

    def panel(self, format: Format) -> Panel:
        return Panel(is_bracket=format.is_bracket())

    def budget(self, sketch: Callable[[], Stage]) -> StageBudget | None:
        return stage_budget(sketch())

    def pace_form(self, stage: Stage) -> None:
        """None: nothing can be changed."""

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
        """None: nobody knows how many versions will come."""

    def pace_form(self, stage: Stage) -> None:
        """None: nothing can be changed."""

    def hidden_games(self, stage: Stage) -> list[str]:
        game = stage.contest.game
        games = stage.played_in.openings(stage.options, game)
        return [game.write_opening(opening) for opening in games[len(game.sample) :]]


DESK: dict[str, StageDesk] = {face.kind: face for face in (PlannedDesk(), LadderDesk(), JudgedDesk())}


def face_of(format: Format) -> StageDesk:
    return DESK[format.kind]
