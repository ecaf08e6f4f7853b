"""The outcome of a match for each player, for lists and tables that do not open the record."""

from __future__ import annotations

from collections.abc import Collection

from contest.replay.thinking import grids
from games import record as records
from games import referee
from games.engine import Game
from games.format import counted_places, processor_times, thinking_times
from games.record import Record
from tournaments.formats.plan import TeamId
from tournaments.kinds.statuses import Told
from tournaments.models import Match, MatchSeat, Stage
from tournaments.results.visibility import Sight
from tournaments.seating import draw


def fill(game: Game, seats: list[MatchSeat], played: referee.Match) -> None:
    """Set points, places, faults and times in the seats."""
    result, places = played.record["result"], counted_places(game, played.record)
    times, faulty = thinking_times(played.record), records.faults_by_player(played.record)
    on_grid = grids(played.record)
    if game.exact_cpu:
        _write_penalties(seats, played.record, game)
    for seat in seats:
        player = seat.index
        faults = faulty[player]
        seat.score, seat.place = result["scores"][player], places[player]
        if game.introduction is not None and (name := played.record["seats"][player]["name"]) != seat.name:
            seat.own_name = name
        seat.disqualified = player in result["disqualified"]
        seat.faults = len(faults)
        if faults:
            seat.fault_kind, seat.fault_detail = faults[0]["kind"], faults[0]["detail"]
        seat.slowest_ms = max(times[player], default=None)
        seat.total_ms = sum(times[player]) if times[player] else None
        seat.grid_ms = on_grid.get(player)


WRITTEN = (
    *("score", "place", "disqualified", "faults", "fault_kind", "fault_detail", "slowest_ms", "total_ms"),
    *("cpu_ms", "penalty", "own_name"),
)


def _write_penalties(seats: list[MatchSeat], record: Record, game: Game) -> None:
    """Write processor time and its penalty. House players run in the referee, so their time is unknown."""
    times = processor_times(record)
    for seat in seats:
        if seat.team_id is not None:
            seat.cpu_ms = times[seat.index]
            seat.penalty = game.penalty(record["options"], times[seat.index])


class Usual:
    """What most kinds of stage have in common: known entrants, and points and places that everybody may see."""

    def goes_by_numbers(self, stage: Stage) -> bool:
        return False

    def versions_now(self, teams: Collection[TeamId]) -> dict[TeamId, int]:
        return draw.active_versions(teams)

    def entrants(self, stage: Stage) -> list[TeamId]:
        order: list[TeamId] = stage.order
        return order

    def entrant_count(self, stage: Stage) -> int:
        return len(stage.order)

    def is_bracket(self, stage: Stage) -> bool:
        return stage.played_in.is_bracket()

    def is_long(self, stage: Stage) -> bool:
        return False

    def seats_told(self, match: Match, sight: Sight) -> list[tuple[MatchSeat, Told]]:
        return []

    def games_told(self, game: Game, played: int) -> int:
        return played

    def fill_result(self, game: Game, seats: list[MatchSeat], played: referee.Match) -> None:
        fill(game, seats, played)

    def hides_games(self, match: Match) -> bool:
        return False
