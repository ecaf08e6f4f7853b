"""Old build results are deleted, except those that a stage will still play."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from contest.models import Contest
from submissions.models import Artifact, Submission
from tests.tournaments.stagecraft import Hall, give_bot, play_out

pytestmark = pytest.mark.django_db


def built(version, days=20):
    artifact = Artifact.objects.create(key=f"key {version.pk}", data=b"", command="cc", seconds=60)
    Artifact.objects.filter(pk=artifact.pk).update(created_at=timezone.now() - timedelta(days=days))
    Submission.objects.filter(pk=version.pk).update(artifact=artifact)
    return version


def prune():
    """The versions that keep their build results."""
    out = StringIO()
    call_command("prune_artifacts", stdout=out)
    left = set(Submission.objects.filter(artifact__isnull=False).values_list("pk", flat=True))
    return out.getvalue(), left


@pytest.fixture
def hall():
    hall = Hall(teams=4, bots=False)
    hall.pinned = [built(give_bot(team)) for team in hall.teams]
    return hall


def replace_all(hall):
    return [built(give_bot(team, number=2)) for team in hall.teams]


def test_versions_of_nobody_are_dropped(hall):
    playing = replace_all(hall)
    young = built(give_bot(hall.teams[0], number=3, active=False), days=1)
    assert prune() == ("Deleted 4 built programs.\n", {it.pk for it in [*playing, young]})
    version = Submission.objects.get(pk=hall.pinned[0].pk)
    assert (version.state, version.artifact, version.failed_to_build) == ("ready", None, False)


def test_a_stage_keeps_what_it_has_pinned_until_its_contest_has_ended(hall):
    """The compiler may have changed when the next round is played, and then nothing could be built again."""
    stage = hall.stage()
    kept = {it.pk for it in [*hall.pinned, *replace_all(hall)]}
    assert prune()[1] == kept
    play_out(stage)
    assert prune()[1] == kept, "a match may still be void and played again"
    Contest.objects.update(ended_at=timezone.now())
    assert prune()[1] == kept - {it.pk for it in hall.pinned}


def test_a_match_keeps_the_version_it_was_made_with(hall):
    """If versions are not frozen, a waiting match may use one that has been replaced since."""
    hall.stage(freeze_versions=False)
    replace_all(hall)
    second = [it.pk for it in Submission.objects.filter(number=2)]
    assert prune()[1] == {it.pk for it in hall.pinned} | set(second)
