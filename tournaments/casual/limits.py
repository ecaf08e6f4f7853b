"""How many tables there may be: in all, for a person, and for an address."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings

from contest.models import User
from contest.refusal import Refused
from tournaments.models import CasualGame, CasualSeat

AT_ONCE = 100  # tables in all
GUESTS_AT_ONCE = 66  # of guests, so that people with accounts find room
PER_PERSON = 5
PER_ADDRESS = 60  # a whole class may play from one address

PACES: dict[str, tuple[timedelta, timedelta]] = {
    CasualGame.Pace.RELAXED: (timedelta(minutes=10), timedelta(0)),
    CasualGame.Pace.NORMAL: (timedelta(minutes=1), timedelta(minutes=5)),
    CasualGame.Pace.QUICK: (timedelta(seconds=15), timedelta(minutes=1)),
}
"""By pace: the time for each decision, and the reserve of the whole game."""


@dataclass(frozen=True)
class Who:
    """Somebody who plays or wants to: an account, or a guest. `keys`: of seats, as far as their browser holds them, by
    game. `address`: where they come from, as a digest. `form`: the key of the seat that a guest's form takes, which is
    the same when it is sent twice."""

    user: User | None = None
    keys: dict[str, str] = field(default_factory=dict)
    address: str = ""
    form: str = ""

    def key(self, game: CasualGame) -> str:
        return self.keys.get(str(game.pk), "")


def digest(address: str) -> str:
    """An address as it is kept: nobody can tell which one it was."""
    return hmac.new(settings.SECRET_KEY.encode(), f"casual {address}".encode(), hashlib.sha256).hexdigest()[:32]


def check_allowed(who: Who) -> None:
    """Raise Refused if this person may not play here at all."""
    if not settings.CASUAL_GAMES:
        raise Refused("Casual games are switched off on this portal.")
    if who.user is None and not settings.CASUAL_GUESTS:
        raise Refused("Log in to play: this portal has no tables for guests.")


def check_room(who: Who) -> None:
    """Raise Refused if there are too many tables for another one. Call it while nobody else makes one."""
    check_allowed(who)
    tables = CasualGame.objects.going_on()
    keys = [int(pk) for pk in who.keys if pk.isdigit()]
    mine = tables.filter(pk__in=keys, made_by=None) if who.user is None else tables.filter(made_by=who.user)
    if mine.count() >= PER_PERSON:
        raise Refused(f"You have {PER_PERSON} tables already. Finish or leave one of them first; Play lists them.")
    if who.address and tables.filter(made_from=who.address).count() >= PER_ADDRESS:
        raise Refused("There are too many tables from your network just now. Try again in a few minutes.")
    if who.user is None and tables.filter(made_by=None).count() >= GUESTS_AT_ONCE:
        raise Refused("All tables for guests are taken just now. Log in, or try again in a few minutes.")
    if tables.count() >= AT_ONCE:
        raise Refused("All tables are taken just now. Try again in a few minutes.")


def check_versions(who: Who) -> None:
    """Raise Refused if this person plays with versions elsewhere. Only some tables at once have programs at them
    (server.py), and one person could take them all. Call it while nobody else makes a table."""
    with_version = CasualSeat.objects.filter(kind=CasualSeat.Kind.VERSION).values("game")
    tables = CasualGame.objects.going_on().filter(pk__in=with_version)
    if who.user is not None and tables.filter(seats__user=who.user, seats__left_at=None).exists():
        raise Refused("You play with versions at another table already. Finish or leave that game first.")
