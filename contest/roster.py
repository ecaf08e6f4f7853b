"""Import a list of teams: read it, check every line, then enter all teams or none. And their joining codes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from contest import spreadsheets
from contest.ledger import hold
from contest.models import Act, Contest, Team, User
from contest.names import folded, one_line
from contest.refusal import Refused
from contest.teams import GONE

MOST = 1000  # teams in one list
ODD = (";", '"')  # in a name, a sign that the line was split in the wrong place
NAME_LENGTH, SCHOOL_LENGTH = 60, 100  # of a Team
COLUMNS = ("name", "school", "seed")  # the order without a header line
NAMED = {"name": "team’s name", "school": "school", "seed": "seed number"}
HEADS = {  # in this order: where a list has both a team and a name, the name is a person's
    "name": ("teamname", "teamsname", "team", "name"),
    "school": ("schoolorcompany", "schoolname", "school", "company", "university", "institution", "organisation"),
    "seed": ("seednumber", "seedno", "seednr", "seed", "seeding"),
}
SEED = re.compile(r"0{0,4}([1-9]\d{0,3})(?:[.,]0*)?", re.ASCII)  # spreadsheets write numbers as 1.0


@dataclass(slots=True)
class Entry:
    """One line of the list, with errors in `problems` and possible errors in `doubts`."""

    line: int
    name: str
    school: str = ""
    seed: int | None = None
    problems: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


class Roster(list[Entry]):
    """What was read of a list, and from which of its columns."""

    used: Sequence[tuple[str, str]] = ()  # the column as the list calls it, and what it was taken for
    left: Sequence[str] = ()

    @property
    def columns(self) -> str:
        """In words, for the organiser to check."""
        used = ", ".join(f"“{title}” as the {NAMED[column]}" for title, column in self.used)
        left = ", ".join(f"“{title}”" for title in self.left)
        return f"Columns used: {used}." + (f" Columns left out: {left}." if left else "")


def read(contest: Contest, text: str) -> Roster:
    """The teams of a list, each with its problems. Raises Refused if the text is not a list.

    A header line may name the columns (`HEADS`). Without one, they are name, school and seed number.
    """
    try:
        rows = spreadsheets.read(text)
    except csv.Error as error:
        raise Refused(f"This text is not a table: {error}.") from None
    width = max((len(cells) for _, cells in rows), default=0)
    titles = [f"column {number}" for number in range(1, width + 1)]
    columns = [*COLUMNS, *[""] * width][:width]
    if rows and (named := headings(rows[0][1])):
        heading = rows.pop(0)[1]
        columns = [*named, *[""] * (width - len(named))]
        titles = [*(one_line(it) or titles[place] for place, it in enumerate(heading)), *titles[len(heading) :]]
    if not rows:
        raise Refused("This list has no teams.")
    if len(rows) > MOST:
        raise Refused(f"The list has {len(rows)} teams. You can import at most {MOST} at once.")
    entries = Roster(_entry(line, dict(zip(columns, cells, strict=False))) for line, cells in rows)
    filled = {place for _, cells in rows for place, cell in enumerate(cells) if cell}
    told = [(titles[place], column) for place, column in enumerate(columns) if column or place in filled]
    entries.used = [(title, column) for title, column in told if column]
    entries.left = [title for title, column in told if not column]
    check(contest, entries)
    return entries


def headings(cells: Sequence[str]) -> list[str]:
    """The columns that these cells name, blank for what they do not know. Empty if they are no header line. Raises
    Refused if they are one without the team's name."""
    if any(map(SEED.fullmatch, cells)):
        return []
    words = ["".join(filter(str.isalnum, folded(cell))).replace("zation", "sation") for cell in cells]
    places = {column: next((words.index(it) for it in heads if it in words), None) for column, heads in HEADS.items()}
    if places["name"] is None:
        if known := [cell for cell, word in zip(cells, words, strict=True) if any(word in it for it in HEADS.values())]:
            raise Refused(
                f"The first line has the heading “{known[0]}”, and none for the team’s name. Call that column Team. "
                "If the line is a team, put a line with the headings above it."
            )
        return []
    return [next((column for column in COLUMNS if places[column] == place), "") for place in range(len(cells))]


def _entry(line: int, cells: dict[str, str]) -> Entry:
    entry = Entry(line, one_line(cells.get("name", "")), one_line(cells.get("school", "")))
    seed = cells.get("seed", "")
    if number := SEED.fullmatch(seed):
        entry.seed = int(number[1])
    elif seed:
        entry.problems.append(f"“{seed[:20]}” is not a seed number. They run from 1 to 9999.")
    if odd := [mark for mark in ODD if mark in entry.name]:
        entry.doubts.append(f"Is {' and '.join(odd)} part of the name, or was this line split in the wrong place?")
    if not entry.name:
        entry.problems.append("A team needs a name.")
    if len(entry.name) > NAME_LENGTH:
        entry.problems.append(f"The name has {len(entry.name)} characters. The limit is {NAME_LENGTH}.")
    if len(entry.school) > SCHOOL_LENGTH:
        entry.problems.append(f"The school has {len(entry.school)} characters. The limit is {SCHOOL_LENGTH}.")
    return entry


def check(contest: Contest, entries: Sequence[Entry]) -> None:
    """Add a problem to each line whose name or seed number is taken by a team or an earlier line."""
    names = {folded(name): "a team of this contest" for name in contest.teams.values_list("name", flat=True)}
    seeds = {seed: f"“{name}”" for seed, name in contest.teams.exclude(seed=None).values_list("seed", "name")}
    for entry in entries:
        here = f"line {entry.line}"
        if entry.name and (holder := names.setdefault(folded(entry.name), here)) != here:
            entry.problems.append(f"“{entry.name}” is already the name of {holder}.")
        if entry.seed and (holder := seeds.setdefault(entry.seed, here)) != here:
            entry.problems.append(f"Seed number {entry.seed} belongs to {holder}.")


@transaction.atomic
def enter(contest: Contest, by: User, entries: Sequence[Entry]) -> list[Team]:
    """Enter all of these teams; people join them by code. Raises Refused if one cannot enter."""
    contest = hold(contest.pk)
    if not any(entry.problems for entry in entries):  # other teams may have entered since the list was read
        check(contest, entries)
    wrong = next((entry for entry in entries if entry.problems), None)
    if wrong:
        raise Refused(f"Line {wrong.line}: {wrong.problems[0]} No team was entered.")
    teams = Team.objects.bulk_create(
        Team(contest=contest, name=entry.name, school=entry.school, seed=entry.seed) for entry in entries
    )
    count = "1 team" if len(teams) == 1 else f"{len(teams)} teams"
    Act.record(contest, by, "import teams", count, teams=[team.pk for team in teams])
    contest.touch()
    return teams


def joining(contest: Contest) -> Iterator[dict[str, Any]]:
    """The joining codes of all teams that are still in the contest."""
    for team in contest.teams.exclude(state__in=GONE).in_seed_order().prefetch_related("memberships"):
        members = len(team.memberships.all())
        yield {"team_id": team.pk, "team": team.name, "school": team.school, "members": members, "code": team.code}
