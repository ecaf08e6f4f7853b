"""Requests that upload a source, on a team's own page and on the desk's page for a team."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest

from contest.models import Contest, Team
from contest.permissions import me
from submissions import intake
from submissions.forms import CappedUploadHandler, UploadForm
from submissions.intake import Receipt, UploadRefused


def read(request: HttpRequest) -> bool:
    """Read the form with a handler that stops giant files. False if the pasted text is far too large.

    Must come before anything else that reads the form, such as the CSRF check.
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


def accept(request: HttpRequest, form: UploadForm, team: Team, *, for_team: bool = False) -> Receipt | None:
    """Store the upload and tell its sender. None if it is refused, which the form then explains."""
    if not form.is_valid():
        return None
    try:
        receipt = intake.receive(
            team,
            me(request),
            form.source_uploads(),
            form.strategy_upload(),
            language=form.cleaned_data["language"],
            activate=form.cleaned_data["activate"],
            for_team=for_team,
        )
    except UploadRefused as refusal:
        form.refuse(refusal)
        return None
    whose = f" of {team}" if for_team else ""
    messages.success(request, f"Version {receipt.submission.number}{whose} was uploaded.")
    for notice in receipt.notices:
        messages.info(request, notice)
    if form.ignores_pasted_source():
        messages.info(request, "You sent a file and a pasted text. The file was used.")
    return receipt
