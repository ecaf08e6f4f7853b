"""The timetable in forms about a stage: the fields of a row for every round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.utils import timezone

from contest.forms import MergingForm
from contest.setup_forms import moment
from tournaments import kinds
from tournaments.models import Round, Stage
from tournaments.organising.day import RoundForeseen
from tournaments.organising.rounds import last_begun
from tournaments.organising.timetable import (
    FIELDS,
    LONGEST_BREAK,
    RoundWish,
    count_of,
    name_of,
    rounds_of,
    what_is_wrong,
)

FIELD = re.compile(rf"round_([1-9]\d{{0,2}})_({'|'.join(FIELDS)})")


def field_name(number: int, name: str) -> str:
    """The start of the first round is that of its stage, and so is the name of its field."""
    return name if (number, name) == (1, "starts_at") else f"round_{number}_{name}"


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round in a form. `fields`: its cells by their short names, None where it has no such field. Empty if it has
    started. `release_at` stands below `release`."""

    row: Round
    name: str
    fields: dict[str, forms.BoundField | None]
    release_at: forms.BoundField | None
    foreseen: RoundForeseen | None = None


class TimetableForm(MergingForm):
    """The rows of a timetable."""

    begun: int = 0
    """The first rounds have started. They have no fields, and cannot change if they are sent all the same."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arranged: dict[int, Round] = {}

    def add_rounds(self, rounds: Iterable[Round]) -> None:
        """Add the fields of rounds that are not there yet."""
        sent = self.numbers_sent()
        for row in rounds:
            self.arranged.setdefault(row.number, row)
            for name, field in _fields_of(row).items() if row.number > self.begun or row.number in sent else ():
                self.fields.setdefault(field_name(row.number, name), field)

    def numbers_sent(self) -> set[int]:
        """The rounds that were sent. They may be more than a new form has."""
        return {int(found[1]) for name in self.data if (found := FIELD.fullmatch(name))}

    def wishes(self) -> list[RoundWish]:
        """All rounds as they were filled in."""
        return [self._wish(row) for _, row in sorted(self.arranged.items())]

    def _wish(self, row: Round) -> RoundWish:
        wish = RoundWish(row.number, *(getattr(row, name) for name in FIELDS))
        names = {name: field_name(row.number, name) for name in FIELDS}
        sent: dict[str, Any] = {
            name: self.cleaned_data.get(full) for name, full in names.items() if full in self.cleaned_data
        }
        wish = replace(wish, **sent)
        wish = replace(wish, release=wish.release or Round.Release.AT_ONCE)
        left_over = wish.release != Round.Release.MOMENT and not self.is_changed(names["release_at"])
        return replace(wish, release_at=None) if left_over else wish

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        changed = set(self.changed_data)
        for number in sorted(number for number in self.arranged if number <= self.begun):
            for name in sorted(changed & {field_name(number, name) for name in FIELDS}):
                self.add_error(name, "This round has started, so it can no longer change.")
        for wrong in what_is_wrong(self.wishes(), timezone.now(), self.begun, self.arranged.values()):
            name = field_name(wrong.number, wrong.field)
            self.add_error(name if name in self.fields else None, wrong.why)
        return data

    def round_rows(self, names: Sequence[str], foreseen: Sequence[RoundForeseen] = ()) -> list[RoundRow]:
        """All rounds, by number. `names`: of the rounds in the plan."""
        told = {each.row.number: each for each in foreseen}
        found = []
        for number, row in sorted(self.arranged.items()):
            name = names[number - 1] if number <= len(names) else f"Round {number}"
            full = {short: field_name(number, short) for short in FIELDS} if number > self.begun else {}
            fields = {short: self[each] if each in self.fields else None for short, each in full.items()}
            for bound in filter(None, fields.values()):  # because the heads of the columns do not say the round
                bound.label = f"{name}: {bound.label}"
            found.append(RoundRow(row, name, fields, fields.pop("release_at", None), told.get(number)))
        return found


class RoundsToComeForm(TimetableForm):
    """The timetable of a stage in progress."""

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        plan = kinds.of(stage).plan(stage)
        self.begun, numbers = last_begun(stage), range(1, count_of(plan) + 1)
        self.names = [name_of(stage, number, plan) for number in numbers]
        self.add_rounds(rounds_of(stage, count_of(plan)))
        if stage.release == Stage.Release.LIVE:  # its results are public, so that those of a later round cannot hide
            for name in [name for name in self.fields if "_release" in name]:
                del self.fields[name]
        self.merge()

    def timetable_rows(self) -> list[RoundRow]:
        return self.round_rows(self.names)


def _fields_of(row: Round) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {
        "starts_at": moment("start"),
        "break_minutes": forms.IntegerField(
            label="break before it, in minutes",
            widget=forms.NumberInput(attrs={"min": 0, "max": LONGEST_BREAK}),
        ),
        "hold": forms.BooleanField(label="hold until I start it"),
        "in_turn": forms.BooleanField(label="tables one after the other"),
        "release": forms.ChoiceField(label="results", choices=Round.Release.choices),
        "release_at": moment("results become public at"),
    }
    if row.number == 1:
        del fields["break_minutes"]
    for name, field in fields.items():
        field.required, field.initial = False, getattr(row, name)
    return fields


class ShiftForm(forms.Form):
    """With it, organisers move a round and all that follow."""

    round = forms.IntegerField(min_value=1, help_text="The first round to move, by its number.")
    minutes = forms.IntegerField(
        min_value=-10_000, max_value=10_000, required=False, help_text="By so many; fewer than 0: earlier."
    )
    to = moment("To", "When that round starts; later ones move by as much.", required=False)
    seen = forms.IntegerField(required=False, help_text="How often its start was changed, as its sender knows it.")
    text = forms.CharField(
        max_length=300, required=False, help_text="What the teams are told. Blank: by how much the start moves."
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors and (data.get("minutes") is None) is (data.get("to") is None):
            self.add_error("to", "Say either by how many minutes the round moves, or when it starts.")
        return data
