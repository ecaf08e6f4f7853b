"""The form of a Swiss system."""

from __future__ import annotations

from django import forms

from tournaments.desk.forms.stage import StageForm, games_said
from tournaments.formats.swiss import MOST_ROUNDS
from tournaments.models import Stage


class SwissForm(StageForm):
    format = "swiss"
    intro = (
        "Swiss system: in every round teams with similar points meet, and nobody is thrown out. At tables of four the "
        "places bring 3, 2, 1 and 0 points, and the weakest table gets the house players; at tables of two a win is a "
        "point, and a team that is left over has a bye, which is worth a win."
    )
    OWN = ("rounds",)
    OWN_TITLE = "Rounds and tables"
    first_name = "Swiss"

    rounds = forms.IntegerField(
        label="Rounds",
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text="Empty: as many as tell the best, 3 for 8 teams, 7 for 100, 10 for 1,000. A round begins when the "
        "last match of the one before is over.",
    )

    @classmethod
    def said(cls, stage: Stage) -> str:
        rounds = stage.options["rounds"]
        many = f"{rounds} rounds" if rounds else "as many rounds as tell the best"
        return f"{many} at tables of {stage.options['table_size']}, {games_said(stage)}"


FORM = SwissForm
