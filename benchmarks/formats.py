"""What planning costs without the database.

    python -m benchmarks.formats [--teams 1000] [--rounds 10]

Measures the next round of a Swiss of 1,000 teams after every round, at tables of two and of four; and a round robin and
a qualifier of all combinations of 200 teams. Chance decides the matches, more often for the better seed. A process
draws a round once and remembers it; "again" is the plan of the same round for the next reader. Exit status 1 when
drawing a round takes longer than the target.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

from games import get
from tournaments import formats
from tournaments.formats.plan import Plan, Result, TableKey, WantedMatch

TARGET = 2.0  # seconds
OTHERS = 200  # teams in the other formats


def seconds(call: Callable[[], Plan]) -> tuple[Plan, float]:
    started = time.perf_counter()
    plan = call()
    return plan, time.perf_counter() - started


def decided(match: WantedMatch, seats: int, random: Random) -> Result:
    """Random scores, lower from seed to seed; the house's are the lowest."""
    players = (*match.teams, *[None] * (seats - len(match.teams)))
    scores = tuple(round(random.gauss(-5.0 if player is None else -player / 300, 1), 1) for player in players)
    return Result(players, tuple(1 + sum(other > score for other in scores) for score in scores), scores)


def swiss(game: str, teams: int, rounds: int) -> float:
    """Play all rounds and print how long each took to draw. Returns the longest time."""
    swiss, random = formats.get("swiss"), Random(1)
    options: dict[str, Any] = {**swiss.options({"rounds": rounds}, get(game)), "seed": 1}
    order, results = list(range(1, teams + 1)), dict[TableKey, dict[int, Result]]()
    longest = 0.0
    for round in range(1, rounds + 1):
        plan, drawing = seconds(lambda: swiss.plan(order, results, options))
        _, again = seconds(lambda: swiss.plan(order, results, options))
        print(f"  round {round:2} of {len(plan.rounds[-1])} tables: {drawing:5.2f} s, again {again:5.2f} s")
        longest = max(longest, drawing)
        for table in plan.rounds[-1]:
            for match in table.matches:
                results.setdefault(table.key, {})[match.number] = decided(match, options["table_size"], random)
        options["drawn"] = {table.key: table.teams for table in plan.tables()}
    return longest


def other(slug: str, game: str, **changes: Any) -> None:
    format = formats.get(slug)
    options = format.options(changes, get(game))
    plan, first = seconds(lambda: format.plan(range(1, OTHERS + 1), {}, options))
    _, again = seconds(lambda: format.plan(range(1, OTHERS + 1), {}, options))
    print(f"{format.title}, {OTHERS} teams, {len(plan.tables())} tables: {first:.2f} s, again {again:.2f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--teams", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()
    longest = 0.0
    for size, game in ((2, "barracuda"), (4, "intensity")):
        print(f"Swiss of {arguments.teams} teams, tables of {size}")
        longest = max(longest, swiss(game, arguments.teams, arguments.rounds))
    other("round_robin", "barracuda")
    other("combinations", "hearts", budget=24_000)
    print(f"longest drawing {longest:.2f} s, target at most {TARGET:.0f} s")
    return int(longest > TARGET)


if __name__ == "__main__":
    sys.exit(main())
