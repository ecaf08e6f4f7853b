"""The Barracuda contest (docs/contests.md): a ladder of connected programs and uploaded bots, then a final."""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from games import get
from tests.e2e.portal import Everything, Person, Portal, eventually, teams_of

pytestmark = pytest.mark.long("machines")

KIT = get("barracuda").folder / "kit"
RANDOM = (KIT / "random_player.py").read_bytes()
QUICK = {f"option-{name}": value for name, value in {"games_to_win": 3, "lead": 2, "target": 3}.items()}
ALWAYS = 7 * 24 * 60  # minutes: the whole ladder is its "final hour"


class Clients:
    """Programs on the teams' own machines, started as the page of the team says."""

    def __init__(self) -> None:
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, port: int, token: str) -> None:
        command = [sys.executable, "-B", "random_player.py", "127.0.0.1", str(port), token]
        self.running.append(subprocess.Popen(command, cwd=KIT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def stop(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


@pytest.fixture
def clients() -> Iterator[Clients]:
    found = Clients()
    yield found
    found.stop()


def page_of(student: Person, slug: str, team: str) -> str:
    """The address of the team's page."""
    links = re.findall(r'href="([^"]*/teams/\d+/)"[^>]*>([^<]*)', student.get(f"/c/{slug}/teams/"))
    return next(address for address, name in links if name.strip() == team)


def token_of(student: Person, slug: str, team: str) -> str:
    """As the team's page shows it."""
    found = re.search(r'data-copy="([^"]+)"', student.get(page_of(student, slug, team)).partition("Token")[2])
    assert found
    return found[1]


def glicko(mine: tuple[float, float], other: tuple[float, float], score: float) -> tuple[float, float]:
    """A rating and its deviation after one result, as in Mark Glickman's paper of 1995."""
    q = math.log(10) / 400
    g = 1 / math.sqrt(1 + 3 * q**2 * other[1] ** 2 / math.pi**2)
    expected = 1 / (1 + 10 ** (-g * (mine[0] - other[0]) / 400))
    d2 = 1 / (q**2 * g**2 * expected * (1 - expected))
    precision = 1 / mine[1] ** 2 + 1 / d2
    return mine[0] + q / precision * g * (score - expected), max(30.0, math.sqrt(1 / precision))


def ratings_of(records: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Elo with deviations over the rounds in the order in which they ended."""
    found: dict[str, tuple[float, float]] = defaultdict(lambda: (1500.0, 350.0))
    for record in records:
        one, other = (seat["name"] for seat in record["seats"])
        mine, theirs = games_won(record)
        score = 0.5 if mine == theirs else float(mine > theirs)
        found[one], found[other] = glicko(found[one], found[other], score), glicko(found[other], found[one], 1 - score)
    return found


def games_won(record: dict[str, Any]) -> tuple[int, int]:
    results = [event for event in record["events"] if event["event"] == "result"]
    mine, theirs = (sum(event["winner"] == player for event in results) for player in (0, 1))
    return mine, theirs


def played_in(everything: Everything, stage: str) -> list[dict[str, Any]]:
    """The records of a stage, in the order in which its matches ended."""
    matches = [
        match for match in everything.json("matches") if match["stage_name"] == stage and match["state"] == "done"
    ]
    return [everything.record(match["match"]) for match in sorted(matches, key=lambda match: match["finished_at"])]


def test_a_ladder_and_its_final_from_registration_to_the_champion(
    portal: Portal, organiser: Person, stranger: Person, students: Callable[[int], list[Person]], clients: Clients
) -> None:
    slug = organiser.make_contest("barracuda:barracuda-2014", "Barracuda 2014", **QUICK)
    entered = students(5)
    teams = ["Ann", "Ben", "Cho", "Dee", "Gone"]
    for student, team in zip(entered, teams, strict=True):
        student.enter(slug, team)
    for student in entered[2:4]:
        student.upload(slug, "random_player.py", RANDOM)
    stage = organiser.stage(slug, "Open play")
    ends = datetime.fromisoformat(stage["ends_at"]) - timedelta(days=1)
    organiser.set_up(slug, "Open play", final_minutes=ALWAYS, pause=0, ends_at=f"{ends:%Y-%m-%dT%H:%M}")
    organiser.act(slug, "Open play", "publish")
    organiser.act(slug, "Final", "publish")
    for number in (0, 1, 4):
        clients.start(portal.bots, token_of(entered[number], slug, teams[number]))
    for student in entered[2:4]:
        eventually(lambda student=student: student.has_bot(slug))
    gone = page_of(entered[4], slug, "Gone").rstrip("/").rpartition("/")[2]

    def played(**wanted: object) -> int:
        return organiser.count_matches(slug, state="done", **wanted)

    eventually(lambda: played(team=gone))  # the ladder has started by itself at its time
    clients.running[-1].kill()  # it does not come back
    before, its = played(), played(team=gone)
    # A jail that it starts has its command line until it runs something else.
    server = eventually(lambda: len(found := portal.children("botserver")) == 1 and found[0])
    os.kill(server, signal.SIGKILL)  # in the middle of a match, as it plays all the time
    eventually(lambda: played() > before + 5)
    eventually(lambda: played(team=gone) > its + 1)  # the first of them may have ended before it went
    page = f"/c/{slug}/desk/stages/{organiser.line_of(slug, 'Open play').id}/shorten/"
    organiser.send(page, "reason", reason="Everybody has met everybody.")
    ladder = organiser.finished(slug, "Open play")
    everything = organiser.finished(slug, "Final")

    records = played_in(everything, "Open play")
    assert len(records) == sum(match["stage_name"] == "Open play" for match in everything.json("matches")), (
        "none is lost"
    )
    absent = [record for record in records if "Gone" in teams_of(record)][-1]
    assert {event["kind"] for event in absent["events"] if event["event"] == "fault"} == {"timeout"}
    assert games_won(absent)[teams_of(absent).index("Gone")] == 0, "who is not there when it is scheduled simply loses"
    lines = {line["team"]: line for line in ladder.standings("Open play")}
    assert {team: lines[team]["matches"] for team in teams} == {
        team: sum(team in teams_of(record) for record in records) for team in teams
    }
    everybody = [*records, *(final := played_in(everything, "Final"))]
    rated = {line["team"]: (line["mu"], line["sigma"]) for line in everything.json("ratings")}
    for team, (rating, deviation) in ratings_of(everybody).items():
        assert rated[team] == pytest.approx((rating, deviation), abs=0.01)
    assert set().union(*map(teams_of, final)) == set(teams) - {"Gone"}, "who is not there does not take part"
    assert len(final) == 3
    assert {frozenset(teams_of(record)) for record in final[:2]} == drawn(organiser.stage(slug, "Final"), everything)
    winners = [record["seats"][games_won(record).index(max(games_won(record)))]["name"] for record in final]
    assert set(teams_of(final[2])) == set(winners[:2])
    assert everything.standings("Final")[0]["team"] == winners[2]
    stage = organiser.line_of(slug, "Final").id
    page = stranger.get(f"/c/{slug}/bracket/{stage}/")
    assert re.search(rf"Champion.*?{winners[2]}", page, re.S)


def drawn(stage: dict[str, Any], everything: Everything) -> set[frozenset[str]]:
    """The semi-finals: first against fourth, second against third, in the order of the draw."""
    names = {team["id"]: team["name"] for team in everything.json("teams")}
    first, second, third, fourth = (names[team] for team in stage["order"])
    return {frozenset((first, fourth)), frozenset((second, third))}
