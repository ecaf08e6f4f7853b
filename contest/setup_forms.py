"""Forms to create and change a contest: name, dates, limits and the options of its game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from datetime import timezone as tzinfo_of
from typing import Any

from django import forms
from django.utils import timezone

from contest import languages, zone_changes, zones
from contest import languages as tongues
from contest.forms import EditForm, MergingForm, OptionalReasonForm
from contest.models import Contest
from contest.models.moments import FIRST, LAST, OUT_OF_RANGE
from contest.names import NameInput
from games import GAMES
from games.engine import Game, OptionError
from games.options import Option

LOCAL = "%Y-%m-%dT%H:%M"
WALL_CLOCK = tzinfo_of(timedelta(0), "wall clock")
"""Marks a time that was typed without a zone."""


def option_label(game: Game, name: str) -> str:
    """The label of a game's option."""
    known = game.option_fields.get(name)
    return known.label if known else name.replace("_", " ").capitalize()


class LocalDateTimeInput(forms.DateTimeInput):
    """The browser's date and time field, in the official time zone. page.js adds the reader's time."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(attrs={"step": 60}, format=LOCAL)

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        zone = timezone.get_current_timezone_name()
        return super().get_context(name, value, {**(attrs or {}), "data-zone": zone})


class MomentField(forms.DateTimeField):
    """A date and time in the current zone. Of an hour that the clocks show twice, it means the first."""

    def to_python(self, value: Any) -> datetime | None:
        with timezone.override(WALL_CLOCK):
            typed = super().to_python(value)
        if typed is not None and not FIRST.year <= typed.year <= LAST.year:
            raise forms.ValidationError(OUT_OF_RANGE)
        if typed is None or typed.tzinfo is not WALL_CLOCK:
            return typed
        wall, zone = typed.replace(tzinfo=None), timezone.get_current_timezone()
        moment = wall.replace(tzinfo=zone)
        if moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall:
            raise forms.ValidationError(
                f"There is no {wall:%H:%M} on {wall.day} {wall:%B} in {zone}, because the clocks go forward then."
            )
        return moment

    def has_changed(self, initial: Any, data: Any) -> bool:
        """By the minute, which is all that its widget shows."""
        try:
            was, now = (self.to_python(each) for each in (initial, data))
        except forms.ValidationError:
            return True
        return (was and was.replace(second=0, microsecond=0)) != (now and now.replace(second=0, microsecond=0))


def moment(label: str, help_text: str = "", **more: Any) -> MomentField:
    formats = [LOCAL, "%Y-%m-%d %H:%M"]
    return MomentField(label=label, help_text=help_text, widget=LocalDateTimeInput(), input_formats=formats, **more)


class LanguageBoxes(forms.CheckboxSelectMultiple):
    """A box for each language. Those of `closed` can be seen and not ticked."""

    closed: Collection[str] = ()

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        if value in self.closed:
            option["attrs"]["disabled"] = True
        return option


class ContestForm(MergingForm, forms.ModelForm):
    """The settings of a new or existing contest, without its game's options."""

    time_zone = forms.ChoiceField(
        label="Time zone",
        choices=zones.choices,
        required=False,
        initial=timezone.get_default_timezone_name,
        help_text="You set the dates of this contest and of its stages in this zone.",
    )
    keep = forms.ChoiceField(
        label="What stays in the other time zone",
        choices=[
            ("moments", "The moments. Nothing moves, and the portal shows other clock times."),
            ("clock_times", "The clock times. 18:00 stays 18:00, in the other zone."),
        ],
        widget=forms.RadioSelect,
        required=False,
        help_text="This is about dates in the future that you leave as they are, also those of stages that have not "
        "started. Dates that you change are read in the other zone.",
    )
    opens_at = moment("Opens", "Teams can enter and upload from then on.")
    entry_deadline = moment("Entry closes", "No new teams can enter after this.")
    upload_deadline = moment("Uploads close", "Each team plays with the version that is active then.")
    languages = forms.MultipleChoiceField(
        label="Languages",
        choices=tongues.choices,
        widget=LanguageBoxes,
    )

    class Meta:
        model = Contest
        fields = (
            *("name", "blurb", "description", "visibility"),
            *("time_zone", "opens_at", "entry_deadline", "upload_deadline"),
            *("languages", "memory_mb", "startup_seconds", "source_kb", "uploads_per_hour"),
            *("team_size", "approval_required", "one_file", "needs_strategy", "sanitize", "live"),
            *("practice", "practice_per_hour", "public_notes"),
        )
        labels = {
            "blurb": "Summary",
            "memory_mb": "Memory per bot, in MB",
            "startup_seconds": "Start-up time, in seconds",
            "source_kb": "Maximum source size, in KB",
            "uploads_per_hour": "Uploads per team per hour",
            "team_size": "Maximum team size",
            "approval_required": "Organisers approve each team",
            "one_file": "A version is one source file",
            "needs_strategy": "Uploads must include a strategy text",
            "sanitize": "Checks look for memory errors (C and C++)",
            "live": "Teams’ own programs may connect to the contest server",
            "practice": "Teams may practise",
            "practice_per_hour": "Practice games per team per hour",
            "public_notes": "Teams may write public notes on replays",
        }
        help_texts = {
            "blurb": "One sentence, shown in the list of contests.",
            "description": "Shown on the contest's page, as Markdown. The rules of the game have their own page.",
            "visibility": "Unlisted contests are not secret: people can guess the addresses of their matches. Only a "
            "private contest is closed to strangers.",
            "startup_seconds": "Time for a bot to start, on top of its thinking time.",
            "team_size": "Teams that are already larger keep their members.",
            "one_file": "Otherwise teams may also upload several files, or an archive. Together they must be within "
            "the maximum source size.",
            "sanitize": "The check builds each bot a second time with the compiler’s sanitizers and shows the team "
            "what they find, with file and line. Matches use the normal build.",
            "live": "A connected team plays with its own program, the others with their uploaded version.",
            "practice": "Practice never counts, and matches never wait for it. Against other teams, a team sees how "
            "their active version plays, but not its source. Each team can decline that.",
            "public_notes": "Otherwise a team’s notes are for itself. You can remove public notes.",
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 8})}

    DATES = ("opens_at", "entry_deadline", "upload_deadline")
    SECTIONS = (
        ("General", ("name", "blurb", "description", "visibility")),
        ("Dates", ("time_zone", "keep", "opens_at", "entry_deadline", "upload_deadline")),
        ("Teams", ("team_size", "uploads_per_hour", "approval_required", "needs_strategy", "public_notes")),
        ("Practice", ("practice", "practice_per_hour")),
        ("Bots", ("languages", "memory_mb", "startup_seconds", "source_kb", "one_file", "sanitize", "live")),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        slug = self.initial.get("game_slug") or self.instance.game_slug
        if slug not in GAMES or GAMES[slug].protocol != "socket":
            del self.fields["live"]
        keep = self.fields.pop("keep")
        self.zone_shown: tzinfo = timezone.get_current_timezone()  # in which the sender saw the dates
        if self.instance.pk is None:
            self.fields["opens_at"].widget.attrs["data-now"] = ""  # for page.js: this stays now in any zone
        else:
            self.merge()
            shown = self.data.get(self["time_zone"].html_initial_name) or self.instance.time_zone
            self.zone_shown = zones.official_zone(shown)
            if self.data.get("time_zone") not in (None, "", shown, self.instance.time_zone):
                self.fields["keep"] = keep
        self.refused = languages.refusals(GAMES[slug]) if slug in GAMES else {}
        if self.refused:
            field: Any = self.fields["languages"]
            field.choices = languages.labels(self.refused)
            field.widget.closed = self.refused.keys() - self.initial["languages"]  # what it has stays

    def sections(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(title, [self[name] for name in names if name in self.fields]) for title, names in self.SECTIONS]

    def clean_languages(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["languages"]
        new = [slug for slug in chosen if slug in self.refused and slug not in self.initial["languages"]]
        if new:
            raise forms.ValidationError([self.refused[slug].sentence for slug in new])
        return chosen

    def clean_time_zone(self) -> str:
        return str(self.cleaned_data["time_zone"] or self.initial.get("time_zone") or self.instance.time_zone)

    def full_clean(self) -> None:
        with timezone.override(self.zone_shown):
            super().full_clean()

    def clean(self) -> dict[str, Any]:
        if "keep" in self.fields:
            self._read_in_other_zone()
        data: dict[str, Any] = super().clean() or self.cleaned_data
        for name in self.DATES:
            now, sent = getattr(self.instance, name), data.get(name)
            if now and sent and timezone.localtime(now).strftime(LOCAL) == timezone.localtime(sent).strftime(LOCAL):
                data[name] = now  # the field shows neither seconds nor which of two equal hours it is: not changed
            elif sent:
                data[name] = sent.astimezone(UTC)  # as it is stored
        if "keep" in self.fields and "time_zone" in data:
            self._keep(data)
        opens, entry, upload = (data.get(name) for name in self.DATES)
        if opens and entry and entry <= opens:
            self.add_error("entry_deadline", "Entry must close after the contest opens.")
        if opens and upload and upload <= opens:
            self.add_error("upload_deadline", "Uploads must close after the contest opens.")
        if entry and upload and upload < entry:
            self.add_error("upload_deadline", "Uploads cannot close before entry does, or late teams could not upload.")
        memory, known = data.get("memory_mb"), tongues.known(data.get("languages", []))
        floors = {it.name: -(-it.memory_floor // tongues.MEGABYTE) for it in known}
        hungry = {name: floor for name, floor in floors.items() if memory and floor > memory}
        if hungry:
            needs = ", ".join(f"{name} needs at least {floor} MB" for name, floor in hungry.items())
            self.add_error("memory_mb", f"{needs}. Allow more memory, or remove the language.")
        return data

    def _is_typed(self, name: str) -> bool:
        """Whether a date differs from what its sender was shown."""
        seen = self.data.get(self[name].html_initial_name, self[name].initial)
        return self.fields[name].has_changed(seen, self[name].data)

    def _read_in_other_zone(self) -> None:
        """Read dates that were typed together with another zone, in that zone."""
        typed = [name for name in self.DATES if self._is_typed(name)]
        with timezone.override(zones.official_zone(self.data["time_zone"])):
            for name in typed:
                self.errors.pop(name, None)
                try:
                    self.cleaned_data[name] = self.fields[name].clean(self[name].data)
                except forms.ValidationError as error:
                    self.add_error(name, error)

    def _keep(self, data: dict[str, Any]) -> None:
        """Move the dates that stay as they were, or ask whether they are to move."""
        moving = [
            move
            for move in zone_changes.moves(self.instance, data["time_zone"])
            if not (move.row == self.instance and move.field in self.DATES and self._is_typed(move.field))
        ]
        if moving and not data.get("keep"):
            asked = "Choose what stays in the other time zone. With the clock times, this would move:"
            self.add_error("keep", [asked, *map(str, moving)])
        elif data.get("keep") == "clock_times":
            if past := [str(move) for move in moving if move.after <= timezone.now()]:
                self.add_error("keep", ["Change these dates first, since they would move into the past:", *past])
            data.update((move.field, move.after) for move in moving if move.row == self.instance)


class LaterUploadsForm(EditForm, OptionalReasonForm):
    """A later deadline for one team."""

    until = moment("Uploads close", "Later than for the others. Leave it empty to take that back.", required=False)
    reason = NameInput(
        label="Reason", max_length=300, required=False, help_text="Everybody can read it once a stage has begun."
    )
    field_order = ("until", "reason")


class CloneForm(forms.Form):
    """What to copy into a new contest, and when it opens."""

    name = NameInput(label="Name", max_length=120)
    opens_at = moment("Opens", "All other dates move by the same amount, including those of stages.")
    roles = forms.BooleanField(label="Copy roles", required=False)
    teams = forms.BooleanField(
        label="Copy teams and their members", required=False, help_text="Only teams that take part, without their bots."
    )
    announcements = forms.BooleanField(label="Copy announcements, dated now", required=False)


class OptionsForm(MergingForm):
    """The options of a game, which validates them. Each field has the type of the preset's value or of the option's
    default."""

    def __init__(
        self,
        game: Game,
        preset: str,
        data: Mapping[str, Any] | None = None,
        *,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, prefix="option")
        self.game, self.preset = game, preset
        left_out = {name: it.default for name, it in game.option_fields.items() if it.default is not None}
        self.defaults = left_out | game.options({}, preset)
        for name, value in self.defaults.items():
            self.fields[name] = self._field(name, value)
            self.fields[name].initial = (options or {}).get(name, value)
        if options is not None:
            self.merge()

    def _field(self, name: str, value: Any) -> forms.Field:
        """A field for one option, typed like its value, with the game's help text."""
        told = self.game.option_fields.get(name, Option(""))
        label = option_label(self.game, name)
        if isinstance(value, bool):
            return forms.BooleanField(label=label, help_text=told.help, required=False)
        said = f"{told.help} Preset: {value}.".strip()
        if isinstance(value, int | float):
            limits = {key: limit for key, limit in (("min", told.least), ("max", told.most)) if limit is not None}
            return forms.FloatField(label=label, help_text=said, widget=forms.NumberInput({"step": "any", **limits}))
        if isinstance(value, str):
            return forms.CharField(label=label, help_text=said)
        return forms.JSONField(label=label, help_text=said, required=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        for name, value in data.items():
            if isinstance(value, float) and value.is_integer():
                data[name] = int(value)
        if not self.errors:
            try:
                self.game.options(self.changes(), self.preset)
            except OptionError as error:
                raise forms.ValidationError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
        return data

    def changes(self) -> dict[str, Any]:
        """The values that differ from the preset, for Contest.options."""
        return {name: value for name, value in self.cleaned_data.items() if value != self.defaults[name]}


def clone_defaults(contest: Contest) -> dict[str, Any]:
    """The initial values of `contest.setup_forms.CloneForm`."""
    now = timezone.localtime().replace(second=0, microsecond=0)
    return {"name": f"{contest.name[:113]} (copy)", "opens_at": now, "roles": True}


class FreezeForm(forms.Form):
    at = moment("Freeze from", "Results from before that moment stay public.")
