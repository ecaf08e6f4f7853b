"""The desk's page of workers, and what workers leave to others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from contest import workers
from contest.version import RELEASE
from contest.workers import Confinement
from submissions import able
from submissions.languages import LANGUAGES
from submissions.models import Submission
from tests.cast import make_user
from tests.contest.test_views import text_of
from tests.tournaments.stagecraft import Hall
from tests.tournaments.visitors import visitor
from tournaments.models import Match
from tournaments.playing import play, turns
from tournaments.playing import turns as playable

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(broker, monkeypatch):
    monkeypatch.setattr(workers.Worker, "FRESH", timedelta(minutes=10))  # they live as long as the test
    return Hall(teams=4)


def page(hall: Hall) -> str:
    return reverse("desk-workers", args=[hall.contest.slug])


def test_whoever_sees_the_desk_sees_the_workers(hall):
    languages = ("c", "python")
    workers.confines(Confinement("full", "all namespaces", True, (), languages=languages))
    workers.sign_of_life("matches@one", ("matches",))
    workers.confines(None)
    root, zoe = make_user("root", is_superuser=True), make_user("zoe")
    for user, status in ((hall.ada, 200), (zoe, 403), (root, 200)):
        assert visitor(user).get(page(hall)).status_code == status
    text = text_of(visitor(hall.ada).get(page(hall)))
    assert "matches@one matches 1 up since" in text
    assert f"{RELEASE} C, Python full: all namespaces" in text
    link = f'href="{reverse("operators")}">Operators</a> shows'
    assert [link in visitor(user).get(page(hall)).content.decode() for user in (hall.ada, root)] == [False, True]


def test_a_lost_worker_is_shown_for_an_hour_and_one_that_ended_is_not(hall):
    for name in ("matches@lost", "matches@ended", "matches@here"):
        workers.sign_of_life(name, ("matches",))
    workers.Worker.objects.filter(name="matches@lost").update(seen=timezone.now() - timedelta(minutes=20))
    workers.farewell("matches@ended")
    text = text_of(visitor(hall.ada).get(page(hall)))
    assert "matches@lost matches 1 gone last seen 20 minutes ago" in text
    assert "matches@ended" not in text
    assert [worker.name for worker in workers.alive()] == ["matches@here"]
    workers.Worker.objects.filter(name="matches@lost").update(seen=timezone.now() - timedelta(minutes=61))
    assert [worker.name for worker in workers.known()] == ["matches@here"]


def due_here() -> set[int]:
    """The matches that a worker on this machine may take."""
    now = timezone.now()
    return {match.pk for turn in turns.turns(now) for match in turns.due(turn, now, 100)}


class TestWhatIsLeftToOthers:
    @pytest.fixture
    def machines(self, monkeypatch):
        """Call it with the languages of another machine: this one has all but Java."""
        able._seen.clear()
        monkeypatch.setattr(type(LANGUAGES["java"]), "installed", lambda it: it.slug != "java")

        def other(*languages: str) -> None:
            workers.confines(Confinement("full", "", True, (), languages=languages))
            workers.sign_of_life("matches@other", ("matches", "builds"))

        yield other
        workers.confines(None)
        able._seen.clear()

    def test_matches_with_a_language_that_only_another_machine_has(self, hall, machines):
        stage = hall.stage()
        java = stage.matches.first()
        Submission.objects.filter(pk=java.seats.first().submission_id).update(language="java")
        queued = Match.objects.filter(stage=stage)
        assert due_here() == {match.pk for match in queued}, "a process that is no worker leaves nothing to others"
        machines("python", "java")
        assert due_here() == {match.pk for match in queued} - {java.pk}
        assert playable.others_are_needed(java.due_at)
        claimed = set[int]()
        while found := play.claim_next("one"):
            claimed |= {match.pk for match in found}
        assert claimed == {match.pk for match in queued} - {java.pk}
