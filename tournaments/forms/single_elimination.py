"""The form for a bracket."""

from __future__ import annotations

from typing import Any

from django import forms

from tournaments.forms.stage import StageForm, games_said
from tournaments.models import Stage


class BracketForm(StageForm):
    format = "single_elimination"
    intro = (
        "Single elimination: the best of every table advance, until only the final is left. Empty seats are spread "
        "evenly, starting at the tables of the highest seeds. House players fill them and never advance."
    )
    OWN = ("advance", "best_of", "third_place", "playoff_all")
    OWN_TITLE = "Tables"
    first_name = "Cup"

    advance = forms.TypedChoiceField(
        label="Teams that advance from a table",
        coerce=int,
        choices=[(1, "1"), (2, "2")],
        help_text="Two can advance only from tables of four. A tie for the last advancing place goes to a play-off.",
    )
    best_of = forms.TypedChoiceField(
        label="Matches at a table",
        coerce=int,
        required=False,
        choices=[(1, "1"), *((most, f"best of {most}") for most in (3, 5, 7, 9))],
        help_text="For tables of two: the seats are swapped from match to match until one team has won the majority.",
    )
    third_place = forms.BooleanField(
        label="Match for third place",
        required=False,
        help_text="The losers of the semi-finals meet during the final.",
    )
    playoff_all = forms.BooleanField(
        label="Play off every tie in the final",
        required=False,
        help_text="Otherwise only a tie for first place.",
    )

    @classmethod
    def said(cls, stage: Stage) -> str:
        options = stage.options
        advance = "1 advances" if options["advance"] == 1 else f"{options['advance']} advance"
        series = f", best of {options['best_of']} matches" if options.get("best_of", 1) > 1 else ""
        third = ", a match for third place" if options.get("third_place") else ""
        return f"tables of {options['table_size']}, {advance}, {games_said(stage)}{series}{third}"

    def clean_best_of(self) -> int:
        return int(self.cleaned_data["best_of"] or 1)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("advance") == 2 and data.get("table_size") == 2:
            self.add_error("advance", "Only one team can advance from a table of two.")
        if data.get("best_of", 1) > 1 and data.get("table_size") == 4:
            self.add_error("best_of", "Only tables of two can play a series of matches.")
        return data


FORM = BracketForm
