"""`Idempotency-Key`: a POST that is sent again, because its answer was lost, does nothing a second time.

The answer is stored in the transaction of the action, so there is never one without the other. A refused request leaves
nothing behind, and may be sent again with the same key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from django.db import IntegrityError, transaction
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.problems import Problem
from contest.models import AnsweredRequest, User

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 100
KEPT_HEADERS = ("Location",)


def key_of(request: Request) -> str:
    """The key of this request, blank without one. Raises Problem."""
    key = request.headers.get(HEADER, "").strip()
    if len(key) > LONGEST or not key.isprintable():
        raise Problem(400, "bad_key", f"An {HEADER} has at most {LONGEST} printable characters.")
    if key and not isinstance(request.user, User):
        raise Problem(400, "bad_key", f"An {HEADER} needs a token: keys belong to accounts.")
    return key


def once(request: Request, user: User, key: str, body: bytes, answer: Callable[[], Response]) -> Response:
    """The stored answer of an earlier request with this key, or the answer to this one. Raises Problem if that one
    asked for something else."""
    asked = hashlib.sha256(request.get_full_path().encode() + b"\n" + body).hexdigest()
    earlier = _earlier(user, key)
    if earlier is None:
        try:
            with transaction.atomic():
                row = AnsweredRequest.objects.create(user=user, key=key, asked=asked)
                response = answer()
                row.status, row.data = response.status_code, response.data
                row.headers = {name: response[name] for name in KEPT_HEADERS if response.has_header(name)}
                row.save(update_fields=["status", "data", "headers"])
                return response
        except IntegrityError:
            earlier = _earlier(user, key)
            if earlier is None:
                raise
    if earlier.asked != asked:
        raise Problem(409, "key_used", f"This {HEADER} was sent before with another request. Choose a new one.")
    return Response(earlier.data, earlier.status, headers={**earlier.headers, REPLAYED: "true"})


def _earlier(user: User, key: str) -> AnsweredRequest | None:
    return AnsweredRequest.objects.filter(user=user, key=key).first()
