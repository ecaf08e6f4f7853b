"""Finds who logs in (settings.AUTHENTICATION_BACKENDS)."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from contest.models import User


class LogInBackend(AuthenticationBackend):
    """By user name or address, with one look at a password for each account. allauth looks twice at that of an account
    that is named by its address, which takes twice as long and so tells that there is one."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        self.looked_at: set[int] = set()
        found: User | None = super().authenticate(request, **credentials)
        return found

    def _check_password(self, user: User | None, password: str) -> User | None:
        if user is None or user.pk in self.looked_at:
            return None
        self.looked_at.add(user.pk)
        found: User | None = super()._check_password(user, password)
        return found
