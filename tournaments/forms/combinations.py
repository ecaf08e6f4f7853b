"""The form for all combinations in all seatings."""

from __future__ import annotations

from math import comb, factorial
from typing import Any

from django import forms

from contest.models import Contest
from tournaments.formats.combinations import MOST_BUDGET
from tournaments.forms.stage import StageForm, games_said
from tournaments.models import Stage


class CombinationsForm(StageForm):
    format = "combinations"
    intro = (
        "All combinations, all seatings: every possible table of teams plays one game in every possible order of "
        "seats. If that exceeds the limit on games, a qualifier decides who plays the final."
    )
    OWN = ("budget",)
    OWN_TITLE = "Games"
    first_name = "Challenge"

    budget = forms.IntegerField(label="Maximum number of games in the stage", min_value=1, max_value=MOST_BUDGET)

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(contest, stage, *args, **kwargs)
        if not contest.game.decides:
            self.fields.pop("games")
        self.fields["budget"].help_text = budget_help(contest, len(self.teams))
        self._fit(
            "duplicate",
            help_text="Every team at a table plays the same deals from every seat, so luck matters less. The seatings "
            "are split into one match per seat, and only their sum counts. Not available if teams may connect "
            "their own programs.",
        )

    @classmethod
    def said(cls, stage: Stage) -> str:
        return f"at most {stage.options['budget']:,} games, {games_said(stage)}"


def budget_help(contest: Contest, teams: int) -> str:
    """How many games all combinations take: with 8 teams and 4 seats, C(8,4) × 24."""
    seats = contest.game.seats[1]
    combinations, seatings = max(1, comb(teams, seats)), factorial(seats)
    return (
        f"All combinations of {teams} teams: {combinations:,} tables × {seatings} seatings = "
        f"{combinations * seatings:,} games. With a lower limit, all teams first play equally often in a qualifier, "
        "and the best of them play the final."
    )


FORM = CombinationsForm
