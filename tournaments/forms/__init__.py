"""The forms for stages: one module per format, and what they share in stage.py."""

from contest.models import Contest
from tournaments import formats
from tournaments.formats import FormatError
from tournaments.forms import combinations, judged_set, ladder, round_robin, single_elimination, swiss
from tournaments.forms.ladder import PaceForm
from tournaments.forms.stage import PlainForm, Shown, StageForm, VoidForm, initial_of
from tournaments.forms.timetable import RoundsToComeForm, ShiftForm, TimetableForm, field_name

FORMS: dict[str, type[PlainForm]] = {
    module.FORM.format: module.FORM
    for module in (single_elimination, swiss, combinations, round_robin, ladder, judged_set)
}


def form_of(contest: Contest, format: str) -> type[PlainForm]:
    """The form for a format; for a blank one, the first format that fits the game. Raises FormatError."""
    fitting = formats.fitting(contest.game)
    chosen = formats.get(format) if format else fitting[0]
    if chosen not in fitting:
        raise FormatError(f"{contest.game.title} cannot be played as {chosen.title}")
    return FORMS[chosen.slug]


__all__ = [
    "FORMS",
    "PaceForm",
    "PlainForm",
    "RoundsToComeForm",
    "ShiftForm",
    "Shown",
    "StageForm",
    "TimetableForm",
    "VoidForm",
    "field_name",
    "form_of",
    "initial_of",
]
