"""Forms for seats that change hands."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet

from contest.models import Team
from tournaments.models import Stage


class ByeForm(forms.Form):
    team = forms.ModelChoiceField(Team.objects.none(), label="Team that comes in", empty_label="Choose a team")

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("team", Team.objects.competing().filter(contest=stage.contest_id).exclude(pk__in=stage.order))

    def offer(self, name: str, teams: QuerySet[Team]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = teams.order_by("name")


class ReplaceForm(ByeForm):
    instead_of = forms.ModelChoiceField(Team.objects.none(), label="Team that leaves", empty_label="Choose a team")

    field_order = ("instead_of", "team")

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(stage, *args, **kwargs)
        self.offer("instead_of", Team.objects.filter(pk__in=stage.order))


SEAT_FORMS: dict[str, type[ByeForm]] = {"replace": ReplaceForm, "bye": ByeForm}
