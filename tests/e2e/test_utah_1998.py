"""Tricky Eights in Utah (docs/contests.md): a bracket of tables of four, from registration to the champion.

The default run's one contest on a real portal, which it starts and stops.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from games import get
from tests.e2e.portal import Person, eventually, teams_of
from tests.markup import table_rows

SOURCE = (get("tricky_eights").folder / "kit" / "random.c").read_bytes()
TEAMS = [f"High School {number}" for number in range(1, 7)]


def placed(record: dict[str, Any]) -> list[tuple[int, float, str]]:
    """Place, negated points and name of every team of a match, best first; house players have places too."""
    result = record["result"]
    return sorted(
        (result["places"][player], -result["scores"][player], seat["name"])
        for player, seat in enumerate(record["seats"])
        if seat["name"] in teams_of(record)
    )


def table_of(records: list[dict[str, Any]]) -> list[list[str]]:
    """The final table as groups of level teams: the finalists by the final, the others by their first table.

    Play-offs break ties that decide who advances. They are later matches of some of the same teams.
    """
    tables: list[list[tuple[int, float, str]]] = []
    for record in records:
        names = set(teams_of(record))
        earlier = [table for table in tables if names < {name for *_, name in table}]
        if not earlier:
            tables.append(placed(record))
            continue
        again = {name: place for place, _, name in placed(record)}
        ahead = {name: sum(other < place for other in again.values()) for name, place in again.items()}
        earlier[-1][:] = sorted((place + ahead.get(name, 0), points, name) for place, points, name in earlier[-1])
    *first_round, final = tables
    finalists = [name for *_, name in final]
    left = sorted(entry for table in first_round for entry in table if entry[2] not in finalists)
    level = groupby(left, key=lambda entry: entry[:2])
    return [[name] for name in finalists] + [[name for *_, name in entries] for _, entries in level]


def test_a_bracket_from_registration_to_the_champion(
    organiser: Person, stranger: Person, students: Callable[[int], list[Person]]
) -> None:
    slug = organiser.make_contest("tricky_eights:utah-1998", "Utah 1998", **{"option-target": 60})
    entered = students(len(TEAMS))
    for student, team in zip(entered, TEAMS, strict=True):
        student.enter(slug, team)
        student.upload(slug, "random.c", SOURCE)
    for student in entered:
        eventually(lambda student=student: student.has_bot(slug))
    organiser.act(slug, "Play-off", "publish")
    organiser.act(slug, "Play-off", "start")
    everything = organiser.finished(slug, "Play-off")

    records = everything.records()
    assert len(records) >= 3
    assert {name for record in records for name in teams_of(record)} == set(TEAMS)
    groups = table_of(records)
    lines = everything.standings("Play-off")
    ranks = sorted({line["rank"] for line in lines})
    found = [sorted(line["team"] for line in lines if line["rank"] == rank) for rank in ranks]
    assert found == [sorted(group) for group in groups]

    stage = organiser.line_of(slug, "Play-off").id
    assert "Champion" in stranger.get(f"/c/{slug}/bracket/{stage}/")
    shown = [cell for row in table_rows(stranger.get(f"/c/{slug}/standings/?stage={stage}")) for cell in row]
    said = [team for cell in shown for team in TEAMS if cell.startswith(team)]
    assert said[:2] == [name for group in groups for name in group][:2]
