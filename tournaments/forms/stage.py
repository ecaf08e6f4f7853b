"""What the forms of all formats share: the name, who plays, in which order, when, with which bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.utils import timezone

from contest.formatting import about
from contest.forms import MergingForm
from contest.models import Contest, Team
from contest.names import NameInput, folded
from contest.setup_forms import moment
from tournaments import formats, kinds
from tournaments.formats import FormatError
from tournaments.formats.options import MOST_GAMES
from tournaments.forms.timetable import RoundRow, TimetableForm
from tournaments.kinds.planned import PLANNED
from tournaments.models import Round, Stage
from tournaments.organising import admission
from tournaments.organising.day import Day, day_of
from tournaments.organising.durations import StageBudget, budget, stage_budget
from tournaments.organising.stage_settings import NAME_LENGTH, Wish
from tournaments.organising.timetable import RoundWish, rounds_of

Entry, Seeding, Release = Stage.Entry, Stage.Seeding, Stage.Release
SKETCHED = ("entry", "source", "best", "invited", "starts_at", "starts_after", "ends_at")


@dataclass(frozen=True, slots=True)
class Shown:
    """A field of the form. `when`: the choice that it depends on, for the script that hides it."""

    field: forms.BoundField
    when: str = ""


class PlainForm(MergingForm):
    """The fields of every format: the name and the start."""

    format: ClassVar[str]
    intro: str
    OWN: ClassVar[tuple[str, ...]] = ()
    """The format's own options, in the order in which they are shown."""
    OWN_TITLE: ClassVar[str] = "Format"
    first_name: ClassVar[str] = "Stage"
    """The suggested name of a new stage."""

    teams: tuple[Team, ...] = ()  # that can be seeded by hand

    name = NameInput(label="Name", max_length=NAME_LENGTH, help_text="Public, for example “Cup”.")
    starts_at = moment("Start", "Optional. Leave it empty to start the stage yourself.", required=False)

    at_once = forms.BooleanField(label="Start as soon as possible, although the start has passed", required=False)

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.contest, self.stage = contest, stage

    def clean(self) -> dict[str, Any] | None:
        data = super().clean() or self.cleaned_data
        starts_at, before = data.get("starts_at"), self.stage.starts_at if self.stage else None
        is_new = self.fields["starts_at"].has_changed(before, starts_at)
        if starts_at and is_new and starts_at <= timezone.now() and not data.get("at_once"):
            self.add_error("starts_at", "This moment has passed. Choose a later one, or start as soon as possible.")
            self.add_error("at_once", "Required for a start in the past.")
        for name in self.fields.keys() & {"ends_at", "check_in_closes_at"}:
            at, was = data.get(name), getattr(self.stage, name, None)
            if at and at <= timezone.now() and self.fields[name].has_changed(was, at):
                self.add_error(name, "This moment has passed.")
        return data

    def sections(self) -> list[tuple[str, list[Shown]]]:
        """All fields in groups, except the seeds of seeding by hand."""
        return self.shown({"Stage": ("name", "starts_at", "at_once"), self.OWN_TITLE: self.OWN})

    def shown(self, groups: Mapping[str, tuple[str, ...]]) -> list[tuple[str, list[Shown]]]:
        found = [
            (title, [Shown(self[name], WHEN.get(name, "")) for name in names if self._is_asked(name)])
            for title, names in groups.items()
        ]
        return [(title, fields) for title, fields in found if fields]

    def _is_asked(self, name: str) -> bool:
        return name in self.fields and (name != "at_once" or (self.is_bound and "starts_at" in self.errors))

    def option_names(self) -> list[str]:
        """The format's options that have a field in this form."""
        return [name for name in self.OWN if name in self.fields]

    def options(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.option_names()}

    def wish(self) -> Wish:
        data = self.cleaned_data
        return Wish(data["name"], self.format, self.options(), starts_at=data["starts_at"])

    @cached_property
    def is_filled_in(self) -> bool:
        """Whether it was sent without errors, apart from what only the action itself finds."""
        return self.is_bound and self.is_valid()

    @cached_property
    def sketch(self) -> Stage:
        """An unsaved stage as it was filled in, or as the form began while that is not valid."""
        fields = self.cleaned_data if self.is_filled_in else self.initial
        game, format, wished = self.contest.game, formats.get(self.format), self.option_names()
        try:
            options = format.options({name: fields[name] for name in wished if name in fields}, game)
        except FormatError:
            options = format.options({}, game)
        known = {name: fields[name] for name in SKETCHED if fields.get(name)}
        known["substitutes"] = self.stage.substitutes if self.stage else []
        return Stage(contest=self.contest, format=self.format, options=options, seed=1, **known)

    @cached_property
    def estimate(self) -> StageBudget | None:
        """How long the stage takes. None: unknown."""
        return stage_budget(self.sketch, self.in_turn())

    def in_turn(self) -> set[int]:
        """The rounds whose tables play one after the other."""
        return set()

    @classmethod
    def said(cls, stage: Stage) -> str:
        """The options of a stage, as part of a sentence."""
        raise NotImplementedError

    @classmethod
    def defaults(cls, contest: Contest) -> dict[str, Any]:
        """The initial values for a new stage."""
        return {"name": cls.new_name(contest), **formats.get(cls.format).options({}, contest.game)}

    @classmethod
    def new_name(cls, contest: Contest) -> str:
        taken = {folded(name) for name in contest.stages.values_list("name", flat=True)}
        if folded(cls.first_name) not in taken:
            return cls.first_name
        return next(
            name for n in range(2, len(taken) + 3) if (name := f"{cls.first_name} {n}") and folded(name) not in taken
        )


