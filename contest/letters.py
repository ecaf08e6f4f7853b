"""Sending e-mail in runs: to confirmed addresses, for a bounded time, and again later if the server is in trouble."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from smtplib import SMTPException, SMTPRecipientsRefused
from time import monotonic
from typing import TypeVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import OuterRef, QuerySet, Subquery

from contest import counting

logger = logging.getLogger(__name__)
LONGEST = 20.0  # seconds per run; the next run continues

T = TypeVar("T")


def confirmed_address() -> Subquery:
    """The address of the `user` of a row; None if no address is confirmed."""
    found: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=OuterRef("user"), verified=True)
    return Subquery(found.order_by("-primary", "pk").values("email")[:1])


def send_each(due: Iterable[T], send: Callable[[T, BaseEmailBackend], bool]) -> int:
    """Send what is due, one after the other, until the run is over or the mail server is in trouble. Returns how many
    messages were sent."""
    if not settings.EMAIL_URL:
        return 0
    until, count = monotonic() + LONGEST, 0
    connection = get_connection()
    try:
        for each in due:
            if monotonic() >= until:
                break
            count += send(each, connection)
    except (OSError, SMTPException):
        logger.warning("cannot send mail: trying again in the next run", exc_info=True)
    finally:
        connection.close()
    return count


def send(message: EmailMessage, connection: BaseEmailBackend, *, to: object, undo: Callable[[], object]) -> bool:
    """Send a message that is noted as sent already. False if its address is refused: trying again would only delay the
    others. If the server is in trouble, `undo` the note and raise. `to`: whom the log names."""
    message.connection = connection
    try:
        connection.open()
        message.send()
    except SMTPRecipientsRefused:
        counting.count("mail", outcome="refused")
        logger.warning("the mail server refuses the address of %s", to)
        return False
    except (OSError, SMTPException):
        counting.count("mail", outcome="failed")
        undo()
        raise
    counting.count("mail", outcome="sent")
    return True
