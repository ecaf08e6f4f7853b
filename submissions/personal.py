"""The versions that a person has uploaded, for their own copy of their data. They stay with the team."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from contest.export import rows
from contest.models import User
from contest.personal import Part, nothing
from submissions.export import filename_of, folder
from submissions.models import Submission

COLUMNS = ("number", "language", "filename", "size", "sha256", "uploaded_at", "state", "strategy_filename")


def _uploads(user: User) -> list[dict[str, Any]]:
    found = Submission.objects.filter(uploaded_by=user).order_by("pk")
    return [*found.values("team__contest__slug", "team__name", *COLUMNS)]


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
