"""Downloads, sent while they are written: tables, and everything in one ZIP; and a contest copied from another one."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import export as people
from contest import spreadsheets
from contest.api.contests import ContestBody, contest_body
from contest.api.desk.views import DeskView, OrganiserView
from contest.api.forms import as_serializer, filled, filled_up, typed
from contest.clone import Wish
from contest.permissions import Access, may_create_contests
from contest.setup_forms import CloneForm, clone_defaults
from tournaments.api.desk.impacts import StageName
from tournaments.exports.archive import EVERYTHING, FILES, recorded, sent
from tournaments.organising.clone import clone, known_games

TEAMS = ("The teams and their members.", lambda it: spreadsheets.lines(people.team_rows(it)))
ALL = {"teams.csv": TEAMS, **FILES}  # the pages have teams.csv at an address of its own
ABOUT = "All of it in one file, with records, logs and sources. The audit log records the download."


class FileBody(serializers.Serializer):
    name = serializers.CharField()
    about = serializers.CharField()
    address = serializers.URLField()


class FilesView(DeskView):
    tag = "desk data"

    @extend_schema(summary="The files that you can download", responses=FileBody(many=True))
    def get(self, request: Request, slug: str) -> Response:
        found = {**{name: about for name, (about, _) in ALL.items()}, EVERYTHING: ABOUT}
        return Response(
            [{"name": it, "about": about, "address": self.address("api-desk-file", it)} for it, about in found.items()]
        )


class FileView(DeskView):
    tag = "desk data"

    @extend_schema(
        summary="A file: CSV, JSON, or the ZIP of everything",
        responses={
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.ANY,
            (200, "application/zip"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: Request, slug: str, file: str) -> HttpResponseBase:
        if file == EVERYTHING:
            return sent(self.contest, file, recorded(self.contest, self.person) if request.method == "GET" else ())
        if file not in ALL:
            raise Http404("There is no such file.")
        return sent(self.contest, file, ALL[file][1](self.contest))


CloneBody = as_serializer(CloneForm, "CloneBody")


class WishedCloneBody(CloneBody):  # type: ignore[valid-type,misc]
    name = serializers.CharField(required=False, max_length=120)
    opens_at = serializers.DateTimeField(
        required=False, help_text="Now without it. All other dates move by the same amount, including those of stages."
    )
    roles = serializers.BooleanField(required=False, default=True)


class ClonedBody(serializers.Serializer):
    contest = ContestBody()
    same_hidden_games = StageName(many=True, help_text="Their hidden games are those of the original: replace them.")


class CloneView(OrganiserView):
    @extend_schema(
        summary="Copy the contest: its settings, its stages as drafts and, if you wish, its people",
        description="For organisers who may create contests. The copy is private and has no bots, matches or results.",
        request=WishedCloneBody,
        responses={201: ClonedBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        if not may_create_contests(self.person):
            raise PermissionDenied("Only staff can create contests on this portal.")
        form = CloneForm(filled_up(typed(request), clone_defaults(self.contest)))
        made = clone(self.contest, self.person, Wish(**filled(form)))
        told = {
            "contest": contest_body(made, Access(made, role="owner"), request),
            "same_hidden_games": [{"stage": stage.pk, "name": stage.name} for stage in known_games(made)],
        }
        return Response(told, 201, headers={"Location": reverse("api-contest", args=[made.slug])})
