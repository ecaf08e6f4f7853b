"""Create a contest from a preset, change it, end it, delete it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from contest import contests, presets, zones
from contest.forms import ReasonForm
from contest.languages import lacking
from contest.models import Contest
from contest.permissions import access, creator_page, desk_page, me, organiser_page, owner_page
from contest.refusal import refusals_told
from contest.setup_forms import ContestForm, OptionsForm
from games.engine import OptionError

CLONES_OFFERED = 8


@require_http_methods(["GET", "HEAD", "POST"])
@creator_page
def contest_new(request: HttpRequest) -> HttpResponse:
    """Choose a preset, then adjust it."""
    key = request.POST.get("preset") or request.GET.get("preset") or ""
    choices = presets.choices()
    try:
        game, preset = presets.find(key) if key else choices[0]
    except OptionError:
        raise Http404("there is no such preset") from None
    typed = request.POST if request.method == "POST" else None
    official = request.POST.get("time_zone") or timezone.get_default_timezone_name()
    zones.use(official)  # the dates on the page are in the zone that is chosen there
    initial = {**presets.defaults(game, preset, timezone.localtime()), "time_zone": official}
    form = ContestForm(typed, initial=initial)
    options = OptionsForm(game, preset.name, typed)
    if typed is not None and form.is_valid() and options.is_valid():
        fields: dict[str, Any] = {**form.cleaned_data, "options": options.changes()}
        with transaction.atomic():
            contest = contests.create(me(request), fields.pop("name"), game.slug, preset.name, **fields)
            presets.prepare(contest, me(request))
        messages.success(request, f"“{contest}” is ready. Check its settings, then tell people about it.")
        return redirect("desk", contest.slug)
    context = {
        "form": form,
        "options": options,
        "choices": choices,
        "game": game,
        "preset": preset,
        "lacking": lacking(game, form["languages"].value() or []),
        "earlier": Contest.objects.organised_by(request.user).order_by("-created_at")[:CLONES_OFFERED],
    }
    return render(request, "contest/contest_new.html", context, status=422 if form.errors or options.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_settings(request: HttpRequest, contest: Contest) -> HttpResponse:
    """All settings of the contest. Judges can only read them."""
    typed = request.POST if request.method == "POST" else None
    # The form gets a copy, so that rejected values do not show in the page's header.
    form = ContestForm(typed, instance=Contest.objects.get(pk=contest.pk))
    options = OptionsForm(contest.game, contest.preset, typed, options=contest.full_options())
    if typed is not None and form.is_valid() and options.is_valid():
        with refusals_told(form):
            fields = {**form.cleaned_data, "options": options.changes()}
            changed = contests.edit(contest, me(request), fields, keep=fields.pop("keep", ""))
            messages.success(request, "Saved." if changed else "Nothing changed.")
            return redirect("desk-settings", contest.slug)
        contest.refresh_from_db()
    if not access(request, contest).organises:
        for field in (*form.fields.values(), *options.fields.values()):
            field.disabled = True
    context = {
        "contest": contest,
        "form": form,
        "options": options,
        "reason_form": ReasonForm(),
        "team_count": contest.teams.count(),
        "lacking": lacking(contest.game, contest.languages),
    }
    return render(request, "contest/desk_settings.html", context, status=422 if form.errors or options.errors else 200)


@require_POST
@organiser_page
def desk_end(request: HttpRequest, contest: Contest) -> HttpResponse:
    """End the contest, or (`reopen`) reopen it."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"Please say why. {form.complaint}")
        return redirect("desk-settings", contest.slug)
    reason = form.cleaned_data["reason"]
    with refusals_told(request):
        if "reopen" in request.POST:
            contests.reopen(contest, me(request), reason)
            messages.success(request, "The contest is open again.")
        else:
            contests.end(contest, me(request), reason)
            messages.success(request, "The contest has ended.")
    return redirect("desk-settings", contest.slug)


@require_POST
@owner_page
def desk_delete(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Delete a contest without teams, if its name was typed as confirmation."""
    if request.POST.get("name", "").strip() != contest.name:
        messages.error(request, "To delete the contest, type its name exactly.")
        return redirect("desk-settings", contest.slug)
    with refusals_told(request), transaction.atomic():
        contests.delete(contest)
        messages.success(request, f"You deleted “{contest.name}”.")
        return redirect("home")
    return redirect("desk-settings", contest.slug)
