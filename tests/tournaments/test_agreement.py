"""Random contests, computed a second way: every reader gets the same numbers everywhere.

The oracle adds up the seats of the matches that count, one by one, in Python. Everything else comes from the portal's
pages and files, as readers get them.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import example, given, settings

from contest.models import Team
from tests.tournaments.histories import ELIMINATIONS, EVERYTHING, OTHERS, RESULTS, History, Way, World, histories
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import public_addresses
from tournaments.models import Match, MatchSeat

pytestmark = pytest.mark.django_db

PLACES = ("first", "second", "third", "fourth")
COUNTED = ("matches", "games", "points", "faults", "won", "tied", "lost")


class Undo(Exception):
    pass


@contextmanager
def world_of(history: History) -> Iterator[World]:
    """The contest before any event. Afterwards it is rolled back."""
    try:
        with transaction.atomic():
            yield World(history)
            raise Undo
    except Undo:
        pass


# The oracle -----------------------------------------------------------------------------------------------------------


@dataclass
class Sums:
    """A team's totals, added up from its seats."""

    matches: int = 0
    games: int = 0
    points: float = 0.0
    faults: int = 0
    won: int = 0
    tied: int = 0  # first, shared
    lost: int = 0
    places: Counter[int] = field(default_factory=Counter)

    def told(self) -> dict[str, float]:
        """Named like the columns of exported files."""
        counted = {name: getattr(self, name) for name in COUNTED}
        return counted | {name: self.places[place] for place, name in enumerate(PLACES, 1)}


Seats = list[list[MatchSeat]]
"""The seats of each match that counts."""