WHEN = {
    "best": "entry=best",
    "invited": "entry=invited",
    "advance": "table_size=4",
    "best_of": "table_size=2",
    "third_place": "table_size=2",
}


class StageForm(TimetableForm, PlainForm):
    """A stage in which teams meet: adds entrants, seeding, tables, bots and a timetable."""

    UNUSED: ClassVar[tuple[str, ...]] = ()
    """Fields that mean nothing in the format."""
    SHARED: ClassVar[tuple[str, ...]] = (
        "table_size",
        "games",
        "duplicate",
        "house",
        "freeze_versions",
        "schools_apart",
    )
    """Options that mean the same in all formats. A form shows those that its format has."""

    starts_after = forms.BooleanField(
        label="Start when the earlier stage is finished",
        required=False,
        help_text="But not before the start time, if you set one.",
    )
    check_in_closes_at = moment(
        "Check-in closes",
        "Optional. Teams that you have not checked in by then are left out of the draw.",
        required=False,
    )
    entry = forms.ChoiceField(label="Who plays", choices=Entry.choices, required=False, widget=forms.RadioSelect)
    best = forms.IntegerField(
        label="Number of teams",
        min_value=1,
        max_value=10_000,
        required=False,
        help_text="Optional. If empty, all teams in the ranking of that stage play.",
    )
    source = forms.ModelChoiceField(
        Stage.objects.none(),
        label="Earlier stage",
        required=False,
        empty_label="None",
        help_text="The best teams, the seeding or the start come from this stage.",
    )
    invited = forms.TypedMultipleChoiceField(
        label="Invited teams", coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    seeding = forms.ChoiceField(label="Order of the teams", choices=Seeding.choices, widget=forms.RadioSelect)
    table_size = forms.TypedChoiceField(label="Teams at a table", coerce=int)
    games = forms.IntegerField(label="Games at a table", min_value=1, max_value=MOST_GAMES)
    duplicate = forms.BooleanField(
        label="The same deals from every seat",
        required=False,
        help_text="Every team at a table plays the same deals from every seat, so luck matters less. This takes one "
        "match per seat, and only their sum counts. Not available if teams may connect their own programs.",
    )
    house = forms.MultipleChoiceField(
        label="House players for empty seats",
        widget=forms.CheckboxSelectMultiple,
        help_text="If you choose several, they take turns.",
    )
    freeze_versions = forms.BooleanField(
        label="Fix versions when the stage starts",
        required=False,
        help_text="Otherwise, a version that a team activates later plays from its next match on.",
    )

    schools_apart = forms.BooleanField(
        label="Keep teams of one school apart",
        required=False,
        help_text="In a bracket, teams of similar seeds change places in the first rounds. In a Swiss, this holds in "
        "every round, unless repeats or points prevent it. Publishing the stage fixes the schools.",
    )

    def __init__(self, contest: Contest, stage: Stage | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(contest, stage, *args, **kwargs)
        game = contest.game
        defaults = formats.get(self.format).options({}, game)
        for name in {*self.SHARED, *self.OWN} - set(defaults):
            self.fields.pop(name, None)
        for name in self.UNUSED:
            self.fields.pop(name, None)
        self._fit("table_size", choices=[(size, size) for size in (4, 2) if size <= game.seats[1]])
        self._fit("house", choices=[(it.name, f"{it.name.replace('_', ' ').title()}: {it.about}") for it in game.house])
        self._fit("games", help_text=games_help(contest), required=not game.decides)
        if contest.live:  # deals.check_stage would refuse it
            self.fields.pop("duplicate", None)
        self._fit_entrants()
        if kinds.of_format(formats.get(self.format)) is PLANNED:
            self._fit_rounds(max({1, *self.numbers_sent()}))
            if not self.is_bound and self.estimate is not None:
                self._fit_rounds(self.estimate.rounds)

    def _fit_rounds(self, count: int) -> None:
        self.add_rounds(rounds_of(self.stage or Stage(contest=self.contest), count))

    def _fit(self, name: str, **changes: Any) -> None:
        """Change a field if this form has it."""
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
        # Any team may still become an entrant, so all of them can be seeded by hand.
        shown = self.stage or Stage(contest=self.contest)
        known = {name: getattr(shown, name) for name in ("seeding", "order", "substitutes")}
        order = admission.candidates(Stage(contest=self.contest, **known))
        found = Team.objects.in_bulk(order)
        teams = tuple(found[team] for team in order if team in found)
        self._fit("invited", choices=[(it.pk, it.name) for it in sorted(teams, key=lambda team: team.key)])
        if "seeding" in self.fields:
            self.teams = teams
            for number, team in enumerate(teams, start=1):
                self.fields[f"place_{team.pk}"] = forms.IntegerField(
                    label=f"Seed of {team.name}", min_value=1, max_value=99999, required=False, initial=number
                )

    def rows(self) -> list[tuple[Team, forms.BoundField]]:
        """The teams in the order of the form, each with its field."""
        return [(team, self[f"place_{team.pk}"]) for team in self.teams]

    def sections(self) -> list[tuple[str, list[Shown]]]:
        return self.shown(
            {
                "Stage": ("name", *(() if self.arranged else ("starts_at", "at_once", "starts_after", "ends_at"))),
                "Teams": ("entry", "source", "best", "invited"),
                self.OWN_TITLE: ("table_size", *self.OWN, "games", "duplicate"),
                "Bots": ("house", "freeze_versions"),
                "Seeding": ("schools_apart", "seeding"),
            }
        )

    def beside_timetable(self) -> list[Shown]:
        """The fields that stand below the table of the rounds."""
        return [Shown(self[name]) for name in ("at_once", "starts_after", "check_in_closes_at") if self._is_asked(name)]

    def in_turn(self) -> set[int]:
        rounds = self.wishes() if self.is_filled_in else self.arranged.values()
        return {row.number for row in rounds if row.in_turn}

    def timetable(self) -> list[RoundWish]:
        """The rounds as they were filled in. Empty if all are played as their teams become known."""
        planned = self.estimate.rounds if self.estimate else 1
        self._fit_rounds(planned)  # a bracket's are counted from the last one
        wishes = self.wishes()
        blank = [RoundWish(wish.number, wish.starts_at if wish.number == 1 else None) for wish in wishes]
        last = max((wish.number for wish in wishes if wish not in blank), default=0)
        return [wish for wish in wishes if wish.number <= max(last, planned)] if last else []

    @cached_property
    def day(self) -> Day | None:
        """When its rounds probably begin and end. None: too few teams, or no rounds."""
        if not self.arranged or self.estimate is None:
            return None
        arranged = self.timetable() if self.is_filled_in else list(self.arranged.values())
        return day_of(self.sketch, arranged, self.estimate, timezone.now())

    def timetable_rows(self) -> list[RoundRow]:
        """The rounds in the form, and those that the stage would have beyond them."""
        found = self.estimate.by_round if self.estimate else ()
        self._fit_rounds(len(found))
        return self.round_rows([each.name for each in found], self.day.rounds if self.day else ())

    def clean_entry(self) -> str:
        return self.cleaned_data["entry"] or Entry.ALL

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("entry") == Entry.BEST and not data.get("source"):
            self.add_error("source" if "source" in self.fields else "entry", "Choose the stage the teams come from.")
        elif (data.get("seeding") == Seeding.SOURCE or data.get("starts_after")) and not data.get("source"):
            self.add_error("source", "Choose the earlier stage.")
        if data.get("entry") == Entry.INVITED and not data.get("invited"):
            self.add_error("invited", "Invite at least one team.")
        closes, starts = data.get("check_in_closes_at"), data.get("starts_at")
        if closes and starts and closes > starts:
            self.add_error("check_in_closes_at", "Check-in cannot close after the start.")
        if data.get("seeding") == Seeding.HAND:
            self._check_places()
        return data

    def _check_places(self) -> None:
        taken: dict[int, Team] = {}
        for team in self.teams:
            place = self.cleaned_data.get(f"place_{team.pk}")
            if place in taken:
                self.add_error(f"place_{team.pk}", f"{taken[place]} has the same seed.")
            elif place is not None:
                taken[place] = team

    def order(self) -> list[int]:
        """Teams by their typed seeds; teams without a seed come last."""
        places = {team.pk: self.cleaned_data.get(f"place_{team.pk}") for team in self.teams}
        return sorted(places, key=lambda team: (places[team] is None, places[team] or 0))

    def option_names(self) -> list[str]:
        return [name for name in (*self.SHARED, *self.OWN) if name in self.fields]

    def wish(self) -> Wish:
        data = self.cleaned_data
        seeding = data.get("seeding") or Seeding.NUMBER
        needed = data["entry"] == Entry.BEST or seeding == Seeding.SOURCE or data.get("starts_after")
        timetable = self.timetable() if self.arranged else None
        at_once = all(wish.release == Round.Release.AT_ONCE for wish in timetable or ())
        return Wish(
            name=data["name"],
            format=self.format,
            options=self.options(),
            seeding=seeding,
            order=self.order() if seeding == Seeding.HAND else (),
            starts_at=data["starts_at"],
            starts_after=bool(data.get("starts_after")),
            ends_at=data.get("ends_at"),
            check_in_closes_at=data.get("check_in_closes_at"),
            entry=data["entry"],
            source=data.get("source") if needed else None,
            best=data.get("best") if data["entry"] == Entry.BEST else None,
            invited=data["invited"] if data["entry"] == Entry.INVITED else (),
            release=Release.LIVE if at_once else Release.ROUNDS,
            timetable=timetable,
        )

    @classmethod
    def defaults(cls, contest: Contest) -> dict[str, Any]:
        return {
            **super().defaults(contest),
            **fair_games(contest),
            "entry": Entry.ALL,
            "seeding": Seeding.NUMBER,
            "source": contest.stages.order_by("pk").last(),
        }


def _from_here(stage: Stage | None) -> set[int]:
    """The stage, and all stages that directly or indirectly follow it."""
    found: set[int] = set()
    coming = {stage.pk} if stage else set()
    while coming:
        found |= coming
        coming = set(Stage.objects.filter(source__in=coming).values_list("pk", flat=True)) - found
    return found


def fair_games(contest: Contest) -> dict[str, int]:
    """The initial number of games at a table, where fair play takes more than one game from every seat."""
    game = contest.game
    many = not game.decides and game.fair_games() > game.seats[1]
    return {"games": game.fair_games()} if many else {}


def games_help(contest: Contest) -> str:
    """How the number of games affects fairness and time."""
    game, one = contest.game, budget(contest, 1)
    fair = game.fair_games()
    counted = "The games that each wins" if game.counts_games else f"The {game.counts} of all games"
    said = f"{counted} are added. Multiples of {fair} are fair, because seats rotate."
    if game.decides:
        said = f"Optional. If empty, the rules of the game decide when a match is over. {said}"
    seen = "So far, a game took" if one.measured or one.checked else "With house players, a game takes"
    return f"{said} {seen} {about(one.usual)}."


def games_said(stage: Stage, where: str = "at a table") -> str:
    games = stage.options.get("games")
    if games is None:
        said = "as many games as the rules require"
    else:
        said = f"{games} game{'' if games == 1 else 's'} {where}"
    return f"{said}, the same deals from every seat" if stage.options.get("duplicate") else said


def initial_of(stage: Stage) -> dict[str, Any]:
    first = rounds_of(stage, 1)[0]  # of a bracket with fewer rounds than were arranged, it has a start of its own
    return {
        "starts_at": stage.starts_at and first.starts_at,
        **{name: getattr(stage, name) for name in ("name", "starts_after", "ends_at", "check_in_closes_at")},
        **{name: getattr(stage, name) for name in ("entry", "source", "best", "invited", "seeding")},
        **stage.options,
    }


class VoidForm(forms.Form):
    reason = forms.CharField(
        label="Reason",
        max_length=300,
        help_text="Everybody can read it on the page of the match.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    hold = forms.BooleanField(
        label="Pause the stage first",
        required=False,
        help_text="The new match then waits until you resume the stage.",
    )

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not kinds.of(stage).plays_again or stage.state == Stage.State.PAUSED:
            del self.fields["hold"]
