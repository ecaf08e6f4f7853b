"""The organiser's desk about what is public: the freeze, and rounds to release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from contest.models import Contest, User
from contest.permissions import desk_page, me
from contest.refusal import Refused
from contest.setup_forms import moment
from contest.words import number_in
from tournaments.models import Match, Stage
from tournaments.organising import releases
from tournaments.results import visibility


class FreezeForm(forms.Form):
    at = moment("Freeze from", "Results up to then stay public.")


@dataclass(frozen=True, slots=True)
class Row:
    """A stage and what is public of it."""

    stage: Stage
    rounds: int
    next_round: int | None
    results: int
    shown: int


@require_safe
@desk_page
def desk_visibility(request: HttpRequest, contest: Contest) -> HttpResponse:
    return _page(request, contest, FreezeForm())


def _page(request: HttpRequest, contest: Contest, form: FreezeForm, status: int = 200) -> HttpResponse:
    context = {"contest": contest, "form": form, "rows": _rows(contest)}
    return render(request, "tournaments/desk/visibility.html", context, status=status)


def _rows(contest: Contest) -> list[Row]:
    """Every stage that is no draft."""
    public = visibility.public(contest).matches()
    rows = []
    for stage in contest.stages.exclude(state=Stage.State.DRAFT):
        done = Match.objects.done().filter(stage=stage)
        results, shown = done.count(), done.filter(pk__in=public.values("pk")).count()
        rows.append(Row(stage, releases.rounds_of(stage), releases.next_round(stage), results, shown))
    return rows


@require_POST
@desk_page
def desk_freeze(request: HttpRequest, contest: Contest) -> HttpResponse:
    """At once, or with `at` from that moment on."""
    form = FreezeForm(request.POST if "at" in request.POST else None)
    if form.is_bound and not form.is_valid():
        return _page(request, contest, form, 422)
    try:
        releases.freeze(contest, me(request), form.cleaned_data["at"] if form.is_bound else None)
        messages.success(request, "The freeze is set. Those with a role see everything as before.")
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("desk-visibility", contest.slug)


@require_POST
@desk_page
def desk_lift(request: HttpRequest, contest: Contest) -> HttpResponse:
    try:
        releases.lift(contest, me(request))
        messages.success(request, "The freeze is lifted: everybody sees everything.")
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("desk-visibility", contest.slug)


ROUND_ACTS: dict[str, tuple[Callable[[Stage, User, int], None], str]] = {
    "release": (releases.release, "The results of round {} are public."),
    "take-back": (releases.take_back, "The results of round {} are hidden again."),
}


@require_POST
@desk_page
def desk_round(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    """With `round`: the one that the button named, so that who presses twice releases one."""
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    deed, said = ROUND_ACTS[act]
    asked = number_in(request.POST.get("round", ""))
    if asked is None:
        raise Http404("no such round")
    try:
        deed(stage, me(request), asked)
        messages.success(request, said.format(asked))
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("desk-visibility", contest.slug)


@require_POST
@desk_page
def desk_release_all(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    try:
        releases.release_all(stage, me(request))
        messages.success(request, f"All results of “{stage}” are public, and further ones as they come.")
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("desk-visibility", contest.slug)
