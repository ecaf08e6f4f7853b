"""Two games on the same deal beside each other, for whoever may see both."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contest.refusal import Refused
from contest.replay.growing import HIDDEN
from contest.replay.pairing import Pairing
from games.pairs import same_deals
from tournaments.view_models import beside
from tournaments.view_models.beside import Side
from tournaments.view_models.visible_matches import Withheld

NOT_FOUND = "There is no replay at this address that you may see: {}"


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """`?one=/m/17/1/&two=/m/18/1/&step=40&view=table|hidden|0…`. Without both addresses: a form for them."""
    one, two = (request.GET.get(name, "").strip() for name in ("one", "two"))
    context: dict[str, Any] = {"one": one, "two": two}
    if not (one and two):
        return render(request, "tournaments/beside.html", context)
    try:
        sides = [_side(request, address) for address in (one, two)]
        context |= _both(request, *sides)
    except Refused as refusal:
        return render(request, "tournaments/beside.html", context | {"why_not": str(refusal)}, status=422)
    return render(request, "tournaments/beside.html", context)


def _side(request: HttpRequest, address: str) -> Side:
    try:
        return beside.side_at(request, address)
    except Withheld:
        raise Refused(NOT_FOUND.format(address[:100])) from None
    except Http404:
        raise Refused(NOT_FOUND.format(address[:100])) from None


def _both(request: HttpRequest, one: Side, two: Side) -> dict[str, Any]:
    """The context of both games. Raises Refused."""
    try:
        first, second = (side.make(request.GET.get("view")) for side in (one, two))
        if first.view != second.view:  # a team may see its own seat, which is another one in each
            first, second = (side.make(HIDDEN) for side in (one, two))
    except LookupError:
        raise Refused("One of the two games has not been played, or you may not see it.") from None
    if first.game.slug != second.game.slug:
        raise Refused("These are two different games of cards.")
    alike = len(first.seats) == len(second.seats) and one.unseen == two.unseen
    if not alike or not same_deals(first.events, second.events):
        raise Refused("These two games were dealt different cards, so there is nothing to compare.")
    pairing = Pairing(first, second, beside.href(one.address, two.address))
    step = pairing.clamp(request.GET.get("step"))
    positions = [replay.step(ply) for replay, ply in zip(pairing.sides, pairing.steps[step], strict=True)]
    return {
        "pairing": pairing,
        "game": first.game,
        "contest": one.contest,
        "step": step,
        "state": pairing.state(step),
        "views": [
            (key, label, pairing.href(step, key), key == pairing.view)
            for key, label in first.views.items()
            if key in second.views
        ],
        "controls": pairing.controls(step),
        "first_difference": pairing.href(pairing.start),
        "sides": [
            {"side": side, "replay": replay, "step": at, "table": replay.draw_position(at)}
            for side, replay, at in zip((one, two), pairing.sides, positions, strict=True)
        ],
        "data": {
            "parting": "" if pairing.parting is None else pairing.parting,
            "films": json.dumps([one.shelf.addresses(first)["film"], two.shelf.addresses(second)["film"]]),
            "after": json.dumps(pairing.steps[pairing.parting + 1 :] if pairing.parting is not None else []),
            "stops": json.dumps({kind: stops for kind, stops in pairing.stops.items() if kind != "card"}),
        },
    }
