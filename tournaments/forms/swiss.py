"""The form for a Swiss system."""

from __future__ import annotations

from django import forms

from tournaments.formats.swiss import MOST_ROUNDS
from tournaments.forms.stage import StageForm, games_said
from tournaments.models import Stage


class SwissForm(StageForm):
    format = "swiss"
    intro = (
        "Swiss system: in every round, teams with similar points meet, and nobody is eliminated. Tables of four award "
        "3, 2, 1 and 0 points by place, and house players fill the weakest table. At tables of two, a win is worth one "
        "point, and a team without an opponent gets a bye, which counts as a win."
    )
    OWN = ("rounds",)
    OWN_TITLE = "Rounds and tables"
    first_name = "Swiss"

    rounds = forms.IntegerField(
        label="Rounds",
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text="Optional. If empty, there are enough rounds to find the best team: 3 for 8 teams, 7 for 100, 10 for "
        "1,000. A round starts when the last match of the previous round is over.",
    )

    @classmethod
    def said(cls, stage: Stage) -> str:
        rounds = stage.options["rounds"]
        many = f"{rounds} rounds" if rounds else "enough rounds to find the best team"
        return f"{many}, tables of {stage.options['table_size']}, {games_said(stage)}"


FORM = SwissForm
