"""What the forms of all stages have in common: the name, who plays, in which order, when, with which bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms

from contest.formatting import about, duration
from contest.forms import visible_line
from contest.models import Contest, Team
from contest.setup_forms import moment
from tournaments import formats
from tournaments.formats.options import MOST_GAMES
from tournaments.models import Stage
from tournaments.organising import admission
from tournaments.organising.durations import budget
from tournaments.organising.stages import NAME_LENGTH, Wish

Entry, Seeding, Release = Stage.Entry, Stage.Seeding, Stage.Release


@dataclass(frozen=True, slots=True)
class Shown:
    """A field in the form. `when`: the choices with which it makes sense, for the script that puts it away."""

    field: forms.BoundField
    when: str = ""


class PlainForm(forms.Form):
    """A stage of any format: its name and its start."""

    format: ClassVar[str]
    intro: str
    OWN: ClassVar[tuple[str, ...]] = ()
    """The format's own options, in the order in which they are shown."""
    OWN_TITLE: ClassVar[str] = "Format"
    first_name: ClassVar[str] = "Stage"
    """What a stage is called unless somebody calls it otherwise."""

    teams: tuple[Team, ...] = ()  # that can be seeded by hand

    name = forms.CharField(label="Name", max_length=NAME_LENGTH, help_text="Everybody sees it, such as “Cup”.")
    starts_at = moment("Starts by itself at", "May stay empty: then you start it.")

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.contest, self.stage = contest, stage
        self.fields["starts_at"].required = False

    def sections(self) -> list[tuple[str, list[Shown]]]:
        """Everything but the places of seeding by hand, in groups."""
        return self.shown({"Stage": ("name", "starts_at"), self.OWN_TITLE: self.OWN})

    def shown(self, groups: Mapping[str, tuple[str, ...]]) -> list[tuple[str, list[Shown]]]:
        found = [
            (title, [Shown(self[name], WHEN.get(name, "")) for name in names if name in self.fields])
            for title, names in groups.items()
        ]
        return [(title, fields) for title, fields in found if fields]

    def clean_name(self) -> str:
        return visible_line(self.cleaned_data["name"])

    def option_names(self) -> list[str]:
        """Those of the format's options that are asked for here."""
        return [name for name in self.OWN if name in self.fields]

    def options(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.option_names()}

    def wish(self) -> Wish:
        data = self.cleaned_data
        return Wish(data["name"], self.format, self.options(), starts_at=data["starts_at"])

    @classmethod
    def said(cls, stage: Stage) -> str:
        """The options of a stage in a part of a sentence."""
        raise NotImplementedError

    @classmethod
    def defaults(cls, contest: Contest) -> dict[str, Any]:
        """What a new stage starts with."""
        return {"name": cls.new_name(contest), **formats.get(cls.format).options({}, contest.game)}

    @classmethod
    def new_name(cls, contest: Contest) -> str:
        taken = {name.casefold() for name in contest.stages.values_list("name", flat=True)}
        if cls.first_name.casefold() not in taken:
            return cls.first_name
        return next(name for n in range(2, len(taken) + 3) if (name := f"{cls.first_name} {n}").casefold() not in taken)


WHEN = {
    "best": "entry=best",
    "invited": "entry=invited",
    "advance": "table_size=4",
    "best_of": "table_size=2",
    "third_place": "advance=1",
}


