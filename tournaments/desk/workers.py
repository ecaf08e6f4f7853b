"""The workers of the portal: what each one is, and for operators, draining and restarting them."""

from __future__ import annotations

import redis
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from contest.models import Contest
from contest.permissions import access, desk_page
from contest.server import orders, workers
from contest.version import RELEASE

DONE = {
    "drain": "{} takes nothing new. It finishes what it has.",
    "undrain": "{} takes tasks again.",
    "restart": "{} restarts as soon as it has finished what it has.",
}


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_workers(request: HttpRequest, contest: Contest) -> HttpResponse:
    """All workers. They belong to the portal and not to the contest, so only administrators can drain them."""
    operates = access(request, contest).is_superuser
    if request.method == "POST":
        if not operates:
            raise PermissionDenied("Only administrators of the portal can drain workers.")
        _act(request, request.POST.get("do", ""), request.POST.get("worker", ""))
        return redirect("desk-workers", contest.slug)
    try:
        workforce, told = workers.known(), orders.of_all()
    except redis.RedisError:
        workforce, told = None, {}
    rows = [(worker, told.get(worker.name, "")) for worker in workforce or ()]
    context = {"contest": contest, "rows": rows, "operates": operates, "release": RELEASE}
    return render(request, "tournaments/desk/workers.html", context | {"broker_answers": workforce is not None})


def _act(request: HttpRequest, act: str, name: str) -> None:
    try:
        worker = next((it for it in workers.alive() if it.name == name), None)
        if worker is None or act not in DONE:
            messages.error(request, "This worker is gone.")
            return
        if act == "drain":
            orders.drain([name])
        elif act == "restart":
            orders.restart(worker)
        else:
            orders.undrain([name])
        messages.success(request, DONE[act].format(name))
    except redis.RedisError:
        messages.error(request, "The broker does not answer. Try again in a moment.")
