"""Teams as organisers see them: their members and codes, whether they may enter, lists of them, seed numbers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import roster
from contest import teams as team_actions
from contest.api.desk.views import DeskView, OrganiserView, act_views
from contest.api.forms import ReasonBody, as_serializer, completed, filled, reason_in, typed
from contest.api.paging import InOrder, OldestFirst
from contest.api.problems import Problem, wrong
from contest.api.teams import TeamBody
from contest.api.views import ContestView
from contest.forms import DeskTeamSearchForm, RosterForm, SeedsPasteForm, TeamForm
from contest.models import Team
from contest.roster import Entry
from contest.setup_forms import LaterUploadsForm
from contest.words import number_in


class PersonBody(serializers.Serializer):
    username = serializers.CharField(source="user.username")
    name = serializers.CharField(source="user.called", help_text="The real name too, if they gave one.")
    email = serializers.CharField(source="user.email", allow_blank=True)


class DeskMemberBody(PersonBody):
    is_captain = serializers.BooleanField()
    joined_at = serializers.DateTimeField()


class CodeField(serializers.CharField):
    def to_representation(self, value: str) -> str:
        return value if self.context["view"].access.organises else ""


class DeskTeamBody(TeamBody):
    # Prefetch `memberships__user` where there are several.
    code = CodeField(allow_blank=True, help_text="With it, people join the team. Judges do not see it.")
    members = DeskMemberBody(many=True, source="memberships.all")


class DecisionBody(serializers.Serializer):
    teams = serializers.ListField(child=serializers.IntegerField())


class DecidedBody(serializers.Serializer):
    count = serializers.IntegerField(help_text="How many of these teams were waiting.")


class SeedsBody(serializers.Serializer):
    seeds = serializers.DictField(
        child=serializers.IntegerField(allow_null=True),
        required=False,
        help_text="Seed numbers by the id of the team; null removes one. Other teams keep theirs.",
    )
    paste = serializers.CharField(
        required=False, help_text="Instead: one team per line, such as “1, Aces”, as spreadsheets copy them."
    )


class ChangedSeedsBody(serializers.Serializer):
    changed = serializers.IntegerField(help_text="How many teams have another seed number now.")


AddedTeamBody = as_serializer(TeamForm, "AddedTeamBody")
LaterUploadsBody = as_serializer(LaterUploadsForm, "LaterUploadsBody", needed=("until",), nullable=("until",))
EditedTeamBody = as_serializer(TeamForm, "EditedTeamBody")


def team_of(view: ContestView, pk: int) -> Team:
    """A team of the contest, whatever its state. Raises Http404."""
    team: Team = get_object_or_404(view.contest.teams.prefetch_related("memberships__user"), pk=pk)
    team.contest = view.contest
    return team


class OfTeams(DeskView):
    tag = "desk teams"


class OrganisersOfTeams(OfTeams, OrganiserView):
    pass


class DeskTeamsView(OfTeams):
    pagination_class = OldestFirst

    @extend_schema(
        summary="All teams, whatever their state, with members and joining codes",
        responses=DeskTeamBody(many=True),
        parameters=[
            OpenApiParameter("q", str, description="Part of the name, the school or the company."),
            OpenApiParameter("state", str, enum=Team.State.values),
        ],
    )
    def get(self, request: Request, slug: str) -> Response:
        chosen = filled(DeskTeamSearchForm(request.query_params))
        found = self.contest.teams.called(chosen["q"])
        if chosen["state"]:
            found = found.filter(state=chosen["state"])
        return self.piece(DeskTeamBody, found.prefetch_related("contest", "memberships__user"))

    @extend_schema(
        summary="Enter a team, even after the deadline",
        description="People join it with its code; the first becomes captain.",
        request=AddedTeamBody,
        responses={201: DeskTeamBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        team = team_actions.add(self.contest, self.person, **filled(TeamForm(typed(request))))
        return self.created(self.told(DeskTeamBody, team), "api-desk-team", team.pk)


class DeskTeamView(OfTeams):
    @extend_schema(summary="A team with its members", responses=DeskTeamBody)
    def get(self, request: Request, slug: str, team_id: int) -> Response:
        return Response(self.told(DeskTeamBody, team_of(self, team_id)))

    @extend_schema(summary="Change a team's name or school", request=EditedTeamBody, responses=DeskTeamBody)
    def patch(self, request: Request, slug: str, team_id: int) -> Response:
        team = team_of(self, team_id)
        team_actions.edit(team, self.person, **filled(TeamForm(completed(typed(request), team, TeamForm))))
        return Response(self.told(DeskTeamBody, team))


class ApproveView(OrganisersOfTeams):
    @extend_schema(summary="Let a waiting or refused team take part", request=None, responses=DeskTeamBody)
    def post(self, request: Request, slug: str, team_id: int) -> Response:
        team = team_of(self, team_id)
        team_actions.approve(team, self.person)
        return Response(self.told(DeskTeamBody, team))


class RefuseView(OrganisersOfTeams):
    @extend_schema(summary="Refuse a waiting team", request=ReasonBody, responses=DeskTeamBody)
    def post(self, request: Request, slug: str, team_id: int) -> Response:
        team = team_of(self, team_id)
        team_actions.refuse(team, self.person, reason_in(request))
        return Response(self.told(DeskTeamBody, team))


class UploadsView(OrganisersOfTeams):
    @extend_schema(
        summary="Give a team a later upload deadline",
        description="`until: null` takes it back. Everybody can read the reason once a stage has begun.",
        request=LaterUploadsBody,
        responses=DeskTeamBody,
    )
    def post(self, request: Request, slug: str, team_id: int) -> Response:
        team, sent = team_of(self, team_id), typed(request)
        if "until" not in sent:
            raise wrong("until", "Say until when, or null to take it back.")
        data = filled(LaterUploadsForm(sent))
        team_actions.extend_uploads(team, self.person, data["until"], data["reason"])
        return Response(self.told(DeskTeamBody, team))


class ChangeCodeView(OrganisersOfTeams):
    @extend_schema(
        summary="Replace a team's joining code",
        description="The old code stops working.",
        request=None,
        responses=DeskTeamBody,
    )
    def post(self, request: Request, slug: str, team_id: int) -> Response:
        team = team_of(self, team_id)
        team_actions.change_code(team, self.person)
        return Response(self.told(DeskTeamBody, team))


class DecideManyView(OfTeams):
    act: str

    def post(self, request: Request, slug: str) -> Response:
        asked = typed(request).getlist("teams")
        numbers = [number_in(str(each)) for each in asked]
        known = [number for number in numbers if number is not None]
        if not known or len(known) != len(numbers):
            raise wrong("teams", "Name at least one team, by their ids.")
        count = team_actions.decide_many(self.contest, self.person, known, approved=self.act == "approve")
        return Response({"count": count})


DECIDE_MANY = act_views(
    DecideManyView,
    {
        "approve": ("Approve those teams that are waiting", ""),
        "refuse": ("Refuse those teams that are waiting", ""),
    },
    request=DecisionBody,
    responses=DecidedBody,
)


class SeedsView(OfTeams):
    @extend_schema(summary="Set seed numbers", request=SeedsBody, responses=ChangedSeedsBody)
    def post(self, request: Request, slug: str) -> Response:
        sent = typed(request)
        if "paste" in sent:
            seeds = filled(SeedsPasteForm(self.contest, sent))["paste"]
        else:
            seeds = self.seeds(sent.get("seeds"))
        return Response({"changed": team_actions.set_seeds(self.contest, self.person, seeds)})

    def seeds(self, asked: object) -> dict[int, int | None]:
        if not isinstance(asked, dict):
            raise wrong("seeds", "The seeds are an object: {id of the team: number or null}.")
        competing = set(self.contest.teams.competing().values_list("pk", flat=True))
        found: dict[int, int | None] = {}
        for key, seed in asked.items():
            team = number_in(str(key))
            if team not in competing:
                raise wrong("seeds", f"No team that takes part has the id {str(key)[:20]}.")
            if seed is not None and (type(seed) is not int or not 1 <= seed <= 9999):
                raise wrong("seeds", "Seed numbers run from 1 to 9999.")
            found[team] = seed
        return found


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


class ImportView(OrganisersOfTeams):
    """The list is CSV: a team a line, with name, school and seed number. A first line may name the columns. Either all
    teams enter or none; `errors` then names the lines that are wrong."""

    previews = True

    @extend_schema(
        summary="Import a list of teams",
        request={"application/json": RosterBody, "multipart/form-data": RosterFileBody},
        responses=ImportBody,
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


class CodesView(OrganisersOfTeams):
    pagination_class = InOrder

    @extend_schema(
        summary="The joining codes of all teams that are still in the contest", responses=CodeLine(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        entering = self.address("enter")
        rows = self.paginate_queryset(list(roster.joining(self.contest))) or ()
        return self.get_paginated_response([{**row, "link": f"{entering}?code={row['code']}"} for row in rows])
