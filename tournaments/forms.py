"""The forms of the organiser's desk about stages and matches."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django import forms

from contest.forms import one_line
from contest.models import Contest, Team
from contest.setup_forms import moment
from contest.templatetags.contest_tags import in_words
from games.engine import OptionError
from tournaments import formats
from tournaments.budget import budget
from tournaments.formats.judged_set import MOST_GAMES as MOST_HIDDEN
from tournaments.formats.single_elimination import MOST_GAMES
from tournaments.models import Stage
from tournaments.stages import NAME_LENGTH, Wish

DRAWN = 200
"""Hidden games that a new judged problem has when nobody says otherwise."""


class StageForm(forms.Form):
    """A stage in single elimination: its tables, who advances, how it is seeded, when it starts."""

    name = forms.CharField(label="Name", max_length=NAME_LENGTH, help_text="Everybody sees it, such as “Cup”.")
    table_size = forms.TypedChoiceField(label="Teams at a table", coerce=int)
    advance = forms.TypedChoiceField(
        label="How many advance",
        coerce=int,
        choices=[(1, "1"), (2, "2")],
        help_text="Two only from tables of four. A tie for the last of these places is played off.",
    )
    games = forms.IntegerField(label="Games at a table", min_value=1, max_value=MOST_GAMES)
    house = forms.MultipleChoiceField(
        label="Players for empty chairs",
        widget=forms.CheckboxSelectMultiple,
        help_text="With several, they take the chairs in turn.",
    )
    playoff_all = forms.BooleanField(
        label="Play off every tie in the final",
        required=False,
        help_text="Otherwise only a tie for the first place.",
    )
    freeze_versions = forms.BooleanField(
        label="Versions stay as they are when the stage starts",
        required=False,
        help_text="Otherwise a version that is activated later plays from the next match on.",
    )
    starts_at = moment("Starts by itself at", "May stay empty: then you start it.")
    seeding = forms.ChoiceField(label="Seeding", choices=Stage.Seeding.choices, widget=forms.RadioSelect)

    def __init__(self, contest: Contest, order: Sequence[int], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.contest = contest
        game = contest.game
        self.fields["table_size"].choices = [(size, size) for size in (4, 2) if size <= game.seats[1]]  # type: ignore[attr-defined]
        self.fields["house"].choices = [(it.name, f"{it.skill.capitalize()}: {it.about}") for it in game.house]  # type: ignore[attr-defined]
        self.fields["games"].help_text = games_help(contest)
        self.fields["games"].required = not game.decides
        self.fields["starts_at"].required = False
        found = Team.objects.in_bulk(order)
        self.teams = [found[team] for team in order if team in found]
        for number, team in enumerate(self.teams, start=1):
            self.fields[f"place_{team.pk}"] = forms.IntegerField(
                label=f"Place of {team.name}", min_value=1, max_value=99999, required=False, initial=number
            )

    def rows(self) -> list[tuple[Team, forms.BoundField]]:
        """The teams in the order of the form, each with its field."""
        return [(team, self[f"place_{team.pk}"]) for team in self.teams]

    def sections(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Everything but the places, in groups."""
        groups = {
            "Stage": ("name", "starts_at"),
            "Tables": ("table_size", "advance", "games", "playoff_all"),
            "Bots": ("house", "freeze_versions"),
            "Seeding": ("seeding",),
        }
        return [(title, [self[name] for name in names]) for title, names in groups.items()]

    def clean_name(self) -> str:
        return named(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("advance") == 2 and cleaned.get("table_size") == 2:
            self.add_error("advance", "One of two teams advances.")
        if cleaned.get("seeding") == Stage.Seeding.HAND:
            self._check_places()
        return cleaned

    def _check_places(self) -> None:
        taken: dict[int, Team] = {}
        for team in self.teams:
            place = self.cleaned_data.get(f"place_{team.pk}")
            if place in taken:
                self.add_error(f"place_{team.pk}", f"{taken[place]} has this place, too.")
            elif place is not None:
                taken[place] = team

    def order(self) -> list[int]:
        """By the typed places, those without one at the end."""
        places = {team.pk: self.cleaned_data.get(f"place_{team.pk}") for team in self.teams}
        return sorted(places, key=lambda team: (places[team] is None, places[team] or 0))

    def wish(self) -> Wish:
        data = self.cleaned_data
        names = ("table_size", "advance", "games", "house", "playoff_all", "freeze_versions")
        return Wish(
            name=data["name"],
            options={name: data[name] for name in names},
            seeding=data["seeding"],
            order=self.order() if data["seeding"] == Stage.Seeding.HAND else (),
            starts_at=data["starts_at"],
        )


class JudgedForm(forms.Form):
    """A stage that is a judged problem: its hidden games."""

    teams: Sequence[Team] = ()  # nobody is seeded

    name = forms.CharField(label="Name", max_length=NAME_LENGTH, help_text="Everybody sees it, such as “Problem A”.")
    starts_at = moment("Starts by itself at", "May stay empty: then you start it.")
    hidden = forms.CharField(
        label="Hidden games",
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "mono"}),
    )
    draw = forms.IntegerField(
        label="Further games, drawn by chance",
        min_value=0,
        max_value=MOST_HIDDEN,
        help_text="Most drawn games are lost by everybody; with few of them a weak entry can pass. Draw 200 or more.",
    )
    draw_seed = forms.IntegerField(
        label="Seed of those",
        min_value=1,
        max_value=2**31 - 1,
        help_text="Keep it secret: it says which they are.",
    )

    def __init__(self, contest: Contest, order: Sequence[int], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.contest = contest
        self.fields["starts_at"].required = False
        known, example = len(contest.game.sample), contest.game.write_opening(contest.game.sample[0])
        self.fields["hidden"].help_text = (
            f"A game a line, as the rules write them, such as {example}. The {known} published ones are judged as "
            "well and need not stand here. Only those with a role in this contest see this before the contest ends."
        )

    def sections(self) -> list[tuple[str, list[forms.BoundField]]]:
        groups = {"Stage": ("name", "starts_at"), "Judging": ("hidden", "draw", "draw_seed")}
        return [(title, [self[name] for name in names]) for title, names in groups.items()]

    def clean_name(self) -> str:
        return named(self.cleaned_data["name"])

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
            self.add_error("hidden", "Write some games here, or have some drawn.")
        return data

    def wish(self) -> Wish:
        options = {name: self.cleaned_data[name] for name in ("hidden", "draw", "draw_seed")}
        return Wish(self.cleaned_data["name"], "judged_set", options, starts_at=self.cleaned_data["starts_at"])


def form_of(contest: Contest) -> type[StageForm] | type[JudgedForm]:
    """The form of a stage in the format that fits the contest's game."""
    return JudgedForm if formats.fitting(contest.game)[0].runs else StageForm


def named(text: str) -> str:
    name = one_line(text)
    if not name:
        raise forms.ValidationError("A name needs at least one visible character.")
    return name


def games_help(contest: Contest) -> str:
    """What the number of games means for fairness and for the clock."""
    game, one = contest.game, budget(contest, 1)
    fair = game.fair_games()
    said = f"Their {game.counts} are added; seats change, so that multiples of {fair} are fair: {fair}, {2 * fair} …"
    if game.decides:
        said = f"When it stays empty, the rules of the game decide when a match is over. {said}"
    usual = "has taken" if one.measured else "takes quick bots"
    return (
        f"{said} A game {usual} about {in_words(one.usual)}; bots that use all of their time may take "
        f"{in_words(one.most)} for each."
    )


def initial_of(stage: Stage) -> dict[str, Any]:
    return {"name": stage.name, "seeding": stage.seeding, "starts_at": stage.starts_at, **stage.options}


def initial_of_new(contest: Contest) -> dict[str, Any]:
    number = contest.stages.count() + 1
    format = formats.fitting(contest.game)[0]
    if format.runs:
        name = "Problem" if number == 1 else f"Problem {number}"
        return {"name": name, "draw": DRAWN, "draw_seed": secrets.randbelow(2**31 - 1) + 1}
    defaults = format.options({}, contest.game)
    if contest.game.fair_games() > contest.game.seats[1]:  # its rules ask for more than one game from every seat
        defaults["games"] = contest.game.fair_games()
    return {"name": "Cup" if number == 1 else f"Stage {number}", "seeding": Stage.Seeding.NUMBER, **defaults}


class VoidForm(forms.Form):
    reason = forms.CharField(
        label="Reason",
        max_length=300,
        help_text="Everybody reads it on the match's page.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    hold = forms.BooleanField(
        label="Pause the stage first",
        required=False,
        help_text="Then nothing is played again before you resume it.",
    )
