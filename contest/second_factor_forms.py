"""The forms for a code of the second factor (settings.MFA_FORMS), with limits that shut nobody out."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.base import forms

from contest import devices, guesses


class _Counted:
    """allauth's limit counts for the account alone, so it is set to nothing (settings.ACCOUNT_RATE_LIMITS)."""

    user: Any

    def clean_code(self) -> str:
        request = context.request
        attempt = guesses.at_second_factor(request, self.user.pk, devices.of(request, self.user))
        if attempt is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        code: str = super().clean_code()  # type: ignore[misc]
        attempt.was_right()
        return code


class AuthenticateForm(_Counted, forms.AuthenticateForm):
    pass


class ReauthenticateForm(_Counted, forms.ReauthenticateForm):
    pass
