"""The page of operators, who are the administrators (superusers): what is wrong, and what waits."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from contest.models import Alarm, Contest
from contest.permissions import me
from contest.server import health
from tournaments.attention.alarms import TODO
from tournaments.attention.queues import queues

View = Callable[..., HttpResponse]


def operators_page(view: View) -> View:
    """For administrators alone; to others the page does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **values: Any) -> HttpResponse:
        if not me(request).is_superuser:
            raise Http404("not an operator")
        return view(request, *args, **values)

    return never_cache(login_required(guarded))


@require_safe
@operators_page
def operators(request: HttpRequest) -> HttpResponse:
    alarms = Alarm.objects.filter(raised_at__isnull=False, good_since=None).order_by("raised_at")
    context = {
        "alarms": [(alarm, TODO.get(alarm.key, "")) for alarm in alarms],
        "findings": health.findings(),
        "queues": queues(timezone.now()),
        "contest": Contest.objects.order_by("-pk").values_list("slug", flat=True).first(),  # any desk shows the workers
    }
    return render(request, "tournaments/desk/operators.html", context)
