"""Devices that are known: browsers in which somebody has logged in before.

A signed cookie lists the accounts. It lets nobody in. It only says that guesses made elsewhere are not this browser's
(contest/guesses.py). A new password makes the browser unknown to the account until the next log-in.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from django.conf import settings
from django.core import signing
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from contest.models import User

COOKIE = "known_device"
SALT = "contest.devices"
LASTS = 365 * 86_400
MOST = 8
"""Accounts of one browser. Where more people share it, the latest are known."""


def remember(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Make the browser known to somebody who has just logged in."""
    known = {pk: mark for pk, mark in _read(request).items() if pk != str(user.pk)}
    newest = dict(list(known.items())[1 - MOST :])
    response.set_cookie(
        COOKIE,
        signing.dumps({**newest, str(user.pk): _mark(user, secrets.token_hex(8))}, salt=SALT),
        max_age=LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def named(request: HttpRequest, login: str) -> str:
    """A name for the account and this browser, if it is known to the account that has this user name or address."""
    known = _read(request)
    who = Q(username__iexact=login) | Q(email__iexact=login)
    user = User.objects.filter(who, pk__in=[*known]).first() if known else None
    return "" if user is None else of(request, user)


def of(request: HttpRequest, user: User) -> str:
    """A name for the account and this browser, if it is known to the account. Blank: it is not."""
    mark = _read(request).get(str(user.pk), "")
    return f"{user.pk} {mark}" if mark and mark == _mark(user, mark.partition(":")[0]) else ""


def _mark(user: User, device: str) -> str:
    """Names the browser, and shows that the password was this one."""
    return f"{device}:{salted_hmac(SALT, user.password).hexdigest()[:16]}"


def _read(request: HttpRequest) -> Mapping[str, str]:
    try:
        found = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LASTS)
    except signing.BadSignature:
        return {}
    return found if isinstance(found, dict) else {}
