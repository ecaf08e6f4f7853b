"""Trials: compare two versions, follow the trial, cancel it. For members of the team, and to read for people with a
role."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.forms import as_serializer, filled, typed
from contest.api.paging import NewestFirst
from contest.models import Scope
from tournaments.api.practice import OF_TEAM, FollowedOrder, OrdersView, PracticeView
from tournaments.api.practice_bodies import PracticePlayerBody, player
from tournaments.models import PracticeOrder, Trial
from tournaments.models.trials import DECISIONS, MEASURES
from tournaments.practice import orders, trials
from tournaments.practice.forms import TrialForm
from tournaments.view_models import trials as told
from tournaments.view_models.trials import PairLine, TrialSeen

AskedTrialBody = as_serializer(TrialForm, "TrialRequest")


class TrialLine(serializers.Serializer):
    id = serializers.IntegerField()
    team = serializers.IntegerField()
    state = serializers.ChoiceField(PracticeOrder.State.choices)
    why = serializers.CharField(allow_blank=True, help_text="Why it ended early.")
    new = serializers.IntegerField(help_text="The number of the new version.")
    old = serializers.IntegerField(help_text="The number of the old version.")
    opponents = PracticePlayerBody(many=True)
    measure = serializers.ChoiceField(MEASURES)
    bounds = serializers.ListField(child=serializers.FloatField(), help_text="Lower and upper.")
    cap = serializers.IntegerField(help_text="Pairs at most.")
    seed = serializers.IntegerField(allow_null=True)
    decision = serializers.ChoiceField(DECISIONS, allow_blank=True, help_text="Blank: none, or not yet.")
    pairs = serializers.IntegerField(help_text="Pairs that count so far.")
    difference = serializers.FloatField(
        allow_null=True, help_text="The mean of new minus old, per game; positive where the new version did better."
    )
    lower = serializers.FloatField(
        allow_null=True,
        help_text="The lower end of the interval. Each end holds with 95 % confidence, whenever the trial stops.",
    )
    upper = serializers.FloatField(allow_null=True)
    log_likelihood_ratio = serializers.FloatField(help_text="Of the upper bound against the lower one.")
    limit = serializers.FloatField(
        help_text="The ratio that decides, and minus it. “Better” has a second condition (docs/trials.md)."
    )
    made_by = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    page = serializers.URLField(help_text="The page for people.")


class TrialPairBody(serializers.Serializer):
    pair = serializers.IntegerField()
    seed = serializers.IntegerField(help_text="Of the deals.")
    seat = serializers.CharField(help_text="Of both versions.")
    difference = serializers.FloatField()
    share = serializers.FloatField(help_text="What this pair adds to the log-likelihood ratio.")
    first_difference = serializers.IntegerField(
        allow_null=True, help_text="The first event of the records that differs, from 0. None: the games are the same."
    )
    new_did = serializers.CharField(allow_blank=True, help_text="What the new version did there.")
    old_did = serializers.CharField(allow_blank=True)
    records = serializers.ListField(child=serializers.URLField(), help_text="Of the new and of the old version.")


class TrialBody(TrialLine):
    better = serializers.IntegerField(help_text="Pairs in which the new version did better.")
    worse = serializers.IntegerField()
    equal = serializers.IntegerField()
    identical = serializers.IntegerField(help_text="Pairs in which both made the same decisions.")
    faults = serializers.ListField(child=serializers.IntegerField(), help_text="Of the new and of the old version.")
    ratios = serializers.ListField(child=serializers.FloatField(), help_text="The ratio after every pair that counts.")
    decided_by = TrialPairBody(many=True, help_text="The pairs that changed the ratio most.")
    first_differences = TrialPairBody(many=True, help_text="The first pairs in which the two differ.")


class TrialsAddress(PracticeView):
    tag = "trials"

    def line(self, trial: Trial) -> dict[str, Any]:
        order = trial.order
        new, old, *others = order.players.all()
        return {
            "id": order.pk,
            "team": order.team_id,
            **{name: getattr(order, name) for name in ("state", "why", "seed", "made_at", "ended_at")},
            "new": new.submission.number if new.submission else 0,
            "old": old.submission.number if old.submission else 0,
            "opponents": [player(other.name, other.key) for other in others],
            **{name: getattr(trial, name) for name in ("measure", "cap", "decision", "lower", "upper")},
            "bounds": [trial.low, trial.high],
            "pairs": trial.counted,
            "difference": trial.difference if trial.counted else None,
            "log_likelihood_ratio": trial.ratio,
            "limit": trial.design.limit,
            "made_by": str(order.made_by or ""),
            "page": self.address("trial", order.pk),
        }

    def body(self, seen: TrialSeen) -> dict[str, Any]:
        names = ("better", "worse", "equal", "identical", "faults", "ratios")
        return {
            **self.line(seen.trial),
            **{name: getattr(seen, name) for name in names},
            "decided_by": [self._pair(seen, each) for each in seen.moved],
            "first_differences": [self._pair(seen, each) for each in seen.forked],
        }

    def _pair(self, seen: TrialSeen, found: PairLine) -> dict[str, Any]:
        where = found.pair.fork or {}
        games = (2 * found.number - 1, 2 * found.number)
        return {
            "pair": found.number,
            "seed": found.seed,
            "seat": found.seat,
            "difference": found.pair.difference,
            "share": found.share,
            "first_difference": where.get("index"),
            "new_did": where.get("new", ""),
            "old_did": where.get("old", ""),
            "records": [self.address("api-practice-record", seen.order.pk, game) for game in games],
        }


class TrialsView(TrialsAddress, OrdersView):
    pagination_class = NewestFirst
    throttle_scope = "practice"

    @extend_schema(summary="Trials, the newest first", responses=TrialLine(many=True), parameters=[OF_TEAM])
    def get(self, request: Request, slug: str) -> Response:
        found = PracticeOrder.objects.filter(team=self.team_asked(), kind=PracticeOrder.Kind.TRIAL)
        found = found.select_related("trial", "made_by", "contest").prefetch_related(orders.with_players())
        rows = self.paginate_queryset(found) or []
        for order in rows:
            order.trial.order = order
        return self.get_paginated_response([self.line(order.trial) for order in rows])

    @extend_schema(
        summary="Start a trial",
        description="Two of your versions play the same deals until it is known which one is better (docs/trials.md). "
        "Its address in `Location` tells how far it is.",
        request=AskedTrialBody,
        responses={202: TrialBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        form = TrialForm(self.own_team(), typed(request))
        filled(form)
        placed = trials.place(self.own_team(), self.person, form.question())
        seen = told.trial_seen(told.visible_trial(self.access, placed.pk))
        return self.created(self.body(seen), "api-trial", placed.pk, status=202)


class TrialAddress(TrialsAddress):
    """Below a trial: `self.trial`."""

    trial: Trial

    def prepare(self, request: Request) -> None:
        super().prepare(request)
        self.trial = told.visible_trial(self.access, self.kwargs["trial_id"])
        self.demand_readable(self.trial.order)


class TrialView(FollowedOrder, TrialAddress):
    number = "trial_id"

    @property
    def followed(self) -> PracticeOrder:
        return self.trial.order

    @extend_schema(summary="A trial with its answer so far", responses=TrialBody)
    def get(self, request: Request, slug: str, trial_id: int) -> Response:
        return Response(self.body(told.trial_seen(self.trial)))


class TrialCancelView(TrialAddress):
    acting_scope: ClassVar[Scope | tuple[Scope, ...]] = (Scope.BOT, Scope.DESK)

    @extend_schema(
        summary="Cancel a trial",
        description="The games in progress end at once. Pairs that were played stay. For the team, or an organiser.",
        request=None,
        responses=TrialBody,
    )
    def post(self, request: Request, slug: str, trial_id: int) -> Response:
        self.cancel(self.trial.order)
        return Response(self.body(told.trial_seen(told.visible_trial(self.access, trial_id))))