class Oracle:
    """What a reader may know, from the rows alone. In a freeze: what counted when it began."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.frozen: Seats | None = None
        world.when_frozen = self.freeze

    def freeze(self) -> None:
        self.frozen = self.counting()

    def counting(self) -> Seats:
        seats: dict[int, list[MatchSeat]] = {}
        played = MatchSeat.objects.filter(match__contest=self.world.contest).select_related("match__table")
        for seat in played.order_by("match", "index"):
            if seat.match.state == Match.State.DONE and not seat.match.pending:
                seats.setdefault(seat.match_id, []).append(seat)
        return list(seats.values())

    def known(self, *, sees_all: bool) -> Seats:
        if sees_all:
            return self.counting()
        stage = self.world.stage
        found = self.frozen if self.world.contest.frozen_from and self.frozen is not None else self.counting()
        last = stage.released if stage.release == stage.Release.ROUNDS else 1000
        return [seats for seats in found if seats[0].match.table.round <= last]


def summed(matches: Seats, *, twos: bool) -> dict[int, Sums]:
    """`twos`: two teams meet, and house players only make the game possible."""
    found: dict[int, Sums] = {}
    for seats in matches:
        fair = [seat for seat in seats if not seat.disqualified and (seat.team_id is not None or not twos)]
        best = [seat for seat in fair if seat.place == min(one.place or 0 for one in fair)]
        for seat in seats:
            if seat.team_id is None:
                continue
            sums = found.setdefault(seat.team_id, Sums())
            sums.matches += 1
            sums.games += seat.match.games
            sums.points += seat.score or 0.0
            sums.faults += seat.faults
            sums.places[seat.place or 0] += 1
            sums.won += best == [seat]
            sums.tied += len(best) > 1 and seat in best
            sums.lost += seat not in best
    return found


def against(matches: Seats, team: int, other: int) -> tuple[int, int, int, int]:
    """The matches in which both played, and how often the first won, tied and lost. A disqualified team has lost."""
    met = [{seat.team_id: (seat.disqualified, seat.place or 0) for seat in seats} for seats in matches]
    both = [(at[team], at[other]) for at in met if team in at and other in at]
    lost = sum(mine[0] or mine > theirs for mine, theirs in both)
    won = sum(mine < theirs for mine, theirs in both if not mine[0])
    return len(both), won, len(both) - won - lost, lost


# What readers see ----------------------------------------------------------------------------------------------------


def csv_of(client: Client, page: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(client.get(page)).decode())))


def by_team(lines: Iterable[dict[str, Any]]) -> dict[int, dict[str, float]]:
    """The sums in the lines of exported standings. A line without matches is ignored."""
    names = Sums().told()
    found = {int(line["team_id"]): {name: float(line[name] or 0) for name in names} for line in lines}
    return {team: sums for team, sums in found.items() if sums["matches"]}


def of_record(record: Any) -> dict[str, float]:
    """The sums on a page."""
    counted = {name: float(getattr(record, name)) for name in COUNTED}
    return counted | {name: dict(zip(PLACES, record.places, strict=False)).get(name, 0) for name in PLACES}


def on_page(lines: Iterable[Any]) -> dict[int, dict[str, float]]:
    return {line.team.pk: of_record(line.record) for line in lines if line.record.matches}


def ranks(lines: Iterable[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(int(line["team_id"]), str(line["rank"] or "")) for line in lines]


class Reader:
    """A reader who opens every page about the results, and compares."""

    def __init__(self, world: World, client: Client, matches: Seats) -> None:
        self.world, self.client, self.matches = world, client, matches
        self.here = f"/c/{world.contest.slug}"
        self.told = self.sums_of(matches)

    def sums_of(self, matches: Seats) -> dict[int, dict[str, float]]:
        twos = self.world.stage.options.get("table_size", 2) == 2
        return {team: sums.told() for team, sums in summed(matches, twos=twos).items()}

    def compare(self) -> None:
        self.standings()
        self.stage()
        self.lists_of_matches()
        for team in self.world.teams[:3]:
            self.team(team)
        for seats in self.matches[:: max(1, len(self.matches) // 3)]:
            self.match(seats)
        if self.world.stage.format == "single_elimination":
            self.bracket()

    def standings(self) -> None:
        assert on_page(self.client.get(f"{self.here}/standings/?stage=rating").context["lines"]) == self.told
        assert by_team(csv_of(self.client, f"{self.here}/standings.csv")) == self.told

    def stage(self) -> None:
        """Its ranking. With rounds, only whole rounds count."""
        stage = self.world.stage
        file = csv_of(self.client, f"{self.here}/standings.csv?stage={stage.pk}")
        if self.world.ladder:
            assert by_team(file) == self.told
            return
        context = self.client.get(f"{self.here}/standings/?stage={stage.pk}").context
        rounds = context["ranking"].rounds
        counted = [seats for seats in self.matches if rounds is None or seats[0].match.table.round <= rounds]
        told = self.sums_of(counted)
        assert on_page(context["lines"]) == told
        assert by_team(file) == told
        assert ranks(file) == [(line.team.pk, str(line.ranked.rank or "")) for line in context["lines"]]

    def lists_of_matches(self) -> None:
        rows = csv_of(self.client, f"{self.here}/matches.csv")
        done = [row for row in rows if row["state"] == "done" and row["pending"] == "False"]
        expected = [
            (seat.match_id, seat.index, seat.team_id, seat.place, seat.score, seat.disqualified)
            for seats in self.matches
            for seat in seats
        ]
        assert sorted(expected) == sorted(
            (
                *(int(row["match"]), int(row["seat"]), int(row["team_id"]) if row["team_id"] else None),
                *(int(row["place"]), float(row["points"]), row["disqualified"] == "True"),
            )
            for row in done
        )
        page = self.client.get(f"{self.here}/matches/?state=done").context["page"]
        assert page.paginator.count == len(self.matches)

    def team(self, team: Team) -> None:
        totals = self.client.get(f"{self.here}/teams/{team.pk}/").context["totals"]
        assert of_record(totals) == self.told.get(team.pk, Sums().told())
        for other in self.world.teams:
            if other != team:
                balance = self.client.get(f"{self.here}/teams/{team.pk}/{other.pk}/").context["balance"]
                said = balance.matches, balance.won, balance.tied, balance.lost
                assert said == against(self.matches, team.pk, other.pk)

    def match(self, seats: list[MatchSeat]) -> None:
        players = self.client.get(f"/m/{seats[0].match_id}/").context["ranked"]
        expected = [(seat.index, seat.team_id, seat.place, seat.score, seat.disqualified) for seat in seats]
        assert sorted(expected) == sorted(
            (player.index, player.team_id, player.place, player.score, player.disqualified) for player in players
        )

    def bracket(self) -> None:
        """Points at every table, or matches won in a series."""
        context = self.client.get(f"{self.here}/bracket/{self.world.stage.pk}/").context
        shown: Counter[tuple[int, int, int]] = Counter()
        for table in (table for round in context["rounds"] for table in round.tables):
            for seat in table.seats:
                if seat.team and seat.score is not None:
                    shown[table.plan.round, table.plan.number, seat.team.pk] += seat.score
        expected: Counter[tuple[int, int, int]] = Counter()
        for seats in self.matches:
            match, teams = seats[0].match, [seat for seat in seats if seat.team_id is not None]
            for seat in teams if match.kind == Match.Kind.REGULAR else ():
                better = all((seat.place or 0) < (other.place or 0) for other in teams if other != seat)
                series = self.world.stage.options["best_of"] > 1
                key = match.table.round, match.table.number, seat.team_id or 0
                expected[key] += better if series else seat.counted
        assert shown == expected


def compare_files(world: World, client: Client, told: dict[int, dict[str, float]]) -> None:
    """The desk's files, single and in the ZIP."""
    data = f"/c/{world.contest.slug}/desk/data"
    content = io.BytesIO(b"".join(client.get(f"{data}/everything.zip")))
    with zipfile.ZipFile(content) as archive:
        files = {name.partition("/")[2]: archive.read(name).decode() for name in archive.namelist()}
    for name in ("standings.json", "standings.csv", "matches.json", "matches.csv"):
        assert b"".join(client.get(f"{data}/{name}")).decode() == files[name]
    standings = json.loads(files["standings.json"])
    assert by_team(standings["contest"]) == told
    (stage,) = standings["stages"]
    assert by_team(stage["teams"]) == told
    assert by_team(csv.DictReader(io.StringIO(files["standings.csv"]))) == told
    sums: Counter[tuple[int, int]] = Counter()
    for match in json.loads(files["matches.json"]):
        if match["state"] == "done" and not match["pending"]:
            sums.update((player["team_id"], player["place"]) for player in match["players"] if player["team_id"])
    places = {(team, PLACES.index(name) + 1): it[name] for team, it in told.items() for name in PLACES if it[name]}
    assert sums == places


