"""The operators' desk: alarms, findings, figures, and what to do. Only administrators (superusers) see it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from contest.markdown import render as as_html
from contest.models import Alarm, Contest
from contest.permissions import me
from contest.server import figures, health
from contest.server.figures import Figure
from contest.watching import panel

HOURS = (1, 4, 24, 72)  # for which an alarm can be silenced
PAGES: Path = settings.BASE_DIR / "docs" / "operations" / "incidents"
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")

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
    now = timezone.now()
    found = health.findings(max_age=figures.FRESH)
    pages = {it.part: has_page(it.part) for it in found}
    context = {
        "raised": panel.raised(),
        "over": panel.over_since(now - timedelta(days=7)),
        "findings": [(it, pages[it.part]) for it in found],
        "figures": [(it, amount(it)) for it in figures.current() if it.name != "part_ok"],  # the parts are above
        "contest": Contest.objects.order_by("-pk").values_list("slug", flat=True).first(),  # any desk shows the workers
        "hours": HOURS,
        "now": now,
        "mail": settings.ALARM_MAIL,
        "webhook": bool(settings.ALARM_WEBHOOK),
    }
    return render(request, "contest/operators.html", context)


@require_safe
@operators_page
def incident(request: HttpRequest, alarm_key: str) -> HttpResponse:
    """A page of docs/operations/incidents/: what you see, what it means, what to do, how to check that it is over."""
    if not has_page(alarm_key):
        raise Http404("no such incident")
    title, _, text = (PAGES / f"{alarm_key}.md").read_text(encoding="utf-8").partition("\n")
    alarm = Alarm.objects.filter(key=alarm_key, raised_at__isnull=False).first()
    context = {
        "title": title.removeprefix("# "),
        "text": as_html(linked(text.replace("\n## ", "\n# "))),
        "alarm": alarm,
    }
    return render(request, "contest/incident.html", context)


@require_POST
@operators_page
def silence(request: HttpRequest, alarm_key: str) -> HttpResponse:
    """Tell nobody of this alarm for some hours. 0 hours end the silence."""
    hours = request.POST.get("hours", "")
    if hours not in {"0", *map(str, HOURS)}:
        raise Http404("not offered")
    until = timezone.now() + timedelta(hours=int(hours)) if hours != "0" else None
    by = me(request).username if until else ""
    if not Alarm.objects.filter(key=alarm_key).update(silent_until=until, silenced_by=by):
        raise Http404("no such alarm")
    messages.success(request, f"Nobody is told of this alarm for {hours} h." if until else "The silence has ended.")
    return redirect("operators")


def amount(figure: Figure) -> str:
    """Its value, as people read it."""
    if not figure.name.endswith("_bytes"):
        return f"{figure.value:,.0f}" if figure.value == int(figure.value) else f"{figure.value:,.1f}"
    return f"{figure.value / 1e9:,.1f} GB" if figure.value >= 1e9 else f"{figure.value / 1e6:,.1f} MB"


def has_page(key: str) -> bool:
    return bool(re.fullmatch(r"[a-z-]+", key)) and (PAGES / f"{key}.md").is_file()


def linked(text: str) -> str:
    """Markdown whose links lead to pages of the portal. Other pages of docs/ are named by their path."""

    def there(found: re.Match[str]) -> str:
        words, target = found.groups()
        name = target.partition("#")[0]
        if "://" in target:
            return found.group()
        if "/" not in name and has_page(name.removesuffix(".md")):
            return f"[{words}]({reverse('operators-incident', args=[name.removesuffix('.md')])})"
        path = (PAGES / name).resolve()
        return f"{words} (`{path.relative_to(settings.BASE_DIR)}`)" if name else words

    return LINK.sub(there, text)
