"""What both pages to which sources are sent have in common: a team's own, and the desk's for a team."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest

from contest.models import Contest, Team
from contest.permissions import me
from submissions.forms import CappedUploadHandler, UploadForm
from submissions.intake import Receipt, UploadRefused


def read(request: HttpRequest) -> bool:
    """Read the form with the handler that stops giant files, so before anybody else does; checking CSRF reads it, too.
    False: the pasted text is far too large."""
    request.upload_handlers.insert(0, CappedUploadHandler(request))
    try:
        request.POST  # noqa: B018 - reads the form
    except RequestDataTooBig:
        return False
    return True


def sent(request: HttpRequest, contest: Contest) -> UploadForm:
    """The form that was sent; `read` has read it."""
    handler = next(it for it in request.upload_handlers if isinstance(it, CappedUploadHandler))
    return UploadForm(contest, request.POST, request.FILES, skipped=handler.skipped)


def receive(request: HttpRequest, form: UploadForm, team: Team, *, for_team: bool = False) -> Receipt | None:
    """Hand it to the intake and say what came of it. None: it is refused, and the form says why."""
    if not form.is_valid():
        return None
    try:
        receipt = form.receive(team, me(request), for_team=for_team)
    except UploadRefused as refusal:
        form.refuse(refusal)
        return None
    whose = f" of {team}" if for_team else ""
    messages.success(request, f"Version {receipt.submission.number}{whose} was received and is in the queue.")
    for notice in receipt.notices:
        messages.info(request, notice)
    return receipt
