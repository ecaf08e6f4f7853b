"""The form with which organisers move a round and all that follow."""

from __future__ import annotations

from typing import Any

from django import forms

from contest.setup_forms import moment


class ShiftForm(forms.Form):
    round = forms.IntegerField(min_value=1, help_text="The first round to move, by its number.")
    minutes = forms.IntegerField(
        min_value=-10_000, max_value=10_000, required=False, help_text="By so many; fewer than 0: earlier."
    )
    to = moment("To", "When that round starts; later ones move by as much.")
    text = forms.CharField(
        max_length=300, required=False, help_text="What the teams are told. Blank: by how much the start moves."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].required = False

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors and (data.get("minutes") is None) is (data.get("to") is None):
            self.add_error("to", "Say by how many minutes the round moves, or when it starts.")
        return data
