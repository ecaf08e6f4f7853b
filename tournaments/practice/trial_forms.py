"""The form for a trial, of the page and of the API."""

from __future__ import annotations

from typing import Any

from django import forms

from games.pairs import Measure, bounds_of
from games.trial import FEWEST
from tournaments.models.trials import MEASURES
from tournaments.practice import deals, orders, trials
from tournaments.practice.forms import AgainstForm
from tournaments.practice.trials import Question


class TrialForm(AgainstForm):
    """Which of two versions is better, against whom, by what measure, and what may it cost."""

    new = forms.IntegerField(
        label="New version", min_value=1, max_value=10**6, help_text="The number of a version that is ready."
    )
    old = forms.IntegerField(
        label="Old version", min_value=1, max_value=10**6, help_text="Another version that is ready."
    )
    measure = forms.ChoiceField(
        label="Measure",
        required=False,
        choices=MEASURES,
        help_text="What is compared. A positive difference means that the new version did better. Blank: points.",
    )
    low = forms.FloatField(
        label="Lower bound",
        required=False,
        min_value=-(10**6),
        max_value=10**6,
        help_text="The trial stops when it knows whether the gain is nearer to this or to the upper bound. Blank: 0.",
    )
    high = forms.FloatField(
        label="Upper bound",
        required=False,
        min_value=-(10**6),
        max_value=10**6,
        help_text="The smallest gain that you want to detect, per game; a share if wins are compared. Blank: "
        "the usual one of the game.",
    )
    cap = forms.IntegerField(
        label="Pairs at most",
        required=False,
        min_value=FEWEST,
        max_value=trials.MOST_PAIRS,
        help_text=f"{FEWEST} to {trials.MOST_PAIRS}; {trials.USUAL_PAIRS} if blank. A pair is two games. All of them "
        "count for your quota until the trial ends.",
    )
    seed = forms.IntegerField(
        label="Seed",
        required=False,
        min_value=1,
        max_value=deals.HIGHEST,
        help_text="The same seed gives the same deals again. Blank: fresh deals.",
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            for field in ("new", "old"):
                self._unless_refused(orders.version_of, self.team, data[field])
            self._unless_refused(trials.design_of, self.team.contest.game, self.question())
        return data

    def question(self) -> Question:
        """What was asked, once the form is valid."""
        data = self.cleaned_data
        measure = Measure(data["measure"] or Measure.POINTS)
        low, high = bounds_of(self.team.contest.game, measure)
        return Question(
            new=data["new"],
            old=data["old"],
            low=low if data["low"] is None else data["low"],
            high=high if data["high"] is None else data["high"],
            cap=data["cap"] or trials.USUAL_PAIRS,
            measure=measure,
            opponents=data["opponents"],
            seed=data["seed"],
        )
