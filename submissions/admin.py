"""Versions in the Django admin, read-only, for what the portal's pages do not show."""

from __future__ import annotations

from django.contrib import admin

from contest.admin import ReadOnly
from submissions.models import Artifact, CheckGame, Submission


@admin.register(Submission)
class SubmissionAdmin(ReadOnly):
    list_display = ["team", "number", "language", "state", "is_active", "uploaded_at", "worker", "failures"]
    list_filter = ["state", "language", "is_active", "team__contest"]
    search_fields = ["team__name", "filename", "sha256"]
    list_select_related = ["team"]
    exclude = ["source"]
    ordering = ["-uploaded_at"]


@admin.register(Artifact)
class ArtifactAdmin(ReadOnly):
    list_display = ["key", "toolchain", "command", "seconds", "created_at"]
    exclude = ["data"]


@admin.register(CheckGame)
class CheckGameAdmin(ReadOnly):
    list_display = ["submission", "number", "seat", "passed", "fault_kind", "place", "slowest_ms"]
    list_filter = ["passed", "fault_kind"]
    list_select_related = ["submission__team"]
    exclude = ["record", "stderr"]
