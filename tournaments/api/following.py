"""What a person follows, its news, and how they are told."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.paging import NewestFirst
from contest.api.views import Address, ApiView
from contest.models import Scope
from tournaments.feeds import changes, reading
from tournaments.feeds.reading import must_be_visible
from tournaments.models import FollowSettings

FIELDS = ("contest", "team")


class FollowedBody(serializers.Serializer):
    kind = serializers.ChoiceField(FIELDS, source="field")
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    where = serializers.CharField(allow_blank=True)
    page = Address(source="path", allow_null=True, help_text="None: you may not see it any more.")


class FollowingBody(serializers.Serializer):
    follows = FollowedBody(many=True)
    digest = serializers.ChoiceField(FollowSettings.Digest.choices, allow_blank=True, help_text="Blank: no mail.")
    feed = serializers.URLField(help_text="Your private Atom feed. Anyone with this address can read it.")


class DigestBody(serializers.Serializer):
    digest = serializers.ChoiceField(FollowSettings.Digest.choices, allow_blank=True)


class FollowBody(serializers.Serializer):
    kind = serializers.ChoiceField(FIELDS)
    id = serializers.IntegerField(min_value=1, max_value=2**53)


class NewsBody(serializers.Serializer):
    id = serializers.IntegerField()
    contest = serializers.CharField(source="contest.slug", help_text="Its slug.")
    at = serializers.DateTimeField(help_text="When it became known.")
    kind = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    page = Address(source="path")


class FollowingAddress(ApiView):
    tag = "following"
    scope = Scope.TEAM

    def body(self) -> dict[str, Any]:
        settings = changes.settings_of(self.person)
        return {
            "follows": self.told(FollowedBody, reading.follows_of(self.person), many=True),
            "digest": settings.digest,
            "feed": self.request.build_absolute_uri(reverse("following-feed", args=[settings.key])),
        }

    def sent(self, body: type[serializers.Serializer]) -> dict[str, Any]:
        found = body(data=self.request.data)
        found.is_valid(raise_exception=True)
        data: dict[str, Any] = found.validated_data
        return data


class FollowingView(FollowingAddress):
    @extend_schema(summary="What you follow", responses=FollowingBody)
    def get(self, request: Request) -> Response:
        return Response(self.body())

    @extend_schema(summary="Follow a contest or a team", request=FollowBody, responses=FollowingBody)
    def post(self, request: Request) -> Response:
        sent = self.sent(FollowBody)
        must_be_visible(request._request, sent["kind"], sent["id"])
        changes.follow(self.person, sent["kind"], sent["id"])
        return Response(self.body())

    @extend_schema(summary="Choose how often news is mailed", request=DigestBody, responses=FollowingBody)
    def patch(self, request: Request) -> Response:
        changes.set_digest(self.person, self.sent(DigestBody)["digest"])
        return Response(self.body())


class UnfollowView(FollowingAddress):
    @extend_schema(summary="Follow something no more", request=FollowBody, responses=FollowingBody)
    def post(self, request: Request) -> Response:
        sent = self.sent(FollowBody)
        changes.unfollow(self.person, sent["kind"], sent["id"])
        return Response(self.body())


class FeedKeyView(FollowingAddress):
    @extend_schema(summary="Replace the address of your private feed", request=None, responses=FollowingBody)
    def post(self, request: Request) -> Response:
        changes.renew_key(self.person)
        return Response(self.body())


class NewsView(FollowingAddress):
    pagination_class = NewestFirst

    @extend_schema(summary="The news of what you follow, the newest first", responses=NewsBody(many=True))
    def get(self, request: Request) -> Response:
        return self.piece(NewsBody, reading.followed_by(self.person))
