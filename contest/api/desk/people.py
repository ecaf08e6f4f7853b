"""Roles, and the link for spectators."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Subquery
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import contests
from contest.api.desk.teams import PersonBody
from contest.api.desk.views import DeskView, OwnerView, RoleView
from contest.api.forms import as_serializer, filled, typed
from contest.api.problems import wrong
from contest.forms import RoleForm
from contest.models import Membership, Role


class RoleBody(PersonBody):
    id = serializers.IntegerField()
    role = serializers.ChoiceField(Role.Kind.choices)
    team_id = serializers.IntegerField(allow_null=True, help_text="Their team in this contest, if they play as well.")


NewRoleBody = as_serializer(RoleForm, "NewRoleBody")


class ChangedRoleBody(serializers.Serializer):
    role = serializers.ChoiceField(Role.Kind.choices)


class SpectatorLinkBody(serializers.Serializer):
    link = serializers.CharField(allow_blank=True, help_text="Anybody with it can watch. Blank: there is none.")


class OfRoles(OwnerView):
    tag = "people"

    def bodies(self) -> list[dict[str, Any]]:
        playing = Membership.objects.filter(contest=self.contest, user=OuterRef("user"))
        roles = self.contest.roles.select_related("user").annotate(team_id=Subquery(playing.values("team")))
        found = sorted(roles, key=lambda role: (Role.Kind.values.index(role.role), role.pk))
        return self.told(RoleBody, found, many=True)

    def body(self, **of: Any) -> dict[str, Any]:
        pk = self.contest.roles.get(**of).pk
        return next(role for role in self.bodies() if role["id"] == pk)

    def role(self, pk: int) -> Role:
        return get_object_or_404(self.contest.roles.select_related("user", "contest"), pk=pk)


class RolesView(OfRoles):
    @extend_schema(summary="Everyone with a role", responses=RoleBody(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.bodies())

    @extend_schema(
        summary="Give someone a role, or change it",
        description="For owners.",
        request=NewRoleBody,
        responses={201: RoleBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        data = filled(RoleForm(typed(request)))
        user = contests.find_user(data["who"])
        contests.give_role(self.contest, self.person, user, data["role"])
        told = self.body(user=user)
        return self.created(told, "api-desk-role", told["id"])


class OneRoleView(OfRoles):
    @extend_schema(
        summary="Change someone's role", description="For owners.", request=ChangedRoleBody, responses=RoleBody
    )
    def patch(self, request: Request, slug: str, role_id: int) -> Response:
        role, wanted = self.role(role_id), str(typed(request).get("role") or "")
        if wanted not in Role.Kind.values:
            raise wrong("role", "This role does not exist.")
        contests.give_role(self.contest, self.person, role.user, wanted)
        return Response(self.body(pk=role.pk))

    @extend_schema(summary="Remove someone's role", description="For owners.", responses={204: None})
    def delete(self, request: Request, slug: str, role_id: int) -> Response:
        contests.take_role(self.role(role_id), self.person)
        return Response(status=204)


class LeaveView(RoleView):
    tag = "people"

    @extend_schema(summary="Give up your own role", request=None, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        contests.take_role(get_object_or_404(self.contest.roles, user=self.person), self.person)
        return Response(status=204)


class SpectatorLinkView(DeskView):
    tag = "people"

    @extend_schema(summary="The link for spectators", responses=SpectatorLinkBody)
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.body())

    @extend_schema(
        summary="Create the link for spectators, or replace it",
        description="An earlier link stops working.",
        request=None,
        responses=SpectatorLinkBody,
    )
    def post(self, request: Request, slug: str) -> Response:
        contests.renew_spectator_link(self.contest, self.person)
        return Response(self.body())

    @extend_schema(summary="Revoke the link for spectators", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        contests.revoke_spectator_link(self.contest, self.person)
        return Response(status=204)

    def body(self) -> dict[str, str]:
        code = self.contest.spectator_code
        return {"link": self.address("spectate", code) if code else ""}
