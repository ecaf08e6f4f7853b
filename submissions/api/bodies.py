"""What the API tells of a version, its check and its team's bot."""

from __future__ import annotations

from typing import Any, Protocol

from django.utils import timezone
from rest_framework import serializers

from contest.models import Team
from submissions import advice, check, intake, turns
from submissions.models import CheckGame, Submission
from submissions.version_view import CheckRow, check_rows, timeline


class Addresses(Protocol):
    """Where the same reader finds things about the same team."""

    def api(self, name: str, *args: object) -> str:
        """An address of the API."""

    def page(self, number: int) -> str:
        """The page of a version."""


class VersionLine(serializers.Serializer):
    number = serializers.IntegerField(help_text="1, 2, 3 … within the team.")
    team = serializers.IntegerField()
    team_name = serializers.CharField()
    state = serializers.ChoiceField(Submission.State.choices)
    in_progress = serializers.BooleanField(help_text="Whether the state is still going to change by itself.")
    is_active = serializers.BooleanField(help_text="Whether this is the version that plays.")
    activate_when_ready = serializers.BooleanField()
    verdict = serializers.CharField(allow_blank=True, help_text="Why it was rejected or cancelled, in one sentence.")
    superseded_by = serializers.IntegerField(
        allow_null=True, help_text="The newer version that took its place in the queue. Null: none."
    )
    warnings = serializers.CharField(allow_blank=True, help_text="Warnings of its check in a few words.")
    games_played = serializers.IntegerField(help_text="Games of its check.")
    language = serializers.CharField()
    filename = serializers.CharField(help_text="Of several files, the path of the entry, which starts the program.")
    file_count = serializers.IntegerField()
    size = serializers.IntegerField(help_text="Bytes, of all files.")
    sha256 = serializers.CharField(help_text="Of the source; of several files, over their entry, paths and contents.")
    uploaded_at = serializers.DateTimeField()
    uploaded_by = serializers.CharField(allow_blank=True)
    page = serializers.URLField(help_text="The page for people.")


class AdviceBody(serializers.Serializer):
    """How things stand, and what to do next."""

    tone = serializers.ChoiceField(["ok", "info", "warn", "bad"])
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)


class StepBody(serializers.Serializer):
    title = serializers.CharField()
    state = serializers.ChoiceField(["done", "now", "failed", ""], help_text="Blank: it has not come to that.")
    at = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField(allow_blank=True)


class FindingBody(serializers.Serializer):
    """The result of an extra test."""

    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    bad = serializers.BooleanField()


class CheckGameBody(serializers.Serializer):
    number = serializers.IntegerField()
    seat = serializers.IntegerField(help_text="The bot's, counted from 0.")
    seat_name = serializers.CharField()
    passed = serializers.BooleanField()
    verdict = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="What went wrong, where, and at what cost.")
    fault_kind = serializers.CharField(allow_blank=True)
    fault_place = serializers.CharField(allow_blank=True)
    faults = serializers.IntegerField(help_text="Including those that were forgiven.")
    fine = serializers.IntegerField(help_text="Points that the faults cost.")
    opponents = serializers.ListField(child=serializers.CharField(), help_text="House players, in seat order.")
    seed = serializers.IntegerField(help_text="Of its deals.")
    score = serializers.FloatField(allow_null=True)
    penalty = serializers.FloatField(allow_null=True, help_text="Points for processor time; the place includes them.")
    place = serializers.IntegerField(allow_null=True)
    slowest_ms = serializers.FloatField(
        allow_null=True, help_text="The slowest decision. For a timeout, the limit that was exceeded."
    )
    cpu_ms = serializers.FloatField(allow_null=True, help_text="Processor time, where the game measures it.")
    record = serializers.URLField()
    log = serializers.URLField()
    stderr = serializers.URLField()
    page = serializers.URLField(help_text="The replay, at the fault if there is one.")


class SourceFileBody(serializers.Serializer):
    """A file of a version."""

    path = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes.")
    sha256 = serializers.CharField()


class BuildPlaceBody(serializers.Serializer):
    """Where a queued version stands. Teams take turns."""

    position = serializers.IntegerField(help_text="1 is the next one.")
    waiting = serializers.IntegerField(help_text="Versions in the queue, of all teams and contests.")
    soonest = serializers.FloatField(help_text="Seconds until its build begins, if the builds before it are as usual.")
    latest = serializers.FloatField(help_text="Seconds until its build begins, if the builds before it are slow.")


class VersionBody(VersionLine):
    queue = BuildPlaceBody(allow_null=True, help_text="Null: it is not waiting.")
    files = SourceFileBody(many=True, help_text="In the order of their paths.")
    advice = AdviceBody()
    timeline = StepBody(many=True)
    may_change = serializers.BooleanField(help_text="Whether you can activate or withdraw it now.")
    build_command = serializers.CharField(allow_blank=True)
    run_command = serializers.CharField(allow_blank=True)
    arguments = serializers.CharField(allow_blank=True, help_text="Of a TCP client, where its team gave them.")
    toolchain = serializers.CharField(allow_blank=True)
    build_seconds = serializers.FloatField(allow_null=True)
    build_log = serializers.CharField(allow_blank=True)
    games_planned = serializers.IntegerField(help_text="Games that its check has in all.")
    games = CheckGameBody(many=True)
    check_note = serializers.CharField(allow_blank=True, help_text="What the check left out.")
    check_warning = serializers.CharField(allow_blank=True, help_text="Faults that the check forgave.")
    findings = FindingBody(many=True)
    own_name = serializers.CharField(allow_blank=True, help_text="The bot's name for itself.")
    has_strategy = serializers.BooleanField()


