"""Methods of versions and their query sets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.utils import timezone

from submissions.models import Submission
from tests.cast import Cast

Uploader = Callable[..., Submission]


def put(version: Submission, **values: Any) -> Submission:
    Submission.objects.filter(pk=version.pk).update(**values)
    version.refresh_from_db()
    return version


def test_versions_are_visible_to_their_team_and_to_those_with_a_role(cast: Cast, upload: Uploader) -> None:
    ours, theirs = upload(), upload(team=cast.clubs, user=cast.carl)

    def seen(user: Any) -> set[Submission]:
        return set(Submission.objects.visible_to(user))

    assert seen(cast.alice) == seen(cast.bob) == {ours}
    assert seen(cast.carl) == {theirs}
    assert seen(cast.ada) == seen(cast.olga) == seen(cast.judy) == seen(cast.root) == {ours, theirs}
    assert seen(cast.zoe) == seen(AnonymousUser()) == set()


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


def test_a_failed_build_and_a_failed_check_are_told_apart(upload: Uploader) -> None:
    version = put(upload(), state="rejected")
    assert version.failed_to_build
    put(version, built_at=timezone.now())
    assert not version.failed_to_build
    put(version, state="ready", built_at=None)
    assert not version.failed_to_build


def test_a_byte_order_mark_is_no_part_of_the_text(upload: Uploader) -> None:
    version = upload(b"\xef\xbb\xbfx = 1\n")
    assert version.source_text() == "x = 1\n"
    assert version.source_bytes().startswith(b"\xef\xbb\xbf")
