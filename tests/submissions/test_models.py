"""Methods of versions and their query sets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.utils import timezone

from submissions.models import CheckGame, Submission, pack, revision_of, unpack
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


def test_the_newest_of_each_team_and_counts(cast: Cast, upload: Uploader) -> None:
    upload(b"a\n")
    newest = put(upload(b"b\n"), state="rejected")
    other = upload(team=cast.clubs, user=cast.carl)
    found = Submission.objects.newest_of_each_team()
    assert set(found) == {newest, other}
    counts = {"queued": 1, "building": 0, "checking": 0, "ready": 0, "rejected": 1, "superseded": 0, "cancelled": 0}
    assert found.counts() == counts


def test_a_failed_build_and_a_failed_check_are_told_apart(upload: Uploader) -> None:
    version = put(upload(), state="rejected")
    assert version.failed_to_build
    put(version, built_at=timezone.now())
    assert not version.failed_to_build
    put(version, state="ready", built_at=None)
    assert not version.failed_to_build


def test_the_revision_changes_with_everything_that_pages_show(upload: Uploader) -> None:
    version = upload()
    seen = {revision_of([version])}
    assert revision_of([version]) in seen
    for values in ({"state": "ready"}, {"is_active": True}, {"failures": 1}, {"attempt": 3}):
        put(version, **values)
        seen.add(revision_of([version]))
    seen |= {revision_of([version], 1), revision_of([]), revision_of([version, upload(b"b\n")])}
    assert len(seen) == 8


def test_a_check_game_gives_back_what_was_packed(upload: Uploader) -> None:
    game = CheckGame(
        submission=upload(), number=2, seat=3, passed=True, record=pack('{"é":1}'), stderr=pack('[[3,"x"]]')
    )
    game.save()
    game = CheckGame.objects.get(pk=game.pk)
    assert (game.record_text(), game.record_data(), game.stderr_pieces()) == ('{"é":1}', {"é": 1}, [[3, "x"]])
    assert game.seat_name == "West"
    assert CheckGame(submission=game.submission, record=b"").stderr_pieces() == []
    assert unpack(b"") == ""


def test_a_check_game_knows_what_processor_time_costs(upload: Uploader) -> None:
    game = CheckGame(submission=upload(), cpu_ms=12.5)
    assert game.penalty == 0, "nothing in Tricky Eights"
    contest = game.submission.contest
    contest.game_slug, contest.options = "hearts", {"points_per_ms": 2}
    assert game.penalty == 25
    game.cpu_ms = None
    assert game.penalty == 0


def test_a_byte_order_mark_is_no_part_of_the_text(upload: Uploader) -> None:
    version = upload(b"\xef\xbb\xbfx = 1\n")
    assert version.source_text() == "x = 1\n"
    assert version.source_bytes().startswith(b"\xef\xbb\xbf")
