"""Hearts in MacTech (docs/contests.md): every four in all 24 seatings, a qualifier within the budget, a final."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from games import get
from tests.e2e.portal import Person, eventually, teams_of
from tests.markup import table_rows

pytestmark = pytest.mark.long("machines")

SOURCE = (get("hearts").folder / "kit" / "random.c").read_bytes()
BUDGET = 24 * 5  # all combinations of five would be 120 games, which is too many with a final


def games(record: dict[str, Any]) -> list[list[dict[str, Any]]]:
    found: list[list[dict[str, Any]]] = []
    for event in record["events"]:
        if event["event"] == "game":
            found.append([])
        found[-1].append(event)
    return found


def scores(record: dict[str, Any]) -> dict[str, float]:
    """By team: the points of all games, plus one for every millisecond of processor time in its routines."""
    total: dict[str, float] = defaultdict(float)
    for events in games(record):
        seating = events[0]["seating"]
        names = [record["seats"][player]["name"] for player in seating]
        spent = [0.0] * 4
        points = [0] * 4
        for event in events:
            if "cpu_ms" in event and event["event"] != "result":
                spent[event["seat"]] += event["cpu_ms"]
            if event["event"] == "score":
                points = event["total"]
            if event["event"] == "result":
                spent = [before + more for before, more in zip(spent, event["cpu_ms"], strict=True)]
        for name, fair, time in zip(names, points, spent, strict=True):
            total[name] += fair + time
    return {name: total[name] for name in teams_of(record)}


def average(records: list[dict[str, Any]]) -> dict[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for record in records:
        for name, score in scores(record).items():
            found[name].append(score / len(games(record)))
    return {name: sum(each) / len(each) for name, each in found.items()}


def test_all_seatings_from_registration_to_the_table(
    organiser: Person, stranger: Person, students: Callable[[int], list[Person]]
) -> None:
    slug = organiser.make_contest("hearts:mactech-1998", "MacTech 1998", **{"option-target": 30})
    entered = students(6)
    for student in entered:
        student.enter(slug, f"Entry of {student.name}")
        student.upload(slug, "random.c", SOURCE)
    for student in entered:
        eventually(lambda student=student: student.has_bot(slug))
    organiser.set_up(slug, "Challenge", budget=BUDGET)
    organiser.act(slug, "Challenge", "publish")
    organiser.act(slug, "Challenge", "start")
    everything = organiser.finished(slug, "Challenge")

    *qualifier, final = everything.records()
    assert sum(len(games(record)) for record in (*qualifier, final)) <= BUDGET
    for record in (*qualifier, final):
        assert sorted(events[0]["seating"] for events in games(record)) == sorted(map(list, permutations(range(4))))
    before, after = average(qualifier), average([final])
    assert len(before) == len(entered)
    assert set(after) == set(sorted(before, key=before.__getitem__)[:4])
    expected = sorted(after, key=after.__getitem__) + [
        name for name in sorted(before, key=before.__getitem__) if name not in after
    ]
    lines = everything.standings("Challenge")
    assert [line["team"] for line in lines] == expected
    deciding = before | after  # the final's figures for those who reached it
    assert {line["team"]: line["average"] for line in lines} == pytest.approx(deciding, abs=1e-6)
    stage = organiser.line_of(slug, "Challenge").id
    rows = [" ".join(row) for row in table_rows(stranger.get(f"/c/{slug}/standings/?stage={stage}"))]
    assert [line["team"] for row in rows for line in lines if line["team"] in row][:6] == expected
