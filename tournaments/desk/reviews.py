"""The desk's pages about reviews (matches played again) and rehearsals. Judges can look, organisers can act."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.models import Contest
from contest.paging import page_of
from contest.permissions import desk_page, me, organiser_page
from contest.refusal import refusals_told
from contest.words import numbers_in
from tournaments.desk.panels import face_of
from tournaments.forms.review import ChoiceForm, ReviewForm
from tournaments.models import Rehearsal, Review, Stage
from tournaments.organising import actions, rehearsals, reviews
from tournaments.view_models import desk
from tournaments.view_models.desk import other_rules, review_seen

LISTED = 100  # matches on a page


@require_safe
@desk_page
def desk_reviews(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    context = {"contest": contest, "stage": stage, "page": page_of(request, reviews.of_stage(stage))}
    return render(request, "tournaments/desk/reviews.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_review_new(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """Choose matches by ticking them, or all that a filter finds; say why and how they are played again."""
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    choice = ChoiceForm(stage, request.GET)
    asked = numbers_in(request.GET.getlist("match"))
    found = choice.chosen(reviews.choosable(stage))
    if asked:
        found = found.filter(pk__in=asked)
    form = ReviewForm(request.POST if request.method == "POST" else None)
    ticked = numbers_in(request.POST.getlist("match"))
    if request.method == "POST" and form.is_valid():
        chosen = list(found.values_list("pk", flat=True)) if request.POST.get("which") == "all" else ticked
        with refusals_told(form):
            review = reviews.start(stage, me(request), form.cleaned_data["reason"], chosen, **form.terms())
            messages.success(request, "Review started. Nothing changes until you apply its results.")
            return redirect("desk-stage-review", contest.slug, stage.pk, review.pk)
    face = face_of(stage.played_in)
    listed = found.select_related("table").prefetch_related("seats__team")
    context = {
        "contest": contest,
        "stage": stage,
        "panel": face.panel(stage.played_in),
        "choice": choice,
        "form": form,
        "ticked": ticked or asked,
        "page": page_of(request, listed.order_by(*face.listed_by), LISTED),
        "rules_now": other_rules(stage),
    }
    return render(request, "tournaments/desk/review_new.html", context, status=422 if form.errors else 200)


@require_safe
@desk_page
def desk_review(request: HttpRequest, contest: Contest, stage_id: int, review_id: int) -> HttpResponse:
    """Old and new results side by side, and what applying them would change. Polls until all are played."""
    review = _review(contest, stage_id, review_id)
    fragment = "HX-Request" in request.headers
    if fragment and request.GET.get("rev") == str(contest.revision):
        return HttpResponse(status=204)
    seen = review_seen(review)
    shown = seen["changed"] if request.GET.get("show") == "changed" else seen["pairs"]
    context = {
        **seen,
        "contest": contest,
        "stage": review.stage,
        "review": review,
        "poll": _poll(request, contest),
        "page": page_of(request, shown),
        "changed": len(seen["changed"]),
    }
    return render(request, f"tournaments/desk/{'_review' if fragment else 'review'}.html", context)


def _poll(request: HttpRequest, contest: Contest) -> str:
    """The address that the page polls: itself, and which revision of the contest it shows."""
    query = request.GET.copy()
    query["rev"] = str(contest.revision)
    return f"{request.path}?{query.urlencode()}"


@require_POST
@desk_page
def desk_review_act(request: HttpRequest, contest: Contest, stage_id: int, review_id: int, act: str) -> HttpResponse:
    review = _review(contest, stage_id, review_id)
    action, message = actions.REVIEW[act]
    with refusals_told(request):
        action(review, me(request))
        messages.success(request, message)
    return redirect("desk-stage-review", contest.slug, stage_id, review.pk)


def _review(contest: Contest, stage_id: int, review_id: int) -> Review:
    found = Review.objects.select_related("stage__contest", "contest", "made_by", "decided_by")
    return get_object_or_404(found, pk=review_id, stage=stage_id, contest=contest)


BADGES = {
    Rehearsal.State.QUEUED: "info",
    Rehearsal.State.RUNNING: "info",
    Rehearsal.State.DONE: "ok",
    Rehearsal.State.FAILED: "bad",
}


@require_safe
@desk_page
def desk_rehearsal(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """The rehearsal so far. The page polls while it is played."""
    stage = get_object_or_404(Stage.objects.select_related("contest", "source"), pk=stage_id, contest=contest)
    rehearsal = Rehearsal.objects.filter(stage=stage).first()
    context: dict[str, Any] = {"contest": contest, "stage": stage, "rehearsal": rehearsal}
    context["why_none"] = rehearsals.why_none(stage)
    if rehearsal is not None:
        rehearsal.stage = stage
        context |= {"badge": BADGES[Rehearsal.State(rehearsal.state)], **desk.rehearsal_seen(rehearsal)}
    fragment = "HX-Request" in request.headers
    return render(request, f"tournaments/desk/{'_rehearsal' if fragment else 'rehearsal'}.html", context)


@require_POST
@desk_page
def desk_rehearsal_act(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    action, message = actions.REHEARSAL[act]
    with refusals_told(request):
        action(stage, me(request))
        messages.success(request, message)
    return redirect("desk-stage-rehearsal", contest.slug, stage.pk)
