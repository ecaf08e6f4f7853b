"""What the desk shows for each kind of stage."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tournaments.formats import Format
from tournaments.forms.ladder import PaceForm
from tournaments.kinds.judged import JUDGED
from tournaments.kinds.ladder import LADDER
from tournaments.kinds.planned import PLANNED
from tournaments.models import Stage

KINDS = "tournaments/desk/kinds"


@dataclass(frozen=True, slots=True)
class Panel:
    """The parts of the pages about a stage that differ by its kind: templates and words."""

    facts: str  # what it has besides a format, teams and a start
    absent: str = ""  # about teams that cannot play; blank where nobody waits for them
    review_versions: str = f"{KINDS}/_review_versions.html"  # which versions play in a review
    drawn: str = ""  # what is drawn, as the start of a sentence; blank where nothing is
    seeding_hint: str = ""  # what follows from the numbers, after "the strongest team number 1"
    after_saving: str = "everybody sees your changes."  # of a published stage
    play_again: str = "Play this round again…"  # the link to a review of a round
    names_tables: bool = True  # what is played has names of its own; otherwise the teams' names stand over it
    has_budget: bool = True  # somebody can tell how many matches there will be


DRAWN_AGAIN = "it is drawn again, and everybody sees the new draw."
ROUNDS = Panel(
    facts=f"{KINDS}/_facts_planned.html",
    absent=f"{KINDS}/_absent_planned.html",
    drawn="This stage",
    after_saving=DRAWN_AGAIN,
)
BRACKET = replace(
    ROUNDS,
    facts=f"{KINDS}/_facts_bracket.html",
    drawn="A bracket",
    seeding_hint="; numbers 1 and 2 can meet only in the final",
)
GOING_ON = Panel(facts=f"{KINDS}/_facts_ladder.html", absent=f"{KINDS}/_absent_ladder.html")
VERDICTS = Panel(
    facts=f"{KINDS}/_facts_judged.html",
    review_versions=f"{KINDS}/_review_pinned.html",
    play_again="Judge all versions again…",
    names_tables=False,
    has_budget=False,
)


class StageDesk:
    """A kind of stage on the organisers' desk."""

    kind: str
    listed_by: tuple[str, ...] = ("table__round", "table__number", "number", "pk")
    """The order of its list of matches."""

    def panel(self, format: Format) -> Panel:
        raise NotImplementedError

    def left_out(self, absent: int, teams: int) -> str:
        """What the start does to teams that cannot play, as a sentence; blank if nothing."""
        return ""

    def pace_form(self, stage: Stage) -> PaceForm | None:
        """The form for changes during play. None: nothing can be changed."""
        return None

    def hidden_games(self, stage: Stage) -> list[str]:
        """The games that only people with a role may see, one per line."""
        return []


class PlannedDesk(StageDesk):
    kind = PLANNED.name

    def panel(self, format: Format) -> Panel:
        return BRACKET if format.is_bracket() else ROUNDS

    def left_out(self, absent: int, teams: int) -> str:
        return f"Teams left out because they have no bot: {absent} of {teams}." if absent else ""


class LadderDesk(StageDesk):
    kind = LADDER.name
    listed_by = ("-resulted",)

    def panel(self, format: Format) -> Panel:
        return GOING_ON

    def pace_form(self, stage: Stage) -> PaceForm:
        return PaceForm.of(stage)


class JudgedDesk(StageDesk):
    kind = JUDGED.name

    def panel(self, format: Format) -> Panel:
        return VERDICTS

    def hidden_games(self, stage: Stage) -> list[str]:
        game = stage.contest.game
        games = stage.played_in.openings(stage.options, game)
        return [game.write_opening(opening) for opening in games[len(game.sample) :]]


DESK: dict[str, StageDesk] = {face.kind: face for face in (PlannedDesk(), LadderDesk(), JudgedDesk())}


def face_of(format: Format) -> StageDesk:
    return DESK[format.kind]
