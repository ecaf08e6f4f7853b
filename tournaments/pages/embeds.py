"""A replay inside a page of another site: the table and its controls, as everybody may see them."""

from __future__ import annotations

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from contest.replay import Numbers, Replay, build_replay
from contest.replay.films import Shelf
from games.record import Record
from tournaments.kinds import secrecy
from tournaments.models import Match
from tournaments.results.visibility import Sight
from tournaments.seating import player_numbers
from tournaments.view_models.previews import open_match
from tournaments.view_models.records import digest_of, record_of, with_teams


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": settings.EMBED_ANCESTORS})  # type: ignore[arg-type]
def embed(request: HttpRequest, match_id: int, game: int) -> HttpResponse:
    """One game, as at the address of its replay. It looks the same to members and organisers."""
    match, sight = open_match(match_id)
    record = record_of(match, sight)
    if record is None:
        raise Http404("this match has not been played")
    shelf = _shelf(match, sight, game)
    try:
        if part := shelf.answer(request, lambda view: _replay(match, record, game, view)):
            return part
        shown = _replay(match, record, game, request.GET.get("view"))
    except LookupError as error:
        raise Http404(str(error)) from error
    context = build_replay(shown, request.GET.get("ply"), shelf.addresses(shown))
    context |= {
        "match": match,
        "contest": match.contest,
        "names": " – ".join(seat.name for seat in context["seats"]),
        "full": reverse("replay", args=[match.pk, game]),
    }
    return render(request, "tournaments/embed.html", context)


def _shelf(match: Match, sight: Sight, game: int) -> Shelf:
    """Films of its own: their links lead to the embedded page."""
    version, hidden = digest_of(match, sight), secrecy.hides_games_of(match, sight)
    source = f"embedded match {match.pk} {version} {'open part' if hidden else 'whole'}"
    return Shelf(source, game, public=True, whole=not hidden)


def _replay(match: Match, record: Record, game: int, view: str | None) -> Replay:
    numbers = player_numbers.numbers(match.stage, list(match.seats.all()))
    told = Numbers(tuple(number for _, number in sorted(numbers.items())), player_numbers.count(match.stage))
    base, rules = reverse("embed", args=[match.pk, game]), reverse("rules", args=[match.contest.slug])
    return Replay(with_teams(match, record), game, view, base, None, told, rules)
