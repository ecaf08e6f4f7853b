"""The timetable of a stage as programs send it: a list of rounds, which fill in the fields of the page's form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.datastructures import MultiValueDict
from rest_framework import serializers

from contest.api.forms import filled
from contest.api.problems import Problem, in_one, wrong
from contest.api.unknown import refusal
from tournaments.forms import PlainForm, TimetableForm, field_name
from tournaments.forms.timetable import FIELD
from tournaments.models import Round
from tournaments.organising.timetable import FIELDS

TOLD = ("name", "state", "started_at")
"""What answers say of a round besides. It is ignored, so that a program can send back what it has read."""
MOST = 999
UNCHANGED = (None, Round.Release.AT_ONCE)
"""What a field that a form does not have can only be."""


class RoundWishBody(serializers.Serializer):
    number = serializers.IntegerField(min_value=1, max_value=MOST)
    starts_at = serializers.DateTimeField(required=False, allow_null=True, help_text="Of the first: of the stage.")
    break_minutes = serializers.IntegerField(
        required=False, allow_null=True, help_text="After the round before, instead of `starts_at`."
    )
    hold = serializers.BooleanField(required=False, help_text="Until an organiser starts it.")
    in_turn = serializers.BooleanField(required=False, help_text="One table after the other.")
    release = serializers.ChoiceField(Round.Release.choices, required=False, help_text="When results become public.")
    release_at = serializers.DateTimeField(required=False, allow_null=True, help_text="Of the release `moment`.")


def round_values(form: TimetableForm, sent: MultiValueDict[str, Any]) -> dict[str, Any]:
    """Values for the form's fields from the `timetable` that was sent. Rounds and settings that it leaves out stay as
    they are. Raises Problem."""
    found: dict[str, Any] = {}
    for number, entry in _entries(sent.getlist("timetable")):
        now = form.arranged.get(number) or Round(number=number)
        if number <= form.begun:  # so that the form sees whether anything else would change
            found |= {field_name(number, name): getattr(now, name) for name in FIELDS}
        for name in (name for name in FIELDS if name in entry):
            found[field_name(number, name)] = entry[name]
    return found


def _entries(sent: list[Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    seen: set[int] = set()
    for entry in sent:
        number = entry.get("number") if isinstance(entry, Mapping) else None
        if type(number) is not int or not 1 <= number <= MOST or number in seen:
            raise wrong("timetable", "This is a list of objects, one for each round with its `number`, from 1.")
        if unknown := [name for name in entry if name not in ("number", *FIELDS, *TOLD)]:
            raise refusal(unknown, ("number", *FIELDS), "A round")
        seen.add(number)
        yield number, entry


def fill_rounds(form: TimetableForm | PlainForm, sent: MultiValueDict[str, Any]) -> None:
    """Validate a form. Raises Problem, which names `timetable` for what is wrong with a round."""
    if isinstance(form, TimetableForm):
        for number, entry in _entries(sent.getlist("timetable")):
            for name in FIELDS:
                if field_name(number, name) not in form.fields and entry.get(name) not in UNCHANGED:
                    raise wrong("timetable", f"Round {number}, {name}: this cannot be chosen here.")
    try:
        filled(form)
    except Problem as problem:
        errors = [_of_round(error, sent) for error in problem.errors]
        raise Problem(problem.status_code, "invalid", in_one(errors), errors) from None


def _of_round(error: dict[str, str], sent: MultiValueDict[str, Any]) -> dict[str, str]:
    field = error["field"]
    if field == "starts_at" and field not in sent and "timetable" in sent:
        field = "round_1_starts_at"
    found = FIELD.fullmatch(field)
    return {"field": "timetable", "detail": f"Round {found[1]}, {found[2]}: {error['detail']}"} if found else error