# Properties ----------------------------------------------------------------------------------------------------------


@settings(max_examples=8)
@given(history=histories((*ELIMINATIONS, *OTHERS), EVERYTHING))
def test_all_pages_and_files_tell_the_same(history: History) -> None:
    with world_of(history) as world:
        oracle = Oracle(world)
        world.happen(history.events)
        owner = visitor(world.ada)
        every = oracle.known(sees_all=True)
        reader = Reader(world, owner, every)
        reader.compare()
        compare_files(world, owner, reader.told)
        Reader(world, visitor(), oracle.known(sees_all=False)).compare()


@settings(max_examples=12)
@given(history=histories(ELIMINATIONS, ("play", "play", "play", "void", "leave", "return"), rounds=False))
def test_no_team_that_the_referee_disqualified_stands_above_an_honest_one(history: History) -> None:
    """Teams that left an elimination in the same round."""
    with world_of(history) as world:
        world.happen(history.events)
        left = {team.pk: rounds_left(world, team) for team in world.contest.teams.all()}
        page = f"/c/{world.contest.slug}/standings.csv?stage={world.stage.pk}"
        ranked = dict(ranks(csv_of(visitor(), page)))
        rank = {team: int(ranked[team]) for team in left if ranked.get(team)}
        for guilty, (round, disqualified) in left.items():
            for honest, (other, also) in left.items():
                if round == other and disqualified and not also and {guilty, honest} <= rank.keys():
                    assert rank[guilty] > rank[honest], f"{guilty} stands before {honest}"


def rounds_left(world: World, team: Team) -> tuple[int, bool]:
    """The last round in which a team had a seat, and whether it was disqualified there. Teams in the match for third
    place count as out since the round before. 0: it never had a seat, or has left the contest."""
    seats = MatchSeat.objects.filter(team=team, match__stage=world.stage, match__state="done", match__pending=False)
    there = list(seats.select_related("match__table"))
    if not there or not team.is_competing:
        return 0, False
    last = max(seat.match.table.round for seat in there)
    seated = [seat for seat in there if seat.match.table.round == last]
    third = world.stage.options["third_place"] and any(seat.match.table.name == "Third place" for seat in seated)
    return last - third, any(seat.disqualified for seat in seated)


ROUND_ROBIN = Way("barracuda", "round_robin", {"games": 1}, 5)
PLAYED = (("play", 0), ("review", 0), ("review", 1))


@example(  # a void match and one that becomes void later, with a pause that ends again
    before=History(ROUND_ROBIN, 2, "live", 293, PLAYED),
    after=History(ROUND_ROBIN, 2, "live", 1, (("hold", 0), ("play", 3))),
)
@settings(max_examples=3)
@given(
    before=histories((*ELIMINATIONS, *OTHERS), RESULTS, most=5),
    after=histories(OTHERS, RESULTS, most=5),
)
def test_in_a_freeze_every_page_stays_as_it_was(before: History, after: History) -> None:
    with world_of(before) as world:
        world.happen(before.events)
        world.freeze()
        asked = public_addresses(world)
        shown = seen(asked, None)
        world.happen(after.events)
        assert differing(shown, seen(asked, None)) == []


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [page for page in one if one[page] != other[page]]
