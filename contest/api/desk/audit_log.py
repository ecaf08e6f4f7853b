"""The audit log: who did what, when and why."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from contest import audit_log, export
from contest.api import paging
from contest.api.desk.views import DeskView
from contest.api.forms import filled
from contest.api.paging import NewestFirst
from contest.api.problems import wrong
from contest.api.views import NameField
from contest.forms import AuditLogForm
from contest.models import Act, User
from contest.words import number_in


class DetailsField(serializers.ListField):
    def get_attribute(self, instance: Act) -> list[str]:
        return audit_log.details(instance)


class ActBody(serializers.Serializer):
    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = NameField(source="user", allow_blank=True, help_text="A username. Blank: the portal itself.")
    verb = serializers.CharField()
    target = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    details = DetailsField(child=serializers.CharField(), help_text="What changed, as sentences.")


class AuditLogView(DeskView):
    pagination_class = NewestFirst

    @extend_schema(
        summary="The audit log, the newest first",
        parameters=[
            OpenApiParameter("who", str, description="A username."),
            OpenApiParameter("verb", str, description="Such as “start stage”."),
            OpenApiParameter("q", str, description="Part of what it was done to, or of the reason."),
            OpenApiParameter("team", int, description="Only what concerns this team."),
            paging.LINES,
        ],
        responses={(200, "application/json"): ActBody(many=True), (200, paging.NDJSON): ActBody},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        asked = request.query_params
        form = AuditLogForm(self.contest, {"who": self.who(), "verb": asked.get("verb"), "q": asked.get("q")})
        filled(form)
        found = form.chosen(self.contest.acts.select_related("user"))
        if team := asked.get("team"):
            found = found.filter(data__team=number_in(team) or 0)
        if paging.wants_lines(request):
            tell = ActBody(context=self.get_serializer_context()).to_representation
            return self.ndjson(map(tell, export.rows(found, 1000)), f"{slug}-audit-log")
        return self.piece(ActBody, found)

    def who(self) -> int | None:
        """The id of the person who is asked for."""
        name = self.request.query_params.get("who", "")
        if not name:
            return None
        pk = User.objects.filter(username=name).values_list("pk", flat=True).first()
        if pk is None or not self.contest.acts.filter(user=pk).exists():
            raise wrong("who", f"Nobody called “{name[:60]}” has done anything here.")
        return pk
