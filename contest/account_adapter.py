"""What allauth does in our way: accounts without an address, and where people are sent afterwards."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.utils import perform_login
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

from contest.models import User


class AccountAdapter(DefaultAccountAdapter):
    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Leave counting to axes: a limit for the name alone would let a rival shut out its owner."""

    def pre_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse | None:
        """Superusers, whose accounts are made on the server, and people without an address need not confirm one."""
        response: HttpResponse | None = super().pre_login(request, user, **more)
        open_to = user.is_superuser or not user.email
        if response or not open_to or more["email_verification"] == EmailVerificationMethod.NONE:
            return response
        kept = {name: more[name] for name in ("redirect_url", "signal_kwargs")}
        answer: HttpResponse = perform_login(request, user, EmailVerificationMethod.NONE, **kept)
        return answer

    def is_safe_url(self, url: str | None) -> bool:
        """Back to this very host, and nowhere else: the default takes every name that the portal answers to."""
        request = self.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
