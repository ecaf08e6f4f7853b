"""The desk's page of workers: who may look, who may drain."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from contest.models import Role, User
from contest.server import orders, workers
from contest.server.workers import Confinement
from submissions import able
from submissions.languages import LANGUAGES
from submissions.models import Submission
from tests.cast import make_user
from tests.contest.test_views import as_user, text_of
from tests.tournaments.stagecraft import Hall
from tournaments.models import Match
from tournaments.playing import able as playable
from tournaments.playing import play, turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall(broker, monkeypatch):
    monkeypatch.setattr(workers, "FRESH", 600.0)  # they live as long as the test
    return Hall(teams=4)


@pytest.fixture
def root():
    return make_user("root", is_superuser=True)


def page(hall: Hall) -> str:
    return reverse("desk-workers", args=[hall.contest.slug])


def act(hall: Hall, user: User, do: str, worker: str = "matches@one"):
    return as_user(user).post(page(hall), {"do": do, "worker": worker}, follow=True)


def test_whoever_sees_the_desk_sees_the_workers_and_only_administrators_act(hall, root):
    workers.sign_of_life("matches@one", ("matches",))
    for user, status in ((hall.ada, 200), (make_user("zoe"), 403), (root, 200)):
        assert as_user(user).get(page(hall)).status_code == status
    assert "Drain" not in text_of(as_user(hall.ada).get(page(hall)))
    link = f'href="{reverse("operators")}">Operators</a> shows'
    assert [link in as_user(user).get(page(hall)).content.decode() for user in (hall.ada, root)] == [False, True]
    assert act(hall, hall.ada, "drain").status_code == 403
    judge = make_user("judy")
    Role.objects.create(contest=hall.contest, user=judge, role=Role.Kind.JUDGE)
    assert as_user(judge).get(page(hall)).status_code == 200
    assert act(hall, judge, "drain").status_code == 403
    assert orders.of_all() == {}


@pytest.mark.long("more")
def test_administrators_drain_restart_and_take_it_back(hall, root):
    workers.sign_of_life("matches@one", ("matches",))
    assert "matches@one takes nothing new." in text_of(act(hall, root, "drain"))
    assert orders.of_all() == {"matches@one": "drain"}
    assert "Undrain" in text_of(as_user(root).get(page(hall)))
    assert "matches@one takes tasks again." in text_of(act(hall, root, "undrain"))
    assert orders.of_all() == {}
    assert "restarts as soon as" in text_of(act(hall, root, "restart"))
    assert orders.of_all() == {"matches@one": "restart"}
    assert "This worker is gone." in text_of(act(hall, root, "drain", "matches@two"))


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

        def other(*languages: str, **about: object) -> None:
            workers.confines(Confinement("full", "", True, (), languages=languages))
            workers.is_doing(draining=bool(about.get("draining")), busy=0)
            workers.sign_of_life("matches@other", ("matches", "builds"))
            workers.is_doing(draining=False, busy=0)

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
