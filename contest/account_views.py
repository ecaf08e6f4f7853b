"""The account page, tokens for programs, and the pages on which people take their data with them and leave."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest import leaving, personal
from contest.account_forms import AccountForm, TokenForm
from contest.models import ApiToken
from contest.permissions import me
from contest.refusal import refusals_told


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Name and mail settings, with links to change address and password."""
    user = me(request)
    typed = request.POST if request.method == "POST" else None
    form = AccountForm(typed, initial={name: getattr(user, name) for name in AccountForm.base_fields})
    if typed is not None and form.is_valid():
        for name, value in form.cleaned_data.items():
            setattr(user, name, value)
        user.save(update_fields=list(form.cleaned_data))
        messages.success(request, "Saved.")
        return redirect("account")
    confirmed = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    context = {
        "form": form,
        "confirmed": confirmed,
        "has_second": is_mfa_enabled(user),
        "tokens": user.tokens.unended(timezone.now()).count(),
    }
    return render(request, "account/account.html", context, status=422 if form.errors else 200)


NEW = "new_token"
"""Session key: the token that was just made, until its page has shown it."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@cache_control(private=True, no_store=True)
def tokens(request: HttpRequest) -> HttpResponse:
    user = me(request)
    form = TokenForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        with refusals_told(form):
            _, request.session[NEW] = ApiToken.issue(user, data["name"], data["scopes"], data["lifetime"])
            return redirect("tokens")
    new = request.session.pop(NEW, "") if request.method == "GET" else ""
    now = timezone.now()
    context = {
        "form": form,
        "working": user.tokens.unended(now),
        "ended": user.tokens.ended(now - ApiToken.REMEMBERED, now),
        "most": ApiToken.MOST,
        "new": new,
        "login": f"python3 kibitz.pyz login {request.build_absolute_uri('/').rstrip('/')} --token {new}",
    }
    return render(request, "account/tokens.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def token_revoke(request: HttpRequest, token: int) -> HttpResponse:
    row = get_object_or_404(me(request).tokens, pk=token)
    if row.works:
        row.revoke()
        messages.success(request, f"“{row.name}” is revoked. Programs that use it are refused from now on.")
    return redirect("tokens")


@require_safe
@login_required
def export(request: HttpRequest) -> FileResponse:
    """Everything that the portal keeps about the reader."""
    user = me(request)
    response = FileResponse(personal.archive_of(user), as_attachment=True, filename=f"kibitz-{user.username}.zip")
    response["Cache-Control"] = "private, no-store"
    return response


class ProofForm(forms.Form):
    """Proves that it is really them: with the password or, where there is a second factor, with a code."""

    password = forms.CharField(required=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}))
    code = forms.CharField(
        label="Or a code from your app",
        required=False,
        max_length=12,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        if not is_mfa_enabled(me(request)):
            del self.fields["code"]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not ratelimit.consume(self.request, action="reauthenticate", user=me(self.request)):
            raise forms.ValidationError("That was too many tries. Wait a few minutes and try again.")
        if data.get("code"):
            factors = Authenticator.objects.filter(user=me(self.request))
            if not any(factor.wrap().validate_code(data["code"]) for factor in factors):
                self.add_error("code", "This code is not right, or it has been used.")
        elif not me(self.request).check_password(data.get("password") or ""):
            self.add_error("password", "This is not your password.")
        return data


@sensitive_post_parameters("password", "code")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """What would happen and, once they have proved who they are, doing it."""
    user = me(request)
    form = ProofForm(request, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_told(form):
            leaving.delete(user)
            logout(request)
            messages.success(request, "Your account has been deleted.")
            return redirect("home")
    context = {"form": form, "leaving": leaving.foreseen(user)}
    return render(request, "account/delete.html", context, status=422 if form.errors else 200)
