"""Ready versions in jails: from the database, or built again if the build result is gone."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from games.engine import MachineryError
from games.programs import Program
from submissions import build
from submissions.models import Artifact, Submission
from submissions.process import process
from tests.cast import Cast
from tests.submissions import bots

Uploader = Callable[..., Submission]
HAND = b"starthand n c2 c3 c4 c5 c6 c7 c8 c9 ct cj d2 d3 d4 d5 d6 d7 d8 d9 dt dj dq dk\ntake n\n"


def ready(version: Submission) -> Submission:
    process(version.pk)
    version = Submission.objects.get(pk=version.pk)
    assert version.is_ready, version.verdict
    return version


def first_answer(program: Program) -> bytes:
    running = program.start()
    try:
        os.write(running.stdin, HAND)
        os.set_blocking(running.stdout, True)
        answer = b""
        while not answer.endswith(b"\n"):
            piece = os.read(running.stdout, 100)
            assert piece, "the bot ended without an answer"
            answer += piece
        return answer
    finally:
        running.stop(0)


def test_a_ready_version_plays_and_can_be_started_again(upload: Uploader) -> None:
    version = ready(upload())
    with build.open_bot(version, build.limits_of(version.contest)) as program:
        assert first_answer(program) == b"d2\n"
        assert first_answer(program) == b"d2\n"


def test_a_worker_that_has_unpacked_a_version_does_not_fetch_it_again(upload: Uploader) -> None:
    version = ready(upload(bots.GOOD_PYTHON + b"# once\n"))
    with build.open_bot(version, build.limits_of(version.contest)):
        pass
    Artifact.objects.update(data=b"this would not be unpacked")
    version = Submission.objects.get(pk=version.pk)
    with build.open_bot(version, build.limits_of(version.contest)) as program:
        assert first_answer(program) == b"d2\n"


def test_what_is_built_again_is_unpacked_again(upload: Uploader) -> None:
    """A key names the inputs of a build, not its output: another row is another program."""
    version = ready(upload(bots.GOOD_PYTHON + b"# twice\n"))
    before = build.artifact_of(version).parcel()
    Artifact.objects.all().delete()
    after = build.artifact_of(Submission.objects.get(pk=version.pk)).parcel()
    assert before.key != after.key
    assert after.key == Artifact.objects.get().parcel().key
    assert before.load() == after.load()


def test_the_memory_of_a_bot_is_the_contests(cast: Cast) -> None:
    cast.contest.memory_mb = 7
    assert build.limits_of(cast.contest).memory_bytes == 7 * 1024 * 1024


def test_what_was_built_and_is_gone_is_built_again_and_kept(upload: Uploader) -> None:
    version = ready(upload(bots.kit("random.c"), "a.c"))
    Artifact.objects.all().delete()
    version = Submission.objects.get(pk=version.pk)
    with build.open_bot(version, build.limits_of(version.contest)) as program:
        assert first_answer(program).strip().decode() in HAND.decode()
    assert Submission.objects.get(pk=version.pk).artifact == Artifact.objects.get()


def test_what_does_not_build_any_more_is_our_failure_not_the_bots(upload: Uploader) -> None:
    version = ready(upload())
    Artifact.objects.all().delete()
    Submission.objects.filter(pk=version.pk).update(source=b"print(\n")
    version = Submission.objects.get(pk=version.pk)
    with pytest.raises(MachineryError, match="does not build on this worker"):
        build.open_bot(version, build.limits_of(version.contest)).__enter__()
    Submission.objects.filter(pk=version.pk).update(language="cobol")
    version = Submission.objects.get(pk=version.pk)
    with pytest.raises(MachineryError, match="no language 'cobol'"):
        build.open_bot(version, build.limits_of(version.contest)).__enter__()


def test_pruning_drops_only_what_neither_plays_nor_is_young(cast: Cast, upload: Uploader) -> None:
    replaced, playing = ready(upload(b"# 1\n" + bots.GOOD_PYTHON)), ready(upload(b"# 2\n" + bots.GOOD_PYTHON))
    young = ready(upload(b"# 3\n" + bots.GOOD_PYTHON, team=cast.clubs, user=cast.carl, activate=False))
    old = timezone.now() - timedelta(days=20)
    Artifact.objects.filter(pk__in=[replaced.artifact_id, playing.artifact_id]).update(created_at=old)
    out = StringIO()
    call_command("prune_artifacts", stdout=out)
    assert out.getvalue() == "Deleted 1 built program.\n"
    assert set(Artifact.objects.values_list("pk", flat=True)) == {playing.artifact_id, young.artifact_id}
    replaced.refresh_from_db()
    assert (replaced.state, replaced.artifact, replaced.failed_to_build) == ("ready", None, False)
