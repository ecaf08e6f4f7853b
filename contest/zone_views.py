"""The page on which readers choose their time zone, with an account or without."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from contest import zones
from contest.models import User


class ZoneForm(forms.Form):
    time_zone = forms.ChoiceField(
        label="Your time zone",
        required=False,
        choices=lambda: [
            ("", f"As the contest, or the portal ({timezone.get_default_timezone_name()})"),
            *zones.choices(),
        ],
    )


@require_http_methods(["GET", "HEAD", "POST"])
def zone(request: HttpRequest) -> HttpResponse:
    """`?zone=` proposes one, which is chosen only when the form is sent."""
    typed = request.POST if request.method == "POST" else None
    proposed = request.GET.get("zone", "")
    form = ZoneForm(typed, initial={"time_zone": proposed if zones.zone_called(proposed) else _now(request)})
    back = _local(request, request.POST.get("next") or request.GET.get("next") or "")
    if typed is not None and form.is_valid():
        chosen = form.cleaned_data["time_zone"]
        messages.success(request, f"Times are now shown in {chosen or 'the time zone of each contest'}.")
        return _choose(request, chosen, back or reverse("zone"))
    context: dict[str, Any] = {"form": form, "back": back}
    return render(request, "contest/zone.html", context, status=422 if form.errors else 200)


def _now(request: HttpRequest) -> str:
    return request.user.time_zone if isinstance(request.user, User) else request.COOKIES.get(zones.COOKIE, "")


def _choose(request: HttpRequest, chosen: str, back: str) -> HttpResponse:
    """With an account, the choice holds wherever they log in; otherwise in this browser."""
    response = HttpResponseRedirect(back)
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(time_zone=chosen)
    elif chosen:
        age = 60 * 60 * 24 * 30 * zones.MONTHS_KEPT
        response.set_cookie(zones.COOKIE, chosen, max_age=age, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie(zones.COOKIE)
    return response


def _local(request: HttpRequest, url: str) -> str:
    """The address, if it is on this portal."""
    is_ours = url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
    return url if is_ours else ""
