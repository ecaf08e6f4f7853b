"""The one queue of outgoing mail. Whatever sends mail writes rows, and a task hands them to the mail server.

So no page waits for a mail server or fails with it, and a message is queued exactly if what it tells is saved. A server
that says "later" (4xx), or that is away, gets the message again after a pause. What it refuses for good (5xx) is
dropped and logged. Neither keeps other messages waiting.

Own code, because both packages for this do harm here: django-mailer keeps a transaction open while it talks to the
server, which stops all who write on SQLite, and django-post-office runs the text of messages through the template
engine, which fails on code of contestants.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import (
    SMTPException,
    SMTPHeloError,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)
from time import monotonic

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from contest.models import Letter

logger = logging.getLogger(__name__)
SERVER = "django.core.mail.backends.smtp.EmailBackend"
LONGEST = 20.0  # seconds per run; the next run continues
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=5), timedelta(hours=4)  # greylisting asks for five minutes
GIVE_UP = timedelta(days=3)


def confirmed_address() -> Subquery:
    """The address of the `user` of a row; None if no address is confirmed."""
    found: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=OuterRef("user"), verified=True)
    return Subquery(found.order_by("-primary", "pk").values("email")[:1])


class QueueBackend(BaseEmailBackend):
    """Django's backend for mail (settings.EMAIL_BACKEND) if a mail server is set. Takes plain text, no attachments."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Raises ValueError for a message that cannot be written, such as one with a line end in a header."""
        rows = []
        for message in email_messages:
            message.message()
            told = {"sender": str(message.from_email), "subject": str(message.subject), "body": str(message.body)}
            rows += [Letter(recipient=to, headers=message.extra_headers, **told) for to in message.recipients()]
        Letter.objects.bulk_create(rows)
        return len(email_messages)


def send_due(now: datetime | None = None) -> int:
    """Hand the mail server what is due, for a bounded time. Returns how many messages it took."""
    if not settings.EMAIL_URL:
        return 0
    now = now or timezone.now()
    until, taken = monotonic() + LONGEST, 0
    connection = get_connection(SERVER)
    try:
        for letter in Letter.objects.filter(due_at__lte=now).order_by("due_at", "pk")[:1000]:
            if monotonic() >= until:
                break
            connection.open()  # does nothing while it is open
            if _claim(letter, now):
                taken += _send(letter, connection, now)
    except (OSError, SMTPException) as error:
        logger.warning("the mail server does not answer, trying again in the next run: %s", error)
    finally:
        connection.close()
    return taken


def _claim(letter: Letter, now: datetime) -> bool:
    """Make it due again after a pause that grows, whatever happens meanwhile. False if another process has it."""
    pause = min(FIRST_PAUSE * 2 ** min(letter.tries, 10), LONGEST_PAUSE)
    mine = Letter.objects.filter(pk=letter.pk, tries=letter.tries)
    return bool(mine.update(tries=F("tries") + 1, due_at=now + pause))


def _send(letter: Letter, connection: BaseEmailBackend, now: datetime) -> bool:
    try:
        connection.send_messages([letter.message()])
    except (OSError, SMTPException, ValueError) as error:
        connection.close()
        final = is_final(error) or now - letter.created_at > GIVE_UP
        logger.warning("cannot send %s, %s: %s", letter, "dropped" if final else "trying again later", error)
        if final:
            letter.delete()
        return False
    letter.delete()
    return True


def is_final(error: Exception) -> bool:
    """Whether the mail server will never take this very message. A refused sender or greeting is a fault of the
    settings."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, SMTPResponseException):
        return error.smtp_code >= 500 and not isinstance(error, SMTPSenderRefused | SMTPHeloError)
    return isinstance(error, SMTPNotSupportedError | ValueError)  # an address that the server, or mail, cannot express
