"""Versions of bots: upload, read, activate, withdraw.

Without `?team=` an address is about the reader's own team and takes a token of the scope `bot`. With it, it is about
any team, for people with a role and the scope `desk`.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.forms import ReasonBody, reason_in
from contest.api.paging import NewestFirst
from contest.api.views import ContestView, has_scope
from contest.body_limits import takes_uploads
from contest.models import Scope, Team
from contest.permissions import token_of
from contest.words import number_in
from games import record as records
from submissions import check, intake, lifecycle
from submissions.api import upload
from submissions.api.bodies import (
    BotBody,
    ReceiptBody,
    SaidBody,
    VersionBody,
    VersionLine,
    bot_body,
    version_body,
    version_line,
)
from submissions.forms import CappedUploadHandler
from submissions.models import CheckGame, Submission, SubmissionQuerySet
from submissions.views import source_file, text_file

OF_TEAM = OpenApiParameter(
    "team", int, description="Its number: for people with a role. Without it, the versions of your own team."
)
GAME = OpenApiParameter("game", int, description="Of a check game with several games: which. The first without it.")
PATH = OpenApiParameter("path", str, description="One of the version's files.")
TEXT = {(200, "text/plain"): OpenApiTypes.STR}


class BotsView(ContestView):
    """About the versions of one team: `self.team`."""

    tag = "versions"
    scope = (Scope.BOT, Scope.DESK)
    parameters = (OF_TEAM,)
    team: Team
    is_own: bool

    def prepare(self, request: Request) -> None:
        super().prepare(request)
        self.team = self.team_asked()
        self.is_own = self.team == self.access.team and has_scope(request, Scope.BOT)
        if not (self.is_own or self.access.organises or request.method in SAFE_METHODS):
            raise PermissionDenied("Your role in this contest does not allow this.")

    def versions(self) -> SubmissionQuerySet:
        return self.team.submissions.with_games_played().select_related("uploaded_by")

    def version(self, number: int) -> Submission:
        version = self.versions().filter(number=number).first()
        if version is None:
            raise Http404(f"This team has no version {number}.")
        version.team = self.team
        return version

    def version_for_organisers(self, number: int, refusal: str) -> Submission:
        """The same, for what teams may not do. Raises PermissionDenied with the refusal."""
        version = self.version(number)
        if not self.access.organises:
            raise PermissionDenied(refusal)
        return version

    def body(self, version: Submission) -> dict[str, Any]:
        closed = intake.closed(self.team, timezone.now())
        return version_body(version, self, may_change=self.access.organises or (self.is_own and not closed))

    def api(self, name: str, *args: object) -> str:
        return self.request.build_absolute_uri(self.location(name, *args))

    def page(self, number: int) -> str:
        args = [self.contest.slug, number] if self.is_own else [self.contest.slug, self.team.pk, number]
        return self.request.build_absolute_uri(reverse("version", args=args))

    def location(self, name: str, *args: object) -> str:
        query = "" if self.is_own else "?" + urlencode({"team": self.team.pk})
        return reverse(name, args=[self.contest.slug, *args]) + query


class BotView(BotsView):
    @extend_schema(summary="A team's bot as a whole", responses=BotBody)
    def get(self, request: Request, slug: str) -> Response:
        versions = list(self.versions().without_source())
        for version in versions:
            version.team = self.team
        return Response(bot_body(self.team, versions))


@takes_uploads
class VersionsView(BotsView):
    pagination_class = NewestFirst
    throttle_scope = "upload"

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        if request.method == "POST":  # before anybody reads the form
            request.upload_handlers.insert(0, CappedUploadHandler(request))
        return super().initialize_request(request, *args, **kwargs)

    @extend_schema(summary="The versions of a team", responses=VersionLine(many=True))
    def get(self, request: Request, slug: str) -> Response:
        pages = self.pagination_class()
        rows = pages.paginate_queryset(self.versions().without_source(), request, view=self) or []
        for version in rows:
            version.team = self.team
        return pages.get_paginated_response([version_line(version, self) for version in rows])

    @extend_schema(
        summary="Upload a new version",
        description="It is built and checked in the background. Its address in `Location` tells how far it is.",
        request={"application/json": upload.UploadBody, "multipart/form-data": upload.UploadFilesBody},
        responses={202: ReceiptBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        receipt = upload.accept(request, self.team, self.person, for_team=not self.is_own)
        version = self.version(receipt.submission.number)
        headers = {"Location": self.location("api-version", version.number)}
        return Response({**self.body(version), "notices": receipt.notices}, 202, headers=headers)


class VersionView(BotsView):
    @extend_schema(summary="A version", responses=VersionBody)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(self.body(self.version(number)))


class SourceView(BotsView):
    @extend_schema(
        summary="The source, byte for byte as it was uploaded",
        description="Of several files, all of them as a ZIP, or the one that `path` names.",
        responses={
            **TEXT,
            (200, "application/zip"): OpenApiTypes.BINARY,
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
        },
        parameters=[PATH],
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        return source_file(self.version(number), request.query_params.get("path", ""))


class StrategyView(BotsView):
    @extend_schema(summary="The text about the strategy", responses=TEXT)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        version = self.version(number)
        if not version.strategy:
            raise Http404("This version has no text about its strategy.")
        return text_file(version.strategy.encode(), version.strategy_filename or f"strategy-{number}.txt")


class ActivateView(BotsView):
    @extend_schema(
        summary="Make a ready version the active one",
        description="Organisers give a reason, unless the team is their own.",
        request=ReasonBody,
        responses=VersionBody,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        version = self.version(number)
        lifecycle.activate(version, self.person, reason_in(request), token=token_of(request._request))
        return Response(self.body(self.version(number)))


class RecheckView(BotsView):
    @extend_schema(
        summary="Build and check a version again",
        description="One that was rejected, superseded or cancelled. For organisers, with a reason.",
        request=ReasonBody,
        responses=VersionBody,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        version = self.version_for_organisers(number, "Only organisers can have a version checked again.")
        lifecycle.recheck(version, self.person, reason_in(request))
        return Response(self.body(self.version(number)))


class MoveUpView(BotsView):
    @extend_schema(
        summary="Move a waiting version to the front of the queue",
        description="For organisers. The audit log records it.",
        request=None,
        responses=VersionBody,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        version = self.version_for_organisers(number, "Only organisers can change the queue of builds.")
        lifecycle.move_up(version, self.person)
        return Response(self.body(self.version(number)))


class CancelView(BotsView):
    @extend_schema(
        summary="Cancel the build of a version that waits or is being built",
        description="For organisers, with a reason, which the team sees. The audit log records it.",
        request=ReasonBody,
        responses=VersionBody,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        version = self.version_for_organisers(number, "Only organisers can change the queue of builds.")
        lifecycle.cancel(version, self.person, reason_in(request))
        return Response(self.body(self.version(number)))


class WithdrawView(BotsView):
    @extend_schema(
        summary="Withdraw the bot",
        description="No version is active until one is activated again. All are kept.",
        request=ReasonBody,
        responses={204: None},
    )
    def post(self, request: Request, slug: str) -> Response:
        lifecycle.withdraw(self.team, self.person, reason_in(request), token=token_of(request._request))
        return Response(status=204)


class CheckGameView(BotsView):
    def played(self, number: int, game: int) -> CheckGame:
        version = self.version(number)
        played = version.check_games.filter(number=game).first()
        if played is None:
            raise Http404(f"The check of version {number} has no game {game}.")
        return played


class CheckRecordView(CheckGameView):
    @extend_schema(summary="The record of a check game", responses={(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, slug: str, number: int, game: int) -> HttpResponse:
        return HttpResponse(self.played(number, game).record_text(), content_type="application/json")


class CheckLogView(CheckGameView):
    @extend_schema(summary="The log of a check game", responses=TEXT, parameters=[GAME])
    def get(self, request: Request, slug: str, number: int, game: int) -> HttpResponse:
        of = number_in(request.query_params.get("game", "1"))
        try:
            text = records.log(self.played(number, game).record_data(), of or 0)
        except LookupError as error:
            raise Http404(str(error)) from None
        return HttpResponse(text, content_type="text/plain; charset=utf-8")


class CheckErrorsView(CheckGameView):
    @extend_schema(summary="What the bot wrote to its standard error", responses=SaidBody(many=True))
    def get(self, request: Request, slug: str, number: int, game: int) -> Response:
        return Response(
            [
                {"game": it.game, "ply": it.ply, "where": it.where, "text": it.text}
                for it in check.pieces(self.played(number, game))
            ]
        )
