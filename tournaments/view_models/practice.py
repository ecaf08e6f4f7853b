"""What pages and programs are told of practice. It is for the team that ordered it, and for people with a role."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse

from contest.permissions import Access
from contest.replay import Replay
from contest.replay.films import Shelf
from games.record import log
from tournaments.models import PracticeGame, PracticeOrder, PracticePlayer, PracticeRecord
from tournaments.models.practice import PracticeOrderQuerySet
from tournaments.practice import orders
from tournaments.practice.figures import Figures, figures

State, GameState = PracticeOrder.State, PracticeGame.State
TONES = {State.OPEN: "info", State.DONE: "ok", State.CANCELLED: "muted", State.FAILED: "bad"}
GAME_TONES = {
    GameState.QUEUED: "muted",
    GameState.RUNNING: "info",
    GameState.DONE: "ok",
    GameState.CANCELLED: "muted",
    GameState.FAILED: "bad",
}


def visible_orders(access: Access) -> PracticeOrderQuerySet:
    """The orders of this contest that the reader may see: those of their own team, or all for people with a role."""
    found = PracticeOrder.objects.filter(contest=access.contest)
    if access.sees_results:
        return found
    return found.filter(team=access.team) if access.team else found.none()


def visible_order(access: Access, pk: int) -> PracticeOrder:
    """An order with its players. Raises Http404."""
    found = visible_orders(access).select_related("team", "made_by", "again").defer("again__openings")
    order = found.prefetch_related(orders.with_players()).filter(pk=pk).first()
    if order is None:
        raise Http404("no such order")
    order.contest = order.team.contest = access.contest
    return order


def is_own(access: Access, order: PracticeOrder) -> bool:
    """Whether the reader's team ordered it."""
    return access.team is not None and access.team.pk == order.team_id


def may_cancel(access: Access, order: PracticeOrder) -> bool:
    """Members of the team and organisers may, judges may not."""
    return is_own(access, order) or access.organises


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the list of an order. `href`: its replay, while its record is kept."""

    game: PracticeGame
    seat: str
    tone: str
    href: str
    fault: str  # the first one of the own version, in words


@dataclass(frozen=True, slots=True)
class OrderSeen:
    order: PracticeOrder
    tone: str
    players: list[PracticePlayer]
    games: list[GameLine]
    figures: Figures
    played: int
    running: int
    waiting: int
    failed: int
    revision: str  # changes whenever the page does

    @property
    def state(self) -> str:
        """The state in words."""
        if self.order.is_open and not self.played and not self.running:
            return "Waiting"
        return self.order.get_state_display()

    @property
    def own(self) -> PracticePlayer:
        return self.players[0]

    @property
    def opponents(self) -> list[tuple[PracticePlayer, int]]:
        """Each opponent once, with the number of its seats."""
        found: dict[str, tuple[PracticePlayer, int]] = {}
        for player in self.players[1:]:
            found[player.key] = (player, found.get(player.key, (player, 0))[1] + 1)
        return list(found.values())

    @property
    def seat(self) -> str:
        """The name of the seat of the team; blank if it moves on."""
        seat, names = self.order.seat, self.order.contest.game.seat_names
        return "" if seat is None or self.order.again_id else names[seat].capitalize()


def order_seen(order: PracticeOrder) -> OrderSeen:
    """Everything about an order, in two queries. `order`: from `visible_order`."""
    games = list(order.games.with_record())
    count = {state: sum(game.state == state for game in games) for state in GameState}
    shown = [(game.pk, game.state, game.attempt, getattr(game, "has_record", False)) for game in games]
    return OrderSeen(
        order,
        TONES[State(order.state)],
        list(order.players.all()),
        [line_of(order, game) for game in games],
        figures(order, games),
        played=count[GameState.DONE],
        running=count[GameState.RUNNING],
        waiting=count[GameState.QUEUED],
        failed=count[GameState.FAILED],
        revision=f"{zlib.crc32(repr((order.state, order.why, order.replaced_by_id, shown)).encode()):08x}",
    )


def line_of(order: PracticeOrder, game: PracticeGame) -> GameLine:
    href = ""
    if getattr(game, "has_record", False):
        href = reverse("practice-game", args=[order.contest.slug, order.pk, game.number])
    own = game.results[game.index] if game.results else {}
    tone = "warn" if game.faults else GAME_TONES[GameState(game.state)]
    return GameLine(game, game.seat_name(order.contest.game), tone, href, own.get("fault_detail", ""))


def record_of(order: PracticeOrder, number: int) -> PracticeRecord:
    """The record of a game that was played, with the game. Raises Http404, also when the record has been deleted."""
    found = PracticeRecord.objects.select_related("game").filter(game__order=order, game__number=number).first()
    if found is None:
        raise Http404("no record of such a game")
    found.game.order = order
    return found


def replay_of(record: PracticeRecord, view: str | None) -> Replay:
    """The replay of a game. `record`: from `record_of`. Raises LookupError if it was not played."""
    order, rules = record.game.order, reverse("rules", args=[record.game.order.contest.slug])
    base = reverse("practice-game", args=[order.contest.slug, order.pk, record.game.number])
    return Replay(record.loaded(), 1, view, base, record.pieces(), rules=rules)


def shelf_of(record: PracticeRecord) -> Shelf:
    return Shelf(f"practice {record.pk} {record.sha256}", 1, public=lambda: False)


def log_of(record: PracticeRecord) -> str:
    """The game's own log. Raises Http404."""
    try:
        return log(record.loaded(), 1)
    except LookupError as error:
        raise Http404(str(error)) from error


def lines(found: Iterable[PracticeOrder]) -> list[tuple[PracticeOrder, str, list[str]]]:
    """Orders for a list (`with_counts`, with players): with the tone of their state and the names of the opponents."""
    return [
        (order, TONES[State(order.state)], list(dict.fromkeys(player.name for player in list(order.players.all())[1:])))
        for order in found
    ]
