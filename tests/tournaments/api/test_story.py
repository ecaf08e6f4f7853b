"""A contest from creation to champion through the API alone, with the real worker, broker and sandbox."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from contest.models import User
from tests.cast import make_user
from tests.programs import patch, post, program
from tests.submissions import bots
from tests.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

CONTESTS = "/api/v1/contests"
NAMES = ("Owls", "Larks", "Finches")


def come(condition: Callable[[], Any]) -> Any:
    """Wait as a polite program does: requests are limited. Only a failure takes so long: a busy machine builds and
    checks three programs before anything is played."""
    return wait_for(condition, seconds=300, pause=0.5)


class Organiser:
    """A program that runs a contest and knows nothing of it but what the API tells."""

    def __init__(self, user: User) -> None:
        self.client = program(user, "desk")
        at = timezone.now()
        sent = {
            "name": "Autumn Cup", "preset": "tricky_eights:open", "options": {"target": 5}, "languages": ["python"],
            "opens_at": (at - timedelta(hours=1)).isoformat(), "entry_deadline": (at + timedelta(hours=1)).isoformat(),
            "upload_deadline": (at + timedelta(hours=2)).isoformat(),
        }  # fmt: skip
        made = self.ok(post(self.client, CONTESTS, sent), 201)
        self.here = f"{CONTESTS}/{made['slug']}"
        for stage in self.read("stages"):  # those of the preset
            self.ok(self.client.delete(f"{self.here}/desk/stages/{stage['id']}"), 204)

    def ok(self, answer: Any, status: int = 200) -> Any:
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    def act(self, address: str, sent: Any = None, status: int = 200) -> Any:
        return self.ok(post(self.client, f"{self.here}/desk/{address}", sent), status)

    def read(self, address: str) -> Any:
        return self.ok(self.client.get(f"{self.here}/{address}"))


def join_and_upload(here: str, name: str, code: str) -> Client:
    """What a member's program does: with the code that the organiser handed out."""
    client = program(make_user(name), "team", "bot")
    assert post(client, f"{here}/teams/join", {"code": code}).status_code == 200
    source = bots.GOOD_PYTHON.decode()
    sent = post(client, f"{here}/versions", {"source": source, "filename": "bot.py"})
    assert sent.status_code == 202, sent.content
    return client


@pytest.mark.long("machines")
def test_a_contest_from_creation_to_champion(transactional_db: None, celery_worker_process: Any) -> None:
    celery_worker_process(concurrency=2, MATCH_LEASE="20")
    desk = Organiser(make_user("ada", is_staff=True))
    desk.ok(patch(desk.client, f"{desk.here}/desk/settings", {"team_size": 2, "visibility": "public"}))
    entered = desk.act("teams/import", {"text": "\n".join(f"{name}, Utah, {n}" for n, name in enumerate(NAMES, 1))})
    people = [join_and_upload(desk.here, line["name"].lower(), line["code"]) for line in entered["lines"]]
    come(lambda: all(client.get(f"{desk.here}/bot").json()["active"] for client in people))

    sent = {"format": "single_elimination", "name": "Cup", "table_size": 2, "games": 1, "house": ["random"]}
    cup = desk.act("stages", sent, 201)["id"]
    desk.act(f"stages/{cup}/rehearsal", status=202)
    come(lambda: desk.read(f"desk/stages/{cup}/rehearsal")["state"] == "done")
    desk.act(f"stages/{cup}/publish")
    assert desk.act(f"stages/{cup}/start?dry_run=true")["draw"]["absent"] == []
    desk.act(f"stages/{cup}/start")
    stage = come(lambda: (it := desk.read(f"desk/stages/{cup}"))["is_over"] and it)
    assert stage["matches"] == {"queued": 0, "running": 0, "done": 2, "void": 0}

    final = desk.read(f"matches?stage={cup}&round=2")["results"][0]["match"]
    foreseen = desk.act(f"matches/{final}/void?dry_run=true")["impact"]["stages"][0]
    assert foreseen["no_longer_decided"]
    desk.act(f"matches/{final}/void", {"reason": "The clock was wrong."})
    come(lambda: desk.read(f"desk/stages/{cup}")["is_over"])
    first = desk.read(f"stages/{cup}/standings")["champion"]
    desk.act(f"teams/{first['team_id']}/disqualify", {"reason": "Two accounts."})
    come(lambda: desk.read(f"desk/stages/{cup}")["is_over"])
    champion = Client().get(f"{desk.here}/standings").json()["champion"]
    assert champion["stage"] == cup
    assert champion["team_id"] != first["team_id"]

    desk.act("announcements", {"title": f"{champion['team']} win the cup"}, 201)
    assert b"".join(desk.client.get(f"{desk.here}/desk/data/everything.zip"))[:2] == b"PK"
    assert desk.act("end", {"reason": "The cup is over."})["phase"] == "ended"
    verbs = {it["verb"] for it in desk.read("desk/audit-log?limit=200")["results"]}
    assert {"import teams", "start stage", "disqualify team", "announce", "export everything", "end contest"} <= verbs
