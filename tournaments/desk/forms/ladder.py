"""The form of a ladder."""

from __future__ import annotations

from typing import Any

from django import forms

from contest.models import Contest
from contest.setup_forms import moment
from tournaments.desk.forms.stage import StageForm, games_said
from tournaments.formats.ladder import LONGEST_PAUSE, MOST_MINUTES
from tournaments.models import Stage

PAUSE = 30  # seconds: two quick bots would play a million matches in a month without


def final_minutes() -> forms.IntegerField:
    return forms.IntegerField(
        label="Last minutes in which everybody plays",
        min_value=0,
        max_value=MOST_MINUTES,
        help_text="Before the end, every team that has a bot or has ever been connected is scheduled, whether it is "
        "there or not: who is not there loses. A team without any program is left alone. 0: never.",
    )


def pause() -> forms.IntegerField:
    return forms.IntegerField(
        label="Rest between matches, in seconds",
        min_value=0,
        max_value=LONGEST_PAUSE,
        help_text="How long a team rests between two of its matches, at least. With 0, quick bots play dozens of them "
        "a minute.",
    )


class LadderForm(StageForm):
    format = "ladder"
    intro = (
        "Ladder: teams that are there, with a version or connected, are matched all the time with others near in "
        "rating, until the end. Always the active version plays."
    )
    OWN = ("final_minutes", "pause")
    OWN_TITLE = "Matches"
    first_name = "Ladder"

    ends_at = moment("Ends at", "No match begins after that. May stay empty: then you stop it.")
    final_minutes = final_minutes()
    pause = pause()

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(contest, stage, *args, **kwargs)
        self.fields["ends_at"].required = False
        if "games" in self.fields:
            self.fields["games"].label = "Games of a match"

    @classmethod
    def defaults(cls, contest: Contest) -> dict[str, Any]:
        return {**super().defaults(contest), "pause": PAUSE}

    @classmethod
    def said(cls, stage: Stage) -> str:
        minutes, pause = stage.options["final_minutes"], stage.options["pause"]
        last = f", everybody in the last {minutes} minutes" if minutes else ""
        rest = f", {pause} seconds of rest" if pause else ""
        return f"tables of {stage.options['table_size']}, {games_said(stage, 'a match')}{last}{rest}"

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        starts, ends = data.get("starts_at"), data.get("ends_at")
        if starts and ends and ends <= starts:
            self.add_error("ends_at", "It must end after it starts.")
        return data


class PaceForm(forms.Form):
    """What can be changed of a ladder while it is played."""

    ends_at = moment("Ends at", "No match begins after that. Empty: when you stop it.")
    final_minutes = final_minutes()
    pause = pause()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ends_at"].required = False

    @classmethod
    def of(cls, stage: Stage) -> PaceForm:
        """As the ladder is now."""
        return cls(initial={"ends_at": stage.ends_at, **stage.options})

    def options(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("final_minutes", "pause")}


FORM = LadderForm
