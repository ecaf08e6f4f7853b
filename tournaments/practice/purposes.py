"""What follows from a game that was played or given up, for each kind of order."""

from __future__ import annotations

from collections.abc import Callable

from tournaments.models import PracticeOrder
from tournaments.practice import queue, trials

Kind = PracticeOrder.Kind

AFTER: dict[str, Callable[[PracticeOrder], None]] = {
    Kind.PRACTICE: queue.settle,
    Kind.TRIAL: trials.count_pairs,
    Kind.FROM_HERE: queue.settle,
}
"""By kind: called with the order held, in the transaction that has just written what became of a game. It may add
games (`queue.add_games`), and ends the order when it is over (`queue.end`)."""


def after(order: PracticeOrder) -> None:
    if order.is_open:
        AFTER[order.kind](order)
