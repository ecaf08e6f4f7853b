"""Readers who open every page and file about the results of a contest, and an oracle that computes them a second way.

The oracle adds up the seats of the matches that count, one by one, in Python. Everything else comes from the portal's
pages and files, as readers get them.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from contest.models import Team
from tests.tournaments.histories import World
from tournaments.models import Match, MatchSeat, Stage

PLACES = ("first", "second", "third", "fourth")
COUNTED = ("matches", "games", "points", "faults", "won", "tied", "lost")


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
        found = self.frozen if self.world.contest.frozen_from and self.frozen is not None else self.counting()
        last = {stage.pk: self.last_round(stage) for stage in self.world.stages}
        return [seats for seats in found if seats[0].match.table.round <= last[seats[0].match.stage_id]]

    def last_round(self, stage: Stage) -> int:
        """Whose results are released. Who plays on tells of the results before."""
        if stage.source is not None and self.last_round(stage.source) < last_of(stage.source):
            return 0
        return stage.released if stage.release == Stage.Release.ROUNDS else 1000


def last_of(stage: Stage) -> int:
    """The last round that was drawn."""
    return max(stage.matches.filter(counts_until=None).values_list("table__round", flat=True), default=0)


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


def sums_of(stages: Iterable[Stage], matches: Seats) -> dict[int, dict[str, float]]:
    """Over all these stages, as exported files name it."""
    found: dict[int, Counter[str]] = {}
    for stage in stages:
        most = stage.options.get("table_size", stage.contest.game.seats[1])
        own = [seats for seats in matches if seats[0].match.stage_id == stage.pk]
        for team, sums in summed(own, twos=most == 2).items():
            found.setdefault(team, Counter()).update(sums.told())
    names = Sums().told()
    return {team: {name: sums[name] for name in names} for team, sums in found.items()}


def counted_in(stage: Stage, matches: Seats, rounds: int | None) -> dict[int, Seats]:
    """By team the matches whose sums stand in the ranking of a stage."""
    whole = [seats for seats in matches if rounds is None or seats[0].match.table.round <= rounds]
    if stage.format != "combinations":
        return _by_team(whole)
    qualified = _by_team(seats for seats in whole if seats[0].match.table.round == 1)
    final = [seats for seats in whole if seats[0].match.table.round == 2]
    return qualified | (_by_team(final) if len(final) == stage.options["matches"] else {})


def _by_team(matches: Iterable[list[MatchSeat]]) -> dict[int, Seats]:
    found: dict[int, Seats] = {}
    for seats in matches:
        for seat in seats:
            if seat.team_id is not None:
                found.setdefault(seat.team_id, []).append(seats)
    return found


def average_of(stage: Stage, matches: Seats, team: int) -> float:
    """Points per game with the penalties, as the mean over the deals: those of a table with the same seed are one."""
    units: dict[object, list[tuple[float, int]]] = {}
    for seats in matches:
        match = seats[0].match
        key = (match.table_id, match.seed) if stage.options.get("duplicate") else match.pk
        units.setdefault(key, []).extend((seat.counted, match.games) for seat in seats if seat.team_id == team)
    means = [sum(points for points, _ in unit) / sum(games for _, games in unit) for unit in units.values()]
    return sum(means) / len(means)


def ranks_in_combinations(stage: Stage, matches: Seats) -> dict[int, str]:
    """The final first, then the averages of the rest; whoever has left or was disqualified has no rank."""
    sign = 1 if stage.contest.game.low_wins else -1
    tables: dict[int, Seats] = {}
    for seats in matches:
        tables.setdefault(seats[0].match.table_id, []).append(seats)
    decided = [found for found in tables.values() if len(found) == stage.options["matches"]]
    played = [seat for found in decided for seats in found for seat in seats if seat.team_id is not None]
    gone = {seat.team_id for seat in played if seat.disqualified}
    gone |= set(Team.objects.filter(contest=stage.contest).exclude(state="approved").values_list("pk", flat=True))
    level: dict[int, tuple[int, float]] = {}
    for team in stage.order:
        own = [seat for seat in played if seat.team_id == team]
        final = [seat for seat in own if seat.match.table.round == 2]
        first = [seat for seat in own if seat.match.table.round == 1]
        if final:
            level[team] = 0, round(sign * sum(seat.counted for seat in final), 9)
        else:
            level[team] = 1, round(sign * sum(seat.counted for seat in first) / len(first), 9) if first else 1e9
    still = {team: level[team] for team in stage.order if team not in gone}
    return {
        team: str(1 + sum(other < still[team] for other in still.values())) if team in still and played else ""
        for team in stage.order
    }


# What readers see -----------------------------------------------------------------------------------------------------


def csv_of(client: Client, page: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(client.get(page)).decode("utf-8-sig"))))


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
        self.here, self.place = f"/c/{world.contest.slug}", f"/contests/{world.contest.slug}"
        self.told = sums_of(world.stages, matches)

    def compare(self) -> None:
        self.standings()
        self.lists_of_matches()
        for team in self.world.teams[:3]:
            self.team(team)
        for seats in self.matches[:: max(1, len(self.matches) // 3)]:
            self.match(seats)
        for stage in self.world.stages:
            self.stage(stage)

    def standings(self) -> None:
        lines = self.client.get(f"{self.here}/standings/?stage=rating").context["lines"]
        assert on_page(lines) == self.told
        file = csv_of(self.client, f"{self.here}/standings.csv")
        assert by_team(file) == self.told
        in_api = self.api("standings?limit=500")["results"]
        assert by_team(in_api) == self.told
        assert ranks(in_api) == ranks(file)
        assert ranks(file) == [(line.team.pk, str(line.rank or "")) for line in lines]

    def api(self, rest: str) -> Any:
        answer = self.client.get(f"/api/v1{self.place}/{rest}")
        assert answer.status_code == 200, answer.content
        return answer.json()

    def stage(self, stage: Stage) -> None:
        """Its ranking. With rounds, only whole rounds count; in a final, only the final."""
        found = [seats for seats in self.matches if seats[0].match.stage_id == stage.pk]
        file = csv_of(self.client, f"{self.here}/standings.csv?stage={stage.pk}")
        in_api = self.api(f"stages/{stage.pk}/standings?limit=500")["results"]
        assert by_team(in_api) == by_team(file)
        assert ranks(in_api) == ranks(file)
        assert [line["status"] for line in in_api] == [line["status"] for line in file]
        if stage.format == "ladder":
            assert by_team(file) == sums_of([stage], found)
            return
        context = self.client.get(f"{self.here}/standings/?stage={stage.pk}").context
        counted = counted_in(stage, found, context["ranking"].rounds)
        told = {team: sums_of([stage], seats)[team] for team, seats in counted.items()}
        lines = context["lines"]
        assert on_page(lines) == told
        assert by_team(file) == told
        assert ranks(file) == [(line.team.pk, str(line.ranked.rank or "")) for line in lines]
        averages = {line.team.pk: line.record.average for line in lines if line.record.matches}
        assert averages == pytest.approx({team: average_of(stage, seats, team) for team, seats in counted.items()})
        assert averages == {int(it["team_id"]): float(it["average"]) for it in file if it["average"]}
        if stage.format == "combinations":
            assert dict(ranks(file)) == ranks_in_combinations(stage, found)
        if stage.format == "single_elimination" and lines:
            self.bracket(stage, found)

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
        lines = self.client.get(f"/api/v1{self.place}/matches?format=ndjson")
        in_api = [json.loads(line) for line in b"".join(lines).splitlines()]
        assert sorted(expected) == sorted(
            (match["match"], *(player[name] for name in ("seat", "team_id", "place", "points", "disqualified")))
            for match in in_api
            if match["state"] == "done" and not match["pending"]
            for player in match["players"]
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
        in_api = self.client.get(f"/api/v1/matches/{seats[0].match_id}").json()["players"]
        assert sorted(expected) == sorted(
            tuple(player[name] for name in ("seat", "team_id", "place", "points", "disqualified")) for player in in_api
        )

    def bracket(self, stage: Stage, found: Seats) -> None:
        """Points at every table, or matches won in a series."""
        context = self.client.get(f"{self.here}/bracket/{stage.pk}/").context
        shown: Counter[tuple[int, int, int]] = Counter()
        in_api: Counter[tuple[int, int, int]] = Counter()
        for round in self.api(f"stages/{stage.pk}/tables")["rounds"]:
            for table in round["tables"]:
                for seat in table["seats"]:
                    if seat["team_id"] and seat["score"] is not None:
                        in_api[round["number"], table["number"], seat["team_id"]] += seat["score"]
        for table in (table for round in context["rounds"] for table in round.tables):
            for seat in table.seats:
                if seat.team and seat.score is not None:
                    shown[table.plan.round, table.plan.number, seat.team.pk] += seat.score
        expected: Counter[tuple[int, int, int]] = Counter()
        for seats in found:
            match, teams = seats[0].match, [seat for seat in seats if seat.team_id is not None]
            for seat in teams if match.kind == Match.Kind.REGULAR else ():
                better = all((seat.place or 0) < (other.place or 0) for other in teams if other != seat)
                series = stage.options["best_of"] > 1
                key = match.table.round, match.table.number, seat.team_id or 0
                expected[key] += better if series else seat.counted
        assert shown == in_api == expected


def compare_files(world: World, client: Client, matches: Seats) -> None:
    """The desk's files, single and in the ZIP, and the pages that their reader sees."""
    data, told = f"/c/{world.contest.slug}/desk/data", sums_of(world.stages, matches)
    content = io.BytesIO(b"".join(client.get(f"{data}/everything.zip")))
    with zipfile.ZipFile(content) as archive:
        files = {name.partition("/")[2]: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
    for name in ("standings.json", "standings.csv", "matches.json", "matches.csv"):
        assert b"".join(client.get(f"{data}/{name}")).decode("utf-8-sig") == files[name]
    standings = json.loads(files["standings.json"])
    assert by_team(standings["contest"]) == told
    in_csv = list(csv.DictReader(io.StringIO(files["standings.csv"])))
    assert by_team(in_csv) == told
    public_csv = csv_of(client, f"/c/{world.contest.slug}/standings.csv")
    assert ranks(standings["contest"]) == ranks(in_csv) == ranks(public_csv)
    for stage, exported in zip(world.stages, standings["stages"], strict=True):
        page = csv_of(client, f"/c/{world.contest.slug}/standings.csv?stage={stage.pk}")
        assert exported["stage"] == stage.pk
        assert by_team(exported["teams"]) == by_team(page)
        assert ranks(exported["teams"]) == ranks(page)
        assert [it["status"] for it in exported["teams"]] == [it["status"] for it in page]
    sums: Counter[tuple[int, int]] = Counter()
    for match in json.loads(files["matches.json"]):
        if match["state"] == "done" and not match["pending"]:
            sums.update((player["team_id"], player["place"]) for player in match["players"] if player["team_id"])
    places = {(team, PLACES.index(name) + 1): it[name] for team, it in told.items() for name in PLACES if it[name]}
    assert sums == places
