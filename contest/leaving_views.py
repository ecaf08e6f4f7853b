"""The pages on which people take their data with them and delete their account."""

from __future__ import annotations

from typing import Any

from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from contest import leaving, personal
from contest.models import User
from contest.permissions import me
from contest.refusal import Refused


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
            if not _is_code(me(self.request), data["code"]):
                self.add_error("code", "This code is not right, or it has been used.")
        elif not me(self.request).check_password(data.get("password") or ""):
            self.add_error("password", "This is not your password.")
        return data


def _is_code(user: User, code: str) -> bool:
    return any(factor.wrap().validate_code(code) for factor in Authenticator.objects.filter(user=user))


@sensitive_post_parameters("password", "code")
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """What would happen and, once they have proved who they are, doing it."""
    user = me(request)
    form = ProofForm(request, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            leaving.delete(user)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            logout(request)
            messages.success(request, "Your account has been deleted.")
            return redirect("home")
    context = {"form": form, "leaving": leaving.foreseen(user)}
    return render(request, "account/delete.html", context, status=422 if form.errors else 200)
