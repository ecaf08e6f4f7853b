"""The form for a judged problem."""

from __future__ import annotations

from typing import Any

from django import forms

from contest.models import Contest, Team
from games.engine import OptionError
from tournaments.formats.judged_set import DRAWN, MOST_GAMES, MOST_MINUTES, MOST_SEED, WRONG_MINUTES, new_seed
from tournaments.forms.stage import PlainForm
from tournaments.models import Stage


class JudgedForm(PlainForm):
    format = "judged_set"
    intro = (
        "Judged problem: every version that passes its check plays the published games and the hidden games below. "
        "Teams are ranked as in ACM contests: solved first, then penalty, then the earlier run."
    )
    OWN = ("hidden", "draw", "draw_seed", "wrong_minutes")
    OWN_TITLE = "Judging"
    first_name = "Problem"
    teams: tuple[Team, ...] = ()  # nobody is seeded

    hidden = forms.CharField(
        label="Hidden games",
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "mono"}),
    )
    draw = forms.IntegerField(
        label="Random hidden games",
        min_value=0,
        max_value=MOST_GAMES,
        help_text="Most of them cannot be won, so a weak program can pass if there are few. Draw 200 or more.",
    )
    draw_seed = forms.IntegerField(
        label="Seed of the random games",
        min_value=1,
        max_value=MOST_SEED,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),  # a number would lose digits
        help_text="Keep it secret: anybody who knows it can work out the games.",
    )
    wrong_minutes = forms.IntegerField(
        label="Penalty minutes for a wrong run",
        min_value=0,
        max_value=MOST_MINUTES,
        initial=WRONG_MINUTES,
        help_text="They count for teams that solve the problem later. ACM contests use 20.",
    )

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(contest, stage, *args, **kwargs)
        known, example = len(contest.game.sample), contest.game.write_opening(contest.game.sample[0])
        self.fields["hidden"].help_text = (
            f"One game per line, written as in the rules, such as {example}. The {known} published games are always "
            "judged; do not repeat them. Until the contest ends, only people with a role see this list."
        )
        self.fields["name"].help_text = "Public, for example “Problem A”."

    def clean_hidden(self) -> str:
        text: str = self.cleaned_data["hidden"].replace("\r\n", "\n")
        try:
            self.contest.game.read_openings(text)
        except OptionError as error:
            raise forms.ValidationError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
        return text

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors and not data["hidden"].strip() and not data["draw"]:
            self.add_error("hidden", "Enter hidden games here, or enter a number of random ones.")
        return data

    @classmethod
    def said(cls, stage: Stage) -> str:
        game = stage.contest.game
        hidden = len(stage.played_in.openings(stage.options, game)) - len(game.sample)
        return f"the published games and {hidden} hidden one{'' if hidden == 1 else 's'}"

    @classmethod
    def defaults(cls, contest: Contest) -> dict[str, Any]:
        return {"name": cls.new_name(contest), "draw": DRAWN, "draw_seed": new_seed()}


FORM = JudgedForm
