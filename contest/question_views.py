"""Questions and announcements: the public page and the organisers' queue."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from contest import questions as question_actions
from contest.forms import AnswerForm, NoticeForm, QuestionForm
from contest.models import Contest, Team
from contest.paging import page_of
from contest.permissions import access, contest_page, desk_page, me, member_page
from contest.refusal import refusals_told
from contest.views import ANNOUNCEMENTS_SHOWN

PAGE_SIZE = 30
AUTOMATIC_SHOWN = 50


def unchanged(request: HttpRequest, contest: Contest) -> bool:
    """Whether a live part polls with the current revision."""
    return request.headers.get("HX-Request") == "true" and request.GET.get("rev") == access(request, contest).revision


@require_http_methods(["GET", "HEAD", "POST"])
@contest_page
def questions(request: HttpRequest, contest: Contest) -> HttpResponseBase:
    """Announcements and answers for everyone; for a team also its own questions and a form to ask."""
    if request.method == "POST":
        return _ask(request, contest.slug)
    if unchanged(request, contest):
        return HttpResponse(status=204)
    live = request.headers.get("HX-Request") == "true"
    form = QuestionForm() if access(request, contest).team else None
    return _page(request, contest, form, "contest/_questions.html" if live else "contest/questions.html")


@member_page
def _ask(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    form = QuestionForm(request.POST)
    if form.is_valid():
        with refusals_told(form):
            question_actions.ask(team, me(request), **form.cleaned_data)
            messages.success(request, "Your question was sent to the organisers. Their answer will appear here.")
            return redirect("questions", contest.slug)
    return _page(request, contest, form, "contest/questions.html")


def _page(request: HttpRequest, contest: Contest, form: QuestionForm | None, template: str) -> HttpResponse:
    here = access(request, contest)
    heard = contest.questions.heard_by(here.team).select_related("asked_by")
    announcements = list(contest.announcements.select_related("posted_by"))
    page = page_of(request, heard.answered(), PAGE_SIZE)
    context = {
        "contest": contest,
        "revision": access(request, contest).revision,
        "form": form,
        "waiting": heard.waiting() if here.team else [],
        "page": page,
        "announcements": announcements[:ANNOUNCEMENTS_SHOWN],
        "older": announcements[ANNOUNCEMENTS_SHOWN:],
        "new_after": here.membership.knows_until if here.membership else None,
    }
    response = render(request, template, context, status=422 if form and form.errors else 200)
    if here.membership:
        answered = heard.answered().values_list("answered_at", flat=True).first()
        said = [moment for moment in (answered, *(it.posted_at for it in announcements[:1])) if moment]
        if said:
            question_actions.read(here.membership, max(said))
    return response


# The desk -------------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_questions(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Open questions, oldest first, then answered ones, and a form to write to one team."""
    if unchanged(request, contest):
        return HttpResponse(status=204)
    asked = request.GET.get("team", "")
    form = NoticeForm(contest, request.POST if request.method == "POST" else None, initial={"team": asked})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        question_actions.tell(data["team"], me(request), data["subject"], data["text"])
        messages.success(request, f"“{data['team']}” will find the message on its page of questions and announcements.")
        return redirect("desk-questions", contest.slug)
    known = contest.questions.select_related("team", "asked_by", "answered_by")
    context = {
        "contest": contest,
        "revision": access(request, contest).revision,
        "form": form,
        "telling": bool(asked or form.errors),
        "waiting": known.waiting(),
        "page": page_of(request, known.answered().filter(entry=None), PAGE_SIZE),
        "automatic": known.exclude(entry=None)[:AUTOMATIC_SHOWN],
    }
    live = request.headers.get("HX-Request") == "true"
    template = "contest/_desk_questions.html" if live else "contest/desk_questions.html"
    return render(request, template, context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@desk_page
def desk_question(request: HttpRequest, contest: Contest, question_id: int) -> HttpResponse:
    """One question with its answer. `?canned=N` starts the answer with a ready-made text."""
    found = contest.questions.select_related("team", "asked_by", "answered_by")
    question = get_object_or_404(found, pk=question_id)
    question.contest = contest
    canned = list(enumerate(question_actions.CANNED))
    begun = next((text for number, text in canned if str(number) == request.GET.get("canned")), "")
    form = AnswerForm(question, request.POST if request.method == "POST" else None, begun)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        to_all = data.get("to_all", False)
        with refusals_told(form):
            question_actions.answer(question, me(request), data["answer"], to_all=to_all, seen=data["seen"])
            told = "Your answer is public." if to_all else f"Your answer was sent to “{question.team}”."
            messages.success(request, told)
            return redirect("desk-questions", contest.slug)
        question = found.get(pk=question.pk)
    context = {
        "contest": contest,
        "question": question,
        "form": form,
        "canned": [] if question.is_notice else canned,
        "acts": contest.acts.filter(data__question=question.pk).select_related("user"),
    }
    return render(request, "contest/desk_question.html", context, status=422 if form.errors else 200)
