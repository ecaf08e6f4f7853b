"""Teams in bulk: a list to import, and the joining codes to hand out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import roster
from contest.api.desk.views import DRY_RUN, OrganiserView
from contest.api.forms import as_serializer, filled, typed
from contest.api.paging import InOrder
from contest.api.problems import Problem
from contest.forms import RosterForm
from contest.roster import Entry

RosterFileBody = as_serializer(RosterForm, "RosterFileBody", without=("text",))
RosterBody = as_serializer(RosterForm, "RosterBody", without=("file",))


class EntryLine(serializers.Serializer):
    line = serializers.IntegerField(help_text="Of the list.")
    name = serializers.CharField(allow_blank=True)
    school = serializers.CharField(allow_blank=True)
    seed = serializers.IntegerField(allow_null=True)
    problems = serializers.ListField(child=serializers.CharField(), help_text="Why the line cannot be imported.")
    doubts = serializers.ListField(child=serializers.CharField(), help_text="What may be wrong with it.")
    team_id = serializers.IntegerField(allow_null=True, help_text="The team that has entered. None in a dry run.")
    code = serializers.CharField(allow_blank=True, help_text="Its joining code.")


class ImportBody(serializers.Serializer):
    entered = serializers.IntegerField(help_text="How many teams have entered: all of the list, or none.")
    lines = EntryLine(many=True)


class CodeLine(serializers.Serializer):
    team_id = serializers.IntegerField()
    team = serializers.CharField()
    school = serializers.CharField(allow_blank=True)
    members = serializers.IntegerField()
    code = serializers.CharField()
    link = serializers.URLField(help_text="The page on which people join the team.")


def _line(entry: Entry, team: Any = None) -> dict[str, Any]:
    return asdict(entry) | {"team_id": team.pk if team else None, "code": team.code if team else ""}


class ImportView(OrganiserView):
    """The list is CSV: a team a line, with name, school and seed number. A first line may name the columns. Either all
    teams enter or none; `errors` then names the lines that are wrong."""

    tag = "desk teams"
    previews = True

    @extend_schema(
        summary="Import a list of teams",
        request={"application/json": RosterBody, "multipart/form-data": RosterFileBody},
        responses=ImportBody,
        parameters=[DRY_RUN],
    )
    def post(self, request: Request, slug: str) -> Response:
        form = RosterForm(typed(request), request.FILES)
        entries = roster.read(self.contest, filled(form)["text"])
        if self.dry_run:
            return Response({"entered": 0, "lines": [_line(entry) for entry in entries]})
        errors = [{"field": f"line {entry.line}", "detail": problem} for entry in entries for problem in entry.problems]
        if errors:
            raise Problem(422, "invalid", f"{errors[0]['detail']} No team was entered.", errors)
        teams = roster.enter(self.contest, self.person, entries)
        lines = [_line(entry, team) for entry, team in zip(entries, teams, strict=True)]
        return Response({"entered": len(teams), "lines": lines})


class CodesView(OrganiserView):
    tag = "desk teams"
    pagination_class = InOrder

    @extend_schema(
        summary="The joining codes of all teams that are still in the contest", responses=CodeLine(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        entering = request.build_absolute_uri(reverse("enter", args=[slug]))
        rows = self.paginate_queryset(list(roster.joining(self.contest))) or ()
        return self.get_paginated_response([{**row, "link": f"{entering}?code={row['code']}"} for row in rows])
