"""The form for a ladder."""

from __future__ import annotations

from typing import Any

from django import forms

from contest.forms import EditForm
from contest.models import Contest
from contest.setup_forms import moment
from tournaments.formats.ladder import LONGEST_PAUSE, MOST_MINUTES
from tournaments.forms.stage import StageForm, games_said
from tournaments.models import Stage

PAUSE = 30  # seconds: without it, two quick bots would play a million matches in a month


def final_minutes() -> forms.IntegerField:
    return forms.IntegerField(
        label="Final phase, in minutes",
        min_value=0,
        max_value=MOST_MINUTES,
        help_text="In these last minutes, every team that has a bot or was ever connected is matched, even if it is "
        "away. A team that is absent loses. Enter 0 for no final phase.",
    )


def pause() -> forms.IntegerField:
    return forms.IntegerField(
        label="Rest between matches, in seconds",
        min_value=0,
        max_value=LONGEST_PAUSE,
        help_text="The shortest rest between two matches of a team. With 0, quick bots play dozens a minute.",
    )


class LadderForm(StageForm):
    format = "ladder"
    intro = (
        "Ladder: until the end, the portal keeps matching teams of similar rating that have an active version or are "
        "connected. A team always plays with its active version."
    )
    UNUSED = ("freeze_versions", "seeding", "check_in_closes_at")
    OWN = ("final_minutes", "pause")
    OWN_TITLE = "Matches"
    first_name = "Ladder"

    ends_at = moment("Ends at", "No match starts later. Leave it empty to end the ladder yourself.", required=False)
    final_minutes = final_minutes()
    pause = pause()

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(contest, stage, *args, **kwargs)
        if "games" in self.fields:
            self.fields["games"].label = "Games in a match"

    @classmethod
    def defaults(cls, contest: Contest) -> dict[str, Any]:
        return {**super().defaults(contest), "pause": PAUSE}

    @classmethod
    def said(cls, stage: Stage) -> str:
        minutes, pause = stage.options["final_minutes"], stage.options["pause"]
        last = f", everybody in the last {minutes} minutes" if minutes else ""
        rest = f", {pause} seconds of rest between matches" if pause else ""
        return f"tables of {stage.options['table_size']}, {games_said(stage, 'in a match')}{last}{rest}"

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        starts, ends = data.get("starts_at"), data.get("ends_at")
        if starts and ends and ends <= starts:
            self.add_error("ends_at", "The end must be after the start.")
        return data


class PaceForm(EditForm):
    """What can change while a ladder is running."""

    ends_at = moment("Ends at", "No match starts later. Leave it empty to end the ladder yourself.", required=False)
    final_minutes = final_minutes()
    pause = pause()

    @classmethod
    def of(cls, stage: Stage, data: Any = None) -> PaceForm:
        """The form with the ladder's present values."""
        return cls(data, initial={"ends_at": stage.ends_at, **stage.options})

    def options(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("final_minutes", "pause")}


FORM = LadderForm