class StageForm(PlainForm):
    """A stage in which teams meet: to the plain one come its entrants, their order, its tables and bots."""

    SHARED: ClassVar[tuple[str, ...]] = ("table_size", "games", "duplicate", "house", "freeze_versions")
    """Options that mean the same in all formats; a form has those that its format has."""

    starts_after = forms.BooleanField(
        label="Starts by itself when the earlier stage is finished",
        required=False,
        help_text="With a time above, not before that.",
    )
    release = forms.ChoiceField(
        label="Results are public",
        choices=Release.choices,
        required=False,
        help_text="By hand: everybody sees the results of a round when you release it. You see them at once.",
    )
    entry = forms.ChoiceField(label="Who plays", choices=Entry.choices, required=False, widget=forms.RadioSelect)
    best = forms.IntegerField(
        label="How many of its best",
        min_value=1,
        max_value=10_000,
        required=False,
        help_text="Empty: everybody in its ranking.",
    )
    source = forms.ModelChoiceField(
        Stage.objects.none(),
        label="Earlier stage",
        required=False,
        empty_label="None",
        help_text="From which the best come, or which decides about the seeding or the start.",
    )
    invited = forms.TypedMultipleChoiceField(
        label="Invited teams", coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    seeding = forms.ChoiceField(label="Seeding", choices=Seeding.choices, widget=forms.RadioSelect)
    table_size = forms.TypedChoiceField(label="Teams at a table", coerce=int)
    games = forms.IntegerField(label="Games at a table", min_value=1, max_value=MOST_GAMES)
    duplicate = forms.BooleanField(
        label="The same deals from every chair",
        required=False,
        help_text="Everybody at a table plays the same deals from each of its chairs, so luck counts less: as many "
        "matches as there are chairs. Only the sum of them counts. Not where teams’ own programs may connect.",
    )
    house = forms.MultipleChoiceField(
        label="Players for empty chairs",
        widget=forms.CheckboxSelectMultiple,
        help_text="With several, they take the chairs in turn.",
    )
    freeze_versions = forms.BooleanField(
        label="Versions stay as they are when the stage starts",
        required=False,
        help_text="Otherwise a version that is activated later plays from the next match on.",
    )

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(contest, stage, *args, **kwargs)
        game = contest.game
        defaults = formats.get(self.format).options({}, game)
        for name in {*self.SHARED, *self.OWN} - set(defaults):
            self.fields.pop(name, None)
        if formats.get(self.format).continuous:
            self.fields.pop("freeze_versions", None)
            self.fields.pop("release")
        self._fit("table_size", choices=[(size, size) for size in (4, 2) if size <= game.seats[1]])
        self._fit("house", choices=[(it.name, f"{it.skill.capitalize()}: {it.about}") for it in game.house])
        self._fit("games", help_text=games_help(contest), required=not game.decides)
        if contest.live:  # deals.check_stage would refuse it
            self.fields.pop("duplicate", None)
        self._fit_entrants()

    def _fit(self, name: str, **changes: Any) -> None:
        """Change a field, if this form has it."""
        for attribute, value in changes.items():
            if name in self.fields:
                setattr(self.fields[name], attribute, value)

    def _fit_entrants(self) -> None:
        earlier = self.contest.stages.exclude(pk__in=_from_here(self.stage))
        self._fit("source", queryset=earlier)
        if not earlier.exists():
            for name in ("source", "best", "starts_after"):
                del self.fields[name]
            self._fit("entry", choices=[choice for choice in Entry.choices if choice[0] != Entry.BEST])
            self._fit("seeding", choices=[choice for choice in Seeding.choices if choice[0] != Seeding.SOURCE])
        if formats.get(self.format).continuous:
            del self.fields["seeding"]
        # Whoever comes to be an entrant can be seeded by hand, so it makes no difference who is invited as yet.
        shown = self.stage or Stage(contest=self.contest)
        order = admission.candidates(Stage(contest=self.contest, seeding=shown.seeding, order=shown.order))
        found = Team.objects.in_bulk(order)
        teams = tuple(found[team] for team in order if team in found)
        by_name = sorted(teams, key=lambda team: team.name.casefold())
        self._fit("invited", choices=[(team.pk, team.name) for team in by_name])
        if "seeding" in self.fields:
            self.teams = teams
            for number, team in enumerate(teams, start=1):
                self.fields[f"place_{team.pk}"] = forms.IntegerField(
                    label=f"Place of {team.name}", min_value=1, max_value=99999, required=False, initial=number
                )

    def rows(self) -> list[tuple[Team, forms.BoundField]]:
        """The teams in the order of the form, each with its field."""
        return [(team, self[f"place_{team.pk}"]) for team in self.teams]

    def sections(self) -> list[tuple[str, list[Shown]]]:
        return self.shown(
            {
                "Stage": ("name", "starts_at", "starts_after", "ends_at", "release"),
                "Teams": ("entry", "best", "source", "invited"),
                self.OWN_TITLE: ("table_size", *self.OWN, "games", "duplicate"),
                "Bots": ("house", "freeze_versions"),
                "Seeding": ("seeding",),
            }
        )

    def clean_entry(self) -> str:
        return self.cleaned_data["entry"] or Entry.ALL

    def clean_release(self) -> str:
        return self.cleaned_data["release"] or Release.LIVE

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("entry") == Entry.BEST and not data.get("source"):
            self.add_error("source" if "source" in self.fields else "entry", "Choose where the best come from.")
        elif (data.get("seeding") == Seeding.SOURCE or data.get("starts_after")) and not data.get("source"):
            self.add_error("source", "Choose which stage is the earlier one.")
        if data.get("entry") == Entry.INVITED and not data.get("invited"):
            self.add_error("invited", "Invite at least one team.")
        if data.get("seeding") == Seeding.HAND:
            self._check_places()
        return data

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

    def option_names(self) -> list[str]:
        return [name for name in (*self.SHARED, *self.OWN) if name in self.fields]

    def wish(self) -> Wish:
        data = self.cleaned_data
        seeding = data.get("seeding") or Seeding.NUMBER
        needed = data["entry"] == Entry.BEST or seeding == Seeding.SOURCE or data.get("starts_after")
        return Wish(
            name=data["name"],
            format=self.format,
            options=self.options(),
            seeding=seeding,
            order=self.order() if seeding == Seeding.HAND else (),
            starts_at=data["starts_at"],
            starts_after=bool(data.get("starts_after")),
            ends_at=data.get("ends_at"),
            entry=data["entry"],
            source=data.get("source") if needed else None,
            best=data.get("best") if data["entry"] == Entry.BEST else None,
            invited=data["invited"] if data["entry"] == Entry.INVITED else (),
            release=data.get("release") or Release.LIVE,
        )

    @classmethod
    def defaults(cls, contest: Contest) -> dict[str, Any]:
        return {
            **super().defaults(contest),
            **fair_games(contest),
            "entry": Entry.ALL,
            "seeding": Seeding.NUMBER,
            "release": Release.LIVE,
            "source": contest.stages.order_by("pk").last(),
        }


def _from_here(stage: Stage | None) -> set[int]:
    """The stage and all that come after it, one from the other."""
    found: set[int] = set()
    coming = {stage.pk} if stage else set()
    while coming:
        found |= coming
        coming = set(Stage.objects.filter(source__in=coming).values_list("pk", flat=True)) - found
    return found


def fair_games(contest: Contest) -> dict[str, int]:
    """How many games a new stage has at a table, when the rules ask for more than one from every seat."""
    game = contest.game
    many = not game.decides and game.fair_games() > game.seats[1]
    return {"games": game.fair_games()} if many else {}


def games_help(contest: Contest) -> str:
    """What the number of games means for fairness and for the clock."""
    game, one = contest.game, budget(contest, 1)
    fair = game.fair_games()
    said = f"Their {game.counts} are added; seats change, so that multiples of {fair} are fair: {fair}, {2 * fair} …"
    if game.decides:
        said = f"When it stays empty, the rules of the game decide when a match is over. {said}"
    usual = "has taken" if one.measured else "takes, by the check games so far," if one.checked else "takes quick bots"
    return (
        f"{said} A game {usual} {about(one.usual)}; bots that use all of their time may take "
        f"{duration(one.most)} for each."
    )


def games_said(stage: Stage, where: str = "a table") -> str:
    games = stage.options.get("games")
    if games is None:
        said = "as many games as the rules say"
    else:
        said = f"{games} game{'' if games == 1 else 's'} at {where}"
    return f"{said}, the same deals from every chair" if stage.options.get("duplicate") else said


def initial_of(stage: Stage) -> dict[str, Any]:
    return {
        **{name: getattr(stage, name) for name in ("name", "starts_at", "starts_after", "ends_at", "release")},
        **{name: getattr(stage, name) for name in ("entry", "source", "best", "invited", "seeding")},
        **stage.options,
    }


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

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if stage.played_in.continuous:
            del self.fields["hold"]
