"""Random contests of two judged problems, computed a second way: pages, CSV, JSON and the ZIP tell the same."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from contest.refusal import Refused
from tests.tournaments.agreement import csv_of
from tests.tournaments.courtroom import HIDDEN, Courtroom
from tests.tournaments.visitors import visitor
from tournaments.kinds import following
from tournaments.models import Match, MatchSeat, Stage
from tournaments.organising import releases, stages

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

WRONG = 20  # minutes
ACTIONS = ("send", "send", "judge", "judge", "judge", "void", "leave", "back", "freeze", "lift")
Events = Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Judged:
    """A verdict on a version, sent so many minutes after the opening."""

    problem: int
    team: int
    match: int
    number: int
    minutes: int
    verdict: str


class Court:
    """A contest that goes through a history. What is refused at that point is left out."""

    def __init__(self) -> None:
        self.hall = Courtroom(3)
        self.contest, self.ada = self.hall.contest, self.hall.ada
        wish = stages.Wish("Problem B", "judged_set", {"hidden": HIDDEN, "draw": 1, "draw_seed": 5})
        self.problems = [self.hall.stage, stages.create(self.contest, self.ada, wish)]
        for problem in self.problems:
            stages.start(problem, self.ada)
        self.frozen: list[Judged] | None = None
        self.minutes = 0

    def happen(self, events: Events) -> None:
        for name, number in events:
            try:
                getattr(self, name)(number)
            except Refused:
                continue
        self.contest.refresh_from_db()

    def send(self, number: int) -> None:
        """Some minutes after the one before, so that two teams may be level."""
        team = self.contest.teams.order_by("pk")[number % 3]
        if not team.is_competing:
            return
        self.minutes += number % 3
        self.hall.send(team, self.minutes)
        for problem in self.problems:
            following.reconcile(problem)

    def judge(self, number: int) -> None:
        problem = self.problems[number % 2]
        if Match.objects.filter(stage=problem, state=Match.State.QUEUED).exists():
            self.hall.stage = problem
            self.hall.judge("wrong" if number % 3 == 0 else "right")

    def void(self, number: int) -> None:
        done = list(Match.objects.filter(contest=self.contest, state=Match.State.DONE).order_by("pk"))
        if done:
            stages.void(done[number % len(done)], self.ada, "Why not?")

    def leave(self, number: int) -> None:
        stages.disqualify(self.contest.teams.order_by("pk")[number % 3], self.ada, "Why not?")

    def back(self, number: int) -> None:
        stages.reinstate(self.contest.teams.order_by("pk")[number % 3], self.ada, "Why not?")

    def freeze(self, number: int) -> None:
        releases.freeze(self.contest, self.ada)
        self.contest.refresh_from_db()
        self.frozen = self.judged()

    def lift(self, number: int) -> None:
        releases.lift(self.contest, self.ada)
        self.contest.refresh_from_db()
        self.frozen = None

    # What it should be ------------------------------------------------------------------------------------------------

    def judged(self) -> list[Judged]:
        seats = MatchSeat.objects.filter(match__contest=self.contest, match__state=Match.State.DONE)
        found = []
        for seat in seats.select_related("submission", "match").order_by("submission__number"):
            assert seat.submission is not None
            assert seat.team_id is not None
            sent = (seat.submission.uploaded_at - self.contest.opens_at).total_seconds()
            what = seat.submission.number, int(sent // 60), seat.verdict
            found.append(Judged(seat.match.stage_id, seat.team_id, seat.match_id, *what))
        return found

    def known(self, *, sees_all: bool) -> list[Judged]:
        return self.judged() if sees_all or self.frozen is None else self.frozen


def score(runs: Sequence[Judged]) -> dict[str, Any]:
    """What a team has reached in one problem."""
    right = next((at for at, run in enumerate(runs) if run.verdict == "correct"), None)
    wrong = len(runs) if right is None else right
    minutes = None if right is None else runs[right].minutes
    return {
        "solved_with": None if right is None else runs[right].number,
        "solved_after_minutes": minutes,
        "wrong": wrong,
        "penalty_minutes": None if minutes is None else minutes + WRONG * wrong,
    }


def ranks_of(levels: Mapping[int, tuple[float, ...] | None]) -> dict[int, int | None]:
    """None: it has left."""
    there = [level for level in levels.values() if level is not None]
    return {team: None if own is None else 1 + sum(other < own for other in there) for team, own in levels.items()}


class Told:
    """What the files should tell of a contest with these verdicts."""

    def __init__(self, court: Court, known: Sequence[Judged]) -> None:
        entered = court.contest.teams.filter(submissions__isnull=False)
        teams = {team.pk: team.is_competing for team in entered.distinct()}
        self.problems: dict[int, dict[int, dict[str, Any]]] = {}
        for problem in court.problems:
            scores = {
                team: score([run for run in known if (run.problem, run.team) == (problem.pk, team)]) for team in teams
            }
            levels = {team: self.level([it], there=teams[team]) for team, it in scores.items()}
            ranks = ranks_of(levels)
            self.problems[problem.pk] = {team: {**it, "rank": ranks[team]} for team, it in scores.items()}
        self.all: dict[int, dict[str, Any]] = {}
        own = {team: [self.problems[problem.pk][team] for problem in court.problems] for team in teams}
        ranks = ranks_of({team: self.level(own[team], there=teams[team]) for team in teams})
        for team, scores in own.items():
            self.all[team] = {
                "solved": sum(it["solved_with"] is not None for it in scores),
                "wrong": sum(it["wrong"] for it in scores),
                "penalty_minutes": sum(it["penalty_minutes"] or 0 for it in scores),
                "rank": ranks[team],
            }

    @staticmethod
    def level(scores: Sequence[Mapping[str, Any]], *, there: bool) -> tuple[float, ...] | None:
        """More solved, then less penalty, then the earlier last accepted run."""
        solved = [it for it in scores if it["solved_with"] is not None]
        last = max((it["solved_after_minutes"] for it in solved), default=0)
        return (-len(solved), sum(it["penalty_minutes"] for it in solved), last) if there else None


# What readers are told ------------------------------------------------------------------------------------------------


def by_team(lines: Sequence[Mapping[str, Any]], like: Mapping[int, Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """The same columns as in `like`; in a spreadsheet nothing is an empty cell."""
    columns = next(iter(like.values()), {})

    def value(cell: Any) -> int | None:
        return None if cell in ("", None) else int(cell)

    return {int(line["team_id"]): {name: value(line[name]) for name in columns} for line in lines}


def compare(court: Court, client: Client, known: Sequence[Judged]) -> None:
    """Pages, and the CSV that everybody may load."""
    told, here = Told(court, known), f"/c/{court.contest.slug}"
    for problem, expected in told.problems.items():
        rows = list(client.get(f"{here}/bracket/{problem}/").context["page"])
        assert [row.rank for row in rows] == sorted((row.rank for row in rows), key=lambda rank: rank or 99)
        shown = {
            row.team.pk: {
                "solved_with": row.solved and row.solved.number,
                "solved_after_minutes": row.solved and row.solved.minutes,
                "wrong": row.wrong,
                "penalty_minutes": row.penalty,
                "rank": row.rank,
            }
            for row in rows
        }
        assert shown == expected
        assert by_team(csv_of(client, f"{here}/standings.csv?stage={problem}"), expected) == expected
    assert by_team(csv_of(client, f"{here}/standings.csv"), told.all) == told.all
    matches = [row for row in csv_of(client, f"{here}/matches.csv") if row["state"] == "done"]
    assert sorted((int(row["match"]), row["verdict"]) for row in matches) == sorted(
        (run.match, run.verdict) for run in known
    )


def compare_files(court: Court, client: Client, known: Sequence[Judged]) -> None:
    """The files on the desk and in the ZIP."""
    told, content = Told(court, known), client.get(f"/c/{court.contest.slug}/desk/data/everything.zip")
    with zipfile.ZipFile(io.BytesIO(b"".join(content))) as archive:
        files = {name.partition("/")[2]: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
    standings = json.loads(files["standings.json"])
    assert by_team(standings["contest"], told.all) == told.all
    assert by_team(list(csv.DictReader(io.StringIO(files["standings.csv"]))), told.all) == told.all
    for stage in standings["stages"]:
        assert by_team(stage["teams"], told.problems[stage["stage"]]) == told.problems[stage["stage"]]


class Undo(Exception):
    pass


EVENTS = (("send", 0), ("send", 1), ("judge", 1), ("judge", 1), ("freeze", 0), ("void", 0), ("judge", 3), ("leave", 1))


def test_all_pages_and_files_tell_the_same() -> None:
    agree(EVENTS)


@pytest.mark.long("worlds")
@settings(max_examples=10)
@given(events=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 11)), min_size=3, max_size=12))
def test_also_after_other_events(events: Events) -> None:
    agree(events)


def agree(events: Events) -> None:
    try:
        with transaction.atomic():
            court = Court()
            court.happen(events)
            owner, every = visitor(court.ada), court.known(sees_all=True)
            compare(court, owner, every)
            compare_files(court, owner, every)
            compare(court, visitor(), court.known(sees_all=False))
            raise Undo
    except Undo:
        pass
    assert not Stage.objects.exists()
