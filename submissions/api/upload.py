"""An upload by a program: a form with files, or JSON with texts. The same form and intake as on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.request import Request

from contest.api.forms import is_true, typed
from contest.api.problems import Problem, wrong
from contest.models import Team, User
from submissions.forms import CappedUploadHandler, Skipped, UploadForm
from submissions.intake import Receipt, UploadRefused

ARGUMENTS = "Of a TCP client, such as --host HOST --port PORT. Blank: HOST PORT."


class UploadBody(serializers.Serializer):
    """An upload as JSON."""

    source = serializers.CharField(help_text="The text of the source.")  # type: ignore[assignment]
    filename = serializers.CharField(required=False, help_text="Its extension tells the language.")
    language = serializers.CharField(required=False, help_text="A slug. Blank: the language of the extension.")
    arguments = serializers.CharField(required=False, help_text=ARGUMENTS)
    strategy = serializers.CharField(required=False, help_text="The text about the strategy.")
    strategy_filename = serializers.CharField(required=False)
    activate = serializers.BooleanField(required=False, default=True, help_text="Activate it when it is ready.")


class UploadFilesBody(serializers.Serializer):
    """An upload as a form with files: one source, several, or one archive (ZIP, tar, tar.gz, tar.bz2, tar.xz)."""

    source = serializers.FileField(help_text="Once for each file.")  # type: ignore[assignment]
    entry = serializers.CharField(
        required=False, help_text="The file of several that starts the program. Blank: found by convention."
    )
    language = serializers.CharField(required=False, help_text="A slug. Blank: the language of the extension.")
    arguments = serializers.CharField(required=False, help_text=ARGUMENTS)
    strategy = serializers.FileField(required=False)
    activate = serializers.BooleanField(required=False, default=True, help_text="Activate it when it is ready.")


class ProgramsUploadForm(UploadForm):
    typed_in_browser = False


TEXTS = {"pasted": "source", "strategy_text": "strategy"}
"""Fields of the form for text, with their names in the API, where a file has the same name."""
PLAIN = ("filename", "language", "entry", "arguments", "strategy_filename")


def accept(request: Request, team: Team, by: User, *, for_team: bool) -> Receipt:
    """Store the upload. Raises Problem, and Refused if the team cannot upload now."""
    sent, files = _sent(request), request.FILES
    handlers = request._request.upload_handlers  # they know which files were too large to read
    skipped: Skipped = next((it.skipped for it in handlers if isinstance(it, CappedUploadHandler)), {})
    form = ProgramsUploadForm(team.contest, sent, files, skipped=skipped)
    if not form.is_valid():
        raise _problem({TEXTS.get(name, name): str(found[0]) for name, found in form.errors.items()})
    try:
        return form.receive(team, by, for_team=for_team)
    except UploadRefused as refusal:
        if set(refusal.problems) == {""}:
            raise
        raise _problem(refusal.problems, refusal.reading.notices) from None


def _sent(request: Request) -> MultiValueDict[str, Any]:
    sent = typed(request)
    found: MultiValueDict[str, Any] = MultiValueDict()
    for ours, theirs in {**TEXTS, **{name: name for name in PLAIN}}.items():
        value = sent.get(theirs)
        if isinstance(value, str):
            found[ours] = value
        elif value is not None and not isinstance(value, UploadedFile):
            raise wrong(theirs, "This needs to be a text.")
    found["activate"] = is_true("activate", sent.get("activate", True))
    return found


def _problem(problems: dict[str, str], notices: Sequence[str] = ()) -> Problem:
    errors = [{"field": name, "detail": said} for name, said in problems.items()]
    return Problem(422, "invalid", " ".join([*problems.values(), *notices]), errors)
