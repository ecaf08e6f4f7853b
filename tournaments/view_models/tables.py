"""Tables of a stage as shown on its pages: who sits there, the outcome, and links to the matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from contest.formatting import ordinal
from contest.models import Team
from tournaments.formats.plan import Seat, TablePlan
from tournaments.kinds.stage_views import StageView
from tournaments.kinds.statuses import Told
from tournaments.models import Match, MatchSeat
from tournaments.seating.player_numbers import house_names


class Taker(StrEnum):
    """Who takes a seat."""

    TEAM = "team"
    HOUSE = "house"
    ABSENT = "absent"  # the house, for a team that has no bot
    OPEN = "open"  # nobody knows yet


@dataclass(slots=True)
class SeatView:
    """A seat at a table, or a player of its matches."""

    name: str
    team: Team | None = None
    seed: int | None = None
    taker: Taker = Taker.TEAM
    score: float | None = None  # without play-offs: game points, or matches won in a series
    points: float | None = None  # tournament points, if the format awards them
    place: int | None = None
    is_best: bool = False  # alone, once the table is decided
    advances: bool = False
    rank: int | None = None  # in the whole stage, where its last table decides one of the first three
    disqualified: bool = False
    fault: str = ""
    told: Told | None = None  # the status of its seat

    @property
    def is_house(self) -> bool:
        return self.taker in (Taker.HOUSE, Taker.ABSENT)

    @property
    def is_known(self) -> bool:
        return self.taker != Taker.OPEN


@dataclass(slots=True)
class MatchScores:
    """One of several matches at a table. `scores`: of the teams in the order of the seats."""

    match: Match
    name: str
    scores: list[float | None]

    @property
    def result(self) -> str:
        return " : ".join("" if score is None else f"{score:,.12g}" for score in self.scores)


@dataclass(slots=True)
class TableView:
    """A table with its seats and its matches."""

    plan: TablePlan
    seats: list[SeatView]
    matches: list[Match] = field(default_factory=list)  # the regular ones
    playoffs: list[Match] = field(default_factory=list)
    void: list[Match] = field(default_factory=list)
    withheld: bool = False
    is_over: bool = False  # its stage is, also where it was abandoned
    under: str = ""  # the heading above it, which its name need not repeat
    is_aside: bool = False  # in a bracket: nobody comes here by winning, as in the match for third place

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
    def every_match(self) -> list[Match]:
        """The void ones too, oldest first."""
        return sorted([*self.matches, *self.playoffs, *self.void], key=lambda match: (match.number, match.pk))

    @property
    def is_playing(self) -> bool:
        return any(each.status == Match.State.RUNNING for each in (*self.matches, *self.playoffs))

    @property
    def on_air(self) -> Match | None:
        """A match that can be followed card by card."""
        return next(
            (each for each in (*self.matches, *self.playoffs) if each.is_played_now and not self.withheld), None
        )

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
        if self.is_over and not done:
            return "badge-muted", "not played"
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
    def remarks(self) -> list[SeatView]:
        """The seats that places and arrows do not explain: who left, who moved up, who was disqualified."""
        return [seat for seat in self.seats if seat.told and seat.told.badge]

    @property
    def label(self) -> str:
        """The whole table in one sentence, for the accessible name of its link."""
        players = ", ".join(f"{it.name}{'' if it.score is None else f' {it.score:g}'}" for it in self.seats)
        return f"{self.plan.name}, {self.state[1]}: {players}"

    @property
    def parts(self) -> list[MatchScores]:
        """Its regular matches, if there are several."""
        if len(self.matches) < 2:
            return []
        found = []
        for number, match in enumerate(self.matches, 1):
            done = match.status == Match.State.DONE
            sat = {seat.team_id: seat for seat in match.seats.all() if seat.team_id and done}
            scores = [_counted(sat.get(seat.team.pk)) for seat in self.seats if seat.team]
            found.append(MatchScores(match, f"Match {number}", scores))
        return found


def table_view(view: StageView, table: TablePlan) -> TableView:
    """No queries: everything is in the view of the stage."""
    valid = view.at(table.key)
    matches = [match for match in valid if match.kind == Match.Kind.REGULAR]
    seats = list(_seats(view, table, matches))
    if table.decided and not table.matches and not matches:  # a bye
        seats = [seat for seat in seats if not seat.is_house]
    elif len(table.teams) == 2:  # house players only make the game possible
        houses = [seat for seat in seats if seat.is_house]
        seats = [*(seat for seat in seats if not seat.is_house), *_together(houses)]
    points = dict(zip(table.places, table.points, strict=False))
    for seat in seats:
        if seat.team:
            seat.points = points.get(seat.team.pk)
    order = {team: at for at, team in enumerate(table.places)}
    seats.sort(key=lambda it: (it.place is None, it.place or 0, order.get(it.team.pk, 0) if it.team else 0))
    if table.decided and len(seats) > 1 and seats[0].team and seats[0].place:
        seats[0].is_best = seats[1].place is None or seats[0].place < seats[1].place
    playoffs = [match for match in valid if match.kind == Match.Kind.PLAYOFF]
    void = list(view.void.get(table.key, ()))
    return TableView(table, seats, matches, playoffs, void, table.key in view.withheld, view.stage.has_ended)


def _seats(view: StageView, table: TablePlan, matches: Sequence[Match]) -> Iterator[SeatView]:
    played = [match for match in matches if match.status == Match.State.DONE]
    sat = [seat for match in played for seat in match.seats.all()]
    houses = [seat for seat in matches[0].seats.all() if seat.house] if matches else []
    names = iter(house_names(view.stage, len(table.seats)))
    for planned in table.seats:
        if planned.team is not None:
            yield _team_seat(view, table, planned, [seat for seat in sat if seat.team_id == planned.team])
        elif planned.house or planned.feed[0] == "house":
            house = houses.pop(0) if houses else None
            name = house.name if house else f"House: {next(names).replace('_', ' ')}"
            score = _counted(house) if len(played) == len(matches) == 1 else None
            yield SeatView(name, taker=Taker.HOUSE, score=score, told=view.statuses.of_seat(table, planned))
        else:
            yield SeatView(_awaited(view, planned), taker=Taker.OPEN)


def _together(houses: Sequence[SeatView]) -> Iterator[SeatView]:
    for name, count in Counter(seat.name for seat in houses).items():
        yield SeatView(f"{name} ×{count}" if count > 1 else name, taker=Taker.HOUSE)


def _team_seat(view: StageView, table: TablePlan, planned: Seat, sat: Sequence[MatchSeat]) -> SeatView:
    team = planned.team or 0
    played = [seat.counted for seat in sat if seat.score is not None]
    bad = next((seat for seat in sat if seat.disqualified), None)
    seat = SeatView(view.teams[team].name if team in view.teams else "A team that is gone", view.teams.get(team))
    seat.seed, seat.place = view.seeds.get(team), planned.place
    seat.told = view.statuses.of_seat(table, planned)
    seat.score = sum(played) if played else None
    if played and view.stage.options.get("best_of", 1) > 1:
        seat.score = float(sum(_has_won(each) for each in sat))
    seat.disqualified, seat.fault = bad is not None, bad.fault_kind if bad else ""
    return seat


def _has_won(seat: MatchSeat) -> bool:
    """Whether it was better than the other team. The seats of its match must be loaded."""
    others = (other for other in seat.match.seats.all() if other.team_id is not None and other.pk != seat.pk)
    return all((seat.place or 0) < (other.place or 0) for other in others)


def _counted(seat: MatchSeat | None) -> float | None:
    return None if seat is None or seat.score is None else seat.counted


def _awaited(view: StageView, seat: Seat) -> str:
    """Who will take a seat that is still open."""
    feed: Sequence[Any] = seat.feed
    if feed[0] == "seed":
        return f"Seed {feed[1]}"
    _, round, number, place = feed
    return awaited_from(view.plan.rounds[round - 1][number - 1].name, place)


def awaited_from(table: str, place: int) -> str:
    """Who will come from that table: `First of semi-final 1`."""
    return f"{ordinal(place).capitalize()} of {table[0].lower()}{table[1:]}"
