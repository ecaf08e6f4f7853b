"""The form for a freeze that begins later."""

from __future__ import annotations

from django import forms

from contest.setup_forms import moment


class FreezeForm(forms.Form):
    at = moment("Freeze from", "Results from before that moment stay public.")
