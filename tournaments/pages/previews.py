"""For other sites: preview pictures, and what to show in place of a link (https://oembed.com)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from contest.addresses import page_at
from contest.models import Contest
from contest.pictures import HEIGHT, WIDTH
from contest.words import number_in
from tournaments.models import Match
from tournaments.view_models import previews
from tournaments.view_models.queries import asked_number

MINUTES = 10  # a picture is old for at most so long


@require_safe
def match_picture(request: HttpRequest, match_id: int) -> HttpResponse:
    return _picture(previews.match_picture(*previews.open_match(match_id)))


@require_safe
def position_picture(request: HttpRequest, match_id: int, game: int) -> HttpResponse:
    """`?ply=17`: that position of the game."""
    match, sight = previews.open_match(match_id)
    return _picture(previews.position_picture(match, sight, game, asked_number(request, "ply") or 0))


@require_safe
def contest_picture(request: HttpRequest, slug: str) -> HttpResponse:
    return _picture(previews.contest_picture(get_object_or_404(Contest, slug=slug)))


def _picture(png: bytes) -> HttpResponse:
    response = HttpResponse(png, content_type="image/png")
    patch_cache_control(response, public=True, max_age=60 * MINUTES)
    return response


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """`?url=…`: the address of a contest, a match or a replay of this portal. 404 for all that is not public."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse("Only format=json is offered.", status=501, content_type="text/plain")
    place = page_at(request, request.GET.get("url", ""))
    told = PAGES.get(place.name)
    if told is None:
        raise Http404("nothing to show of this page")
    answer: dict[str, Any] = {
        "version": "1.0",
        "provider_name": "Kibitz",
        "provider_url": request.build_absolute_uri("/"),
    }
    answer |= {"cache_age": 60 * MINUTES, "thumbnail_width": WIDTH, "thumbnail_height": HEIGHT}
    ply = number_in(parse_qs(place.query).get("ply", [""])[0])
    return JsonResponse(answer | told(request, **place.values, **({"ply": ply} if told is _match else {})))


def _match(request: HttpRequest, match_id: int, game: int = 0, ply: int | None = None) -> dict[str, Any]:
    """`ply`: the position that the link names, which picture and frame show too."""
    at = "" if ply is None else f"?ply={ply}"
    match, sight = previews.open_match(match_id)
    title, about, lines = previews.match_words(match, sight)
    who = " – ".join(f"{name} {score}".strip() for name, score in lines)
    address = reverse("position-picture", args=[match_id, game]) if game else reverse("match-picture", args=[match_id])
    found = {
        "type": "link",
        "title": f"{title}: {who} ({about})",
        "thumbnail_url": request.build_absolute_uri(address + at if game else address),
    }
    if game and match.status == match.State.DONE:
        size = {"width": asked_size(request, "maxwidth", WIDE), "height": asked_size(request, "maxheight", HIGH)}
        html = frame(request, match, game, title, at=at, **size)
        return {**found, "type": "rich", "html": html, **size}
    return found


WIDE, HIGH = 800, 880  # a frame in which table and steps have room
FRAME = '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0"></iframe>'


def frame(
    request: HttpRequest, match: Match, game: int, title: str, *, at: str = "", width: int = WIDE, height: int = HIGH
) -> str:
    """What to write into a page of another site to show a game there. `at`: `?ply=…`."""
    address = request.build_absolute_uri(reverse("embed", args=[match.pk, game]) + at)
    return format_html(FRAME, address, width, height, title)


def frame_to_copy(request: HttpRequest, match: Match, game: int) -> str:
    """The same for the page of a replay; blank where not everybody may see the game."""
    try:
        previews.open_sight(match.contest, match)
    except Http404:
        return ""
    return frame(request, match, game, match.title) if match.status == Match.State.DONE else ""


def asked_size(request: HttpRequest, name: str, usual: int) -> int:
    return min(usual, asked_number(request, name) or usual)


def _contest(request: HttpRequest, slug: str) -> dict[str, Any]:
    contest = get_object_or_404(Contest, slug=slug)
    previews.open_sight(contest)
    picture = request.build_absolute_uri(reverse("contest-picture", args=[slug]))
    return {"type": "link", "title": f"{contest.name} ({contest.game.title})", "thumbnail_url": picture}


PAGES: dict[str, Callable[..., dict[str, Any]]] = {"match": _match, "replay": _match, "contest": _contest}
