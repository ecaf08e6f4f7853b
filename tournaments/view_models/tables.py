"""Tables of a stage as shown on its pages: who sits there, the outcome, and links to the matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from contest.formatting import ordinal
from contest.models import Team
from tournaments.formats.plan import Seat, TablePlan
from tournaments.kinds.sheets import Sheet
from tournaments.kinds.statuses import Told
from tournaments.models import Match, MatchSeat
from tournaments.seating.player_numbers import house_names


@dataclass(slots=True)
class Row:
    """A seat at a table, or a player of its matches."""

    name: str
    team: Team | None = None
    seed: int | None = None
    is_house: bool = False
    is_known: bool = True
    score: float | None = None  # without play-offs: game points, or matches won in a series
    points: float | None = None  # tournament points, if the format awards them
    place: int | None = None
    is_best: bool = False  # alone, once the table is decided
    advances: bool = False
    disqualified: bool = False
    fault: str = ""
    told: Told | None = None  # the status of its seat


@dataclass(slots=True)
class Part:
    """One of several matches at a table. `scores`: of the teams in the order of the rows."""

    match: Match
    name: str
    scores: list[float | None]

    @property
    def result(self) -> str:
        return " : ".join("" if score is None else f"{score:,.12g}" for score in self.scores)


@dataclass(slots=True)
class Box:
    """A table with its seats and its matches."""

    plan: TablePlan
    rows: list[Row]
    matches: list[Match]  # the regular ones
    playoffs: list[Match] = field(default_factory=list)
    void: list[Match] = field(default_factory=list)
    withheld: bool = False
    under: str = ""  # the heading above it, which its name need not repeat

    @property
    def name(self) -> str:
        name = self.plan.name.removeprefix(f"{self.under}, ")
        return name[0].upper() + name[1:]

    @property
    def decided(self) -> bool:
        return self.plan.decided

    @property
    def match(self) -> Match | None:
        """The match to which its name links."""
        return self.matches[0] if self.matches else None

    @property
    def is_bye(self) -> bool:
        """Whether a team has no opponent here."""
        return self.plan.is_bye and not self.matches

    @property
    def is_playing(self) -> bool:
        return any(each.status == Match.State.RUNNING for each in (*self.matches, *self.playoffs))

    @property
    def state(self) -> tuple[str, str]:
        """A badge: its style and its word."""
        done = sum(each.status == Match.State.DONE for each in self.matches)
        if self.is_bye:
            return "badge-muted", "bye"
        if self.decided and not self.plan.teams:  # all of them have left
            return "badge-muted", "not played"
        if self.decided:
            return "badge-muted", "played"
        if self.withheld:
            return "badge-info", "not public yet"
        if self.is_playing:
            return "badge-ok", "playing now"
        if self.playoffs:
            return "badge-warn", "play-off due"
        if done and done == len(self.matches):
            return "badge-warn", "undecided"
        if done:
            return "badge-info", f"{done} of {len(self.matches)} played"
        return ("badge-info", "queued") if self.matches else ("badge-muted", "to come")

    @property
    def remarks(self) -> list[Row]:
        """The rows with a status that places and arrows do not show: who left, moved up, or was disqualified."""
        return [row for row in self.rows if row.told and row.told.badge]

    @property
    def label(self) -> str:
        """The whole table in one sentence, for the accessible name of its link."""
        players = ", ".join(f"{row.name}{f' {row.score:g}' if row.score is not None else ''}" for row in self.rows)
        return f"{self.plan.name}, {self.state[1]}: {players}"

    @property
    def parts(self) -> list[Part]:
        """Its regular matches, if there are several."""
        if len(self.matches) < 2:
            return []
        found = []
        for number, match in enumerate(self.matches, 1):
            done = match.status == Match.State.DONE
            sat = {seat.team_id: seat for seat in match.seats.all() if seat.team_id and done}
            scores = [_counted(sat.get(row.team.pk)) for row in self.rows if row.team]
            found.append(Part(match, f"Match {number}", scores))
        return found


def box_of(sheet: Sheet, table: TablePlan) -> Box:
    """Makes no queries: everything is in the sheet."""
    valid = sheet.at(table.key)
    matches = [match for match in valid if match.kind == Match.Kind.REGULAR]
    rows = list(_rows(sheet, table, matches))
    if table.decided and not table.matches and not matches:  # a bye
        rows = [row for row in rows if not row.is_house]
    elif len(table.teams) == 2:  # house players only make the game possible
        rows = [*(row for row in rows if not row.is_house), *_together([row for row in rows if row.is_house])]
    points = dict(zip(table.places, table.points, strict=False))
    for row in rows:
        if row.team:
            row.points = points.get(row.team.pk)
    order = {team: at for at, team in enumerate(table.places)}
    rows.sort(key=lambda row: (row.place is None, row.place or 0, order.get(row.team.pk, 0) if row.team else 0))
    if table.decided and len(rows) > 1 and rows[0].team and rows[0].place:
        rows[0].is_best = rows[1].place is None or rows[0].place < rows[1].place
    playoffs = [match for match in valid if match.kind == Match.Kind.PLAYOFF]
    return Box(table, rows, matches, playoffs, list(sheet.void.get(table.key, ())), table.key in sheet.withheld)


def _rows(sheet: Sheet, table: TablePlan, matches: Sequence[Match]) -> Iterator[Row]:
    played = [match for match in matches if match.status == Match.State.DONE]
    seats = [seat for match in played for seat in match.seats.all()]
    houses = [seat for seat in matches[0].seats.all() if seat.house] if matches else []
    names = iter(house_names(sheet.stage, len(table.seats)))
    for planned in table.seats:
        if planned.team is not None:
            yield _team_row(sheet, table, planned, [seat for seat in seats if seat.team_id == planned.team])
        elif planned.house or planned.feed[0] == "house":
            seat = houses.pop(0) if houses else None
            name = seat.name if seat else f"House: {next(names).replace('_', ' ')}"
            score = _counted(seat) if len(played) == len(matches) == 1 else None
            yield Row(name, is_house=True, score=score, told=sheet.statuses.of_seat(table, planned))
        else:
            yield Row(_awaited(sheet, planned), is_known=False)


def _together(houses: Sequence[Row]) -> Iterator[Row]:
    for name, count in Counter(row.name for row in houses).items():
        yield Row(f"{name} ×{count}" if count > 1 else name, is_house=True)


def _team_row(sheet: Sheet, table: TablePlan, planned: Seat, seats: Sequence[MatchSeat]) -> Row:
    team = planned.team or 0
    played = [seat.counted for seat in seats if seat.score is not None]
    bad = next((seat for seat in seats if seat.disqualified), None)
    row = Row(sheet.teams[team].name if team in sheet.teams else "A team that is gone", sheet.teams.get(team))
    row.seed, row.place = sheet.seeds.get(team), planned.place
    row.told = sheet.statuses.of_seat(table, planned)
    row.score = sum(played) if played else None
    if played and sheet.stage.options.get("best_of", 1) > 1:
        row.score = float(sum(_has_won(seat) for seat in seats))
    row.disqualified, row.fault = bad is not None, bad.fault_kind if bad else ""
    return row


def _has_won(seat: MatchSeat) -> bool:
    """Whether it was better than the other team. The seats of its match must be loaded."""
    others = (other for other in seat.match.seats.all() if other.team_id is not None and other.pk != seat.pk)
    return all((seat.place or 0) < (other.place or 0) for other in others)


def _counted(seat: MatchSeat | None) -> float | None:
    return None if seat is None or seat.score is None else seat.counted


def _awaited(sheet: Sheet, seat: Seat) -> str:
    """Who will take a seat that is still open."""
    feed: Sequence[Any] = seat.feed
    if feed[0] == "seed":
        return f"Seed {feed[1]}"
    _, round, number, place = feed
    name = sheet.plan.rounds[round - 1][number - 1].name
    return f"{ordinal(place).capitalize()} of {name[0].lower()}{name[1:]}"
