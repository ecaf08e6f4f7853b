"""The forms of the pages as the input of the API, so that both ask for the same and refuse with the same words."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from datetime import date, time, timedelta
from types import NoneType
from typing import Any

from django import forms
from django.db import models
from django.forms.fields import BaseTemporalField
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.request import Request

from contest.api.problems import Problem, invalid, wrong
from contest.forms import OptionalReasonForm


def typed(request: Request) -> QueryDict | MultiValueDict[str, Any]:
    """What was sent, as a form reads it: null empties a field. Raises Problem if it is not an object with simple
    values."""
    data = request.data
    if isinstance(data, QueryDict):
        return data
    if not isinstance(data, Mapping):
        raise Problem(422, "invalid", "The request needs a JSON object.")
    found: MultiValueDict[str, Any] = MultiValueDict()
    for name, value in data.items():
        found.setlist(str(name), [] if value is None else value if isinstance(value, list) else [value])
    return found


def completed(sent: QueryDict | MultiValueDict[str, Any], now: models.Model, form: type[forms.ModelForm]) -> Any:
    """What was sent, and for fields that were left out what the row has now: programs send only what they change."""
    return filled_up(sent, forms.model_to_dict(now, fields=list(form.base_fields)))


def filled_up(sent: QueryDict | MultiValueDict[str, Any], now: Mapping[str, Any]) -> MultiValueDict[str, Any]:
    """What was sent, and `now` for what was left out."""
    found: MultiValueDict[str, Any] = MultiValueDict(dict(sent.lists()))
    for name, value in now.items():
        if name not in sent:
            found.setlist(name, [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value])
    return found


SEVERAL = (forms.MultipleChoiceField, forms.ModelMultipleChoiceField)
WORDS = dict.fromkeys(("true", "1", "yes", "on"), True) | dict.fromkeys(("false", "0", "no", "off", ""), False)


def is_true(name: str, sent: object) -> bool:
    """What was sent for something that is either true or false. Raises Problem."""
    if (found := WORDS.get(str(sent).lower())) is None:
        raise wrong(name, "This is either true or false.")
    return found


def filled(form: forms.BaseForm) -> dict[str, Any]:
    """The cleaned data of a form. Raises Problem with what is wrong."""
    for name, field in form.fields.items():
        if type(form.data) is MultiValueDict and len(form.data.getlist(name)) > 1 and not isinstance(field, SEVERAL):
            raise wrong(name, "This takes one value, not a list.")
        if isinstance(field, BaseTemporalField):
            _write_out(form.data, name)
        elif isinstance(field, forms.BooleanField) and (sent := form.data.get(name)) not in (None, ""):
            data_of_form: Any = copy(form.data)
            data_of_form[name] = is_true(name, sent)  # Django takes the text "0" for true
            form.data = data_of_form
    if not form.is_valid():
        raise invalid(form)
    data: dict[str, Any] = form.cleaned_data
    return data


def _write_out(data: Any, name: str) -> None:
    """Fields for dates can read nothing but text and dates."""
    if not isinstance(value := data.get(name), (str, date, time, timedelta, NoneType)):
        data.setlist(name, [str(value)])


def reason_in(request: Request) -> str:
    """The reason that was sent with an action, possibly blank. Raises Problem if it is not valid text."""
    reason: str = filled(OptionalReasonForm(typed(request)))["reason"]
    return reason


FIELDS: tuple[tuple[type[forms.Field], type[serializers.Field]], ...] = (
    (forms.FileField, serializers.FileField),
    (forms.NullBooleanField, serializers.BooleanField),
    (forms.BooleanField, serializers.BooleanField),
    (forms.FloatField, serializers.FloatField),
    (forms.DecimalField, serializers.FloatField),
    (forms.ModelMultipleChoiceField, serializers.ListField),
    (forms.ModelChoiceField, serializers.IntegerField),
    (forms.IntegerField, serializers.IntegerField),
    (forms.DateTimeField, serializers.DateTimeField),
    (forms.MultipleChoiceField, serializers.ListField),
)
"""The schema's type of a form's field; text otherwise. More special classes first."""


def as_serializer(
    form: type[forms.Form | forms.ModelForm],
    name: str,
    without: tuple[str, ...] = (),
    needed: tuple[str, ...] | None = None,
    nullable: tuple[str, ...] = (),
    **more: serializers.Field,
) -> type[serializers.Serializer]:
    """What a form takes, for the schema. `needed`: what a program must send, if that is not what the page asks for."""
    fields = {
        title: _described(field, field.required if needed is None else title in needed, title in nullable)
        for title, field in form.base_fields.items()
        if title not in without
    }
    return type(name, (serializers.Serializer,), {"__doc__": None, **fields, **more})


def _described(field: forms.Field, required: bool, nullable: bool) -> serializers.Field:
    kind = next((ours for theirs, ours in FIELDS if isinstance(field, theirs)), serializers.CharField)
    told: dict[str, Any] = {"required": required, "help_text": str(field.help_text or field.label or "")}
    if nullable:
        told["allow_null"] = True
    if kind is serializers.CharField:
        if isinstance(field, forms.ChoiceField) and not callable(field.choices):
            values = [(value, label) for value, label in field.choices if not isinstance(label, (list, tuple))]
            if values:
                return serializers.ChoiceField(values, **told)
        told |= {"allow_blank": not field.required, "max_length": getattr(field, "max_length", None)}
    return kind(**told)


ReasonBody = as_serializer(OptionalReasonForm, "ReasonBody")
