"""Downloads: tables for spreadsheets and programs, and everything in one ZIP, sent while they are written."""

from __future__ import annotations

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
from contest.api.desk.views import DeskView
from tournaments.exports.archive import recorded
from tournaments.exports.files import EVERYTHING, FILES, sent

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
            [
                {"name": it, "about": about, "address": request.build_absolute_uri(_address(slug, it))}
                for it, about in found.items()
            ]
        )


def _address(slug: str, name: str) -> str:
    return reverse("api-desk-file", args=[slug, name])


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
