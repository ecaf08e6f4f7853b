"""Who sits at a table when teams leave: shared by every format that eliminates nobody."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from tournaments.formats.plan import Out, Results, Seat, TableKey, TablePlan, TeamId

Rounds = list[tuple[TablePlan, ...]]


class Seating:
    """The shared part of computing a plan without elimination."""

    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out) -> None:
        self.order = order
        self.results = results
        self.options = options
        self.out = out
        self.seeds = {team: number for number, team in enumerate(order, start=1)}

    def there(self, key: TableKey, group: Sequence[TeamId]) -> tuple[TeamId, ...]:
        """Return the teams that play at a table: those in its match once that has begun; before, those not out.

        So whatever was played or is in progress stays as it is, and a team that has left starts nothing new.
        """
        played = self.results.get(key, {})
        begun = [played[number].teams for number in sorted(played)]
        begun += [frozenset(self.options.get("playing", {}).get(key, ()))]
        staying = next((teams for teams in begun if teams and teams <= set(group)), set(group) - self.out.keys())
        return tuple(team for team in group if team in staying)

    def seats_of(self, group: Sequence[TeamId], teams: Collection[TeamId], count: int) -> tuple[Seat, ...]:
        """`count` seats: one for each team of the group, a house player's if the team does not play."""
        own = tuple(
            Seat.of_team(("seed", self.seeds[team]), team)
            if team in teams
            else self.left_by(("seed", self.seeds[team]), team)
            for team in group
        )
        return own + (Seat.of_house(),) * (count - len(own))

    def left_by(self, feed: tuple[str, int], team: TeamId) -> Seat:
        """The seat of a team that did not play. If the team has come back since, it finds the house in its seat."""
        return Seat.left_by(feed, team, self.out[team]) if team in self.out else Seat.of_house(feed)


class SeatingByRounds(Seating):
    """The same for formats drawn round by round: a round that has begun stays as it was drawn."""

    def __init__(self, order: Sequence[TeamId], results: Results, options: Mapping[str, Any], out: Out) -> None:
        super().__init__(order, results, options, out)
        self.drawn: dict[int, dict[int, tuple[TeamId, ...]]] = {}  # of rounds that have begun, by round and number
        for (round, number), teams in sorted(options.get("drawn", {}).items()):
            self.drawn.setdefault(round, {})[number] = tuple(teams)

    def kept(self, round: int, drawn: Sequence[TeamId], teams: Sequence[TeamId]) -> Sequence[TeamId]:
        """Return who has a seat at a table: those `drawn` for it, or only those who are there (`teams`).

        For rounds before the last one that has begun, who left is not remembered.
        """
        return teams if round < max(self.drawn, default=0) else drawn


def last_seats(rounds: Sequence[Sequence[TablePlan]], teams: Set[TeamId] | None = None) -> dict[TeamId, TablePlan]:
    """The last table at which each team sits. `teams`: those wanted, so that it need not look further back."""
    found: dict[TeamId, TablePlan] = {}
    for tables in reversed(rounds):
        found = {team: table for table in tables for team in table.teams} | found
        if teams is not None and teams <= found.keys():
            break
    return found


def with_departures(rounds: Sequence[tuple[TablePlan, ...]], out: Out) -> Rounds:
    """The same rounds, with the departure in the last seat of every team that has left. It keeps its place."""
    last = last_seats(rounds, out.keys()) if out else {}
    leavers: dict[TableKey, list[TeamId]] = {}
    for team in out:
        if team in last:
            leavers.setdefault(last[team].key, []).append(team)
    if not leavers:
        return list(rounds)
    return [
        tuple(_departed(table, leavers[table.key], out) if table.key in leavers else table for table in tables)
        for tables in rounds
    ]


def _departed(table: TablePlan, leavers: Collection[TeamId], out: Out) -> TablePlan:
    seats = (
        replace(seat, status=out[seat.team]) if seat.team is not None and seat.team in leavers else seat
        for seat in table.seats
    )
    return replace(table, seats=tuple(seats))
