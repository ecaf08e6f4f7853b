"""The forms for an order and for a trial, of the page and of the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from django import forms
from django.core.exceptions import ValidationError

from contest.models import Team
from contest.refusal import Refused
from contest.words import number_in
from games.pairs import Measure, bounds_of
from games.trial import FEWEST
from tournaments.models.trials import MEASURES
from tournaments.practice import deals, orders, rights, trials
from tournaments.practice.again import Again, of_match
from tournaments.practice.orders import Wish
from tournaments.practice.trials import Question

P = ParamSpec("P")
T = TypeVar("T")

NEWEST = "newest"
ROTATE = "rotate"
USUAL = 20  # games


class KeysField(forms.MultipleChoiceField):
    """Several values, in their order and as often as they come. The form checks them."""

    def validate(self, value: list[str]) -> None:
        if len(value) > 16:
            raise ValidationError("Name at most 16 opponents.")

    def to_python(self, value: Any) -> list[str]:
        return [key for key in super().to_python(value) if key]


class AgainstForm(forms.Form):
    """A form of a team with opponents."""

    opponents = KeysField(
        label="Opponents",
        required=False,
        help_text="`house:NAME`, `version:NUMBER` of your own, or `team:ID`. With fewer than there are seats, they "
        "repeat; without any, the strongest house player plays.",
    )

    def __init__(self, team: Team, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.team = team

    def clean_opponents(self) -> tuple[str, ...]:
        keys = tuple(self.cleaned_data["opponents"])
        for key in keys:
            self._unless_refused(orders.opponent, self.team, key)
        self._unless_refused(orders.seats_filled, self.team.contest.game, keys)
        return keys

    def _unless_refused(self, find: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call it; what it refuses is wrong in this form."""
        try:
            return find(*args, **kwargs)
        except Refused as refusal:
            raise ValidationError(str(refusal)) from None


class PracticeForm(AgainstForm):
    """Which version plays how many games, against whom, in which seat, on which deals."""

    version = forms.CharField(
        label="Version",
        required=False,
        max_length=20,
        help_text="The number of a version that is ready. `newest` or blank: the newest one. If a newer one becomes "
        "ready before the games are played, it plays instead.",
    )
    seat = forms.CharField(
        label="Your seat",
        required=False,
        max_length=20,
        help_text="From 0. `rotate` or blank: the next seat from game to game.",
    )
    games = forms.IntegerField(
        label="Games",
        required=False,
        min_value=1,
        max_value=rights.MOST_GAMES,
        help_text=f"1 to {rights.MOST_GAMES}; {USUAL} if blank.",
    )
    seed = forms.IntegerField(
        label="Seed",
        required=False,
        min_value=1,
        max_value=deals.HIGHEST,
        help_text="Of the first game; the next games have the numbers after it. Blank: fresh deals.",
    )
    again = forms.IntegerField(
        label="Match",
        required=False,
        min_value=1,
        max_value=2**53,
        help_text="A match of yours whose deals are played again, in the same seats. Then `seat`, `seed` and `games` "
        "do not matter, and `opponents` are in the order of its other seats: those who played in it, unless you name "
        "others.",
    )

    def clean_version(self) -> int | None:
        text = self.cleaned_data["version"].strip().lower()
        number = number_in(text)
        if text in ("", NEWEST):
            return None
        if number is None:
            raise ValidationError(f"A version is a number, or `{NEWEST}`.")
        return self._unless_refused(orders.version_of, self.team, number).number

    def clean_seat(self) -> int | None:
        text = self.cleaned_data["seat"].strip().lower()
        if text in ("", ROTATE):
            return None
        number, most = number_in(text), self.team.contest.game.seats[1]
        if number is None or number >= most:
            raise ValidationError(f"A seat is a number from 0 to {most - 1}, or `{ROTATE}`.")
        return number

    def clean_again(self) -> Again | None:
        match_id = self.cleaned_data["again"]
        return None if match_id is None else self._unless_refused(of_match, self.team, match_id)

    def wish(self) -> Wish:
        """What was asked for, once the form is valid."""
        data = self.cleaned_data
        if (found := data["again"]) is not None:
            opponents = data["opponents"] or found.opponents
            return Wish(data["version"], opponents, found.seat, again=found.match, dealt=found.games)
        return Wish(data["version"], data["opponents"], data["seat"], data["seed"], data["games"] or USUAL)


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
