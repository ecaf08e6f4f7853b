"""Reviews: matches played again beside the original ones, and then applied or dropped as a whole."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.views import DRY_RUN, DeskView
from contest.api.forms import as_serializer, filled, filled_up, typed
from contest.api.paging import InOrder, NewestFirst
from contest.api.problems import wrong
from contest.refusal import Refused
from contest.words import number_in
from tournaments.api.desk.impacts import ImpactBody
from tournaments.api.desk.stages import StageDesk
from tournaments.forms.review import ChoiceForm, ReviewForm
from tournaments.models import Match, MatchSeat, Review, Stage
from tournaments.organising import impact, reviews
from tournaments.organising.reviews import Pair
from tournaments.view_models.desk import review_seen
from tournaments.view_models.impact_told import impact_told


class ReviewLine(serializers.Serializer):
    id = serializers.IntegerField()
    stage = serializers.IntegerField()
    state = serializers.ChoiceField(Review.State.choices)
    reason = serializers.CharField()
    made_by = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField()
    decided_by = serializers.CharField(allow_blank=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    planned = serializers.IntegerField(help_text="Matches in it.")
    played = serializers.IntegerField()


class ReviewBody(ReviewLine):
    changed = serializers.IntegerField(help_text="Matches with another order of the players.")
    fallen = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Old matches that became void meanwhile. Nobody uses their new results.",
    )
    waiting_for_programs = serializers.ListField(
        child=serializers.IntegerField(), help_text="Matches that wait for teams which play through a connection."
    )
    is_ready = serializers.BooleanField(help_text="Everything is played, and nobody has decided yet.")
    impact = ImpactBody(allow_null=True, help_text="Of applying it, once it is ready.")


class PairSeat(serializers.Serializer):
    player = serializers.CharField()
    team_id = serializers.IntegerField(allow_null=True)
    version = serializers.IntegerField(allow_null=True)
    version_again = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    place_again = serializers.IntegerField(allow_null=True)
    points = serializers.FloatField(allow_null=True)
    points_again = serializers.FloatField(allow_null=True)
    verdict = serializers.CharField(allow_blank=True)
    verdict_again = serializers.CharField(allow_blank=True)
    fault_again = serializers.CharField(allow_blank=True)


class PairBody(serializers.Serializer):
    match = serializers.IntegerField(help_text="The old one.")
    again = serializers.IntegerField(help_text="The new one.")
    table = serializers.CharField()
    state = serializers.ChoiceField(Match.State.choices, help_text="Of the new one.")
    other_deals = serializers.BooleanField()
    is_changed = serializers.BooleanField()
    seats = PairSeat(many=True)


NewReviewBody = as_serializer(
    ReviewForm,
    "NewReviewBody",
    without=("deals", "versions"),
    matches=serializers.ListField(child=serializers.IntegerField(), required=False, help_text="The matches, by id."),
    all=serializers.BooleanField(required=False, help_text="Instead: all matches that these filters find."),
    round=serializers.IntegerField(required=False, help_text="A filter."),
    team=serializers.IntegerField(required=False, help_text="A filter."),
    worker=serializers.CharField(required=False, help_text="A filter: by whom they were played."),
    since=serializers.DateTimeField(required=False, help_text="A filter: when they were played."),
    deals=serializers.ChoiceField(["same", "other"], required=False, help_text="The same by default."),
    versions=serializers.ChoiceField(
        ["pinned", "active"],
        required=False,
        help_text="Those that played then, by default. Active: only on other deals.",
    ),
)


def review_line(review: Any, planned: int, played: int) -> dict[str, Any]:
    return {
        "id": review.pk,
        "stage": review.stage_id,
        "state": review.state,
        "reason": review.reason,
        "made_by": str(review.made_by or ""),
        "made_at": review.made_at,
        "decided_by": str(review.decided_by or ""),
        "decided_at": review.decided_at,
        "planned": planned,
        "played": played,
    }


def review_body(review: Review) -> dict[str, Any]:
    seen = review_seen(review)
    return {
        **review_line(review, len(seen["pairs"]), seen["played"]),
        "changed": len(seen["changed"]),
        "fallen": [pair.old.pk for pair in seen["fallen"]],
        "waiting_for_programs": [pair.new.pk for pair in seen["live"]],
        "is_ready": seen["is_ready"],
        "impact": impact_told(seen["impact"]) if seen["impact"] else None,
    }


def pair_body(pair: Pair) -> dict[str, Any]:
    return {
        "match": pair.old.pk,
        "again": pair.new.pk,
        "table": pair.old.table.name,
        "state": pair.new.state,
        "other_deals": pair.other_deals,
        "is_changed": pair.is_changed,
        "seats": [_pair_seat(old, new) for old, new in pair.seats],
    }


def _pair_seat(old: MatchSeat, new: MatchSeat) -> dict[str, Any]:
    return {
        "player": old.name,
        "team_id": old.team_id,
        "version": old.submission.number if old.submission else None,
        "version_again": new.submission.number if new.submission else None,
        "place": old.place,
        "place_again": new.place,
        "points": old.counted,
        "points_again": new.counted,
        "verdict": old.verdict,
        "verdict_again": new.verdict,
        "fault_again": new.fault_kind,
    }


class ReviewsView(StageDesk):
    tag = "desk reviews"
    pagination_class = NewestFirst

    @extend_schema(summary="The reviews of a stage", responses=ReviewLine(many=True))
    def get(self, request: Request, slug: str, stage_id: int) -> Response:
        pages = self.pagination_class()
        rows: list[Any] = pages.paginate_queryset(reviews.of_stage(self.stage(stage_id)), request, view=self) or []
        return pages.get_paginated_response([review_line(row, row.planned, row.played) for row in rows])

    @extend_schema(
        summary="Play matches again, to compare",
        description="Nothing changes until you apply the review.",
        request=NewReviewBody,
        responses={201: ReviewBody},
    )
    def post(self, request: Request, slug: str, stage_id: int) -> Response:
        stage, sent = self.stage(stage_id), typed(request)
        form = ReviewForm(filled_up(sent, {"deals": "same", "versions": "pinned"}))
        reason = filled(form)["reason"]
        review = reviews.start(stage, self.person, reason, self.chosen(stage, sent), **form.terms())
        headers = {"Location": reverse("api-desk-review", args=[slug, review.pk])}
        return Response(review_body(review), 201, headers=headers)

    def chosen(self, stage: Stage, sent: MultiValueDict[str, Any]) -> list[int]:
        """The matches to play again. Raises Problem."""
        if sent.get("all"):
            choice = ChoiceForm(stage, sent)
            filled(choice)
            return list(choice.chosen(reviews.choosable(stage)).values_list("pk", flat=True))
        numbers = [number_in(str(each)) for each in sent.getlist("matches")]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers):
            raise wrong("matches", "Name matches by their ids.")
        return known


class ReviewDesk(DeskView):
    tag = "desk reviews"

    def review(self, pk: int) -> Review:
        found = Review.objects.select_related("stage__contest", "contest", "made_by", "decided_by")
        review = found.filter(pk=pk, contest=self.contest).first()
        if review is None:
            raise Http404("This contest has no such review.")
        return review


class ReviewView(ReviewDesk):
    @extend_schema(summary="A review, and what applying it would change", responses=ReviewBody)
    def get(self, request: Request, slug: str, review_id: int) -> Response:
        return Response(review_body(self.review(review_id)))


class ReviewMatchesView(ReviewDesk):
    pagination_class = InOrder

    @extend_schema(
        summary="The matches of a review, old and new side by side",
        responses=PairBody(many=True),
        parameters=[OpenApiParameter("show", str, enum=["changed"], description="Only those with another order.")],
    )
    def get(self, request: Request, slug: str, review_id: int) -> Response:
        pairs = reviews.pairs_of(self.review(review_id))
        if request.query_params.get("show") == "changed":
            pairs = [pair for pair in pairs if pair.is_changed]
        pages = self.pagination_class()
        return pages.get_paginated_response([pair_body(it) for it in pages.paginate_queryset(pairs, request)])


class AppliedReviewBody(serializers.Serializer):
    dry_run = serializers.BooleanField()
    review = ReviewBody(help_text="As it is now.")
    impact = ImpactBody(allow_null=True, help_text="In a dry run: what would change.")


class ApplyView(ReviewDesk):
    previews = True

    @extend_schema(
        summary="Apply a review: its results replace the old ones",
        request=None,
        responses=AppliedReviewBody,
        parameters=[DRY_RUN],
    )
    def post(self, request: Request, slug: str, review_id: int) -> Response:
        review, seen = self.review(review_id), None
        if self.dry_run:
            pairs = reviews.pairs_of(review)
            if why_not := reviews.why_not_applied(review, pairs):
                raise Refused(why_not)
            seen = impact_told(impact.of_review(review, pairs))
        else:
            reviews.apply(review, self.person)
            review = self.review(review_id)
        return Response({"dry_run": self.dry_run, "review": review_body(review), "impact": seen})


class DropView(ReviewDesk):
    @extend_schema(summary="Drop a review: the old results stay", request=None, responses=ReviewBody)
    def post(self, request: Request, slug: str, review_id: int) -> Response:
        reviews.drop(self.review(review_id), self.person)
        return Response(review_body(self.review(review_id)))
