"""The page of one's own tokens for programs."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from contest import tokens as token_actions
from contest.account_forms import TokenForm
from contest.permissions import me
from contest.refusal import Refused

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
        try:
            _, request.session[NEW] = token_actions.issue(user, data["name"], data["scopes"], data["lifetime"])
            return redirect("tokens")
        except Refused as refusal:
            form.add_error(None, str(refusal))
    new = request.session.pop(NEW, "") if request.method == "GET" else ""
    working, ended = token_actions.listed(user, timezone.now())
    context = {
        "form": form,
        "working": working,
        "ended": ended,
        "most": token_actions.MOST,
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
