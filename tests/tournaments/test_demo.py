"""The demo contests: created once, in the normal way, and played to their ends by real workers."""

import pytest
from celery import current_app
from django.core.management import call_command
from django.utils import timezone

from contest.models import Contest, Team, User
from games import record as records
from submissions.models import Submission
from tests.waiting import wait_for
from tournaments import demo
from tournaments.models import Match, Stage

pytestmark = pytest.mark.long("machines")


@pytest.mark.django_db
class TestMaking:
    def test_only_what_is_missing_is_made(self):
        call_command("demo")
        first = Contest.objects.get(slug=demo.DEMOS[0].slug)
        User.objects.filter(memberships__team__contest=first).delete()
        Contest.objects.filter(pk=first.pk).update(slug="another")
        assert [contest.slug for contest in demo.make(User.objects.get(is_superuser=True), timezone.now())] == [
            first.slug
        ]


@pytest.mark.django_db(transaction=True)
def test_it_is_built_and_played_by_itself(celery_worker_process):
    """As with `./run`: the contest exists first, then the workers and the beat start."""
    call_command("demo")
    celery_worker_process(concurrency=2)

    def done() -> bool:
        current_app.send_task("tournaments.tasks.tick", expires=1)
        finished = not Stage.objects.exclude(state=Stage.State.DONE).filter(contest__endless=False).exists()
        return finished and Match.objects.done().filter(contest__endless=True).exists()

    wait_for(done, lambda: list(Submission.objects.values_list("filename", "state", "verdict")), 600, pause=0.5)
    assert set(Submission.objects.values_list("state", flat=True)) == {"ready"}
    for match in Match.objects.done():
        record = records.loads(match.record.text())
        assert records.verify(record) is None
        assert record["result"]["disqualified"] == []
    bracket, challenge = (Stage.objects.get(contest__slug=each.slug) for each in demo.DEMOS[:2])
    assert (len(bracket.versions), len(challenge.versions)) == (15, 4), "the start waited for everybody's check"
    champion = Team.objects.get(pk=bracket.tables.get(name="Final").places[0])
    assert champion.seed <= 10, "no player at random wins it"
    ducker = challenge.tables.get().places[0]
    assert Team.objects.get(pk=ducker).seed == 1, "an evening is enough"
    assert challenge.matches.get().games == 24