class ReceiptBody(VersionBody):
    notices = serializers.ListField(child=serializers.CharField(), help_text="What you should know about the upload.")


class BotBody(serializers.Serializer):
    """A team's bot as a whole."""

    team = serializers.IntegerField()
    team_name = serializers.CharField()
    active = serializers.IntegerField(allow_null=True, help_text="The number of the version that plays.")
    newest = serializers.IntegerField(allow_null=True, help_text="The number of the newest version.")
    advice = AdviceBody()
    closed = serializers.CharField(allow_blank=True, help_text="Why the team cannot upload now. Blank: it can.")
    next_upload_at = serializers.DateTimeField(allow_null=True, help_text="Null: now, if uploads are not closed.")
    uploads_per_hour = serializers.IntegerField()


class SaidBody(serializers.Serializer):
    """A piece of the bot's standard error, and where in the game it was written."""

    game = serializers.IntegerField(help_text="Within the record.")
    ply = serializers.IntegerField(help_text="The position in the replay.")
    where = serializers.CharField()
    text = serializers.CharField()


SAME = (
    *("number", "state", "in_progress", "is_active", "activate_when_ready", "verdict", "language", "filename", "size"),
    *("sha256", "uploaded_at", "superseded_by"),
)
SAME_IN_FULL = (
    *(
        "build_command",
        "run_command",
        "arguments",
        "toolchain",
        "build_seconds",
        "build_log",
        "check_note",
        "check_warning",
    ),
    "own_name",
)
SAME_OF_A_GAME = (
    *("number", "seat", "seat_name", "passed", "fault_kind", "fault_place", "faults", "fine", "opponents", "seed"),
    *("slowest_ms", "cpu_ms"),
)


def version_line(version: Submission, to: Addresses) -> dict[str, Any]:
    """Needs `with_games_played`."""
    return {
        **{name: getattr(version, name) for name in SAME},
        "team": version.team_id,
        "team_name": version.team.name,
        "file_count": version.file_count,
        "warnings": version.warnings(),
        "games_played": getattr(version, "games_played", 0),
        "uploaded_by": str(version.uploaded_by or ""),
        "page": to.page(version.number),
    }


def version_body(version: Submission, to: Addresses, *, may_change: bool) -> dict[str, Any]:
    games = list(version.check_games.defer("record", "stderr"))
    planned = check.planned(version.contest.game)
    return {
        **version_line(version, to),
        **{name: getattr(version, name) for name in SAME_IN_FULL},
        "queue": build_place_body(version),
        "files": version.listed_files(),
        "advice": advice_body(advice.for_version(version, timezone.now())),
        "timeline": [
            {"title": step.title, "state": step.state, "at": step.moment, "note": step.note}
            for step in timeline(version, len(games), planned)
        ],
        "may_change": may_change,
        "games_planned": planned,
        "games": [
            _check_game_body(row, version.number, to)
            for row in check_rows(games, to.page(version.number), version.contest.game)
        ],
        "findings": [{name: each[name] for name in ("title", "text", "bad")} for each in version.findings],
        "has_strategy": bool(version.strategy),
    }


def build_place_body(version: Submission) -> dict[str, Any] | None:
    place = turns.place_of(version) if version.state == Submission.State.QUEUED else None
    if place is None:
        return None
    seconds = {name: round(getattr(place, name), 1) for name in ("soonest", "latest")}
    return {"position": place.position, "waiting": place.waiting, **seconds}


def _check_game_body(row: CheckRow, number: int, to: Addresses) -> dict[str, Any]:
    game: CheckGame = row.game
    return {
        **{name: getattr(game, name) for name in SAME_OF_A_GAME},
        "verdict": row.verdict,
        "text": row.text,
        "score": game.score if row.has_score else None,
        "penalty": game.penalty if row.has_score else None,
        "place": game.place if row.has_score else None,
        **{name: to.api(f"api-check-{name}", number, game.number) for name in ("record", "log", "stderr")},
        "page": row.href,
    }


def advice_body(given: advice.Advice) -> dict[str, str]:
    return {"tone": given.tone, "title": given.title, "text": given.text}


def bot_body(team: Team, versions: list[Submission]) -> dict[str, Any]:
    """`versions` are all of the team, newest first."""
    now = timezone.now()
    return {
        "team": team.pk,
        "team_name": team.name,
        "active": next((it.number for it in versions if it.is_active), None),
        "newest": versions[0].number if versions else None,
        "advice": advice_body(advice.for_team(team, versions, now)),
        "closed": intake.closed(team, now),
        "next_upload_at": intake.next_upload_at(team, now),
        "uploads_per_hour": team.contest.uploads_per_hour,
    }
