"""What allauth does in our way: limits that shut nobody out, known devices, accounts without an address, and where
people are sent afterwards."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.utils import perform_login
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

from contest import devices, guesses
from contest.models import User


class AccountAdapter(DefaultAccountAdapter):
    attempt: guesses.Attempt | None = None

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt, in place of limits that a rival's wrong guesses use up."""
        name = str(credentials.get("email") or credentials.get("username") or "")
        self.attempt = guesses.at_password(request, name, devices.named(request, name))
        if self.attempt is None:
            raise self.validation_error("too_many_login_attempts")

    def _rollback_login_failed_rl_usage(self) -> None:
        """The password was right."""
        if self.attempt is not None:
            self.attempt.was_right()

    def pre_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse | None:
        """Superusers, whose accounts are made on the server, and people without an address need not confirm one."""
        response: HttpResponse | None = super().pre_login(request, user, **more)
        open_to = user.is_superuser or not user.email
        if response or not open_to or more["email_verification"] == EmailVerificationMethod.NONE:
            return response
        kept = {name: more[name] for name in ("redirect_url", "signal_kwargs")}
        answer: HttpResponse = perform_login(request, user, EmailVerificationMethod.NONE, **kept)
        return answer

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **more)
        devices.remember(request, response, user)
        return response

    def is_safe_url(self, url: str | None) -> bool:
        """Back to this very host, and nowhere else: the default takes every name that the portal answers to."""
        request = self.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
