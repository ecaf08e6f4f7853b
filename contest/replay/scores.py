"""The points of a game, hand by hand: a table and a chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contest.charts import LineChart
from contest.formatting import signed
from contest.replay.parts import ReplaySeat, Round, is_upset
from games.engine import Event, Game, Options


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One hand: what it brought each seat, and the total after it. No cells for one that was not finished."""

    round: Round
    cells: Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class FinalScore:
    """What a seat has in the end; `won` where the points alone do not tell."""

    points: float
    won: bool


@dataclass(frozen=True, slots=True)
class ScoreTable:
    rows: Sequence[ScoreRow]
    final: Sequence[FinalScore]


def score_table(game: Game, seats: Sequence[ReplaySeat], rounds: Sequence[Round], last: Event) -> ScoreTable:
    final = []
    if last["event"] == "result":
        winner = last["winner"] if is_upset(last, game.low_wins) else None
        final = [FinalScore(points, index == winner) for index, points in enumerate(last["scores"])]
    return ScoreTable([ScoreRow(each, _cells(seats, each)) for each in rounds], final)


def _cells(seats: Sequence[ReplaySeat], this: Round) -> list[tuple[str, float]]:
    if this.hand is None or this.total is None:
        return []
    return [(signed(this.hand[seat.index]), this.total[seat.index]) for seat in seats]


def score_chart(
    game: Game,
    seats: Sequence[ReplaySeat],
    rounds: Sequence[Round],
    href: Callable[[int], str],
    last: Event,
    options: Options,
) -> LineChart | None:
    """The totals by round; None where there are not two rounds to compare."""
    done = [each for each in rounds if each.total is not None]
    if len(done) < 2:
        return None
    opening = rounds[0].deal
    return LineChart(
        title=f"Scores by {game.hand_word or 'hand'}",
        description="The table of scores has the same numbers." + (" Lower is better." if game.low_wins else ""),
        lines=[(seat.label, [0, *(each.total[seat.index] for each in done if each.total)]) for seat in seats],
        ticks=["", *(str(each.number) for each in done)],
        links=[href(opening), *(href(each.last) for each in done)],
        keys=[opening, *(each.last for each in done)],
        target=options.get("target"),
        unit=game.hand_word or "hand",
        won=last["winner"] if last["event"] == "result" and is_upset(last, game.low_wins) else None,
    )


MOST = 5


@dataclass(frozen=True, slots=True)
class Swing:
    """What a deal did to the winner's lead over the best of the others, in points that are good to have."""

    round: Round
    winner: ReplaySeat
    others: Sequence[ReplaySeat]
    change: float
    lead: float  # after it


def swings(
    rounds: Sequence[Round], seats: Sequence[ReplaySeat], last: Event, low_wins: bool, own: int | None
) -> list[Swing]:
    """The largest changes, in the order of the deals, of the lead over the seat `own` unless it won. Empty where nobody
    won, or fewer than three deals count."""
    counted = [each for each in rounds if each.total is not None]
    if last["event"] != "result" or last.get("winner") is None or len(counted) < 3 or len(seats) < 2:
        return []
    winner = seats[last["winner"]]
    others = [seat for seat in seats if seat != winner and own in (None, winner.index, seat.index)]
    found, before = [], 0.0
    for each in counted:
        lead = _lead(each.total or (), winner, others, low_wins)
        found.append(Swing(each, winner, others, lead - before, lead))
        before = lead
    largest = sorted((each for each in found if each.change), key=lambda each: -abs(each.change))[:MOST]
    return sorted(largest, key=lambda each: each.round.number)


def _lead(total: Sequence[float], winner: ReplaySeat, others: Sequence[ReplaySeat], low_wins: bool) -> float:
    sign = -1 if low_wins else 1
    return sign * total[winner.index] - max(sign * total[other.index] for other in others)
