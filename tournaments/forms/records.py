"""The form for the rule by which a contest keeps records."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db import models

from contest.models import Contest
from tournaments.playing import pruning
from tournaments.playing.pruning import Rule


class RuleForm(forms.Form):
    """The portal's rule, no deleting at all, or an own rule."""

    class Kind(models.TextChoices):
        PORTAL = "portal", "Use the portal’s rule"
        ALL = "all", "Keep all records"
        OWN = "own", "Keep the latest records"

    kind = forms.ChoiceField(label="Rule", choices=Kind.choices, widget=forms.RadioSelect)
    latest = forms.IntegerField(
        label="Latest matches",
        min_value=0,
        max_value=pruning.MOST_LATEST,
        required=False,
        help_text="Keep the records of so many matches that finished last. 0: the number does not count.",
    )
    days = forms.IntegerField(
        label="Days",
        min_value=0,
        max_value=pruning.MOST_DAYS,
        required=False,
        help_text="Keep the records of matches that finished in so many last days. 0: the age does not count.",
    )

    def __init__(self, contest: Contest, asked: Any = None) -> None:
        own = pruning.own_rule(contest)
        kind = self.Kind.PORTAL if own is None else self.Kind.OWN if any(own) else self.Kind.ALL
        shown = own or pruning.portal_rule(contest)
        super().__init__(asked, initial={"kind": kind, **shown._asdict()})

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        known = data.get("kind") == self.Kind.OWN and not self.errors
        if known and not (data.get("latest") or data.get("days")):
            self.add_error("latest", "Enter a number of matches or of days. To delete nothing, choose to keep all.")
        return data

    @property
    def rule(self) -> Rule | None:
        """What was chosen. None: the portal's rule."""
        data = self.cleaned_data
        if data["kind"] == self.Kind.PORTAL:
            return None
        return Rule(data["latest"] or 0, data["days"] or 0) if data["kind"] == self.Kind.OWN else Rule()
