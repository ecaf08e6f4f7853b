"""Make a personal token, and show it once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from contest.models import ApiToken, User
from contest.refusal import Refused

MOST = 50  # working tokens of one person
REMEMBERED = timedelta(days=30)  # how long the page lists a token that no longer works


@transaction.atomic
def issue(user: User, name: str, scopes: Iterable[str], lifetime: timedelta | None) -> tuple[ApiToken, str]:
    """Make a token. Returns its row and the token itself, which cannot be read again. Raises Refused."""
    now = timezone.now()
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two requests must not pass the limit together
    if user.tokens.unended(now).count() >= MOST:
        raise Refused(f"You have {MOST} working tokens, the most an account may have. Revoke one you no longer need.")
    return ApiToken.issue(user, name, list(scopes), now + lifetime if lifetime else None)
