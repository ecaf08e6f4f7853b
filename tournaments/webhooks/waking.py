"""Messages for the workers that send webhooks. They name none: each takes whatever is due (sending.py).

A lost message costs a few seconds: the beat sends one again while anything is due.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction

from contest import workers

DELIVER = "tournaments.tasks.deliver"
SENDERS = 16
"""How many webhooks the portal's worker sends to at once."""


def on_commit(count: int) -> None:
    """Wake workers for so many webhooks, once this transaction is committed."""
    if count:
        transaction.on_commit(partial(wake, count))


def wake(count: int) -> None:
    workers.wake(DELIVER, times=min(count, SENDERS))
