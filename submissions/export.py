"""Versions of bots as values and files, for people with a role, and for whoever uploaded them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.text import slugify

from contest.export import rows
from contest.models import Contest, Team, User
from contest.personal import Part, nothing
from submissions.models import Submission

COLUMNS = (
    *("team", "team_id", "version", "language", "filename", "size", "sha256", "state", "verdict", "active", "played"),
    *("uploaded_at", "uploaded_by", "toolchain", "build_command", "run_command", "build_seconds", "files"),
)


def folder(team: Team) -> str:
    """The name of a team's folder: "17-night-owls". The id keeps apart names that look alike as slugs."""
    return f"{team.pk}-{slugify(team.name)[:40]}".rstrip("-")


def version_rows(contest: Contest) -> Iterator[list[object]]:
    """All versions of all teams, for a spreadsheet."""
    played = set(_played(contest).values_list("pk", flat=True))
    yield list(COLUMNS)
    found = Submission.objects.filter(team__contest=contest).select_related("team", "uploaded_by").without_source()
    for it in rows(found):
        yield [
            *(it.team.name, it.team_id, it.number, it.language, it.filename, it.size, it.sha256, it.state, it.verdict),
            *(it.is_active, it.pk in played, it.uploaded_at.isoformat(), str(it.uploaded_by or "")),
            *(it.toolchain, it.build_command, it.run_command, it.build_seconds, it.file_count),
        ]


def sources(contest: Contest) -> Iterator[tuple[str, bytes]]:
    """(path, content) of source, strategy and build log, for every version that is active or has played."""
    wanted = Q(is_active=True) | Q(pk__in=_played(contest).values("pk"))
    found = Submission.objects.filter(wanted, team__contest=contest).select_related("team")
    for version in rows(found, 50):
        stem = f"{folder(version.team)}/{version.number}"
        if version.is_folder:
            for path, data in sorted(version.all_files().items()):
                yield f"{stem}/{path}", data
        else:
            yield f"{stem}-{filename_of(version.filename)}", version.source_bytes()
        if version.strategy:
            name = filename_of(version.strategy_filename or "strategy.txt")
            yield f"{stem}-strategy-{name}", version.strategy.encode()
        if version.build_log:
            yield f"{stem}-build.txt", f"{version.build_command}\n\n{version.build_log}".encode()


def _played(contest: Contest) -> QuerySet[Submission]:
    return Submission.objects.filter(team__contest=contest, match_seats__isnull=False).order_by().distinct()


def filename_of(name: str) -> str:
    """A safe file name on every system."""
    return re.sub(r"[^\w.+-]", "_", name).lstrip(".")[:80] or "file"


OWN_COLUMNS = ("number", "language", "filename", "size", "sha256", "uploaded_at", "state", "strategy_filename")


def _uploads(user: User) -> list[dict[str, Any]]:
    found = Submission.objects.filter(uploaded_by=user).order_by("pk")
    return [*found.values("team__contest__slug", "team__name", *OWN_COLUMNS)]


def _sources(user: User) -> Iterator[tuple[str, bytes]]:
    found = Submission.objects.filter(uploaded_by=user).select_related("team__contest")
    for version in rows(found, 20):
        stem = f"uploads/{version.team.contest.slug}/{folder(version.team)}/{version.number}"
        for path, data in sorted(version.all_files().items()):
            yield f"{stem}/{path if version.is_folder else filename_of(path)}", data
        if version.strategy:
            name = filename_of(version.strategy_filename or "strategy.txt")
            yield f"{stem}/strategy-{name}", version.strategy.encode()


PARTS = (Part("uploads", _uploads, nothing, _sources),)
