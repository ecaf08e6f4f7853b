"""What needs an organiser, what is being played, and by whom."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import workers
from contest.api.desk.views import DeskView
from contest.api.paging import LIMIT, size_of
from contest.permissions import me
from tournaments.attention import Level, overview_of
from tournaments.models import Match
from tournaments.organising import stages
from tournaments.organising.workload import workload

LEVELS = {Level.ACT: "act", Level.LOOK: "check", Level.KNOW: "note"}


class AboutBody(serializers.Serializer):
    text = serializers.CharField()
    page = serializers.URLField(allow_null=True)


class ConcernBody(serializers.Serializer):
    level = serializers.ChoiceField(list(LEVELS.values()), help_text="`act`: something goes wrong unless you act.")
    text = serializers.CharField()
    page = serializers.URLField(allow_null=True, help_text="The page for people that helps.")
    about = AboutBody(many=True)


class DateBody(serializers.Serializer):
    at = serializers.DateTimeField()
    text = serializers.CharField()


class AttentionBody(serializers.Serializer):
    concerns = ConcernBody(many=True, help_text="The most urgent first.")
    dates = DateBody(many=True, help_text="What is coming up.")
    teams = serializers.IntegerField(help_text="That take part.")
    teams_without_seed = serializers.IntegerField()
    running = serializers.IntegerField(help_text="Matches in progress.")
    waiting = serializers.IntegerField(help_text="Matches in the queue.")
    seconds_left = serializers.FloatField(allow_null=True, help_text="Until all of these are played.")


class SeatField(serializers.CharField):
    def to_representation(self, value: Any) -> str:
        return value.name


class QueueMatch(serializers.Serializer):
    match = serializers.IntegerField(source="pk", help_text="Its id.")
    stage = serializers.IntegerField(source="stage_id")
    table = serializers.CharField(source="table.name")
    players = serializers.ListField(child=SeatField(), source="seats.all")
    state = serializers.ChoiceField(Match.State.choices)
    queued_at = serializers.DateTimeField(source="created_at")
    started_at = serializers.DateTimeField(allow_null=True)
    worker = serializers.CharField(allow_blank=True)
    attempt = serializers.IntegerField()
    failures = serializers.IntegerField(help_text="Of the portal, which are no bot's fault.")
    last_error = serializers.CharField(allow_blank=True)
    due_at = serializers.DateTimeField(allow_null=True, help_text="When it is tried again. None: when you say so.")


class QueueBody(serializers.Serializer):
    running = QueueMatch(many=True)
    waiting = serializers.IntegerField()
    next = QueueMatch(many=True, help_text="Those that are played next, as many as `limit` says.")
    held = serializers.IntegerField(help_text="Waiting in paused stages.")
    elsewhere = serializers.IntegerField(help_text="Waiting in other contests, which share the workers.")
    failed = QueueMatch(many=True, help_text="Matches that failed because of the portal. After three, you are asked.")
    workers = serializers.ListField(child=serializers.CharField(), help_text="That play matches.")
    at_once = serializers.IntegerField(help_text="How many matches they play in parallel.")
    broker_answers = serializers.BooleanField()
    usual_seconds = serializers.FloatField(allow_null=True, help_text="A match. None: none has been played.")


class ConfinementBody(serializers.Serializer):
    level = serializers.CharField()
    title = serializers.CharField()
    acceptable = serializers.BooleanField(help_text="If not, the worker runs no bots.")
    reasons = serializers.ListField(child=serializers.CharField())
    no_port = serializers.CharField(allow_blank=True, help_text="Why bots cannot be TCP clients there.")
    languages = serializers.ListField(child=serializers.CharField(), allow_null=True)


class WorkerBody(serializers.Serializer):
    name = serializers.CharField()
    queues = serializers.ListField(child=serializers.CharField())
    processes = serializers.IntegerField()
    is_alive = serializers.BooleanField()
    started_at = serializers.DateTimeField(source="since")
    last_seen = serializers.DateTimeField(source="seen")
    release = serializers.CharField(allow_blank=True, help_text="Of its code.")
    confinement = ConfinementBody(allow_null=True, help_text="None: it runs no bots.")


class WorkersBody(serializers.Serializer):
    workers = WorkerBody(many=True, help_text="Also those that were there in the last hour.")


class AttentionView(DeskView):
    tag = "desk overview"

    @extend_schema(summary="What needs attention", responses=AttentionBody)
    def get(self, request: Request, slug: str) -> Response:
        seen = overview_of(self.contest, operates=me(request).is_superuser)
        return Response(
            {
                "concerns": [
                    {
                        "level": LEVELS[it.level],
                        "text": it.text,
                        "page": self.page(it.url),
                        "about": [{"text": text, "page": self.page(url)} for text, url in it.about],
                    }
                    for it in seen["concerns"]
                ],
                "dates": [{"at": it.at, "text": it.text} for it in seen["dates"]],
                "teams": seen["teams"]["competing"],
                "teams_without_seed": seen["teams"]["unseeded"],
                "running": len(seen["load"].running),
                "waiting": seen["waiting"],
                "seconds_left": None if seen["left"] is None else seen["left"].total_seconds(),
            }
        )

    def page(self, url: str) -> str | None:
        """`url` as the overview has it: an address, or a place on the page itself."""
        return (self.address("desk") + url if url.startswith("#") else self.whole(url)) if url else None


class QueueView(DeskView):
    tag = "desk overview"

    @extend_schema(summary="Matches in progress and in the queue", responses=QueueBody, parameters=[LIMIT])
    def get(self, request: Request, slug: str) -> Response:
        load = workload(self.contest, timezone.now())
        return Response(
            {
                "running": self.told(QueueMatch, load.running, many=True),
                "waiting": load.queued.count(),
                "next": self.told(QueueMatch, load.queued[: size_of(request)], many=True),
                "held": load.held,
                "elsewhere": load.elsewhere,
                "failed": self.told(QueueMatch, load.troubled, many=True),
                "workers": load.players,
                "at_once": load.processes,
                "broker_answers": load.broker_answers,
                "usual_seconds": None if load.usual is None else load.usual.total_seconds(),
            }
        )

    @extend_schema(summary="Play matches again now that wait after failures", request=None, responses=QueueBody)
    def post(self, request: Request, slug: str) -> Response:
        stages.play_stopped(self.contest, self.person)
        return self.get(request, slug)


class WorkersView(DeskView):
    tag = "desk overview"

    @extend_schema(summary="The workers, and how they confine bots", responses=WorkersBody)
    def get(self, request: Request, slug: str) -> Response:
        return Response({"workers": self.told(WorkerBody, workers.known(), many=True)})
