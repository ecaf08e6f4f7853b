"""The organisers' desk: stages and matches. Judges see everything but cannot change it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.forms import ReasonForm
from contest.models import Contest, Team
from contest.paging import page_of
from contest.permissions import desk_page, me, organiser_page
from contest.refusal import Refused, refusals_told
from tournaments import attention, formats, kinds
from tournaments.desk.panels import face_of
from tournaments.formats import FormatError
from tournaments.forms import (
    FORMS,
    PaceForm,
    PlainForm,
    RoundsToComeForm,
    ShiftForm,
    StageForm,
    VoidForm,
    form_of,
    initial_of,
)
from tournaments.models import Match, Stage
from tournaments.models.stages import deciding_stage
from tournaments.organising import actions, admission, deadlines, impact, releases, restoring, rounds, stages
from tournaments.organising.day import stored_day
from tournaments.organising.durations import match_budget, stage_budget
from tournaments.organising.workload import workload
from tournaments.results.visibility import sight
from tournaments.view_models.preview import StagePreview, stage_preview
from tournaments.view_models.queries import asked_number
from tournaments.view_models.timetables import timetable_of

UNDER_WAY = (Stage.State.RUNNING, Stage.State.PAUSED)

# Stages ---------------------------------------------------------------------------------------------------------------


@require_safe
@desk_page
def desk_stages(request: HttpRequest, contest: Contest) -> HttpResponse:
    counts = Q(matches__pending=False)  # matches of a review do not count
    valid = counts & Q(matches__state__in=(Match.State.QUEUED, Match.State.RUNNING, Match.State.DONE))
    done = counts & Q(matches__state=Match.State.DONE)
    counted = contest.stages.annotate(planned=Count("matches", filter=valid), played=Count("matches", filter=done))
    found = counted.order_by("pk")  # a model's own order is lost where the database counts
    return render(request, "tournaments/desk/stages.html", {"contest": contest, "stages": found})


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_stage_new(request: HttpRequest, contest: Contest) -> HttpResponse:
    """The form of a stage in `?format=`. With `look` it recalculates matches and time, and creates nothing."""
    cls = _form_class(request, contest)
    form = cls(contest, None, request.POST or None, initial=cls.defaults(contest))
    if request.method == "POST" and form.is_valid() and "look" not in request.POST:
        with refusals_told(form):
            stage = stages.create(contest, me(request), form.wish())
            messages.success(request, f"Draft “{stage}” created. Check it, then publish it.")
            return redirect("desk-stage", contest.slug, stage.pk)
    return _form(request, contest, form)


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_stage_edit(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """The same form for a stage that exists; another `?format=` changes its format."""
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    if not stage.can_be_edited:
        messages.error(request, stages.TOO_LATE_TO_EDIT)
        return redirect("desk-stage", contest.slug, stage.pk)
    cls = _form_class(request, contest, stage.format)
    form = cls(contest, stage, request.POST or None, initial={**cls.defaults(contest), **initial_of(stage)})
    form.merge()
    if request.POST.get("was", stage.format) != stage.format:
        form.add_error(None, f"Somebody else changed the format meanwhile, to: {stage.played_in.title}.")
    if request.method == "POST" and form.is_valid() and "look" not in request.POST:
        with refusals_told(form):
            stages.edit(stage, me(request), form.wish())
            messages.success(request, "Saved.")
            return redirect("desk-stage", contest.slug, stage.pk)
    return _form(request, contest, form, stage)


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_stage_timetable(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """The rounds to come of a stage in progress."""
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    if not rounds.can_be_edited(stage):
        messages.error(request, rounds.NOT_IN_PROGRESS)
        return redirect("desk-stage", contest.slug, stage.pk)
    form = RoundsToComeForm(stage, request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_told(form):
            rounds.edit(stage, me(request), form.wishes())
            messages.success(request, "Saved.")
            return redirect("desk-stage", contest.slug, stage.pk)
    context = {"contest": contest, "stage": stage, "form": form, "rows": form.timetable_rows()}
    return render(request, "tournaments/desk/stage_timetable.html", context, status=422 if form.errors else 200)


def _form_class(request: HttpRequest, contest: Contest, format: str = "") -> type[PlainForm]:
    asked = request.POST.get("format") or request.GET.get("format") or format
    try:
        return form_of(contest, asked)
    except FormatError as error:
        raise Http404(str(error)) from None


def _form(request: HttpRequest, contest: Contest, form: PlainForm, stage: Stage | None = None) -> HttpResponse:
    chosen = formats.get(form.format)
    panel = face_of(chosen).panel(chosen)
    context = {
        "contest": contest,
        "form": form,
        "stage": stage,
        "chosen": chosen,
        "fitting": formats.fitting(contest.game),
        "panel": panel,
        "budget": form.estimate if panel.has_budget else None,
        "rows": form.timetable_rows() if isinstance(form, StageForm) and form.arranged else (),
    }
    return render(request, "tournaments/desk/stage_form.html", context, status=422 if form.errors else 200)


@require_safe
@desk_page
def desk_stage(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """One stage: its state, its actions, and its bracket with every match. The page polls while it is played."""
    stage = get_object_or_404(Stage.objects.select_related("contest"), pk=stage_id, contest=contest)
    if request.headers.get("HX-Request") and request.GET.get("rev") == str(contest.revision):
        return HttpResponse(status=204)
    entrants = Team.objects.competing().filter(pk__in=stage.order)
    shown = stage_preview(stage, asked_number(request, "round"), asked_number(request, "part") or 1)
    face = face_of(stage.played_in)
    panel = face.panel(stage.played_in)
    without_absent = bool(shown.absent) and not {team.pk for team in shown.absent} & set(stages.drawn(stage))
    can_begin = not stage.awaits_source and (bool(shown.rounds) or not panel.drawn)
    drift = admission.drift(stage)
    missing = admission.missing(stage, admission.current_order(stage)) if stage.can_be_edited else []
    day = stored_day(stage)
    foreseen = {each.row.number: each for each in day.rounds} if day else {}
    warnings = deadlines.apart(contest, contest.stages.order_by("pk"), timezone.now())
    context = {
        "contest": contest,
        "stage": stage,
        "panel": panel,
        "preview": shown,
        "poll": _poll(stage, shown),
        "without_absent": without_absent,
        "needs_publishing": _needs_publishing(stage),
        "can_begin": can_begin,
        "can_publish": can_begin or stage.awaits_source,
        "missing": missing,
        "confirm_start": _confirm_start(stage, shown, len(missing)),
        "pace_form": face.pace_form(stage) if stage.state in UNDER_WAY else None,
        "deadline_warning": next((text for each, text in warnings if each.pk == stage.pk), ""),
        "said": FORMS[stage.format].said(stage),
        "paused": attention.pauses(contest).get(stage.pk) if stage.state == Stage.State.PAUSED else None,
        "drift": drift,
        "drift_words": drift.words(stage) if drift else "",
        "entrants": entrants if stage.has_started else [],
        "budget": day.budget if day else None if stage.has_started else stage_budget(stage),
        "day": day,
        "can_arrange": rounds.can_be_edited(stage),
        "one": None if stage.has_ended else match_budget(stage),
        "hidden_games": face.hidden_games(stage),
        "decides": deciding_stage(contest.stages.all()),
        "replaced": stages.would_replace_champion(stage),
        "house": ", ".join(dict.fromkeys(stage.options.get("house", ()))),
        "release": releases.next_round(stage),
        "is_live": stage.state in (Stage.State.PUBLISHED, Stage.State.RUNNING, Stage.State.PAUSED),
        "reason_form": ReasonForm(),
        "timetable": [(time, foreseen.get(time.number)) for time in timetable_of(stage, sight(request, contest))],
    }
    fragment = "HX-Request" in request.headers
    return render(request, f"tournaments/desk/{'_stage' if fragment else 'stage'}.html", context)


def _poll(stage: Stage, shown: StagePreview) -> str:
    """The address that the page polls. It keeps the round that somebody has chosen."""
    part = f"&round={shown.chosen}&part={shown.part}" if shown.asked else ""
    return f"{reverse('desk-stage', args=[stage.contest.slug, stage.pk])}?rev={stage.contest.revision}{part}"


def _needs_publishing(stage: Stage) -> str:
    """What the start of a draft depends on."""
    if stage.state != Stage.State.DRAFT:
        return ""
    if stage.due_at is not None and stage.due_at <= timezone.now():
        return "as soon as you publish it"
    return "if you publish it by then" if stage.starts_at or stage.starts_after else ""


def _confirm_start(stage: Stage, shown: StagePreview, missing: int) -> str:
    """The question before a stage starts: it names how many teams would be left out."""
    left_out = face_of(stage.played_in).left_out(len(shown.absent), shown.teams)
    if missing:
        fate = "be left out" if stage.has_closed_check_in(timezone.now()) else "play all the same, as check-in is open"
        some = f"{missing} of {shown.teams} teams {'is' if missing == 1 else 'are'} not checked in and"
        left_out += f" {some if missing < shown.teams else 'No team is checked in, and all'} will {fate}."
    return f"Start “{stage.name}” now? {left_out}".rstrip()


@require_POST
@desk_page
def desk_stage_act(request: HttpRequest, contest: Contest, stage_id: int, act: str) -> HttpResponse:
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    action, message = actions.STAGE[act]
    more: dict[str, Any] = {"reason": request.POST.get("reason", "")[:300]} if act in actions.WITH_A_REASON else {}
    if act in actions.ASKING_FOR_THE_CHAMPION:
        more["decides"] = "decides" in request.POST
    with refusals_told(request):
        action(stage, me(request), **more)
        messages.success(request, message)
        if act == "delete":
            return redirect("desk-stages", contest.slug)
    return redirect("desk-stage", contest.slug, stage_id)


@require_POST
@organiser_page
def desk_stage_reschedule(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """Change the end and the pace of a ladder."""
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    form = PaceForm.of(stage, request.POST)
    with refusals_told(request):
        if not form.is_valid():
            wrong = [f"{form.fields[name].label}: {errors[0]}" for name, errors in form.errors.items()]
            raise Refused(" ".join(wrong))
        stages.reschedule(stage, me(request), form.cleaned_data["ends_at"], form.options())
        messages.success(request, "Saved. The changes apply from the next match on.")
    return redirect("desk-stage", contest.slug, stage.pk)


@require_POST
@organiser_page
def desk_stage_shift(request: HttpRequest, contest: Contest, stage_id: int) -> HttpResponse:
    """Move a round and all that follow."""
    stage = get_object_or_404(Stage, pk=stage_id, contest=contest)
    sent = request.POST.dict()
    form = ShiftForm(sent | {"to": ""} if "minutes" in sent else sent)  # the page sends both
    with refusals_told(request):
        if not form.is_valid():
            raise Refused(" ".join(f"{form[name].label}: {errors[0]}" for name, errors in form.errors.items()))
        data = form.cleaned_data
        move = {"minutes": data["minutes"] or 0, "to": data["to"], "text": data["text"], "seen": data["seen"]}
        said = rounds.shift(stage, me(request), data["round"], **move)
        messages.success(request, f"Moved. The teams are told: {said}")
    return redirect("desk-stage", contest.slug, stage.pk)


# Matches and teams ----------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_stage_void(request: HttpRequest, contest: Contest, stage_id: int, match_id: int) -> HttpResponse:
    """What voiding a match would change; POST voids it."""
    found = Match.objects.select_related("stage__contest", "table").prefetch_related("seats__team")
    match = get_object_or_404(found, pk=match_id, stage=stage_id, contest=contest)
    form = VoidForm(match.stage, request.POST if request.method == "POST" else None)
    kind = kinds.of(match.stage)
    again = kind.in_place_of_void(match.stage)
    if request.method == "POST" and form.is_valid():
        hold = form.cleaned_data.get("hold", False)
        with refusals_told(form):
            stages.void(match, me(request), form.cleaned_data["reason"], hold=hold)
            held = " The stage is paused." if hold else ""
            messages.success(request, f"{match} is now void. {again}{held}")
            return redirect("desk-stage", contest.slug, stage_id)
    seen = None if stages.why_not_void(match) else impact.of_voiding(match)
    context = {"contest": contest, "match": match, "stage": match.stage, "form": form, "impact": seen, "again": again}
    context["plays_again"] = kind.plays_again
    return render(request, "tournaments/desk/void.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_stage_restore(request: HttpRequest, contest: Contest, stage_id: int, match_id: int) -> HttpResponse:
    """What restoring a match would change; POST restores it."""
    found = Match.objects.select_related("contest", "stage__contest", "table").prefetch_related("seats__team")
    match = get_object_or_404(found, pk=match_id, stage=stage_id, contest=contest)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_told(form):
            restoring.restore(match, me(request), form.cleaned_data["reason"])
            messages.success(request, f"{match} counts again, with the result that it had.")
            return redirect("desk-stage", contest.slug, stage_id)
    why_not, seen = restoring.why_not(match), None
    try:
        seen = None if why_not else impact.of_restoring(match)
    except Refused as refusal:
        why_not = str(refusal)
    context = {"contest": contest, "match": match, "stage": match.stage, "form": form, "impact": seen}
    status = 422 if form.errors else 200
    return render(request, "tournaments/desk/restore.html", context | {"why_not": why_not}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_queue(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Matches being played, matches waiting, and failures of the portal, which a POST plays again. The page polls."""
    if request.method == "POST":
        with refusals_told(request):
            stages.play_stopped(contest, me(request))
            messages.success(request, "They are in the queue again.")
        return redirect("desk-queue", contest.slug)
    now = timezone.now()
    load = workload(contest, now)
    context = {"contest": contest, "load": load, "now": now, "page": page_of(request, load.queued)}
    fragment = "HX-Request" in request.headers
    return render(request, f"tournaments/desk/{'_queue' if fragment else 'queue'}.html", context)
