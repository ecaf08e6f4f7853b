"""Practice: what a team has ordered, the form for more, an order with its games and figures, and each game's replay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.models import Contest, Team
from contest.names import isolated
from contest.paging import page_of
from contest.permissions import access, me, member_page
from contest.refusal import Refused, refusals_told
from contest.replay import build_replay
from contest.replay.paper import paper
from contest.words import number_in
from tournaments.models import PracticeOrder, PracticeRecord
from tournaments.notes import Place
from tournaments.pages.opponents import OpponentMenus, owners_page
from tournaments.practice import again, orders, queue, rights
from tournaments.practice.forms import NEWEST, ROTATE, USUAL, PracticeForm
from tournaments.view_models import practice as told
from tournaments.view_models.from_here import form_of
from tournaments.view_models.notes import Draft, notes_of

SHOWN = 20  # orders on a page


class OrderForm(OpponentMenus, PracticeForm):
    """The same form with menus."""

    def __init__(self, team: Team, *args: Any, **kwargs: Any) -> None:
        super().__init__(team, *args, **kwargs)
        ready = self.numbers
        newest = f"Newest ready version ({ready[0]})" if ready else "Newest ready version"
        versions = [(NEWEST, newest), *((f"{number}", f"Version {number}") for number in ready)]
        names = team.contest.game.seat_names
        seats = [
            (ROTATE, "The next seat from game to game"),
            *((f"{at}", it.capitalize()) for at, it in enumerate(names)),
        ]
        self._menu("version", versions, "If a newer version becomes ready meanwhile, the newest one takes over.")
        self._menu("seat", seats, "")
        self.fields["games"].help_text = f"1 to {rights.MOST_GAMES}."
        self.fields["games"].initial = len(team.contest.game.sample) or USUAL
        self.fields["seed"].help_text = (
            "Optional. The same seed gives the same deals again; the next games have the numbers after it. Without "
            "one, deals are fresh."
        )
        self.fields["again"].widget = forms.HiddenInput()

    def rows(self) -> list[tuple[str, str]]:
        """Where deals are played again, each opponent takes the place of somebody who played them."""
        match_id = number_in(f"{self['again'].value() or ''}")
        if match_id is None:
            return super().rows()
        try:
            places = again.of_match(self.team, match_id).places
        except Refused:
            return super().rows()
        return [(f"In place of {name}", key) for name, (_, key) in zip(places, super().rows(), strict=True)]

    def _menu(self, name: str, choices: Sequence[tuple[str, str]], help_text: str) -> None:
        self.fields[name].widget = forms.Select(choices=choices)
        self.fields[name].help_text = help_text


# The team's page ------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@member_page
def practice(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    """What the team has ordered, and the form. `?version=3&opponents=team:7&again=42` fill it in."""
    team.contest = contest
    if "rev" in request.GET:
        return _orders(request, contest, team)
    if request.method == "POST":
        form = OrderForm(team, request.POST)
        if form.is_valid():
            with refusals_told(form):
                order = orders.place(team, me(request), form.wish())
                return redirect(order)
        return _practice(request, contest, team, form, 422)
    return _practice(request, contest, team, OrderForm(team, initial=_initial(request, team)))


def _initial(request: HttpRequest, team: Team) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: value for name in ("version", "seat", "games", "seed") if (value := request.GET.get(name))
    }
    found["opponents"] = request.GET.getlist("opponents")
    if (match_id := number_in(request.GET.get("again", ""))) is not None:
        with refusals_told(request):
            known = again.of_match(team, match_id)
            found |= {"again": match_id, "opponents": found["opponents"] or list(known.opponents)}
    return found


def _practice(request: HttpRequest, contest: Contest, team: Team, form: OrderForm, status: int = 200) -> HttpResponse:
    now = timezone.now()
    context = {
        **_listed(request, contest, team),
        "team": team,
        "form": form,
        "why_not": rights.why_not(team, now),
        "match": number_in(f"{form['again'].value() or ''}"),
        "left": rights.left(team, now),
        "quotas": rights,
        "against": orders.games_against(team),
        "has_version": orders.newest_version(team) is not None,
    }
    return render(request, "tournaments/practice.html", context, status=status)


def _listed(request: HttpRequest, contest: Contest, team: Team) -> dict[str, Any]:
    """The list of orders, with the revision that it was made from."""
    revision = queue.team_revision(team.pk)  # read first, so that no change falls between the two
    found = PracticeOrder.objects.filter(team=team, kind=PracticeOrder.Kind.PRACTICE).with_counts()
    page = page_of(request, found.prefetch_related(orders.with_players()).order_by("-pk"), SHOWN)
    for order in page:
        order.contest = contest
    return {
        "contest": contest,
        "page": page,
        "lines": told.lines(page.object_list),
        "rev": revision,
        "is_live": PracticeOrder.objects.open().filter(team=team).exists(),
    }


def _orders(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    """The list alone, as its live part; 204 while nothing has changed."""
    if request.GET["rev"] == queue.team_revision(team.pk):
        return HttpResponse(status=204)
    return render(request, "tournaments/_practice_list.html", _listed(request, contest, team))


@require_POST
@member_page
def practice_acceptance(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    """Let other teams practise against this one, or (without `accepts`) not."""
    accepts = "accepts" in request.POST
    orders.set_acceptance(team, me(request), accepts)
    messages.success(
        request,
        "Other teams may practise against your active version."
        if accepts
        else "Other teams can no longer practise against yours.",
    )
    return redirect("practice", contest.slug)


# An order -------------------------------------------------------------------------------------------------------------


order_page = owners_page("order_id", told.visible_order)


@require_safe
@order_page
def practice_order(request: HttpRequest, contest: Contest, order: PracticeOrder) -> HttpResponse:
    """An order with its games and figures. With `?rev=` only its live part, or 204 while nothing has changed."""
    if order.kind != PracticeOrder.Kind.PRACTICE:
        return redirect(order)
    mine = access(request, contest)
    seen = told.order_seen(order)
    if request.GET.get("rev") == seen.revision:
        return HttpResponse(status=204)
    is_own = told.is_own(mine, order)
    context = {
        "contest": contest,
        "order": order,
        "team": order.team,
        "seen": seen,
        "is_own": is_own,
        "may_cancel": order.is_open and told.may_cancel(mine, order),
        "same": _same(seen) if is_own else "",
    }
    template = "tournaments/_practice_order.html" if "rev" in request.GET else "tournaments/practice_order.html"
    return render(request, template, context)


def _same(seen: told.OrderSeen) -> str:
    """The query of the form that orders the same again."""
    order = seen.order
    values = {"version": NEWEST if order.newest else seen.own.key.removeprefix("version:"), "games": order.wanted}
    if order.again_id:
        values["again"] = order.again_id
    else:
        values |= {"seat": ROTATE if order.seat is None else order.seat}
        values |= {"seed": order.seed} if order.seed is not None else {}
    query = QueryDict(mutable=True)
    query.update({name: f"{value}" for name, value in values.items()})
    query.setlist("opponents", [player.key for player in seen.players[1:]])
    return query.urlencode()


@require_POST
@order_page
def practice_cancel(request: HttpRequest, contest: Contest, order: PracticeOrder) -> HttpResponse:
    if not told.may_cancel(access(request, contest), order):
        raise Http404("nobody else may cancel it")
    with refusals_told(request):
        orders.cancel(order, me(request))
        messages.success(request, "Cancelled. The games that were played stay here.")
    return redirect(order)


# A game ---------------------------------------------------------------------------------------------------------------


@require_safe
@order_page
def practice_game(request: HttpRequest, contest: Contest, order: PracticeOrder, game: int) -> HttpResponse:
    """The replay of a game: `?ply=17&view=table|hidden|0…`; with `?film=…` all positions."""
    kept = told.record_of(order, game)
    shelf = told.shelf_of(kept)
    if part := shelf.answer(request, lambda view: told.replay_of(kept, view)):
        return part
    about = (f"{order}, game {game}", contest.name, "practice")
    if page := paper(request, lambda view: told.replay_of(kept, view), lambda: about):
        return page
    return shown(request, contest, order, kept)


def shown(
    request: HttpRequest,
    contest: Contest,
    order: PracticeOrder,
    kept: PracticeRecord,
    draft: Draft | None = None,
    refused: str = "",
) -> HttpResponse:
    """The page of a game. `draft`: a note that was sent to it and not accepted. `refused`: why a version was not asked
    at the position."""
    game = kept.game.number
    try:
        drawn = told.replay_of(kept, request.GET.get("view"))
    except LookupError as error:
        raise Http404(str(error)) from error
    ply = request.POST.get("ply") or request.GET.get("ply")
    context = build_replay(drawn, ply, told.shelf_of(kept).addresses(drawn))
    asked = reverse("from-practice", args=[contest.slug, order.pk, game])
    address = reverse("practice-note", args=[contest.slug, order.pk, game])
    numbers = order.games.done().filter(record__isnull=False)
    more = {
        "contest": contest,
        "order": order,
        "played": kept.game,
        "line": told.line_of(order, kept.game),
        "previous": numbers.filter(number__lt=game).order_by("-number").values_list("number", flat=True).first(),
        "following": numbers.filter(number__gt=game).values_list("number", flat=True).first(),
        "names": " – ".join(isolated(seat["name"]) for seat in drawn.record["seats"]),
        "notes": notes_of(request, Place(contest, practice=kept.game), drawn, address, draft),
        "from_here": form_of(request, asked, 1, practice_game=kept.game, why_not=refused),
    }
    return render(request, "tournaments/practice_game.html", more | context, status=422 if draft or refused else 200)


@require_safe
@order_page
def practice_record(request: HttpRequest, contest: Contest, order: PracticeOrder, game: int) -> HttpResponse:
    response = HttpResponse(told.record_of(order, game).text(), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="practice-{order.pk}-{game}.json"'
    return response


@require_safe
@order_page
def practice_log(request: HttpRequest, contest: Contest, order: PracticeOrder, game: int, name: str) -> HttpResponse:
    """The game's own log, under the name from its rules, such as te.log."""
    if name != contest.game.log_name:
        raise Http404("there is no such log")
    path = PurePath(name)
    response = HttpResponse(told.log_of(told.record_of(order, game)), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{path.stem}-practice-{order.pk}-{game}{path.suffix}"'
    return response
