"""The form for a round robin."""

from __future__ import annotations

from typing import Any

from django import forms

from contest.formatting import cardinal
from contest.models import Contest
from tournaments.formats import combinations
from tournaments.formats.round_robin import WIN_IS_MORE
from tournaments.forms.stage import StageForm, games_said
from tournaments.models import Stage


class RoundRobinForm(StageForm):
    format = "round_robin"
    intro = "Round robin: every team meets every other team, two at a table, once or twice."
    OWN = ("home_and_away", "win", "tie")
    OWN_TITLE = "Tables"
    first_name = "League"

    home_and_away = forms.BooleanField(
        label="Home and away",
        required=False,
        help_text="All teams meet twice, the second time with swapped seats.",
    )
    win = forms.FloatField(label="Points for a win", min_value=0, max_value=100)
    tie = forms.FloatField(label="Points for a tie", min_value=0, max_value=100)

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(contest, stage, *args, **kwargs)
        house = contest.game.seats[0] - 2
        if house > 0:
            self.intro = (
                f"{self.intro} {contest.game.title} needs more players, so {cardinal(house)} "
                f"house player{'' if house == 1 else 's'} join them. For tables of teams only, choose "
                f"“{combinations.FORMAT.title}” or “Swiss system”."
            )

    @classmethod
    def said(cls, stage: Stage) -> str:
        twice = "twice, with swapped seats" if stage.options["home_and_away"] else "once"
        return f"every team meets every other team {twice}, {games_said(stage)}"

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("home_and_away") and data.get("duplicate"):
            self.add_error("duplicate", "The same deals from every seat include both sides already. Choose one.")
        win, tie = data.get("win"), data.get("tie")
        if win is not None and tie is not None and tie >= win:
            self.add_error("win", f"{WIN_IS_MORE}.")
        return data


FORM = RoundRobinForm
