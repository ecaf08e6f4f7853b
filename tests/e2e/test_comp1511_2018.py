"""Intensity at COMP1511 (docs/contests.md): a Swiss at tables of four, with four house players at the weakest table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from games import get
from tests.e2e.portal import Person, eventually, teams_of
from tests.markup import table_rows

pytestmark = pytest.mark.long("machines")

SOURCE = (get("intensity").folder / "kit" / "random.c").read_bytes()
OWN_NAME = b"Random in C"  # what the kit's bot calls itself
ROUNDS = 3


def penalties(record: dict[str, Any]) -> list[float]:
    """The players' points according to the record's tricks, plus fines."""
    points = [0.0] * len(record["seats"])
    total = [0.0] * len(record["seats"])
    for event in record["events"]:
        if event["event"] == "fault":
            points[event["seat"]] += event["points"]
        elif event["event"] == "trick":
            points[event["winner"]] += event["points"]
        elif event["event"] == "score":
            assert points == event["hand"]
            total = [before + now for before, now in zip(total, points, strict=True)]
            points = [0.0] * len(points)
    return total


def tournament_points(record: dict[str, Any]) -> dict[str, float]:
    """3, 2, 1, 0 points by place, fewest penalty points first; players who tie share the points of their places."""
    points = penalties(record)
    order = sorted(points)
    shared = {value: [3 - place for place, other in enumerate(order) if other == value] for value in points}
    names = teams_of(record)
    return {
        seat["name"]: sum(shared[value]) / len(shared[value])
        for seat, value in zip(record["seats"], points, strict=True)
        if seat["name"] in names
    }


def test_a_swiss_from_registration_to_the_table(
    organiser: Person, stranger: Person, students: Callable[[int], list[Person]]
) -> None:
    slug = organiser.make_contest("intensity:comp1511-2018", "COMP1511 2018", team_size=1, sanitize=None)
    entered = students(6)
    for student in entered:
        team = f"Tutorial of {student.name}"
        student.enter(slug, team)
        student.upload(slug, "random.c", SOURCE.replace(OWN_NAME, team.encode()))  # so that records name the team
    for student in entered:
        eventually(lambda student=student: student.has_bot(slug))
    organiser.set_up(slug, "Tournament", rounds=ROUNDS)
    organiser.act(slug, "Tournament", "publish")
    organiser.act(slug, "Tournament", "start")
    everything = organiser.finished(slug, "Tournament")

    records = everything.records()
    assert len(records) == ROUNDS * 2, "two tables a round"
    total: dict[str, float] = defaultdict(float)
    for record in records:
        for name, points in tournament_points(record).items():
            total[name] += points
    assert len(total) == len(entered)
    lines = everything.standings("Tournament")
    assert {line["team"]: line["values"]["Points"] for line in lines} == pytest.approx(total)
    assert [total[line["team"]] for line in lines] == sorted(total.values(), reverse=True)
    for rank, line in enumerate(lines, 1):
        assert 1 + sum(points > total[line["team"]] for points in total.values()) <= line["rank"] <= rank
    house = [4 - len(teams_of(record)) for record in records]
    assert sorted(house) == [0] * ROUNDS + [2] * ROUNDS, "a full table and one with two of the house, every round"
    stage = organiser.line_of(slug, "Tournament").id
    rows = [" ".join(row) for row in table_rows(stranger.get(f"/c/{slug}/standings/?stage={stage}"))]
    shown = [line["team"] for row in rows for line in lines if line["team"] in row]
    assert shown == [line["team"] for line in lines]
