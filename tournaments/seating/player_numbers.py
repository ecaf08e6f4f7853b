"""The numbers by which bots know each other: small, from 1, fixed for a contest, house players included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contest.models import Contest, Team
from tournaments.models import MatchSeat, Stage


def numbers(stage: Stage, seats: Sequence[MatchSeat], teams: Mapping[int, int] | None = None) -> dict[int, int]:
    """The numbers by index of the seat: house players by their seat in this stage, then teams in order of entry.
    `teams`: from `team_numbers`, if they are known.

    A team that is gone keeps its number, so the others do not change.
    """
    teams = team_numbers(stage.contest) if teams is None else teams
    houses = [seat for seat in seats if seat.team_id is None]
    found = {}
    names = house_names(stage, len(houses))
    for number, name in enumerate(names, 1):
        taken = next((seat for seat in houses if seat.house == name), houses[0])
        houses.remove(taken)
        found[taken.index] = number
    for seat in seats:
        if seat.team_id is not None:
            found[seat.index] = teams[seat.team_id]
    return found


def team_numbers(contest: Contest) -> dict[int, int]:
    """The number of each team: in order of entry, after the house players that may share a table with a team."""
    teams = Team.objects.filter(contest=contest).order_by("pk").values_list("pk", flat=True)
    return {team: number for number, team in enumerate(teams, contest.game.seats[1])}


def count(contest: Contest, teams: Mapping[int, int]) -> int:
    """How many players a bot may meet in the contest: the teams, and house players at a table."""
    return len(teams) + contest.game.seats[1] - 1


def house_names(stage: Stage, count: int) -> list[str]:
    """House players for that many empty seats."""
    names: list[str] = stage.options.get("house") or [stage.contest.game.house[0].name]
    return [names[number % len(names)] for number in range(count)]
