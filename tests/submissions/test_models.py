"""Methods of versions and their query sets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

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


def test_claimable_abandoned_and_unannounced(upload: Uploader) -> None:
    now = timezone.now()
    version = upload(now=now)
    objects = Submission.objects
    assert list(objects.claimable(now)) == list(objects.unannounced(now)) == [version]
    put(version, enqueued_at=now)
    assert not objects.unannounced(now).exists()
    assert objects.unannounced(now + timedelta(minutes=6)).exists()
    put(version, due_at=now + timedelta(seconds=30))
    assert not objects.claimable(now).exists()
    assert list(objects.unannounced(now + timedelta(seconds=30))) == [version], "put back after it was announced"
    put(version, state="checking", lease_until=now)
    assert not objects.abandoned(now).exists()
    assert list(objects.abandoned(now + timedelta(seconds=1))) == [version]
    put(version, state="ready")
    assert not objects.abandoned(now + timedelta(days=1)).exists()
