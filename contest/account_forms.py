"""Forms about one's own account, at sign-up (settings.ACCOUNT_SIGNUP_FORM_CLASS) and later."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest

from contest.forms import MergingForm
from contest.models import Scope, User
from contest.names import NameInput


class NameForm(forms.Form):
    """The real name is optional: pages fall back to the user name."""

    first_name = NameInput(
        label="First name",
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )
    last_name = NameInput(
        label="Last name",
        max_length=60,
        required=False,
        help_text="Optional. Only your team and the organisers see your name; everyone else sees your username.",
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )


class AccountForm(MergingForm, NameForm):
    """Name and mail settings. Without a mail server there is nothing to ask about mail."""

    mail_news = forms.BooleanField(
        label="Email me answers, announcements and news about my team",
        required=False,
        help_text="We email your confirmed address if you have not read them here within a few minutes.",
    )
    mail_matches = forms.BooleanField(
        label="Email me when matches of my team were played",
        required=False,
        help_text="One message for each round, and at most one a day from a ladder.",
    )
    is_public = forms.BooleanField(
        label="Show my page to everybody",
        required=False,
        help_text="It shows your username and what your teams did in public contests, never your name or a source.",
    )

    shows_casual = forms.BooleanField(
        label="Show casual games there",
        required=False,
        help_text="Finished games that everybody can watch, with a link to each.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.EMAIL_URL:
            del self.fields["mail_news"]
            del self.fields["mail_matches"]
        self.merge()


class SignupForm(NameForm):
    """The base of allauth's form, which stores the names."""

    field_order = ("username", "first_name", "last_name", "email", "password1", "password2")

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "@" in data.get("username", ""):
            # Otherwise someone could use a teacher's address as a user name and be mistaken for the teacher.
            self.add_error("username", "A username cannot contain @. Enter your email address in its own field.")
        return data

    def signup(self, request: HttpRequest, user: User) -> None:
        """Required by allauth; nothing is left to do."""


class TokenForm(forms.Form):
    """A new token for a program (models/tokens.py)."""

    LIFETIMES = (("30", "30 days"), ("90", "90 days"), ("365", "A year"), ("", "Never"))

    name = NameInput(
        max_length=60,
        help_text="What uses it, for example “laptop” or “build server”.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="What it may do",
        choices=[(scope.value, f"{scope.label} ({scope.value})") for scope in Scope],
        required=False,
        help_text="Any token can read what everyone can read. Choose no more than the program needs.",
        widget=forms.CheckboxSelectMultiple,
    )
    lifetime = forms.ChoiceField(label="Expires after", choices=LIFETIMES, required=False, initial="90")

    def clean_lifetime(self) -> timedelta | None:
        """None: it does not expire."""
        days = self.cleaned_data["lifetime"]
        return timedelta(days=int(days)) if days else None
