"""Trials: is the new version better? A team's trials with the form for another, one of them, and one of its pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.models import Contest, Team
from contest.paging import page_of
from contest.permissions import access, me, member_page
from contest.refusal import refusals_told
from games.pairs import Measure, bounds_of
from games.trial import FEWEST
from tournaments.models import PracticeOrder, Trial
from tournaments.pages.opponents import OpponentMenus, owners_page
from tournaments.practice import orders, rights, trials
from tournaments.practice.forms import TrialForm
from tournaments.view_models import practice
from tournaments.view_models import trials as told

SHOWN = 20  # trials on a page


class AskForm(OpponentMenus, TrialForm):
    """The same form with menus."""

    def __init__(self, team: Team, *args: Any, **kwargs: Any) -> None:
        super().__init__(team, *args, **kwargs)
        game = team.contest.game
        for name, usual in (("new", self.numbers[:1]), ("old", self.numbers[1:2])):
            self.fields[name].widget = forms.Select(choices=[(it, f"Version {it}") for it in self.numbers])
            self.fields[name].initial = usual[0] if usual else None
            self.fields[name].help_text = ""
        self.fields["measure"].help_text = "A positive difference means that the new version did better."
        unit = "share of the games" if game.counts_games else f"{game.counts} a game"
        low, high = bounds_of(game, Measure.POINTS)
        self.fields["low"].help_text = f"{low:g} if blank."
        gain = f"The smallest gain that you want to detect, in {unit}: {high:g} if blank."
        self.fields["high"].help_text = f"{gain} For wins a share, such as 0.1."
        self.fields[
            "cap"
        ].help_text = f"{FEWEST} to {trials.MOST_PAIRS}, {trials.USUAL_PAIRS} if blank. Two games each."


@require_http_methods(["GET", "HEAD", "POST"])
@member_page
def trials_page(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    """The team's trials, and the form. `?new=7&old=6&opponents=house:random` fill it in."""
    team.contest = contest
    if request.method == "POST":
        form = AskForm(team, request.POST)
        if form.is_valid():
            with refusals_told(form):
                return redirect(trials.place(team, me(request), form.question()))
        return _trials(request, contest, team, form, 422)
    given: dict[str, Any] = {name: value for name in TrialForm.base_fields if (value := request.GET.get(name))}
    given["opponents"] = request.GET.getlist("opponents")
    return _trials(request, contest, team, AskForm(team, initial=given))


def _trials(request: HttpRequest, contest: Contest, team: Team, form: AskForm, status: int = 200) -> HttpResponse:
    now = timezone.now()
    found = PracticeOrder.objects.filter(team=team, kind=PracticeOrder.Kind.TRIAL).select_related("trial")
    page = page_of(request, found.prefetch_related(orders.with_players()), SHOWN)
    for order in page:
        order.contest = contest
    context = {
        "contest": contest,
        "team": team,
        "form": form,
        "why_not": rights.why_not(team, now),
        "page": page,
        "lines": told.lines(page.object_list),
        "left": rights.left(team, now),
        "quotas": rights,
        "versions": form.numbers,
    }
    return render(request, "tournaments/trials.html", context, status=status)


# A trial --------------------------------------------------------------------------------------------------------------


trial_page = owners_page("trial_id", told.visible_trial)


@require_safe
@trial_page
def trial(request: HttpRequest, contest: Contest, trial: Trial) -> HttpResponse:
    """A trial. With `?rev=` only its live part, or 204 while nothing has changed."""
    seen = told.trial_seen(trial)
    if request.GET.get("rev") == seen.revision:
        return HttpResponse(status=204)
    context = _context(request, contest, trial) | {"seen": seen}
    template = "tournaments/_trial.html" if "rev" in request.GET else "tournaments/trial.html"
    return render(request, template, context)


def _context(request: HttpRequest, contest: Contest, trial: Trial) -> dict[str, Any]:
    mine = access(request, contest)
    return {
        "contest": contest,
        "trial": trial,
        "order": trial.order,
        "team": trial.order.team,
        "is_own": practice.is_own(mine, trial.order),
        "may_cancel": trial.order.is_open and practice.may_cancel(mine, trial.order),
    }


@require_safe
@trial_page
def trial_pair(request: HttpRequest, contest: Contest, trial: Trial, number: int) -> HttpResponse:
    """Both games of a pair beside each other."""
    context = _context(request, contest, trial) | {"seen": told.pair_seen(trial, number)}
    return render(request, "tournaments/trial_pair.html", context)


@require_POST
@trial_page
def trial_cancel(request: HttpRequest, contest: Contest, trial: Trial) -> HttpResponse:
    if not practice.may_cancel(access(request, contest), trial.order):
        raise Http404("nobody else may cancel it")
    with refusals_told(request):
        orders.cancel(trial.order, me(request))
        messages.success(request, "Cancelled. The pairs that were played stay here.")
    return redirect(trial)
