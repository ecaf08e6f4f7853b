"""Clients that wait (`?wait=`) at the real web server: what wakes them, and that it tells nobody too much."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from contest.models import ApiToken, Contest, User
from submissions.models import Submission
from tests.conftest import environment_of_the_portal
from tests.contest.server import served
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.worlds import play_on

pytestmark = pytest.mark.long("more")

TWOS = {"table_size": 2, "games": 1}
LONG, SHORT = "wait=25", "wait=1"


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    return Hall(8)


@pytest.fixture(scope="module")
def server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[served.Server]:
    """One process for all tests here: the database and the broker stay where they are."""
    environment = environment_of_the_portal()
    log = tmp_path_factory.mktemp("portal") / "log"
    with served.started(log, "-w", "1", environment=environment) as server:
        yield server
        assert "Traceback" not in log.read_text(), log.read_text()


class Reader:
    """Somebody who asks for an address, then waits for something new there."""

    def __init__(self, server: served.Server, address: str, user: User | None = None, *scopes: str) -> None:
        self.client = served.Client(server.port)
        self.address = f"/api/v1/{address}"
        self.headers = {"Authorization": f"Bearer {ApiToken.issue(user, 'test', list(scopes))[1]}"} if user else {}
        self.etag = self.read()[1]["etag"]

    def read(self, wait: str = "wait=0", **headers: str) -> Any:
        self.ask(wait, **headers)
        return self.client.answer()

    def ask(self, wait: str, **headers: str) -> None:
        joint = "&" if "?" in self.address else "?"
        self.client.ask(f"{self.address}{joint}{wait}", **self.headers, **headers)

    def wait(self, wait: str = LONG) -> None:
        self.ask(wait, If_None_Match=self.etag)

    def hears(self) -> Any:
        status, headers, body = self.client.answer()
        if status == 200:
            self.etag = headers["etag"]
        return status, json.loads(body) if body else None


def test_a_version_is_waited_for_until_it_is_ready(hall: Hall, server: served.Server) -> None:
    team = hall.teams[0]
    person = team.people()[0].user
    version = team.submissions.get()
    Submission.objects.update(state="queued", is_active=False)
    readers = [Reader(server, f"contests/{hall.contest.slug}/{rest}", person, "bot") for rest in ("versions/1", "bot")]
    for reader in readers:
        reader.wait()
    for state in ("building", "checking", "ready"):
        Submission.objects.filter(pk=version.pk).update(state=state, attempt=1)
        for reader in readers:
            status, told = reader.hears()
            assert (status, told.get("state", state)) == (200, state)
            reader.wait()
    Submission.objects.filter(pk=version.pk).update(is_active=True)
    assert readers[0].hears()[1]["is_active"] is True
    assert readers[1].hears()[1]["active"] == 1
    readers[0].wait(SHORT)
    assert readers[0].hears() == (304, None)


def test_the_ledger_answers_as_soon_as_there_is_an_entry(hall: Hall, server: served.Server) -> None:
    stage = staged(hall, options=TWOS)
    feed = f"contests/{hall.contest.slug}/ledger?after={Contest.objects.get().last_number}"
    organiser = Reader(server, feed, hall.ada, "desk")
    assert json.loads(organiser.read()[2])["results"] == []
    lines = Reader(server, f"{feed}&format=ndjson", hall.ada, "desk")
    for reader in (organiser, lines):
        reader.ask(LONG)
    play_on(stage, most=1)
    assert [entry["kind"] for entry in organiser.hears()[1]["results"]] == ["match_result"]
    assert lines.hears()[1]["kind"] == "match_result"
