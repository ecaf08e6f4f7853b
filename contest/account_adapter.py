"""allauth in our way: accounts without an address, where people are sent, the form to log in, the second factor."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from allauth.account import forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.utils import perform_login
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

from contest.models import User
from contest.names import one_line
from games.server.door import plain


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | dict.fromkeys(
        ("username_password_mismatch", "email_password_mismatch"), "The username, email or password is not correct."
    )

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Leave counting to axes: a limit for the name alone would let a rival shut out its owner."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name: str = super().clean_username(one_line(username), shallow)
        if not shallow and User.named(name):
            raise self.validation_error("username_taken")
        return name

    def get_client_ip(self, request: HttpRequest) -> str:
        """IPv4 in its own form: a server that listens for both writes it as IPv6, all in one network."""
        return plain(super().get_client_ip(request))

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


class LoginForm(forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "Username or email address"
        self.fields["login"].widget.attrs = {"autocomplete": "username"}  # allauth's is "email"

    def user_credentials(self) -> dict[str, Any]:
        """allauth takes a name for an address, then for a user name. Given both, it would look twice at the password of
        an account that is named by its address, which takes twice as long and so tells that there is one."""
        credentials: dict[str, Any] = super().user_credentials()
        credentials.pop("email", None)
        typed = self.cleaned_data["login"]
        user = User.named(typed)
        return credentials | {"username": user.username if user else typed}


def _box() -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(f"second factor:{settings.SECRET_KEY}".encode()).digest()))


class SecondFactor(DefaultMFAAdapter):
    """A copy of the database alone lets nobody log in: the key follows from SECRET_KEY. With a new one, people set up
    their apps anew after an administrator has deleted the old entries."""

    def encrypt(self, text: str) -> str:
        return _box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _box().decrypt(encrypted_text.encode()).decode()
