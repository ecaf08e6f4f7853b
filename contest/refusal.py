"""The exception that tells a person why their request was refused, and the most common refusal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest


class Refused(Exception):
    """The request cannot be carried out, and nothing has changed. The message is shown to the person who asked."""


@contextmanager
def refusals_told(where: HttpRequest | BaseForm, field: str | None = None) -> Iterator[None]:
    """Tell a refusal in the form that is shown again, at a field or above all, or on the next page, and go on."""
    try:
        yield
    except Refused as refusal:
        if isinstance(where, BaseForm):
            where.add_error(field, str(refusal))
        else:
            wrote = where.POST.get("text") or where.POST.get("reason")  # its form is not shown again
            messages.error(where, f"{refusal} You wrote: “{wrote}”" if wrote else str(refusal))


REASON_LENGTH = 300  # as much as the ledger keeps


def reason_given(reason: str, request: str) -> str:
    """The reason as one line of at most `REASON_LENGTH` characters. Raises Refused, asking for one, if it is blank."""
    line = " ".join(reason.split())
    if not line:
        raise Refused(request)
    return line[:REASON_LENGTH]
