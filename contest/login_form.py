"""The form to log in (settings.ACCOUNT_FORMS). Not in account_forms.py, which allauth's forms import."""

from __future__ import annotations

from typing import Any

from allauth.account import forms


class LoginForm(forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "Username or email address"
        self.fields["login"].widget.attrs.pop("placeholder", None)

    def user_credentials(self) -> dict[str, Any]:
        """allauth takes a name for an address, then for a user name. Given both, it would look twice at the password of
        an account that is named by its address, which takes twice as long and so tells that there is one."""
        credentials: dict[str, Any] = super().user_credentials()
        credentials.pop("email", None)
        return credentials | {"username": self.cleaned_data["login"]}
