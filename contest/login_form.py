"""The form to log in (settings.ACCOUNT_FORMS). Not in account_forms.py, which allauth's forms import."""

from __future__ import annotations

from typing import Any

from allauth.account import forms


class LoginForm(forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "Username or email address"
        self.fields["login"].widget.attrs.pop("placeholder", None)
