"""The deals that decided a game: where the lead of the winner changed most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contest.formatting import signed
from contest.replay.parts import ReplaySeat, Round
from games.engine import Event

MOST = 5


@dataclass(frozen=True, slots=True)
class Swing:
    """What a deal did to the winner's lead over the best of the others, in points that are good to have."""

    round: Round
    winner: ReplaySeat
    change: float
    lead: float  # after it

    @property
    def change_text(self) -> str:
        return signed(self.change)

    @property
    def lead_text(self) -> str:
        return signed(self.lead)


def swings(rounds: Sequence[Round], seats: Sequence[ReplaySeat], last: Event, low_wins: bool) -> list[Swing]:
    """The largest changes, in the order of the deals. Empty where nobody won, or fewer than three deals count."""
    counted = [each for each in rounds if each.total is not None]
    if last["event"] != "result" or last.get("winner") is None or len(counted) < 3 or len(seats) < 2:
        return []
    winner = seats[last["winner"]]
    found, before = [], 0.0
    for each in counted:
        lead = _lead(each.total or (), winner.index, low_wins)
        found.append(Swing(each, winner, lead - before, lead))
        before = lead
    largest = sorted((each for each in found if each.change), key=lambda each: -abs(each.change))[:MOST]
    return sorted(largest, key=lambda each: each.round.number)


def _lead(total: Sequence[float], winner: int, low_wins: bool) -> float:
    sign = -1 if low_wins else 1
    return sign * total[winner] - max(sign * points for seat, points in enumerate(total) if seat != winner)
