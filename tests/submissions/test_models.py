"""A team has one active version: the database itself keeps it so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError

from submissions.models import Submission

Uploader = Callable[..., Submission]


def put(version: Submission, **values: Any) -> Submission:
    Submission.objects.filter(pk=version.pk).update(**values)
    version.refresh_from_db()
    return version


def test_a_team_has_one_active_version(upload: Uploader) -> None:
    put(upload(b"a\n"), is_active=True)
    second = upload(b"b\n")
    with pytest.raises(IntegrityError, match=r"UNIQUE|one_active_version"):
        put(second, is_active=True)
