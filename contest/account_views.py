"""The account page. Address and password are changed on allauth's pages, which it links to."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from contest.account_forms import AccountForm
from contest.permissions import me


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
