"""A replay inside a page of another site: the table and its controls, as everybody may see them."""

from __future__ import annotations

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from contest.models import Contest
from contest.replay import build_replay
from tournaments.models import Match
from tournaments.results.visibility import Sight, public
from tournaments.view_models.records import or_gone
from tournaments.view_models.replays import replay_of, shelf_of

PAGE = "embed"
FRAME = '<iframe src="{}" width="800" height="880" title="{}" loading="lazy" style="border:0"></iframe>'
"""In it, table and steps have room."""


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": settings.EMBED_ANCESTORS})  # type: ignore[arg-type]
def embed(request: HttpRequest, match_id: int, game: int) -> HttpResponse:
    """One game, as at the address of its replay. It looks the same to members and organisers."""
    match = get_object_or_404(Match.objects.select_related("contest", "stage", "table"), pk=match_id)
    sight = public(match.contest)
    if not _is_open(match, sight):
        raise Http404("not public")
    shelf = shelf_of(match, sight, game, PAGE)
    if shelf is None:
        raise or_gone(match, sight, "this match has not been played")
    if part := shelf.answer(request, lambda view: replay_of(match, sight, game, view, PAGE)):
        return part
    try:
        shown = replay_of(match, sight, game, request.GET.get("view"), PAGE)
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


def frame_to_copy(request: HttpRequest, match: Match, game: int) -> str:
    """HTML that shows a game in a page of another site. Blank where not everybody may see the game."""
    if match.status != Match.State.DONE or not _is_open(match, public(match.contest)):
        return ""
    return format_html(FRAME, request.build_absolute_uri(reverse(PAGE, args=[match.pk, game])), match.title)


def _is_open(match: Match, everybody: Sight) -> bool:
    return match.contest.visibility != Contest.Visibility.PRIVATE and everybody.sees(match)
