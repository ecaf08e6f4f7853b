"""Practice: order games, see how they go, cancel them. For members of the team, and to read for people with a role."""

from __future__ import annotations

from typing import ClassVar

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.forms import filled, typed
from contest.api.paging import NewestFirst
from contest.api.views import ContestView, has_scope
from contest.models import Scope
from contest.words import number_in
from tournaments.api.match import PlayerOutput, outputs
from tournaments.api.practice_bodies import (
    AcceptanceBody,
    AskedBody,
    OpponentsBody,
    PracticeBody,
    PracticeLine,
    line,
    order_body,
    player,
)
from tournaments.models import PracticeOrder
from tournaments.models.matches import house_player
from tournaments.practice import orders, queue, rights
from tournaments.practice.forms import PracticeForm
from tournaments.view_models import practice

OF_TEAM = OpenApiParameter(
    "team", int, description="Its number: for people with a role. Without it, the practice of your own team."
)


class PracticeView(ContestView):
    """About the practice or the trials of one team: for its members with the scope `bot`, and to read for people with a
    role and the scope `desk`."""

    tag = "practice"
    scope: ClassVar[Scope | tuple[Scope, ...]] = (Scope.BOT, Scope.DESK)
    acting_scope: ClassVar[Scope | tuple[Scope, ...]] = Scope.BOT

    def demand_readable(self, order: PracticeOrder) -> None:
        """Raise Http404 unless the scopes of the token reach it. `order`: visible to the person."""
        by_team = practice.is_own(self.access, order) and has_scope(self.request, Scope.BOT)
        if not by_team and not (self.access.sees_results and has_scope(self.request, Scope.DESK)):
            raise Http404("no such order")

    def cancel(self, order: PracticeOrder) -> None:
        """Raises PermissionDenied for a judge."""
        if not practice.may_cancel(self.access, order):
            raise PermissionDenied("Your role in this contest does not allow this.")
        orders.cancel(order, self.person)


class Followed(PracticeView):
    """Many ask again for an answer that is made of many rows. While games are played, whether it has changed follows
    from its revision, which is read before it. Later only the answer itself tells: teams may change their names."""

    known: str
    goes_on: bool

    def revision(self) -> str | None:
        return self.known if self.goes_on else None


