"""Stages and matches in Django's admin: everything in the database, read-only."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from contest.admin import ReadOnly
from tournaments.models import (
    Arrears,
    BotLog,
    CasualGame,
    CasualMove,
    CasualSeat,
    Client,
    Delivery,
    Duty,
    EarlierSpan,
    FeedPlace,
    Follow,
    FollowSettings,
    FromHere,
    LadderTold,
    Match,
    MatchSeat,
    NewsItem,
    Note,
    Placement,
    Played,
    PracticeGame,
    PracticeOrder,
    PracticePlayer,
    PracticeRecord,
    PrunedRecord,
    Rating,
    Record,
    Rehearsal,
    Retention,
    Review,
    Stage,
    Table,
    Tally,
    Trial,
    TrialPair,
    Webhook,
)


class SeatInline(admin.TabularInline):
    model = MatchSeat
    extra = 0
    fields = ("index", "team", "submission", "house", "score", "place", "disqualified", "fault_kind", "slowest_ms")
    can_delete = False
    max_num = 0

    def has_change_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return False


@admin.register(Stage)
class StageAdmin(ReadOnly):
    list_display = ["name", "contest", "format", "state", "starts_at", "started_at", "finished_at"]
    list_filter = ["state", "format", "contest"]
    list_select_related = ["contest"]
    search_fields = ["name"]


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ["name", "stage", "round", "number", "decided"]
    list_filter = ["decided", "stage"]
    list_select_related = ["stage"]
    search_fields = ["name"]


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = ["__str__", "contest", "table", "kind", "state", "worker", "attempt", "failures", "finished_at"]
    list_filter = ["state", "kind", "contest"]
    list_select_related = ["contest", "table"]
    search_fields = ["worker", "last_error", "seats__team__name"]
    inlines = [SeatInline]


@admin.register(MatchSeat)
class MatchSeatAdmin(ReadOnly):
    list_display = ["match", "index", "team", "house", "score", "place", "disqualified", "fault_kind"]
    list_filter = ["fault_kind", "disqualified"]
    list_select_related = ["match", "team"]
    search_fields = ["team__name"]


@admin.register(EarlierSpan)
class EarlierSpanAdmin(ReadOnly):
    list_display = ["match", "counts_from", "counts_until"]
    list_select_related = ["match"]


@admin.register(Arrears)
class ArrearsAdmin(ReadOnly):
    list_display = ("contest", "number", "everybody")


@admin.register(Tally)
class TallyAdmin(ReadOnly):
    list_display = ["team", "stage", "matches", "games", "points", "faults"]
    list_filter = ["stage"]
    list_select_related = ["team", "stage"]
    search_fields = ["team__name"]


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ["team", "contest", "mu", "sigma", "matches"]
    list_select_related = ["team", "contest"]
    search_fields = ["team__name"]


@admin.register(Record)
class RecordAdmin(ReadOnly):
    list_display = ["match", "store", "size", "sha256", "made_at"]
    list_select_related = ["match"]
    exclude = ["data"]
    search_fields = ["sha256"]


@admin.register(PrunedRecord)
class PrunedRecordAdmin(ReadOnly):
    list_display = ["match", "why", "at", "left"]
    list_select_related = ["match"]
    search_fields = ["sha256"]


@admin.register(Retention)
class RetentionAdmin(ReadOnly):
    list_display = ["contest", "latest", "days", "applied", "until"]
    list_select_related = ["contest"]


@admin.register(BotLog)
class BotLogAdmin(ReadOnly):
    list_display = ["seat"]
    list_select_related = ["seat__team", "seat__match"]
    exclude = ["data"]


@admin.register(Duty)
class DutyAdmin(ReadOnly):
    list_display = ["name", "worker", "until"]


@admin.register(Client)
class ClientAdmin(ReadOnly):
    """Hides the token, because whoever reads it can play as the team."""

    list_display = ["team", "address", "connected_since", "connected_from", "seen_at", "error"]
    list_filter = ["team__contest"]
    list_select_related = ["team"]
    exclude = ["token"]
    search_fields = ["team__name", "connected_from"]


@admin.register(Review)
class ReviewAdmin(ReadOnly):
    list_display = ["__str__", "stage", "state", "reason", "made_by", "made_at", "decided_by", "decided_at"]
    list_filter = ["state", "contest"]
    list_select_related = ["stage", "made_by", "decided_by"]
    search_fields = ["reason"]


@admin.register(Rehearsal)
class RehearsalAdmin(ReadOnly):
    list_display = ["stage", "state", "asked_at", "started_at", "finished_at", "error"]
    list_filter = ["state"]
    list_select_related = ["stage"]
    search_fields = ["stage__name"]


@admin.register(Webhook)
class WebhookAdmin(ReadOnly):
    list_display = ["host", "contest", "team", "follower", "due_at", "failures", "switched_off_at", "switched_off_why"]
    list_filter = ["contest"]
    list_select_related = ["contest", "team", "follower"]
    search_fields = ["url"]
    exclude = ["secret", "old_secret"]  # with them anybody could forge messages


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    list_display = ["message", "webhook", "kind", "state", "tries", "status", "made_at", "delivered_at"]
    list_filter = ["state"]
    list_select_related = ["webhook"]
    search_fields = ["message", "entry"]


class PracticePlayerInline(admin.TabularInline):
    model = PracticePlayer
    extra = 0
    fields = ("number", "team", "submission", "house")
    can_delete = False
    max_num = 0

    def has_change_permission(self, request: HttpRequest, obj: PracticeOrder | None = None) -> bool:
        return False


@admin.register(PracticeOrder)
class PracticeOrderAdmin(ReadOnly):
    list_display = ["__str__", "contest", "team", "state", "wanted", "made_at", "ended_at", "why"]
    list_filter = ["state", "kind", "contest"]
    list_select_related = ["contest", "team"]
    search_fields = ["team__name"]
    inlines = [PracticePlayerInline]


@admin.register(PracticePlayer)
class PracticePlayerAdmin(ReadOnly):
    list_display = ["order", "number", "team", "house"]
    list_select_related = ["order", "team"]
    search_fields = ["team__name"]


@admin.register(PracticeGame)
class PracticeGameAdmin(ReadOnly):
    list_display = ["__str__", "team", "state", "attempt", "failures", "place", "points", "worker", "last_error"]
    list_filter = ["state"]
    list_select_related = ["team"]
    search_fields = ["team__name", "worker", "last_error"]


@admin.register(PracticeRecord)
class PracticeRecordAdmin(ReadOnly):
    """Hides what bots wrote, which is for their team."""

    list_display = ["game", "sha256", "made_at"]
    list_select_related = ["game"]
    exclude = ["data", "stderr"]
    search_fields = ["sha256"]


@admin.register(Placement)
class PlacementAdmin(ReadOnly):
    list_display = ["order", "submission", "rating", "error", "lost"]
    list_select_related = ["order", "submission__team"]
    search_fields = ["order__team__name"]


@admin.register(Trial)
class TrialAdmin(ReadOnly):
    list_display = ["order", "measure", "decision", "counted", "difference", "ratio"]
    list_filter = ["decision"]
    list_select_related = ["order"]
    search_fields = ["order__team__name"]


@admin.register(TrialPair)
class TrialPairAdmin(ReadOnly):
    list_display = ["trial", "number", "new", "old"]
    list_select_related = ["trial__order"]
    search_fields = ["trial__order__team__name"]


@admin.register(FromHere)
class FromHereAdmin(ReadOnly):
    list_display = ["order", "where", "seat", "plays_out"]
    list_select_related = ["order"]
    search_fields = ["order__team__name"]


@admin.register(CasualGame)
class CasualGameAdmin(ReadOnly):
    """Hides what lets people in, and what would tell the cards of a game in progress."""

    list_display = ["__str__", "game_slug", "state", "made_by", "made_at", "started_at", "ended_at", "last_error"]
    list_filter = ["state", "game_slug"]
    list_select_related = ["made_by"]
    exclude = ["key", "code", "seed", "past", "how", "record", "made_from"]
    search_fields = ["made_by__username", "last_error"]


@admin.register(CasualSeat)
class CasualSeatAdmin(ReadOnly):
    list_display = ["game", "index", "kind", "name", "user", "house", "left_at"]
    list_filter = ["kind"]
    list_select_related = ["game", "user"]
    exclude = ["key"]
    search_fields = ["name", "user__username"]


@admin.register(CasualMove)
class CasualMoveAdmin(ReadOnly):
    """Says who decided when, not what: the game may be in progress."""

    list_display = ["game", "number", "seat", "by", "made_at"]
    list_filter = ["by"]
    list_select_related = ["game"]
    exclude = ["event"]
    search_fields = ["game__id"]


@admin.register(Note)
class NoteAdmin(ReadOnly):
    """Hides the text, which may be for a team alone."""

    list_display = ["__str__", "contest", "author", "audience", "where", "made_at", "pinned_at"]
    list_filter = ["audience", "contest"]
    list_select_related = ["contest", "author"]
    exclude = ["text"]
    search_fields = ["author__username"]


@admin.register(Follow)
class FollowAdmin(ReadOnly):
    list_display = ["user", "contest", "team", "since"]
    list_select_related = ["user", "contest", "team"]
    search_fields = ["user__username"]


@admin.register(FollowSettings)
class FollowSettingsAdmin(ReadOnly):
    """Hides the key of the private feed."""

    list_display = ["user", "digest", "mailed_at"]
    list_filter = ["digest"]
    list_select_related = ["user"]
    exclude = ["key"]
    search_fields = ["user__username"]


@admin.register(NewsItem)
class NewsItemAdmin(ReadOnly):
    list_display = ["title", "contest", "kind", "at"]
    list_filter = ["kind", "contest"]
    list_select_related = ["contest"]
    search_fields = ["title"]


@admin.register(FeedPlace)
class FeedPlaceAdmin(ReadOnly):
    list_display = ["contest", "number", "resume"]
    list_select_related = ["contest"]
    search_fields = ["contest__name"]


@admin.register(Played)
class PlayedAdmin(ReadOnly):
    list_display = ["match", "team", "noted_at", "due_at", "told_at"]
    list_select_related = ["match", "team"]
    search_fields = ["team__name"]


@admin.register(LadderTold)
class LadderToldAdmin(ReadOnly):
    list_display = ["stage", "team", "number", "due_at", "told_at"]
    list_select_related = ["stage", "team"]
    search_fields = ["team__name"]
