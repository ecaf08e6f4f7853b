"""A team across contests: its page, and what its captain says of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import clubs
from contest.api.own_team import CaptainView, OwnTeam
from contest.api.views import ApiView
from contest.models import Contest, Team
from contest.refusal import Refused
from tournaments.view_models.careers import open_club


class ClubTeam(serializers.Serializer):
    team_id = serializers.IntegerField()
    name = serializers.CharField()
    contest = serializers.CharField(help_text="Its slug.")
    contest_name = serializers.CharField()
    page = serializers.URLField()


class ClubBody(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField(help_text="Of its newest team.")
    page = serializers.URLField()
    teams = ClubTeam(many=True, help_text="Those that everybody may see, the newest first.")


class OwnClubBody(serializers.Serializer):
    club = serializers.IntegerField(allow_null=True, help_text="None: your team is not linked to any other.")
    is_public = serializers.BooleanField(help_text="Whether everybody can open its page.")
    teams = ClubTeam(many=True, help_text="Your team in other contests.")
    unnamed = serializers.IntegerField(help_text="How many more there are, in contests that you may not see.")
    linkable = ClubTeam(many=True, help_text="Teams of which you are captain, which can be linked.")


class LinkBody(serializers.Serializer):
    team = serializers.IntegerField(min_value=1, max_value=2**53, help_text="One of `linkable`.")


class ShowBody(serializers.Serializer):
    is_public = serializers.BooleanField()


def _teams(found: Iterable[Team], request: Request) -> list[dict[str, Any]]:
    return [
        {
            "team_id": each.pk,
            "name": each.name,
            "contest": each.contest.slug,
            "contest_name": each.contest.name,
            "page": request.build_absolute_uri(each.get_absolute_url()),
        }
        for each in found
    ]


class ClubView(ApiView):
    tag = "clubs"

    @extend_schema(summary="A team across contests, as everybody may see it", responses=ClubBody)
    def get(self, request: Request, club_id: int) -> Response:
        _, found = open_club(club_id)
        page = request.build_absolute_uri(reverse("club", args=[club_id]))
        return Response({"id": club_id, "name": found[0].name, "page": page, "teams": _teams(found, request)})


class OwnClub(OwnTeam):
    tag = "clubs"

    def club_body(self) -> dict[str, Any]:
        self.team.refresh_from_db(fields=["club"])
        others = clubs.continued(self.team)
        seen = set(Contest.objects.visible_to(self.person).filter(teams__in=others).values_list("pk", flat=True))
        shown = [other for other in others if other.contest_id in seen]
        linked = {other.pk for other in others}
        linkable = [each for each in clubs.captained(self.person, self.team) if each.pk not in linked]
        return {
            "club": self.team.club_id,
            "is_public": self.team.club is not None and self.team.club.is_public,
            "teams": _teams(shown, self.request),
            "unnamed": len(others) - len(shown),
            "linkable": _teams(linkable, self.request),
        }


class OwnClubView(OwnClub):
    @extend_schema(summary="Your team in other contests", responses=OwnClubBody)
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.club_body())


class OwnClubCaptain(OwnClub, CaptainView):
    """For the captain."""


class LinkView(OwnClubCaptain):
    @extend_schema(summary="Say that another team of yours is the same one", request=LinkBody, responses=OwnClubBody)
    def post(self, request: Request, slug: str) -> Response:
        body = LinkBody(data=request.data)
        body.is_valid(raise_exception=True)
        chosen = {each.pk: each for each in clubs.captained(self.person, self.team)}
        other = chosen.get(body.validated_data["team"])
        if other is None:
            raise Refused("Choose one of the teams whose captain you are.")
        clubs.link(self.team, other, self.person)
        return Response(self.club_body())


class UnlinkView(OwnClubCaptain):
    @extend_schema(summary="Take your team out of its club", request=None, responses=OwnClubBody)
    def post(self, request: Request, slug: str) -> Response:
        clubs.unlink(self.team, self.person)
        return Response(self.club_body())


class ShowView(OwnClubCaptain):
    @extend_schema(summary="Show or hide the page of the club", request=ShowBody, responses=OwnClubBody)
    def post(self, request: Request, slug: str) -> Response:
        body = ShowBody(data=request.data)
        body.is_valid(raise_exception=True)
        clubs.show(self.team, self.person, public=body.validated_data["is_public"])
        return Response(self.club_body())