class OrdersView(Followed):
    pagination_class = NewestFirst
    throttle_scope = "practice"

    def prepare(self, request: Request) -> None:
        super().prepare(request)
        if request.method in ("GET", "HEAD"):
            team = self.team_asked()
            self.known = queue.team_revision(team.pk)
            self.goes_on = team.practice_orders.open().exists()

    @extend_schema(summary="Practice, the newest first", responses=PracticeLine(many=True), parameters=[OF_TEAM])
    def get(self, request: Request, slug: str) -> Response:
        found = PracticeOrder.objects.filter(team=self.team_asked(), kind=PracticeOrder.Kind.PRACTICE)
        found = found.with_counts().select_related("made_by", "contest")
        rows = self.paginate_queryset(found.prefetch_related(orders.with_players())) or []
        return self.get_paginated_response([line(order, vars(order), self) for order in rows])

    @extend_schema(
        summary="Order practice",
        description="It is played while the workers have no contest match to play, and it never counts. Its address in "
        "`Location` tells how far it is.",
        request=AskedBody,
        responses={202: PracticeBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        form = PracticeForm(self.own_team(), typed(request))
        filled(form)
        order = orders.place(self.own_team(), self.person, form.wish())
        seen = practice.order_seen(practice.visible_order(self.access, order.pk))
        return self.created(order_body(seen, self), "api-practice-order", order.pk, status=202)


class OpponentsView(PracticeView):
    scope = Scope.BOT

    @extend_schema(summary="Possible opponents, and your quota", responses=OpponentsBody)
    def get(self, request: Request, slug: str) -> Response:
        team, now = self.own_team(), timezone.now()
        team.contest = self.contest
        house = [(house_player(it.name), f"house:{it.name}") for it in self.contest.game.house]
        own = [(f"{team.name}, version {number}", f"version:{number}") for number in rights.versions(team)]
        teams = [(other.name, f"team:{other.pk}") for other in rights.opponents(team)]
        return Response(
            {
                "practice": self.contest.practice,
                "why_not": rights.why_not(team, now),
                "seats": list(self.contest.game.seat_names),
                "games_left": rights.left(team, now),
                "games_per_hour": self.contest.practice_per_hour,
                "orders_at_once": rights.MOST_ORDERS,
                "most_games": rights.MOST_GAMES,
                "accepts_practice": team.accepts_practice,
                "games_against": orders.games_against(team),
                "opponents": [player(name, key) for name, key in (*house, *own, *teams)],
            }
        )


class AcceptanceView(PracticeView):
    scope = Scope.BOT

    @extend_schema(
        summary="Choose whether other teams may practise against yours",
        request=AcceptanceBody,
        responses=AcceptanceBody,
    )
    def post(self, request: Request, slug: str) -> Response:
        body = AcceptanceBody(data=request.data)
        body.is_valid(raise_exception=True)
        orders.set_acceptance(self.own_team(), self.person, body.validated_data["accepts_practice"])
        return Response({"accepts_practice": body.validated_data["accepts_practice"]})


class OrderAddress(PracticeView):
    """Below an order: `self.order`."""

    order: PracticeOrder

    def prepare(self, request: Request) -> None:
        super().prepare(request)
        self.order = practice.visible_order(self.access, self.kwargs["order_id"])
        self.demand_readable(self.order)


class FollowedOrder(Followed):
    """An order whose number is in the address."""

    number: ClassVar[str] = "order_id"

    @property
    def followed(self) -> PracticeOrder:
        raise NotImplementedError

    def prepare(self, request: Request) -> None:
        if number_in(str(self.kwargs[self.number])) is None:
            raise Http404("no such order")
        self.known = queue.order_revision(self.kwargs[self.number])
        super().prepare(request)
        self.goes_on = self.followed.is_open


class OrderView(FollowedOrder, OrderAddress):
    @property
    def followed(self) -> PracticeOrder:
        return self.order

    @extend_schema(summary="An order with its games and figures", responses=PracticeBody)
    def get(self, request: Request, slug: str, order_id: int) -> Response:
        return Response(order_body(practice.order_seen(self.order), self))


class CancelView(OrderAddress):
    acting_scope = (Scope.BOT, Scope.DESK)

    @extend_schema(
        summary="Cancel an order",
        description="The game in progress ends at once. Games that were played stay. For the team, or an organiser.",
        request=None,
        responses=PracticeBody,
    )
    def post(self, request: Request, slug: str, order_id: int) -> Response:
        self.cancel(self.order)
        seen = practice.order_seen(practice.visible_order(self.access, order_id))
        return Response(order_body(seen, self))


class GameRecordView(OrderAddress):
    @extend_schema(
        summary="The record of a practice game",
        responses={(200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "docs/record.md")},
    )
    def get(self, request: Request, slug: str, order_id: int, game: int) -> HttpResponse:
        return HttpResponse(practice.record_of(self.order, game).text(), content_type="application/json")


class PracticeLogView(OrderAddress):
    @extend_schema(summary="The game's own log of a practice game", responses={(200, "text/plain"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str, order_id: int, game: int) -> HttpResponse:
        text = practice.log_of(practice.record_of(self.order, game))
        return HttpResponse(text, content_type="text/plain; charset=utf-8")


class PracticeErrorsView(OrderAddress):
    @extend_schema(summary="What your versions wrote to standard error", responses=PlayerOutput(many=True))
    def get(self, request: Request, slug: str, order_id: int, game: int) -> Response:
        record = practice.record_of(self.order, game)
        return Response(outputs(record.pieces(), record.loaded()))
