"""The status of every seat of a stage in words. Pages and downloads take them from here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from contest.models import Contest
from contest.models.ledger import Kind
from contest.zones import official_zone
from tournaments.formats.plan import DEPARTED, Out, Plan, Ranked, Seat, Status, TableKey, TablePlan, TeamId
from tournaments.formats.withdrawals import last_seats
from tournaments.formats.wording import Names, departure, seat_sentence
from tournaments.models import Match, MatchSeat


@dataclass(frozen=True, slots=True)
class Told:
    """The status of a seat with its sentence. `fault`: the seat in the match in which the referee disqualified it."""

    status: Status
    sentence: str
    fault: MatchSeat | None = None

    @property
    def badge(self) -> str:
        """One or two words, for what places and arrows do not show."""
        return BADGES.get(self.status, "")

    @property
    def is_out(self) -> bool:
        """Whether the team left or was put out, whatever its points."""
        return self.status in BADGES and self.status != Status.PROMOTED


BADGES = {
    Status.NO_BOT: "no bot",
    Status.DISQUALIFIED_REFEREE: "disqualified",
    Status.DISQUALIFIED_ORGANISERS: "out",
    Status.WITHDREW: "withdrew",
    Status.PROMOTED: "moved up",
}


class Statuses:
    """The statuses in one stage for one reader, from the plan and the matches that they may see."""

    def __init__(
        self,
        plan: Plan,
        at: Callable[[TableKey], Sequence[Match]],
        teams: Mapping[TeamId, str],
        out: Out,
        contest: Contest,
    ) -> None:
        """`at`: the matches of a table that the reader may see, by number."""
        self.at = at
        self.last = last_seats(plan.rounds, {each.team for each in plan.ranking})
        onward = [after for before, after in pairwise(plan.rounds) if any(table.advancing for table in before)]
        self.names = Names(
            teams=teams,
            tables={table.key: table.name for table in plan.tables()},
            next_table={(each.round, team): each.name for tables in onward for each in tables for team in each.teams},
            left_on=left_on(contest) if out else {},
        )

    def fault(self, table: TablePlan, team: TeamId | None) -> MatchSeat | None:
        """Where the referee disqualified a team at this table."""
        done = (match for match in self.at(table.key) if match.status == Match.State.DONE)
        seats = (seat for match in done for seat in match.seats.all() if seat.disqualified)
        return next((seat for seat in seats if seat.team_id == team), None) if team is not None else None

    def of_seat(self, table: TablePlan, seat: Seat) -> Told:
        fault = self.fault(table, seat.team) if seat.status == Status.DISQUALIFIED_REFEREE else None
        kinds = {fault.team_id: fault.fault_kind} if fault and fault.team_id is not None else {}
        return Told(seat.status, seat_sentence(table, seat, replace(self.names, faults=kinds)), fault)

    def of_team(self, table: TablePlan, team: TeamId) -> Told | None:
        """The status at this table. None: the team has no seat there."""
        seat = next((seat for seat in table.seats if seat.team == team), None)
        return self.of_seat(table, seat) if seat else None

    def of_ranked(self, ranked: Ranked) -> Told:
        """The status of the team's last seat, for the ranking."""
        table = self.last.get(ranked.team)
        if table is None:
            return Told(ranked.status, departure(ranked.status) if ranked.status in DEPARTED else "")
        if ranked.status == Status.DISQUALIFIED_REFEREE:  # some rankings drop it, at whatever table it happened
            table = self._faulty_table(ranked.team) or table
        return self.of_seat(table, table.seat_of(ranked.team))

    def _faulty_table(self, team: TeamId) -> TablePlan | None:
        tables = (table for table in self.last.values() if team in table.teams)
        return next((table for table in tables if self.fault(table, team)), None)


def left_on(contest: Contest) -> dict[TeamId, str]:
    """The day on which each team left, and why it had to: "3 May: …". Departures are announced, so every reader gets
    the same."""
    kinds = (Kind.TEAM_DISQUALIFIED, Kind.TEAM_WITHDRAWN)
    entries = contest.ledger.filter(kind__in=kinds).order_by("number").values_list("team", "at", "kind", "reason")
    zone = official_zone(contest.time_zone)
    found: dict[TeamId, str] = {}
    for team, at, kind, why in entries.exclude(team=None):
        day, told = at.astimezone(zone), why.rstrip(".") if kind == Kind.TEAM_DISQUALIFIED else ""
        found[team] = f"{day.day} {day:%B}{told and ': '}{told}"
    return found


def departures(contest: Contest, ranked: Iterable[Ranked]) -> dict[TeamId, Told]:
    """The statuses of teams in a ranking without tables: only departures."""
    gone = [each for each in ranked if each.status in DEPARTED]
    days = left_on(contest) if gone else {}
    return {each.team: Told(each.status, departure(each.status, days.get(each.team, ""))) for each in gone}
