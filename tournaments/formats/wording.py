"""Points and seat statuses in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from contest.formatting import cardinal, ordinal
from tournaments.formats.plan import Seat, Status, TableKey, TablePlan, TeamId


def points_text(points: float) -> str:
    """`1`, `2½`; numbers that are no multiple of a half have at most two decimals."""
    whole, half = divmod(points, 1)
    if half == 0.5:
        return f"{int(whole) or ''}½"
    return f"{points:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Names:
    """The names that sentences about seats use. All are optional."""

    teams: Mapping[TeamId, str] = field(default_factory=dict)
    tables: Mapping[TableKey, str] = field(default_factory=dict)
    next_table: Mapping[tuple[int, TeamId], str] = field(default_factory=dict)  # by round: the team's table in it
    left_on: Mapping[TeamId, str] = field(default_factory=dict)  # the day a team left, and why it had to: "3 May"
    faults: Mapping[TeamId, str] = field(default_factory=dict)  # why the referee disqualified a team at this table

    def team(self, team: TeamId | None) -> str:
        return self.teams.get(team, "a team") if team is not None else "a team"


def seat_sentence(table: TablePlan, seat: Seat, names: Names) -> str:
    """What became of a seat, in one sentence. Every page and download that says it takes it from here."""
    if seat.house:
        return _house(table, seat, names)
    return SENTENCES[seat.status](table, seat, names)


def _came(table: TablePlan, seat: Seat) -> str:
    """ "Came second", "Tied for first"; with the number of places at tables of more than two."""
    if seat.place is None or not table.decided:
        return ""
    placed = [other.place for other in table.seats if other.place is not None]
    if placed.count(seat.place) > 1 and seat.status != Status.ADVANCED:
        return f"Tied for {ordinal(seat.place)}"
    of = f" of {cardinal(len(placed))}" if seat.status == Status.PLACED and 2 < len(placed) <= 4 else ""
    return f"Came {ordinal(seat.place)}{of}"


def _who_advanced(table: TablePlan) -> str:
    count = len(table.advancing)
    if not count:
        return "nobody advanced"
    if count > 1:
        return f"the best {cardinal(count)} teams advanced"
    return "the winner advanced" if len(table.seats) <= 2 else "the best team advanced"  # house players may have won


def _due(table: TablePlan) -> str:
    return "A play-off decides this table." if any(match.playoff for match in table.matches) else "Plays here."


def _placed(table: TablePlan, seat: Seat, names: Names) -> str:
    return f"{_came(table, seat) or 'Has played'}."


def _advanced(table: TablePlan, seat: Seat, names: Names) -> str:
    onward = names.next_table.get((table.round + 1, seat.team or 0))
    return f"{_came(table, seat) or 'Was placed'} and advanced{f' to {_inside(onward)}' if onward else ''}."


def _eliminated(table: TablePlan, seat: Seat, names: Names) -> str:
    return f"{_came(table, seat) or 'Is eliminated'}; {_who_advanced(table)}."


def _by_the_referee(table: TablePlan, seat: Seat, names: Names) -> str:
    fault = names.faults.get(seat.team or 0, "")
    return f"Disqualified by the referee{f': {fault}' if fault else ''}."


def _departed(table: TablePlan, seat: Seat, names: Names) -> str:
    return departure(seat.status, names.left_on.get(seat.team or 0, ""), _came(table, seat))


def departure(status: Status, day: str = "", came: str = "") -> str:
    """How a team left, with the day and its achievement if they are known: "Came first, then withdrew." """
    on = f" on {day}" if day else ""
    if status == Status.WITHDREW:
        return f"{came}, then withdrew{on}." if came else f"Withdrew{on}."
    if status == Status.NO_BOT:
        return "Had no bot at the start; a house player took the seat."
    return (
        f"{came}; the organisers disqualified the team{on}." if came else f"The organisers disqualified the team{on}."
    )


def _promoted(table: TablePlan, seat: Seat, names: Names) -> str:
    return f"{_came(table, seat)}; advanced because {_why_gone(table, seat.instead_of, names)}."


def _why_gone(table: TablePlan, team: TeamId | None, names: Names) -> str:
    """Why a team is not where it would be. It may have advanced since, to a table that was played without it."""
    name = names.team(team)
    status = next((seat.status for seat in table.seats if seat.team == team), None)
    if status == Status.DISQUALIFIED_ORGANISERS:
        return f"the organisers disqualified {name}"
    return f"{name} withdrew" if status == Status.WITHDREW else f"{name} did not"


def _house(table: TablePlan, seat: Seat, names: Names) -> str:
    absent = names.team(seat.instead_of)
    reasons = {
        Status.NO_BOT: f"{absent} had no bot at the start",
        Status.WITHDREW: f"{absent} withdrew",
        Status.DISQUALIFIED_ORGANISERS: f"the organisers disqualified {absent}",
    }
    if seat.instead_of is not None and seat.status in reasons:
        if len(table.teams) < 2 and not table.matches and table.decided:
            return f"{reasons[seat.status][0].upper()}{reasons[seat.status][1:]}; nobody played here."
        return f"{reasons[seat.status][0].upper()}{reasons[seat.status][1:]}; a house player took the seat."
    return "House player; cannot advance." if table.advancing or not table.points else "House player."


def _bye(table: TablePlan, seat: Seat, names: Names) -> str:
    if seat.instead_of is not None:
        status = next((each.status for each in table.seats if each.instead_of == seat.instead_of and each.house), None)
        absent = names.team(seat.instead_of)
        why = f"{absent} withdrew" if status == Status.WITHDREW else f"the organisers disqualified {absent}"
        return f"Won without playing: {why}."
    return "Advanced without an opponent." if seat.team in table.advancing else "Had no opponent."


def _awaited(seat: Seat, names: Names) -> str:
    if len(seat.feed) == 2:
        return f"Seed {seat.feed[1]}."
    if len(seat.feed) == 1:
        return "Not known yet."
    _, round, number, place = seat.feed
    table = names.tables.get((round, number), f"round {round}, table {number}")
    return f"{'Winner' if place == 1 else ordinal(place).capitalize()} of {table[0].lower()}{table[1:]}."


def _inside(name: str) -> str:
    """A table's name within a sentence: "the final", "semi-final 2"."""
    return "the final" if name == "Final" else f"{name[0].lower()}{name[1:]}"


SENTENCES: Mapping[Status, Callable[[TablePlan, Seat, Names], str]] = {
    Status.AWAITED: lambda table, seat, names: _awaited(seat, names),
    Status.DUE: lambda table, seat, names: _due(table),
    Status.PLACED: _placed,
    Status.ADVANCED: _advanced,
    Status.ELIMINATED: _eliminated,
    Status.BYE: _bye,
    Status.HOUSE: _house,
    Status.NO_BOT: _departed,
    Status.DISQUALIFIED_REFEREE: _by_the_referee,
    Status.DISQUALIFIED_ORGANISERS: _departed,
    Status.WITHDREW: _departed,
    Status.PROMOTED: _promoted,
}
