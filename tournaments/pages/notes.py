"""Notes on replays: write one, remove it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from contest.permissions import access, get_contest, me
from contest.refusal import Refused, refusals_told
from contest.replay import Replay
from tournaments import notes
from tournaments.models import Note
from tournaments.notes import Place
from tournaments.pages import practice as practice_pages
from tournaments.pages import replays
from tournaments.view_models import practice as practice_told
from tournaments.view_models.notes import Draft, place_of
from tournaments.view_models.replays import replay_of
from tournaments.view_models.visible_matches import visible_match


@require_POST
def write_at_match(request: HttpRequest, match_id: int, game: int) -> HttpResponseBase:
    match, sight = visible_match(request, match_id)
    if not request.user.is_authenticated:
        return redirect_to_login(replays.address_of(match_id, game))
    try:
        replay = replay_of(match, sight, game, None, replays.PAGE)
    except LookupError as error:
        raise Http404(str(error)) from error
    place = Place(match.contest, match=match, game=game)
    draft = _write(request, place, replay)
    return draft if isinstance(draft, HttpResponse) else replays.shown(request, match, sight, game, draft)


@require_POST
def write_at_practice(request: HttpRequest, slug: str, order_id: int, game: int) -> HttpResponseBase:
    contest = get_contest(request, slug)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    order = practice_told.visible_order(access(request, contest), order_id)
    kept = practice_told.record_of(order, game)
    draft = _write(request, Place(contest, practice=kept.game), practice_told.replay_of(kept, None))
    return draft if isinstance(draft, HttpResponse) else practice_pages.shown(request, contest, order, kept, draft)


def _write(request: HttpRequest, place: Place, replay: Replay) -> HttpResponse | Draft:
    """Write what was sent. Returns the way back, or what was not accepted."""
    sent = request.POST
    ply = replay.clamp(sent.get("ply"))
    wish = notes.Wish(sent.get("text", ""), sent.get("audience", ""), ply, replay.where(ply))
    try:
        note = notes.write(access(request, place.contest), me(request), place, wish)
    except Refused as refusal:
        return Draft(wish.text, wish.audience, str(refusal))
    return redirect(f"{note.href}#notes")


@require_POST
def remove(request: HttpRequest, note_id: int) -> HttpResponseBase:
    """Remove a note. It does not exist for those who may not read it, or not see its game."""
    note = get_object_or_404(Note.objects.select_related("contest", "match", "practice__order", "team"), pk=note_id)
    contest, place = place_of(request, note)
    mine = access(request, contest)
    if not notes.readable(mine, place).filter(pk=note.pk).exists():
        raise Http404("no such note")
    if not request.user.is_authenticated:
        return redirect_to_login(note.href)
    with refusals_told(request):
        notes.remove(mine, me(request), note)
        messages.success(request, "The note is gone.")
    return redirect(f"{note.href}#notes")
