"""Two games on the same deal: which ones go together, and what a reader may see of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from contest.addresses import page_at
from contest.models import Contest
from contest.permissions import Access, access, get_contest
from contest.replay import Replay
from contest.replay.films import Shelf
from tournaments.casual.who import may_see, visible_table, who_of
from tournaments.kinds import secrecy
from tournaments.models import CasualGame, Match, PracticeGame, PracticeOrder
from tournaments.results.visibility import Sight
from tournaments.view_models import casual_replays, practice
from tournaments.view_models.replays import replay_of, shelf_of
from tournaments.view_models.visible_matches import visible_match

MOST = 24  # games that are offered to compare with


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two games. `make` draws it in a view and raises LookupError if there is none. `unseen`: the table and
    seed of its deals, where the reader may not see them, so they cannot be compared."""

    address: str
    title: str
    contest: Contest | None  # None: of a casual game
    make: Callable[[str | None], Replay]
    shelf: Shelf
    unseen: tuple[int, int] | None = None


def side_at(request: HttpRequest, address: str) -> Side:
    """The replay at an address of this portal, with or without its host and query. Raises Http404, also if this
    reader may not see it."""
    place = page_at(request, address)
    side = SOURCES.get(place.name)
    if side is None:
        raise Http404("no such replay")
    return side(request, place.path, **place.values)


def _match(request: HttpRequest, address: str, match_id: int, game: int = 1) -> Side:
    match, sight = visible_match(request, match_id)
    shelf = shelf_of(match, sight, game, "replay")
    if shelf is None:
        raise Http404("this match has not been played")
    title = match.title + (f", game {game}" if match.games > 1 else "")
    where = reverse("replay", args=[match_id, game])
    is_seen = secrecy.shown(match, sight).part == secrecy.Part.SEEN
    unseen = (match.table_id, match.seed) if is_seen else None
    return Side(where, title, match.contest, lambda view: replay_of(match, sight, game, view, "replay"), shelf, unseen)


def _practice(request: HttpRequest, address: str, slug: str, order_id: int, game: int) -> Side:
    contest = get_contest(request, slug)
    order = practice.visible_order(access(request, contest), order_id)
    kept = practice.record_of(order, game)
    own = next((player.name for player in order.players.all() if player.number == kept.game.own), "")
    title = f"{order}, game {game}" if order.kind == PracticeOrder.Kind.PRACTICE else f"{order}: {own}"
    return Side(address, title, contest, lambda view: practice.replay_of(kept, view), practice.shelf_of(kept))


def _casual(request: HttpRequest, address: str, pk: int, game: int) -> Side:
    table = visible_table(request, pk)
    if not table.record:
        raise Http404("this game is not over")
    title = f"{table}: {casual_replays.names_of(table)}"
    shelf = casual_replays.shelf_of(table, game)
    return Side(address, title, None, lambda view: casual_replays.replay_of(table, game, view), shelf)


SOURCES: dict[str, Callable[..., Side]] = {
    "replay": _match,
    "match": _match,
    "practice-game": _practice,
    "casual-replay": _casual,
}
"""By the name of an address: what is there."""


def href(one: str, two: str) -> str:
    return f"{reverse('beside')}?{urlencode({'one': one, 'two': two})}"


PARTNERS: dict[str, str] = {
    PracticeOrder.Kind.TRIAL: "the other version",
}
"""By kind of order: what the other game of a pair is called."""


@dataclass(frozen=True, slots=True)
class SameDeal:
    """A game on the same deal as the one that is shown, and the page with both."""

    title: str
    href: str


def of_match(match: Match, sight: Sight, game: int) -> list[SameDeal]:
    """Other matches on the same deals that this reader may see, and their team's practice on them."""
    here = reverse("replay", args=[match.pk, game])
    found = []
    if match.stage.options.get("duplicate"):
        same = sight.matches().filter(table=match.table_id, seed=match.seed, games__gte=game).exclude(pk=match.pk)
        others = sight.as_known(same.select_related("stage", "table", "contest").order_by("number")[:MOST])
        played = [other for other in others if other.status in (Match.State.DONE, Match.State.VOID)]
        found = [SameDeal(each.title, href(here, reverse("replay", args=[each.pk, game]))) for each in played]
    if sight.access.team is not None:
        again = PracticeGame.objects.filter(order__again=match.pk, order__team=sight.access.team, number=game)
        again = again.filter(record__isnull=False).select_related("order").order_by("-pk")[:5]
        found += [SameDeal(f"{it.order}", href(here, _of_practice(match.contest, it))) for it in again]
    return found


def of_practice(game: PracticeGame, reader: Access) -> list[SameDeal]:
    """The match whose deals were played again, or the other game of a pair. `game.order`: as visible."""
    order = game.order
    here = _of_practice(order.contest, game)
    if order.kind in PARTNERS:
        other = order.games.filter(number=_partner(game.number), record__isnull=False).first()
        return [SameDeal(PARTNERS[order.kind], href(here, _of_practice(order.contest, other)))] if other else []
    if order.again_id is None or not Sight(reader).matches().filter(pk=order.again_id).exists():
        return []
    match = get_object_or_404(Match.objects.select_related("stage", "table", "contest"), pk=order.again_id)
    return [SameDeal(match.title, href(here, reverse("replay", args=[match.pk, game.number])))]


def of_table(request: HttpRequest, table: CasualGame, game: int) -> list[SameDeal]:
    """Other casual games with the same cards that this reader may see."""
    same = CasualGame.objects.filter(game_slug=table.game_slug, seed=table.seed, record__isnull=False)
    found = same.exclude(pk=table.pk).prefetch_related("seats__kept_for").defer("record").order_by("-pk")[:MOST]
    here = casual_replays.address_of(table, game)
    return [
        SameDeal(f"{each}: {casual_replays.names_of(each)}", href(here, casual_replays.address_of(each)))
        for each in found
        if may_see(request, each, who_of(request))
    ]


def _partner(number: int) -> int:
    """The other game of a pair: 2n - 1 and 2n."""
    return number + 1 if number % 2 else number - 1


def _of_practice(contest: Contest, game: PracticeGame) -> str:
    return reverse("practice-game", args=[contest.slug, game.order_id, game.number])
