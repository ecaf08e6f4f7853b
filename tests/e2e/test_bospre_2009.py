"""Even Steven (docs/contests.md): a judged problem, ranked by problems solved and by penalty time."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from games import get
from tests.e2e.portal import Everything, Person, eventually
from tests.markup import table_rows

pytestmark = pytest.mark.long("machines")

PUBLISHED = len(get("even_steven").sample)
EARLIER = timedelta(hours=3)  # how long before the form's time the contest opened
WRONG = 20  # minutes
NEVER = 10**6

BOT = """\
import sys

VALUES = {name: value for value, name in enumerate("2 3 4 5 6 7 8 9 10 J Q K A".split())}


def value(card):
    return VALUES[card[:-1]]


games, hand = 0, []
for line in sys.stdin:
    words = line.split()
    if line.startswith("YOU"):
        continue
    if len(words) > 1:
        games, hand = games + 1, words[1:]
        continue
    card = min([card for card in hand if value(card) >= value(words[0])] or hand, key=value)
    if games > %d:
        card = max(hand, key=value)
    hand.remove(card)
    print(card, flush=True)
"""
RIGHT, LATE = BOT % NEVER, BOT % PUBLISHED
"""Plays the lowest card that covers; the other does so in the published games, but plays the highest in hidden ones."""

VALUES = {name: value for value, name in enumerate(["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"])}


def values(cards: list[str]) -> list[int]:
    return [VALUES[card[:-1]] for card in cards]


def is_right(record: dict[str, Any]) -> bool:
    """Whether every winnable game was won: the sorted hand covers the sorted stock."""
    winnable = won = True
    dealt = ""
    for event in record["events"]:
        if event["event"] == "hand":
            if winnable and not won:
                return False
            (hand,) = event["hands"]
            winnable = all(
                mine >= its for mine, its in zip(sorted(values(hand)), sorted(values(event["stock"])), strict=True)
            )
            won = True
        elif event["event"] == "deal":
            dealt = event["card"]
        elif event["event"] == "play":
            mine, its = values([event["card"], dealt])
            won = won and mine >= its
        elif event["event"] == "fault":
            return False
    return won or not winnable


def runs_of(everything: Everything) -> dict[str, list[tuple[datetime, bool]]]:
    """By team: when each of its versions was sent and whether it was right, from the records and the list of
    versions."""
    sent = {
        (line["team"], line["version"]): datetime.fromisoformat(line["uploaded_at"])
        for line in csv.DictReader(everything.text("versions.csv").splitlines())
    }
    found: dict[str, list[tuple[datetime, bool]]] = {}
    played = [match for match in everything.json("matches") if match["state"] == "done"]
    for match, record in zip(sorted(played, key=lambda each: each["match"]), everything.records(), strict=True):
        (player,) = match["players"]
        at = sent[player["player"], str(player["version"])]
        found.setdefault(player["player"], []).append((at, is_right(record)))
    return {team: sorted(runs) for team, runs in found.items()}


def judged(organiser: Person, slug: str) -> int:
    """The number of runs."""
    return organiser.count_matches(slug, state="done")


def test_a_judged_problem_from_registration_to_the_table(
    organiser: Person, stranger: Person, students: Callable[[int], list[Person]]
) -> None:
    opens = datetime.fromisoformat(
        organiser.form("/c/new/?preset=even_steven:bospre-2009", "opens_at").values["opens_at"][0]
    )
    opened = f"{opens - EARLIER:%Y-%m-%dT%H:%M}"
    slug = organiser.make_contest("even_steven:bospre-2009", "BOSPRE 2009", opens_at=opened)
    first, second, third, idle = students(4)
    for student in (first, second, third, idle):
        student.enter(slug, f"Team of {student.name}")
    organiser.act(slug, "Even Steven", "start")
    for student, source in ((first, RIGHT), (second, LATE), (third, LATE), (second, RIGHT)):
        before = judged(organiser, slug)
        student.upload(slug, "bot.py", source.encode())
        eventually(lambda before=before: judged(organiser, slug) > before)

    everything = organiser.everything(slug)
    opened_at = datetime.fromisoformat(everything.json("contest")["opens_at"])
    table = {}
    for team, runs in runs_of(everything).items():
        wrong = [right for _, right in runs].index(True) if any(right for _, right in runs) else None
        table[team] = None if wrong is None else int((runs[wrong][0] - opened_at).total_seconds()) // 60 + WRONG * wrong
    solved = sorted((team for team in table if table[team] is not None), key=lambda team: table[team] or 0)
    assert solved == [f"Team of {first.name}", f"Team of {second.name}"]
    stage = organiser.line_of(slug, "Even Steven").id
    lines = [
        row for row in table_rows(stranger.get(f"/c/{slug}/bracket/{stage}/")) if len(row) > 3 and row[0].isdigit()
    ]
    shown = {row[1]: row for row in lines}
    assert [row[1] for row in lines[:2]] == solved
    assert [shown[team][3] for team in solved] == [str(table[team]) for team in solved]
    assert [shown[f"Team of {student.name}"][0] for student in (first, second, third)] == ["1", "2", "3"]
    assert f"Team of {idle.name}" not in shown, "who has sent nothing is not judged"
    assert "solved" not in shown[f"Team of {third.name}"][2]
