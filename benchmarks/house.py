"""How often each house player of a game beats the one before it (docs/house.md).

    python -m benchmarks.house --game SLUG [--matches 400] [--option KEY=VALUE] [--jobs 2] [PLAYER …]

PLAYER: names from the weakest to the strongest; without any, the whole house. A pair plays every deal (a whole match
from one seed) in several seatings, which belong together: in games of four two play two, in games of two each plays in
each seat, in games for one they play one after the other. The 95 % confidence intervals are between deals.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from statistics import fmean, median, stdev
from typing import Any

import games
from games.build import house_seated
from games.commands import parse_options
from games.engine import Game
from games.format import Record, counted_places, thinking_times, with_penalties
from games.programs import pinned
from games.referee import play
from tournaments.formats.confidence import errors_for

SEATINGS = {
    1: ((0,), (1,)),
    2: ((0, 1), (1, 0)),
    4: ((0, 1, 0, 1), (1, 0, 1, 0), (0, 0, 1, 1), (1, 1, 0, 0)),
}
"""The seatings of a pair, by the number of players. Each has its mirror next to it."""

ALONE = 20
"""Games in a match for one player; many are decided by the deal."""


def duel(slug: str, options: dict[str, Any], pair: tuple[str, str], seed: int) -> tuple[float, float]:
    """Play a pair in all seatings of one seed. Returns the share of the matches that the first won, and the median of
    its times for a decision in milliseconds."""
    game = games.get(slug)
    seatings = SEATINGS[game.seats[1]]
    records = []
    for seating in seatings:
        seats = [house_seated(game, pair[who]) for who in seating]
        with pinned():
            match = play(
                game,
                seats,
                seed=seed,
                options=game.options(options),
                preset=game.preset().name,
                games=ALONE if len(seating) == 1 else 1,
            )
        records.append(match.record)
    times: list[float] = []
    for seating, record in zip(seatings, records, strict=True):
        for who, spent in zip(seating, thinking_times(record), strict=True):
            times += spent if who == 0 else ()
    return won(game, seatings, records), median(times)


def won(game: Game, seatings: Sequence[Sequence[int]], records: Sequence[Record]) -> float:
    """Return the share of the matches that the first of a pair won, with the cost of processor time as tournaments
    count it. A shared win counts half."""
    if game.seats[1] == 1:
        one, other = (with_penalties(game, record, record["result"]["scores"])[0] for record in records)
        return 0.5 if one == other else float((one > other) != game.low_wins)
    shares = []
    for seating, record in zip(seatings, records, strict=True):
        places = zip(seating, counted_places(game, record), strict=True)
        shares.append(fmean([who == 0 for who, place in places if place == 1] or [0.5]))
    return fmean(shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", metavar="PLAYER")
    parser.add_argument("--game", default="tricky_eights", choices=list(games.GAMES), metavar="SLUG")
    parser.add_argument("--matches", type=int, default=400, help="of each pair")
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[], help="change an option")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = parser.parse_args()
    game = games.get(arguments.game)
    deals = range(1, max(2, arguments.matches // len(SEATINGS[game.seats[1]])) + 1)
    print("| Player | Won against the one before, % | Matches | Median decision, ms |\n|---|---:|---:|---:|")
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for weak, strong in pairwise(arguments.players or [house.name for house in game.house]):
            one = partial(duel, game.slug, parse_options(arguments.option), (strong, weak))
            shares, times = zip(*pool.map(one, deals), strict=True)
            error = errors_for(len(deals)) * stdev(shares) / len(deals) ** 0.5
            matches = len(deals) * len(SEATINGS[game.seats[1]])
            share = f"{100 * fmean(shares):.1f} ± {100 * error:.1f}"
            print(f"| `{strong}` | {share} | {matches} | {median(times):.2f} |", flush=True)


if __name__ == "__main__":
    main()
