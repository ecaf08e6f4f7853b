"""Reviews: matches played again beside the original ones, and then applied or dropped as a whole."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.views import DeskView
from contest.api.forms import as_serializer, filled, filled_up, typed
from contest.api.paging import InOrder, NewestFirst
from contest.api.problems import wrong
from contest.api.views import NameField
from contest.refusal import Refused
from contest.words import number_in
from tournaments.api.desk.impacts import ImpactBody
from tournaments.api.desk.stages import StageDesk
from tournaments.forms.review import ChoiceForm, ReviewForm
from tournaments.models import Match, MatchSeat, Review, Stage
from tournaments.organising import impact, reviews
from tournaments.view_models.desk import review_seen
from tournaments.view_models.impact_told import impact_told


class ReviewLine(serializers.Serializer):
    id = serializers.IntegerField()
    stage = serializers.IntegerField(source="stage_id")
    state = serializers.ChoiceField(Review.State.choices)
    reason = serializers.CharField()
    made_by = NameField(allow_blank=True)
    made_at = serializers.DateTimeField()
    decided_by = NameField(allow_blank=True)
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
    player = serializers.CharField(source="old.name")
    team_id = serializers.IntegerField(source="old.team_id", allow_null=True)
    version = serializers.IntegerField(source="old.submission.number", allow_null=True)
    version_again = serializers.IntegerField(source="new.submission.number", allow_null=True)
    place = serializers.IntegerField(source="old.place", allow_null=True)
    place_again = serializers.IntegerField(source="new.place", allow_null=True)
    points = serializers.FloatField(source="old.counted", allow_null=True)
    points_again = serializers.FloatField(source="new.counted", allow_null=True)
    verdict = serializers.CharField(source="old.verdict", allow_blank=True)
    verdict_again = serializers.CharField(source="new.verdict", allow_blank=True)
    fault_again = serializers.CharField(source="new.fault_kind", allow_blank=True)

    def to_representation(self, instance: tuple[MatchSeat, MatchSeat]) -> dict[str, Any]:
        return super().to_representation(dict(zip(("old", "new"), instance, strict=True)))


class PairBody(serializers.Serializer):
    match = serializers.IntegerField(source="old.pk", help_text="The old one.")
    again = serializers.IntegerField(source="new.pk", help_text="The new one.")
    table = serializers.CharField(source="old.table.name")
    state = serializers.ChoiceField(Match.State.choices, source="new.state", help_text="Of the new one.")
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


def review_body(review: Review) -> dict[str, Any]:
    seen = review_seen(review)
    vars(review).update(planned=len(seen["pairs"]), played=seen["played"])  # as `of_stage` has them
    return {
        **ReviewLine(review).data,
        "changed": len(seen["changed"]),
        "fallen": [pair.old.pk for pair in seen["fallen"]],
        "waiting_for_programs": [pair.new.pk for pair in seen["live"]],
        "is_ready": seen["is_ready"],
        "impact": impact_told(seen["impact"]) if seen["impact"] else None,
    }


class ReviewsView(StageDesk):
    tag = "desk reviews"
    pagination_class = NewestFirst

    @extend_schema(summary="The reviews of a stage", responses=ReviewLine(many=True))
    def get(self, request: Request, slug: str, stage_id: int) -> Response:
        return self.piece(ReviewLine, reviews.of_stage(self.stage(stage_id)))

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
        return self.created(review_body(review), "api-desk-review", review.pk)

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
        return get_object_or_404(found, pk=pk, contest=self.contest)


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
        return self.piece(PairBody, pairs)


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
