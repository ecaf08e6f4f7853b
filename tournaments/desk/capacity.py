"""The operators' load calculator: how many machines a contest needs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest.formatting import cardinal
from contest.watching.views import operators_page
from tournaments.forms.capacity import CapacityForm
from tournaments.organising import capacity


@require_safe
@operators_page
def operators_capacity(request: HttpRequest) -> HttpResponse:
    form = CapacityForm(request.GET or None)
    context = {
        "form": form,
        "answer": form.answer() if form.is_valid() else None,
        "load": round(100 * capacity.LOAD),
        "overhead": cardinal(capacity.OVERHEAD),
    }
    return render(request, "tournaments/desk/capacity.html", context, status=422 if form.errors else 200)
