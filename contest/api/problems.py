"""Errors as `application/problem+json` (RFC 9457), in the words of the pages.

Besides the standard's members there are `code`, a word for programs, and `errors`, which names the wrong fields.
"""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, RequestDataTooBig
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.defaults import server_error
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from contest.middleware import NoLonger
from contest.refusal import Refused

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
BUSY = 5  # seconds until it is worth trying again

NOT_FOUND = "This does not exist, or you are not allowed to see it."
"""Always the same words: others would tell what exists from what does not."""


class Problem(exceptions.APIException):
    """A request that cannot be carried out, with a word for programs."""

    def __init__(self, status_code: int, code: str, detail: str, errors: list[dict[str, str]] | None = None) -> None:
        super().__init__(detail, code)
        self.status_code = status_code
        self.errors = errors or []


def wrong(field: str, detail: str) -> Problem:
    """One field or parameter is wrong."""
    return Problem(422, "invalid", detail, [{"field": field, "detail": detail}])


def too_large() -> Problem:
    return Problem(413, "too_large", "This request is too large, so nothing was stored.")


class NotModified(Exception):
    """The reader has the newest answer already."""

    def __init__(self, etag: str) -> None:
        super().__init__(etag)
        self.etag = etag


def invalid(form: forms.BaseForm, below: str = "") -> Problem:
    """What is wrong with the fields of a form. `below`: the field that holds them as an object."""
    errors = [
        {"field": ".".join(filter(None, (below, "" if name == NON_FIELD_ERRORS else name))), "detail": str(error)}
        for name, found in form.errors.items()
        for error in found
    ]
    return Problem(422, "invalid", in_one(errors), errors)


NAMELESS = re.compile(r"this (field|value)|^(Select a valid|Enter a)", re.IGNORECASE)
"""Django's sentences that stand below a field on a page, and mean nothing elsewhere."""


def in_one(errors: list[dict[str, str]]) -> str:
    """All that is wrong, as it can be read without knowing beside which field it stands."""
    return " ".join(
        f"{each['field']}: {each['detail']}" if each["field"] and NAMELESS.search(each["detail"]) else each["detail"]
        for each in errors
    )


def answer_to(error: Exception, context: dict[str, Any]) -> Response | None:
    """The response to an exception of a view. None: a fault of ours, which becomes a 500."""
    if isinstance(error, NotModified):
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": error.etag})
    problem = _problem_of(error)
    if problem is None:
        return None
    set_rollback()
    headers = {}
    if isinstance(error, OperationalError):
        logger.exception("the database does not answer, or has waited for a lock for too long")
        headers["Retry-After"] = str(BUSY)
    if isinstance(error, exceptions.APIException):
        if challenge := getattr(error, "auth_header", None):
            headers["WWW-Authenticate"] = challenge
        if wait := getattr(error, "wait", None):
            headers["Retry-After"] = str(int(wait) + 1)
    return Response(body_of(problem), problem.status_code, headers=headers, content_type=CONTENT_TYPE)


def _problem_of(error: Exception) -> Problem | None:
    if isinstance(error, Problem):
        return error
    if isinstance(error, Refused):
        return Problem(status.HTTP_409_CONFLICT, "refused", str(error))
    if isinstance(error, NoLonger):
        return Problem(status.HTTP_410_GONE, "gone", str(error))
    if isinstance(error, Http404):
        return Problem(status.HTTP_404_NOT_FOUND, "not_found", NOT_FOUND)
    if isinstance(error, PermissionDenied):
        return Problem(status.HTTP_403_FORBIDDEN, "forbidden", str(error) or "You may not do this.")
    if isinstance(error, RequestDataTooBig):
        return too_large()
    if isinstance(error, OperationalError):
        return Problem(status.HTTP_503_SERVICE_UNAVAILABLE, "busy", "The portal is busy. Try again in a moment.")
    if isinstance(error, DjangoValidationError):
        return Problem(422, "invalid", " ".join(error.messages))
    if isinstance(error, exceptions.ValidationError):
        errors = [{"field": name, "detail": said} for name, said in _flat(error.detail)]
        return Problem(422, "invalid", in_one(errors), errors)
    if isinstance(error, exceptions.APIException):
        code = error.get_codes()
        return Problem(error.status_code, code if isinstance(code, str) else "invalid", str(error.detail))
    return None


def _flat(detail: Any, field: str = "") -> list[tuple[str, str]]:
    """(field, sentence) for everything that DRF found wrong, however deep."""
    if isinstance(detail, dict):
        pairs = [(f"{field}.{name}" if field else str(name), inner) for name, inner in detail.items()]
        return [found for name, inner in pairs for found in _flat(inner, "" if name == "non_field_errors" else name)]
    if isinstance(detail, list):
        return [found for inner in detail for found in _flat(inner, field)]
    return [(field, str(detail))]


def body_of(problem: Problem) -> dict[str, Any]:
    found = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "code": str(problem.get_codes()),
        "detail": str(problem.detail),
    }
    return found | ({"errors": problem.errors} if problem.errors else {})


@csrf_exempt  # whatever the method is, there is nothing to protect
def nothing_here(request: HttpRequest, rest: str = "") -> JsonResponse:
    """The answer for addresses that the API does not have."""
    problem = Problem(404, "not_found", "The API has no such address. /api/v1/schema lists those it has.")
    return JsonResponse(body_of(problem), status=404, content_type=CONTENT_TYPE)


def fault(request: HttpRequest) -> HttpResponse:
    """The answer to a fault of ours: a problem for programs, the page otherwise."""
    if not request.path_info.startswith("/api/"):
        return server_error(request)
    problem = Problem(500, "fault", "This is a fault of the portal. Try again, and tell its operator if it stays.")
    return JsonResponse(body_of(problem), status=500, content_type=CONTENT_TYPE)


class WrongField(serializers.Serializer):
    field = serializers.CharField(help_text="Blank if it is about the whole request.", allow_blank=True)
    detail = serializers.CharField()


class ProblemBody(serializers.Serializer):
    """An error (RFC 9457)."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Not as an attribute, because serializers have one of the name `errors`."""
        return {**super().get_fields(), "errors": WrongField(many=True, required=False)}

    type = serializers.CharField(help_text="Always `about:blank`.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="A word for programs: `refused`, `invalid`, `not_found` …")
    detail = serializers.CharField(help_text="A sentence for people, the same as on the pages.")
