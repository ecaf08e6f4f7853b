"""Requests that upload a source, on a team's own page and on the desk's page for a team."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from contest.models import Contest, Team
from contest.permissions import me
from submissions.forms import CappedUploadHandler, UploadForm
from submissions.intake import Receipt, UploadRefused
from submissions.sources import Reading, understand


def read(request: HttpRequest) -> bool:
    """Read the form with a handler that stops giant files. False if the pasted text is far too large.

    Must come before anything else that reads the form, such as the check of its token. It is known by then who asks,
    and that a page of the portal sends it (contest/body_limits.py).
    """
    request.upload_handlers.insert(0, CappedUploadHandler(request))
    try:
        request.POST  # noqa: B018 - reads the form
    except RequestDataTooBig:
        return False
    return True


def bound_form(request: HttpRequest, contest: Contest) -> UploadForm:
    """The form of a request that `read` has read."""
    handler = next(it for it in request.upload_handlers if isinstance(it, CappedUploadHandler))
    return UploadForm(contest, request.POST, request.FILES, skipped=handler.skipped)


def look(request: HttpRequest, form: UploadForm, team: Team) -> HttpResponse:
    """What the files of the form would be taken for, which a script asks. Nothing is stored."""
    try:
        reading = _reading(form, team) if form.is_valid() else None
    except UploadRefused as refusal:
        reading = Reading(problems=refusal.problems)
    problems = list(reading.problems.values()) if reading else []
    return render(request, "submissions/_understood.html", {"reading": reading, "problems": problems})


def _reading(form: UploadForm, team: Team) -> Reading:
    """What was understood of a valid form. Raises UploadRefused."""
    return understand(
        team.contest,
        form.source_uploads(),
        form.strategy_upload(),
        language=form.cleaned_data["language"],
        entry=form.entry_chosen(),
    )


def accept(request: HttpRequest, form: UploadForm, team: Team, *, for_team: bool = False) -> Receipt | None:
    """Store the upload and tell its sender. None if it is refused, or consists of several files and its sender has to
    see first what they were taken for. The form then shows this."""
    if not form.is_valid():
        return None
    try:
        reading = _reading(form, team)
        if reading.program and reading.program.is_folder and not form.entry_chosen():
            form.ask(reading)
            return None
        receipt = form.receive(team, me(request), for_team=for_team)
    except UploadRefused as refusal:
        form.refuse(refusal)
        return None
    whose = f" of {team}" if for_team else ""
    messages.success(request, f"Version {receipt.submission.number}{whose} was uploaded.")
    for notice in receipt.notices:
        messages.info(request, notice)
    if form.cleaned_data["source"] and form.cleaned_data["pasted"].strip():
        messages.info(request, "You sent a file and a pasted text. The file was used.")
    return receipt
