"""The form of all combinations in all seatings."""

from __future__ import annotations

from math import comb, factorial
from typing import Any

from django import forms

from contest.models import Contest
from tournaments.desk.forms.stage import StageForm, games_said
from tournaments.formats.combinations import MOST_BUDGET
from tournaments.models import Stage


class CombinationsForm(StageForm):
    format = "combinations"
    intro = (
        "All combinations, all seatings: as many teams as the game has chairs meet in every combination, each in all "
        "seatings, a game for each. When that is more than the budget, a qualifier chooses who meets in the final."
    )
    OWN = ("budget",)
    OWN_TITLE = "Games"
    first_name = "Challenge"

    budget = forms.IntegerField(label="Games of the whole stage, at most", min_value=1, max_value=MOST_BUDGET)

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(contest, stage, *args, **kwargs)
        if not contest.game.decides:
            self.fields.pop("games")
        self.fields["budget"].help_text = budget_help(contest, len(self.teams))
        self._fit(
            "duplicate",
            help_text="Everybody at a table plays the same deals from each of its chairs, so luck counts less: the "
            "seatings are divided into as many matches as there are chairs. Only the sum of them counts. Not where "
            "teams’ own programs may connect.",
        )

    @classmethod
    def said(cls, stage: Stage) -> str:
        return f"at most {stage.options['budget']:,} games, {games_said(stage)}"


def budget_help(contest: Contest, teams: int) -> str:
    """What all combinations of so many teams come to: 8 teams, 4 chairs: C(8,4) × 24."""
    chairs = contest.game.seats[1]
    combinations, seatings = max(1, comb(teams, chairs)), factorial(chairs)
    return (
        f"All combinations of {teams} teams: {combinations:,} tables × {seatings} seatings = "
        f"{combinations * seatings:,} games. With fewer than that here, a qualifier is played in which everybody plays "
        "equally often, then the final of its best."
    )


FORM = CombinationsForm
