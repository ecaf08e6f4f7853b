"""What is played at a table: one match, the same deals from every seat, or a series of matches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from tournaments.formats.plan import Result, Seat, Status, TablePlan, TeamId, WantedMatch, combined


@dataclass(frozen=True, slots=True)
class Encounter:
    """The matches due at a table and, once they are played, their outcome as one result."""

    matches: tuple[WantedMatch, ...]
    result: Result | None = None
    last: int = 1  # the highest number they can have; play-offs are numbered from here


def encounter(
    teams: Sequence[TeamId],
    played: Mapping[int, Result],
    options: Mapping[str, Any],
    why: str,
    gone: Collection[TeamId] = (),
    rotation: int | None = None,
) -> Encounter:
    """Return what these teams play. `played` may include matches of other teams, which are ignored.

    `rotation` applies to a single match (WantedMatch). `gone`: teams that may not go on; in a series they lose the
    matches that are not played yet.
    """
    teams = tuple(teams)
    size = options.get("table_size", 2)
    results = {number: result for number, result in played.items() if result.teams == frozenset(teams)}
    if options.get("best_of", 1) > 1:
        return _series(teams, results, options, why, gone)
    if not options.get("duplicate"):
        return Encounter((WantedMatch(1, teams, size, why, rotation=rotation),), results.get(1))
    seats = options["seats"]
    numbers = range(1, seats + 1)
    matches = tuple(
        WantedMatch(number, teams, size, f"{why} (seats {number} of {seats})", rotation=number - 1, deal=1)
        for number in numbers
    )
    done = all(number in results for number in numbers)
    return Encounter(matches, combined([results[number] for number in numbers]) if done else None, seats)


def _series(
    teams: tuple[TeamId, ...],
    results: Mapping[int, Result],
    options: Mapping[str, Any],
    why: str,
    gone: Collection[TeamId],
) -> Encounter:
    """Two teams play match after match with the seats swapped. The result's scores are the matches each has won.

    Matches already played stay, even if an earlier one is played again and they are no longer needed.
    """
    most = options["best_of"]
    numbers = range(1, most + 1)
    there = [number for number in numbers if number in results]
    won = {team: sum(results[number].winner == team for number in there) for team in teams}
    over = max(won.values()) > most // 2 or len(there) == most or bool(there and set(gone) & set(teams))
    wanted = there if over else sorted([*there, next(number for number in numbers if number not in results)])
    matches = tuple(
        WantedMatch(number, teams, 2, f"{why} (match {number}, best of {most})", rotation=number - 1)
        for number in wanted
    )
    if not over:
        return Encounter(matches, None, most)
    places = tuple(1 + sum(other > won[team] for other in won.values()) for team in teams)
    return Encounter(matches, Result(teams, places, tuple(map(float, won.values()))), most)


def seated(
    seats: Sequence[Seat],
    result: Result,
    places: Mapping[TeamId, int],
    status: Callable[[TeamId], Status],
    instead_of: Mapping[TeamId, TeamId] = MappingProxyType({}),
    counts_house: bool = True,
) -> tuple[Seat, ...]:
    """The seats of a table with the outcome of the result. `counts_house`: house players have places too."""
    players = zip(result.players, result.places, result.scores, strict=True)
    houses = iter([(place, score) for player, place, score in players if player is None] if counts_house else [])
    found = []
    for seat in seats:
        if seat.team is not None:
            found.append(
                replace(
                    seat,
                    status=status(seat.team),
                    place=places[seat.team],
                    score=result.score(seat.team),
                    instead_of=instead_of.get(seat.team),
                )
            )
        else:
            place, score = next(houses, (None, None))
            found.append(replace(seat, place=place, score=score))
    return tuple(found)


def team_places(result: Result, counts_house: bool) -> dict[TeamId, int]:
    """The place of each team; a team that the referee disqualified is last. Without the house: among the teams."""
    fit = result.teams - result.disqualified
    last = len(result.players) if counts_house else len(result.teams)
    return {
        team: last
        if team in result.disqualified
        else result.place(team)
        if counts_house
        else 1 + sum(result.place(other) < result.place(team) for other in fit)
        for team in result.teams
    }


def decided(table: TablePlan, encounter: Encounter, points: Mapping[TeamId, float], counts_house: bool) -> TablePlan:
    """The table as decided by the encounter's result. `counts_house`: house players have places too."""
    result = encounter.result
    assert result is not None
    places = sorted(table.teams, key=lambda team: (team in result.disqualified, result.place(team)))

    def status(team: TeamId) -> Status:
        return Status.DISQUALIFIED_REFEREE if team in result.disqualified else Status.PLACED

    return replace(
        table,
        seats=seated(table.seats, result, team_places(result, counts_house), status, counts_house=counts_house),
        matches=encounter.matches,
        decided=True,
        places=tuple(places),
        scores=tuple(result.score(team) for team in places),
        points=tuple(points[team] for team in places),
    )


def rules(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The rules for the matches at a table, as sentences for contestants."""
    games: int | None = options["games"]
    found = []
    size = options.get("table_size", 2)
    if options["seats"] > size == 2:
        found.append("House players take the other seats. Only the two teams are compared to decide who wins.")
    if games is None:
        found.append("The rules of the game decide when a match is over.")
    elif games > 1:
        found.append(f"A match has {games} games, with the seats rotated from game to game.")
    if options.get("duplicate"):
        found.append(
            f"A table plays {options['seats']} matches with the same deals, and all players move on by one seat from "
            "match to match. The points are added up and count as one result."
        )
    if options.get("best_of", 1) > 1:
        most = options["best_of"]
        found.append(
            f"Two teams play up to {most} matches in turn, swapping seats, until one has won {most // 2 + 1}. If "
            "neither has when all are played, the one that has won more advances."
        )
    if options.get("freeze_versions", True):
        found.append("Every team plays the version that was active when the stage started.")
    else:
        found.append("Every match uses the versions that are active when it is drawn.")
    return tuple(found)
