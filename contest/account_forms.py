"""What people say about themselves, at sign-up (settings.ACCOUNT_SIGNUP_FORM_CLASS) and later on their own page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest

from contest.models import User
from contest.words import one_line


class NameForm(forms.Form):
    """Nobody must tell a name: the user name stands in its place."""

    first_name = forms.CharField(
        label="First name",
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )
    last_name = forms.CharField(
        label="Last name",
        max_length=60,
        required=False,
        help_text="Your team and the organisers see your name; everybody else sees your user name. May stay empty.",
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )

    def clean_first_name(self) -> str:
        return one_line(self.cleaned_data["first_name"])

    def clean_last_name(self) -> str:
        return one_line(self.cleaned_data["last_name"])


class AccountForm(NameForm):
    """One's own account. Where the portal sends no mail, nobody is asked about it."""

    mail_news = forms.BooleanField(
        label="Answers and announcements by e-mail, too",
        required=False,
        help_text="What the organisers of your contests say, when you have not read it here within a few minutes. To a "
        "confirmed address only.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.EMAIL_URL:
            del self.fields["mail_news"]


class SignupForm(NameForm):
    """What allauth's own form is built upon; it stores the names by itself."""

    field_order = ("username", "first_name", "last_name", "email", "password1", "password2")

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "@" in data.get("username", ""):
            # Else somebody could take a teacher's address for a user name, and be taken for the teacher.
            self.add_error("username", "A user name holds no @. Your e-mail address goes into its own field.")
        return data

    def signup(self, request: HttpRequest, user: User) -> None:
        """allauth asks for this method; there is nothing left to do."""
