"""A casual game as those see it who have no seat: what everybody at the table may know while it is played, and then its
replay."""

from __future__ import annotations

from django.urls import reverse

from contest.replay import Replay
from contest.replay.films import Shelf
from contest.replay.growing import Unfinished
from tournaments.casual import moves
from tournaments.kinds import secrecy
from tournaments.models import CasualGame


def address_of(table: CasualGame, game: int = 1) -> str:
    return reverse("casual-replay", args=[table.pk, game])


def replay_of(table: CasualGame, game: int, view: str | None) -> Replay:
    """One game of a table that is over. Raises LookupError."""
    return Replay(table.loaded(), game, view, address_of(table, game))


def shelf_of(table: CasualGame, game: int) -> Shelf:
    return Shelf(f"casual {table.pk} {table.sha256}", game, public=not table.private)


def watched(table: CasualGame, view: str | None) -> Unfinished:
    """A game in progress so far. Nothing that is drawn needs its seed."""
    record = {**moves.stand(table).record, "seed": 0}
    views = secrecy.views_of_table(table.game.seats[1])
    return Unfinished(record, 1, view if view in views else views[0], address_of(table), views)


def names_of(table: CasualGame) -> str:
    return " – ".join(each.name for each in table.seats.all())
