"""The ledger as a feed. See results/entries_seen.py for what the public may not learn from it, and why."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from contest.api import paging
from contest.api.paging import LARGEST, LIMIT, size_of
from contest.api.problems import Problem
from contest.models import Audience, Kind
from tournaments.api.contests import SightView
from tournaments.api.stages import number_asked
from tournaments.results.entries_seen import UnknownPlace
from tournaments.view_models import ledger_feed


class EntryBody(serializers.Serializer):
    def get_fields(self) -> dict[str, serializers.Field]:
        """Not as an attribute, because serializers have one of the name `data`."""
        return {**super().get_fields(), "data": serializers.DictField(help_text="Entrants, matches drawn or replaced.")}

    id = serializers.CharField(help_text="The same whenever the entry comes again.")
    cursor = serializers.CharField(help_text="Send it as `after` to go on after this entry.")
    number = serializers.IntegerField(allow_null=True, help_text="In the ledger; only for people with a role.")
    at = serializers.DateTimeField(allow_null=True)
    kind = serializers.ChoiceField(Kind.choices)
    stage = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField(allow_null=True)
    match = serializers.IntegerField(allow_null=True)
    team = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    audience = serializers.ChoiceField(Audience.choices, allow_null=True, help_text="Only for people with a role.")
    by = serializers.CharField(allow_blank=True, allow_null=True, help_text="Only for people with a role.")
    review = serializers.IntegerField(allow_null=True, help_text="Only for people with a role.")


class LedgerBody(serializers.Serializer):
    next = serializers.URLField(allow_null=True, help_text="The next piece. None: you have read everything so far.")
    results = EntryBody(many=True)


class LedgerView(SightView):
    """What happened in the contest, in order: stages published and started, matches drawn, results, void matches, teams
    that left, freezes. It names matches and teams and tells no score: read those at the addresses that they have.

    Keep the `cursor` of the last entry and send it as `after` when you ask again. You miss nothing; when results that
    were hidden become public, some entries come again, with the same `id`.

    People with a role read every entry with its number and can send a number as `after`.
    """

    def revision(self) -> str:
        return self.results_revision

    @extend_schema(
        summary="The ledger as a feed",
        parameters=[
            OpenApiParameter("after", str, description="The `cursor` of an entry. Left out: from the beginning."),
            OpenApiParameter("last", int, description="Only the newest, at most so many: to go on from now."),
            LIMIT,
            paging.LINES,
        ],
        responses={(200, "application/json"): LedgerBody, (200, paging.NDJSON): EntryBody},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        if last := number_asked(request, "last"):
            newest = self.sight.entries.newest(min(last, LARGEST))
            return Response({"next": None, "results": list(ledger_feed.told(self.sight, newest))})
        try:
            number = self.sight.entries.number_at(request.query_params.get("after", ""))
        except UnknownPlace:
            raise Problem(400, "bad_cursor", "This feed has no such entry. Begin without `after`.") from None
        if paging.wants_lines(request):
            return self.ndjson(ledger_feed.feed(self.sight, number), f"{slug}-ledger")
        size = size_of(request)
        found = self.sight.entries.after(number, size + 1)
        told = list(ledger_feed.told(self.sight, found[:size]))
        here = request.build_absolute_uri()
        following = replace_query_param(here, "after", told[-1]["cursor"]) if len(found) > size else None
        return Response({"next": following, "results": told})
