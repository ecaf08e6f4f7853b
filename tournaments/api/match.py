"""One match: everything about it, its record, its logs, and what bots wrote in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.views import ApiView
from contest.models import ApiToken, Scope
from contest.replay import Pieces, why
from games.record import Record, games, seating_of
from tournaments import kinds
from tournaments.api.matches import MatchLine, PlayerBody, line
from tournaments.exports import export
from tournaments.kinds import secrecy
from tournaments.models import Match
from tournaments.results.visibility import Sight, sight
from tournaments.view_models.games_played import faults_of, games_of
from tournaments.view_models.queries import at_the_table
from tournaments.view_models.records import digest_of, or_gone, record_of, why_pruned
from tournaments.view_models.visible_matches import Withheld, log_of, open_record, readable_logs, visible_match


class PieceBody(serializers.Serializer):
    event = serializers.IntegerField(help_text="Written before this event of the record.")
    text = serializers.CharField()


class PlayerOutput(serializers.Serializer):
    seat = serializers.IntegerField(help_text="Of the record.")
    pieces = PieceBody(many=True)
    crash = serializers.CharField(
        allow_blank=True, help_text="Why it crashed for the first time, with the line of its source. Blank: it did not."
    )
    advice = serializers.CharField(allow_blank=True, help_text="One thing to do about that.")


def outputs(found: Mapping[int, Pieces], record: Record) -> list[dict[str, Any]]:
    """The pieces of each player who wrote anything, by seat of the record, and why it crashed."""
    return [
        {
            "seat": seat,
            "pieces": [{"event": event, "text": text} for event, text in pieces],
            **_crash(record, seat, pieces),
        }
        for seat, pieces in sorted(found.items())
    ]


def _crash(record: Record, player: int, pieces: Pieces) -> dict[str, str]:
    start = 0
    for events in games(record):
        seat = seating_of(record, events).index(player)
        for ply, event in enumerate(events):
            if event["event"] == "fault" and event["seat"] == seat:
                found = why.ended(event, record["seats"][player]["bot"], pieces, start + ply)
                if found:
                    return {"crash": found.sentence, "advice": found.advice}
        start += len(events)
    return {"crash": "", "advice": ""}


class GameResult(serializers.Serializer):
    game = serializers.IntegerField(help_text="From 1.")
    scores = serializers.ListField(child=serializers.FloatField(), help_text="In the order of the players.")
    seating = serializers.ListField(
        child=serializers.IntegerField(), help_text="For each place at the table, the player who sat there."
    )
    winner = serializers.IntegerField(allow_null=True)
    ended = serializers.CharField(allow_blank=True)
    verdict = serializers.CharField(allow_blank=True)
    replay = serializers.URLField(help_text="The page for people.")
    log = serializers.URLField(allow_null=True, help_text="None: it is secret.")


class FaultBody(serializers.Serializer):
    game = serializers.IntegerField()
    seat = serializers.IntegerField(help_text="The player.")
    kind = serializers.CharField()
    title = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    answer = serializers.CharField(allow_null=True, help_text="What the bot answered.")
    where = serializers.CharField()
    more = serializers.IntegerField(help_text="How often the rules decided for it later in this game.")
    replay = serializers.URLField(help_text="The page for people, at that position.")


class MatchPlayer(PlayerBody):
    """Of a match whose result is not public yet: only the seat, the name and the team."""

    def get_fields(self) -> dict[str, serializers.Field]:
        found = super().get_fields()
        for name, field in found.items():
            field.required = name in ("seat", "player", "team_id")
        return found


class MatchBody(MatchLine):
    """If `withheld`, only the players are public, and there are no fields about the result."""

    contest = serializers.CharField(help_text="Its slug.")
    title = serializers.CharField()
    withheld = serializers.BooleanField(help_text="Whether the result is not public yet.")
    options = serializers.DictField(help_text="The rules' options.")
    limits = serializers.DictField(help_text="Of each bot.")
    restored_reason = serializers.CharField(allow_blank=True, help_text="Why it counts again after it was void.")
    attempt = serializers.IntegerField(help_text="How often it was begun.")
    failures = serializers.IntegerField(help_text="Of the portal, which are no bot's fault.")
    same_table = serializers.ListField(child=serializers.IntegerField(), help_text="The other matches at its table.")
    record = serializers.URLField(allow_null=True, help_text="None: not played, or secret.")
    record_sha256 = serializers.CharField(allow_blank=True)
    record_gone = serializers.CharField(allow_blank=True, help_text="Why the record is no longer kept. Blank: it is.")
    game_results = GameResult(many=True)
    fault_list = FaultBody(many=True)
    players = MatchPlayer(many=True)

    def get_fields(self) -> dict[str, serializers.Field]:
        found = super().get_fields()
        always = ("match", "contest", "stage", "stage_name", "round", "table", "title", "withheld", "page", "players")
        for name, field in found.items():
            field.required = name in always
        return found


class OutputBody(serializers.Serializer):
    match = serializers.IntegerField()
    players = PlayerOutput(many=True, help_text="Of your own bots, or of all for people with a role.")


class MatchAddress(ApiView):
    """An address of a match: `self.match`, as far as `self.sight` goes. 404 unless the reader may see it in full."""

    tag = "results"
    match: Match
    sight: Sight

    def prepare(self, request: Request) -> None:
        self.match, self.sight = visible_match(request._request, self.kwargs["match_id"])


class MatchView(MatchAddress):
    """A match of which only the players are public has `"withheld": true`, and nothing about its result."""

    withheld: Match | None = None

    def prepare(self, request: Request) -> None:
        try:
            super().prepare(request)
        except Withheld as refusal:
            self.withheld = refusal.match
            self.sight = sight(request._request, refusal.match.contest)

    @extend_schema(summary="Everything about a match", responses=MatchBody)
    def get(self, request: Request, match_id: int) -> Response:
        page = request.build_absolute_uri(reverse("match", args=[match_id]))
        if self.withheld is not None:
            return Response({**match_withheld(self.withheld), "page": page})
        match, sight = self.match, self.sight
        (told,) = export.told(sight, list(export.in_full(sight.matches().filter(pk=match.pk))))
        record = record_of(match, sight)
        split = games(record) if record else []
        digest = digest_of(match, sight) if record and secrecy.shows_all(match, sight) else ""
        found = games_of(match, record, split, range(1, len(split) + 1)) if record else []
        return Response(
            {
                **line(told, request),
                "options": told["options"],
                "limits": told["limits"],
                "withheld": False,
                "contest": match.contest.slug,
                "title": match.title,
                "restored_reason": match.restored_reason if match.status == Match.State.DONE else "",
                "attempt": match.attempt,
                "failures": match.failures,
                "same_table": list(_others(match, sight.matches()).values_list("pk", flat=True)),
                "record_sha256": digest,
                "record_gone": why_pruned(match),
                "record": self._here(request, "api-record") if digest else None,
                "game_results": [self._game(request, each) for each in found],
                "fault_list": [_fault(request, each) for each in faults_of(match, record, split)] if record else [],
            }
        )

    def _here(self, request: Request, name: str, *more: object) -> str:
        return request.build_absolute_uri(reverse(name, args=[self.match.pk, *more]))

    def _game(self, request: Request, found: dict[str, Any]) -> dict[str, Any]:
        has_log = secrecy.shown(self.match, self.sight).part != secrecy.Part.SEEN
        return {
            **{name: found[name] for name in ("scores", "seating", "winner", "ended", "verdict")},
            "game": found["number"],
            "replay": request.build_absolute_uri(found["href"]),
            "log": self._here(request, "api-game-log", found["number"]) if has_log else None,
        }


def _fault(request: Request, found: dict[str, Any]) -> dict[str, Any]:
    event = found["event"]
    return {
        **{name: found[name] for name in ("game", "title", "where", "more")},
        "seat": found["player"],
        "kind": event["kind"],
        "detail": event.get("detail", ""),
        "answer": event.get("answer"),
        "replay": request.build_absolute_uri(found["href"]),
    }


class RecordView(MatchAddress):
    @extend_schema(
        summary="The record of a match, exactly as stored",
        responses={(200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "docs/record.md")},
    )
    def get(self, request: Request, match_id: int) -> HttpResponse:
        return HttpResponse(open_record(self.match, self.sight).text(), content_type="application/json")


class GameLogView(MatchAddress):
    @extend_schema(
        summary="The game's own log of one game",
        responses={(200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, "In the format of the game's rules.")},
    )
    def get(self, request: Request, match_id: int, game: int) -> HttpResponse:
        text = log_of(self.match, self.sight, game)
        return HttpResponse(text, content_type="text/plain; charset=utf-8")


class OutputView(MatchAddress):
    """What your bots wrote to standard error. People with a role read it of every bot, with a token of the scope
    `desk`."""

    scope = (Scope.BOT, Scope.DESK)

    @extend_schema(summary="What your bots wrote to standard error", responses=OutputBody)
    def get(self, request: Request, match_id: int) -> Response:
        record = record_of(self.match, self.sight)
        if record is None:
            raise or_gone(self.match, "This match has not been played.")
        found = readable_logs(self.match, self.sight, record) if self._may_read(request) else {}
        return Response({"match": self.match.pk, "players": outputs(found, record)})

    def _may_read(self, request: Request) -> bool:
        """A token with `desk` alone gives no membership, and one with `bot` alone gives no role; with `team` and `desk`
        both, it is still not for what own bots wrote."""
        by_role = self.sight.sees_all
        return by_role or not isinstance(request.auth, ApiToken) or request.auth.allows(Scope.BOT)


def _others(match: Match, found: QuerySet[Match]) -> QuerySet[Match]:
    """The other matches at its table. A whole ladder is one table, so there it is those that replace one another."""
    others = at_the_table(match, found)
    return others if kinds.of(match.stage).has_plan else others.filter(number=match.number)


def match_withheld(match: Match) -> dict[str, Any]:
    """A match of which only the players are public yet."""
    seats = match.seats.select_related("team")
    return {
        "match": match.pk,
        "withheld": True,
        "contest": match.contest.slug,
        "stage": match.stage_id,
        "stage_name": match.stage.name,
        "round": match.table.round,
        "table": match.table.name,
        "title": match.title,
        "players": [{"seat": seat.index, "player": seat.name, "team_id": seat.team_id} for seat in seats],
    }
