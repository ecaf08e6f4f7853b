"""The page of one's own account. Address and password are changed on allauth's pages, to which it leads."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from contest.account_forms import NameForm
from contest.permissions import me


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Name, e-mail address, password."""
    user = me(request)
    typed = request.POST if request.method == "POST" else None
    form = NameForm(typed, initial={"first_name": user.first_name, "last_name": user.last_name})
    if typed is not None and form.is_valid():
        user.first_name, user.last_name = form.cleaned_data["first_name"], form.cleaned_data["last_name"]
        user.save(update_fields=["first_name", "last_name"])
        messages.success(request, "Saved.")
        return redirect("account")
    proved = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    context = {"form": form, "proved": proved}
    return render(request, "account/account.html", context, status=422 if form.errors else 200)
