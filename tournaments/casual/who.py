"""Who sits at the browser: an account, or a guest whose session holds the keys of their seats."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare

from contest.middleware import form_digest
from contest.models import User
from tournaments.casual import limits
from tournaments.casual.limits import Who
from tournaments.casual.tables import kept_seat, seat_of
from tournaments.models import CasualGame, CasualSeat

KEYS = "casual_keys"
"""Session key: {id of the game: key of the seat}."""

INVITED = "casual_invited"
"""Session key: {id of the game: the key by which they were invited}."""

MOST_KEYS = 50


def who_of(request: HttpRequest) -> Who:
    """The person who makes this request, with the seats that their browser holds."""
    keys = request.session.get(KEYS, {})
    address = get_adapter(request).get_client_ip(request)
    user = request.user if isinstance(request.user, User) else None
    sent = form_digest(request) if user is None else ""  # accounts have contest.middleware.Once
    return Who(user, keys, limits.digest(address), sent and limits.digest(sent))


def remember(request: HttpRequest, game: CasualGame, seat: CasualSeat) -> None:
    """Let this browser hold a seat."""
    _note(request, KEYS, game, seat.key)


def _note(request: HttpRequest, name: str, game: CasualGame, key: str) -> None:
    kept = {pk: each for pk, each in request.session.get(name, {}).items() if pk != str(game.pk)}
    newest = list(kept.items())[1 - MOST_KEYS :]
    request.session[name] = dict([*newest, (str(game.pk), key)])


def invitation_of(request: HttpRequest, game: CasualGame) -> str:
    """The key by which this browser was invited to a table; blank: it was not."""
    key: str = request.session.get(INVITED, {}).get(str(game.pk), "")
    return key if constant_time_compare(key, game.key) else ""


def welcome(request: HttpRequest, game: CasualGame, key: str) -> bool:
    """Take a key from a link: that of a seat, so that another device goes on, or that of the table. False: neither.
    The short code is no key: it can be guessed, so only the form that counts guesses takes it."""
    for seat in game.seats.all():
        if seat.key and seat.is_person and constant_time_compare(seat.key, key):
            remember(request, game, seat)
            return True
    if constant_time_compare(key, game.key):
        _note(request, INVITED, game, game.key)
        return True
    return False


def may_see(request: HttpRequest, game: CasualGame, who: Who) -> bool:
    """Whether the table may be known to this person. What they see of it is up to their seat."""
    if not game.private or invitation_of(request, game):
        return True
    return seat_of(game, who) is not None or kept_seat(game, who) is not None


def visible_table(request: HttpRequest, pk: int) -> CasualGame:
    """A table that this person may know. Raises Http404."""
    game = CasualGame.objects.filter(pk=pk).prefetch_related("seats__submission", "seats__kept_for").first()
    if game is None:
        raise Http404("no such table")
    if key := request.GET.get("key", ""):
        welcome(request, game, key)
    if not may_see(request, game, who_of(request)):
        raise Http404("no such table")
    return game


View = Callable[..., HttpResponseBase]


def table_page(view: View) -> View:
    """A view of one table: it gets the game, who asks, and the seat that they hold, if any. Others get 404 where the
    table is private."""

    @wraps(view)
    def page(request: HttpRequest, pk: int, *args: Any, **kwargs: Any) -> HttpResponseBase:
        game = visible_table(request, pk)
        who = who_of(request)
        return view(request, game, who, seat_of(game, who), *args, **kwargs)

    return page
