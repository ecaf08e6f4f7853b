"""Contests: the list, one of them, and who asks."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import contests, presets, zones
from contest.api.forms import as_serializer, completed, filled, is_true, typed
from contest.api.paging import NewestFirst
from contest.api.problems import wrong
from contest.api.views import Address, ApiView, ContestView
from contest.models import ApiToken, Contest, Phase, Scope, Team
from contest.permissions import Access, access_of, may_create_contests, token_of
from contest.setup_forms import ContestForm
from games.engine import OptionError


class PresetField(serializers.CharField):
    def get_attribute(self, instance: Contest) -> str:
        return f"{instance.game_slug}:{instance.preset}"


class OwnDeadlineField(serializers.DateTimeField):
    def get_attribute(self, instance: Contest) -> datetime | None:
        if "access" not in self.context:
            return getattr(instance, "own_deadline", None)
        team = self.context["access"].team
        return team.uploads_until if team and team.has_later_deadline else None


class ContestLine(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    blurb = serializers.CharField(allow_blank=True)
    game = serializers.CharField(source="game_slug")
    preset = PresetField(help_text="`game:preset`")
    phase = serializers.ChoiceField([phase.value for phase in Phase])
    visibility = serializers.ChoiceField(Contest.Visibility.choices)
    opens_at = serializers.DateTimeField()
    entry_deadline = serializers.DateTimeField()
    upload_deadline = serializers.DateTimeField()
    your_uploads_until = OwnDeadlineField(allow_null=True, help_text="Of your team, if it is later.")
    ended_at = serializers.DateTimeField(allow_null=True)
    page = Address(source="get_absolute_url", help_text="The page for people.")


class RoleField(serializers.CharField):
    def get_attribute(self, instance: Contest) -> str:
        return self.context["access"].role_name.lower()


class OwnTeamField(serializers.IntegerField):
    def get_attribute(self, instance: Contest) -> int | None:
        team = self.context["access"].team
        return team and team.pk


class ContestBody(ContestLine):
    description = serializers.CharField(help_text="Markdown.", allow_blank=True)
    time_zone = serializers.CharField(help_text="In which organisers set its dates, and pages show its times.")
    options = serializers.DictField(
        source="full_options", help_text="The rules' options, those of the preset included."
    )
    languages = serializers.ListField(child=serializers.CharField())
    memory_mb = serializers.IntegerField()
    startup_seconds = serializers.FloatField()
    source_kb = serializers.IntegerField()
    uploads_per_hour = serializers.IntegerField()
    team_size = serializers.IntegerField()
    practice = serializers.ChoiceField(Contest.Practice.choices, help_text="Against whom teams may practise.")
    practice_per_hour = serializers.IntegerField(help_text="Practice games per team per hour.")
    public_notes = serializers.BooleanField(help_text="Whether teams may write public notes on replays.")
    approval_required = serializers.BooleanField()
    one_file = serializers.BooleanField()
    needs_strategy = serializers.BooleanField()
    live = serializers.BooleanField(help_text="Whether teams' own programs may connect.")
    is_frozen = serializers.BooleanField(help_text="Whether new results are hidden from the public.")
    your_role = RoleField(help_text="owner, organiser, judge or blank", allow_blank=True)
    your_team = OwnTeamField(allow_null=True)


NewContestBody = as_serializer(
    ContestForm,
    "NewContestBody",
    without=("keep",),
    needed=("name",),
    preset=serializers.CharField(help_text="`game:preset`. What you leave out is as in the preset."),
    options=serializers.DictField(required=False, help_text="Changes to the preset's options."),
)


def contest_body(contest: Contest, access: Access, request: Request) -> dict[str, Any]:
    return ContestBody(contest, context={"access": access, "request": request}).data


class ContestsView(ApiView):
    tag = "contests"
    acting_scope = Scope.DESK
    pagination_class = NewestFirst

    @extend_schema(
        summary="The contests you may see in a list",
        responses=ContestLine(many=True),
        parameters=[
            OpenApiParameter("phase", str, enum=[phase.value for phase in Phase]),
            OpenApiParameter("game", str, description="Its slug."),
            OpenApiParameter("mine", OpenApiTypes.BOOL, description="Only those where you have a role or a team."),
        ],
    )
    def get(self, request: Request) -> Response:
        reader = request.user, token_of(request._request)
        found = Contest.objects.visible_to(*reader)
        if is_true("mine", request.query_params.get("mine", "")):
            found = found.filter(pk__in=Contest.objects.mine(*reader))
        if phase := request.query_params.get("phase"):
            if phase not in list(Phase):
                raise wrong("phase", f"There is no phase “{phase}”.")
            found = found.in_phase(Phase(phase), timezone.now())
        if game := request.query_params.get("game"):
            found = found.filter(game_slug=game)
        user, token = reader
        if user.is_authenticated and (token is None or token.in_team):
            own = Team.objects.competing().filter(contest=OuterRef("pk"), memberships__user=user)
            later = own.filter(uploads_until__gt=OuterRef("upload_deadline")).values("uploads_until")
            found = found.annotate(own_deadline=Subquery(later[:1]))
        return self.piece(ContestLine, found)

    @extend_schema(
        summary="Create a contest from a preset",
        description="For those who may create contests here, with a token of the scope `desk`.",
        request=NewContestBody,
        responses={201: ContestBody},
    )
    def post(self, request: Request) -> Response:
        if not may_create_contests(self.person):
            raise PermissionDenied("Only staff can create contests on this portal.")
        sent = typed(request)
        options = sent.get("options") or {}
        if not isinstance(options, dict):
            raise wrong("options", "The options are an object: {name: value}.")
        field = "preset"
        try:
            game, preset = presets.find(sent.get("preset") or "")
            field = "options"
            game.options(options, preset.name)
        except OptionError as error:
            raise wrong(field, str(error)) from None
        official = str(sent.get("time_zone") or timezone.get_default_timezone_name())
        zones.use(official)  # for the preset's deadlines, and dates that are sent without a zone
        wanted = {**presets.defaults(game, preset, timezone.localtime()), "time_zone": official}
        fields = filled(ContestForm(completed(sent, Contest(**wanted), ContestForm), initial=wanted))
        with transaction.atomic():
            name, fields["options"] = fields.pop("name"), options
            contest = contests.create(self.person, name, game.slug, preset.name, **fields)
            presets.prepare(contest, self.person)
        body = contest_body(contest, Access(contest, role="owner"), request)
        return Response(body, 201, headers={"Location": reverse("api-contest", args=[contest.slug])})


class ContestDetailView(ContestView):
    tag = "contests"

    @extend_schema(summary="A contest", responses=ContestBody)
    def get(self, request: Request, slug: str) -> Response:
        return Response(contest_body(self.contest, self.access, request))


class PlaceBody(serializers.Serializer):
    contest = serializers.CharField(help_text="Its slug.")
    role = serializers.CharField(allow_blank=True)
    team = serializers.IntegerField(allow_null=True)
    team_name = serializers.CharField(allow_blank=True)


class MeBody(serializers.Serializer):
    username = serializers.CharField()
    token = serializers.CharField(help_text="The name of the token, blank if you are logged in.", allow_blank=True)
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices))
    expires_at = serializers.DateTimeField(allow_null=True)
    may_create_contests = serializers.BooleanField()
    places = PlaceBody(many=True, help_text="Where you have a role or a team, as far as the scopes let you know.")


class MeView(ApiView):
    """Who you are, and what the token may do."""

    tag = "me"

    @extend_schema(summary="Who asks", responses=MeBody)
    def get(self, request: Request) -> Response:
        token = request.auth if isinstance(request.auth, ApiToken) else None
        places = [(it, access_of(self.person, it, token)) for it in Contest.objects.mine(self.person, token)]
        return Response(
            {
                "username": self.person.username,
                "token": token.name if token else "",
                "scopes": token.scopes if token else Scope.values,
                "expires_at": token.expires_at if token else None,
                "may_create_contests": may_create_contests(self.person) and (not token or token.allows(Scope.DESK)),
                "places": [
                    {
                        "contest": contest.slug,
                        "role": access.role or "",
                        "team": access.team.pk if access.team else None,
                        "team_name": access.team.name if access.team else "",
                    }
                    for contest, access in places
                    if access.role or access.team
                ],
            }
        )
