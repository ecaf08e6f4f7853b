"""One's own team: join one, see and change it, leave."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from contest import guesses, teams
from contest.api.forms import as_serializer, completed, filled, typed
from contest.api.teams import TeamBody
from contest.api.views import ApiView, MemberView
from contest.forms import JoinForm, TeamForm
from contest.models import Contest, Membership, Scope, Team
from contest.permissions import access
from contest.team_views import way_out


class IsYouField(serializers.BooleanField):
    def get_attribute(self, instance: Membership) -> bool:
        return instance.user_id == self.context["request"].user.pk


class MemberBody(serializers.Serializer):
    id = serializers.IntegerField()
    username = serializers.CharField(source="user.username")
    name = serializers.CharField(source="user.called", help_text="The real name too, if they gave one.")
    is_captain = serializers.BooleanField()
    is_you = IsYouField()
    joined_at = serializers.DateTimeField()


class WayOutBody(serializers.Serializer):
    """How the team can leave the contest, or come back to it."""

    text = serializers.CharField()
    act = serializers.ChoiceField(["withdraw", "reenter", ""], help_text="What the captain can do now.")
    warning = serializers.CharField(allow_blank=True)


class OwnTeamBody(TeamBody):
    code = serializers.CharField(help_text="With it, others join the team.")
    join_page = serializers.URLField(help_text="The page on which others join the team.")
    is_full = serializers.BooleanField()
    checked_in_at = serializers.DateTimeField(
        allow_null=True, help_text="When the organisers noted that you are there."
    )
    members = MemberBody(many=True)
    way_out = WayOutBody()


JoinBody = as_serializer(JoinForm, "JoinBody")
ChangedTeamBody = as_serializer(TeamForm, "ChangedTeamBody")


def own_team_body(team: Team, view: ApiView) -> dict[str, Any]:
    members = list(team.people())
    enter = reverse("enter", args=[team.contest.slug])
    out = way_out(team, timezone.now())
    return {
        **view.told(TeamBody, team),
        "code": team.code,
        "join_page": view.request.build_absolute_uri(f"{enter}?code={team.code}"),
        "checked_in_at": team.checked_in_at,
        "is_full": len(members) >= team.contest.team_size,
        "members": view.told(MemberBody, members, many=True),
        "way_out": {"text": out.text, "act": out.act, "warning": out.warning},
    }


class JoinView(ApiView):
    tag = "team"
    scope = Scope.TEAM
    contest: Contest

    def prepare(self, request: Request) -> None:
        """A code is an invitation: with it, strangers may join a team of a private contest."""
        self.contest = get_object_or_404(Contest, slug=self.kwargs["slug"])
        attempt = guesses.at_code(request, "team")
        if attempt is None:
            raise Throttled(guesses.HOUR)
        if self.contest.teams.with_code(str(typed(request).get("code") or "")).exists():
            attempt.was_right()
        elif not access(request._request, self.contest).may_enter:
            raise Http404("There is no contest of that name.")

    @extend_schema(summary="Join a team by its code", request=JoinBody, responses=OwnTeamBody)
    def post(self, request: Request, slug: str) -> Response:
        team = teams.join(self.contest, self.person, filled(JoinForm(typed(request)))["code"])
        return Response(own_team_body(team, self))


class OwnTeam(MemberView):
    tag = "team"

    @property
    def mine(self) -> Membership:
        assert self.access.membership is not None  # MemberView asks for a team
        return self.access.membership

    def body(self) -> dict[str, Any]:
        return own_team_body(self.team, self)


class OwnTeamView(OwnTeam):
    @extend_schema(summary="Your team", responses=OwnTeamBody)
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.body())

    @extend_schema(summary="Change the name or the school of your team", request=ChangedTeamBody, responses=OwnTeamBody)
    def patch(self, request: Request, slug: str) -> Response:
        fields = filled(TeamForm(completed(typed(request), self.team, TeamForm)))
        teams.edit(self.team, self.person, **fields)
        return Response(self.body())


class LeaveView(OwnTeam):
    @extend_schema(summary="Leave your team", request=None, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        teams.leave(self.mine)
        return Response(status=204)


class CaptainView(OwnTeam):
    def prepare(self, request: Request) -> None:
        super().prepare(request)
        if not self.mine.is_captain:
            raise PermissionDenied("Only the captain can do this.")


class WithdrawView(CaptainView):
    @extend_schema(
        summary="Withdraw your team from the contest",
        description="For the captain. `way_out` of your team says beforehand whether it can come back.",
        request=None,
        responses=OwnTeamBody,
    )
    def post(self, request: Request, slug: str) -> Response:
        teams.withdraw(self.team, self.person)
        return Response(self.body())


class ReenterView(CaptainView):
    @extend_schema(
        summary="Come back after withdrawing", description="For the captain.", request=None, responses=OwnTeamBody
    )
    def post(self, request: Request, slug: str) -> Response:
        teams.reenter(self.team, self.person)
        return Response(self.body())


class CodeView(CaptainView):
    @extend_schema(
        summary="Replace the joining code",
        description="For the captain. The old code stops working.",
        request=None,
        responses=OwnTeamBody,
    )
    def post(self, request: Request, slug: str) -> Response:
        teams.change_code(self.team, self.person)
        return Response(self.body())


class MemberActView(CaptainView):
    def member(self, pk: int) -> Membership:
        return get_object_or_404(self.team.memberships.select_related("user", "team__contest"), pk=pk)


class MakeCaptainView(MemberActView):
    @extend_schema(
        summary="Make another member captain", description="For the captain.", request=None, responses=OwnTeamBody
    )
    def post(self, request: Request, slug: str, member: int) -> Response:
        teams.make_captain(self.member(member), self.person)
        return Response(self.body())


class RemoveView(MemberActView):
    @extend_schema(summary="Remove another member", description="For the captain.", request=None, responses=OwnTeamBody)
    def post(self, request: Request, slug: str, member: int) -> Response:
        teams.remove(self.member(member), self.person)
        return Response(self.body())
