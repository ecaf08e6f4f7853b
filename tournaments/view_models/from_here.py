"""“Your bot from here” on a replay: the form, the answers so far, and the page of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone

from contest.formatting import milliseconds
from contest.permissions import Access, access
from tournaments.models import FromHere, Match, PracticeGame, PracticeOrder, PracticeRecord
from tournaments.practice import again, rights
from tournaments.results.visibility import sight
from tournaments.view_models import practice

SHOWN = 5  # answers beside a replay


@dataclass(frozen=True, slots=True)
class FromHereForm:
    """The form on a replay. `versions`: the numbers of those that are ready, the newest first."""

    address: str
    versions: Sequence[int]
    asked: Sequence[FromHere]  # at this game, the newest first
    why_not: str = ""  # it was not ordered


def form_of(
    request: HttpRequest,
    address: str,
    game: int,
    *,
    match: Match | None = None,
    practice_game: PracticeGame | None = None,
    why_not: str = "",
) -> FromHereForm | None:
    """None for readers who cannot ask here: they have no team or no version, or the deals are not public."""
    contest = match.contest if match is not None else practice_game.order.contest if practice_game else None
    team = access(request, contest).team if contest else None
    if practice_game is not None and team is not None and practice_game.team_id != team.pk:
        return None
    if team is None or rights.why_not(team, timezone.now()):
        return None
    versions = rights.versions(team)
    if not versions or (match and not again.is_open(match, sight(request, match.contest))):
        return None
    asked = FromHere.objects.filter(order__team=team, match=match, practice=practice_game, game=game)
    asked = asked.select_related("order__contest").order_by("-pk")[:SHOWN]
    return FromHereForm(address, versions, list(asked), why_not)


@dataclass(frozen=True, slots=True)
class FromHereSeen:
    """An order from a position, with what its version answered."""

    here: FromHere
    order: PracticeOrder
    version: int
    seat: str
    state: str
    tone: str
    replay: str  # of the game that was played out; blank if there is none
    revision: str

    @property
    def time(self) -> str:
        ms = self.here.answer.get("ms")
        return "" if ms is None else milliseconds(ms)

    @property
    def own(self) -> dict[str, Any] | None:
        """Where the version itself would first have decided otherwise."""
        return next((each for each in self.here.answer.get("differs", ()) if each["own"]), None)

    @property
    def others(self) -> list[dict[str, Any]]:
        return [each for each in self.here.answer.get("differs", ()) if not each["own"]]


def visible(reader: Access, pk: int) -> FromHere:
    """Raises Http404."""
    order = practice.visible_order(reader, pk)
    here = FromHere.objects.filter(order=order).select_related("match", "practice__order").first()
    if here is None:
        raise Http404("no such order")
    here.order = order
    return here


def seen(here: FromHere) -> FromHereSeen:
    order = here.order
    (game,) = order.games.all()
    own = order.players.all()[0]
    assert own.submission is not None  # number 0 is the version that is asked
    has_record = PracticeRecord.objects.filter(game=game).exists()
    replay = reverse("practice-game", args=[order.contest.slug, order.pk, game.number]) if has_record else ""
    state = order.get_state_display() if not order.is_open or game.attempt else "Waiting"
    return FromHereSeen(
        here=here,
        order=order,
        version=own.submission.number,
        seat=order.contest.game.seat_names[here.seat].capitalize(),
        state=state,
        tone=practice.TONES[PracticeOrder.State(order.state)],
        replay=replay,
        revision=f"{order.state}-{game.state}-{game.attempt}-{bool(here.answer)}",
    )
