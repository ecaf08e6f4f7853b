"""How strong the house players of a game are: every pair on the same deals, in every seat.

    python -m benchmarks.house [--game SLUG] [--games 200] [--only NAME...] [--neighbours] [--jobs 2]
    python -m benchmarks.house --ladder [--game SLUG] [--games 400] [--jobs 2] [--minutes 60]

A pair plays every deal (a whole match from one seed) in several seatings. In games of four, two play two; in games of
two, each plays in each seat; in games for one, they play one after the other. A row shows the share of matches that the
first name won (a shared win counts half), and its lead in points for each of its seats in each hand. The seatings of a
deal belong together, so both have a 95 % confidence interval between deals; ± is its half width.

For a game for one, a second table shows each player's share of the points of the strongest. The strongest player of
Even Steven wins every game that can be won, so there it is the share of winnable games. Last come the thinking times.

Exit status 1 when a player is not clearly stronger than the one before it (interval above 50 %).

With --ladder it measures the rungs of the game instead, and writes their ratings and docs/house.md
(benchmarks/rungs.py). Exit status 1 when the share that a rung wins against the one below is clearly outside of 60 to
75 %.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations, pairwise
from statistics import fmean, quantiles

import games
from benchmarks.rungs import duel, interval, judge, measure
from games.duels import SEATINGS, Duel
from games.engine import Game


def main() -> int:
    args = _arguments()
    game = games.get(args.game)
    if args.ladder:
        measure(game, args.games, args.jobs, 60 * args.minutes)
        wrong = judge(game)
        print("\n".join(wrong))
        return int(bool(wrong))
    names = [house.name for house in game.house if house.name in (args.only or _different(game))]
    pairs = [(strong, weak) for weak, strong in combinations(names, 2)]
    if args.neighbours:
        pairs = [(strong, weak) for weak, strong in pairwise(names)]
    seatings = len(SEATINGS[game.seats[1]])
    seeds = range(1, max(2, args.games // seatings) + 1)
    print(f"{game.title}: {len(seeds)} deals in {seatings} seatings for each pair")
    duels: dict[tuple[str, str], list[Duel]] = {}
    failed = False
    with ProcessPoolExecutor(args.jobs) as pool:
        for pair in pairs:
            duels[pair] = list(pool.map(partial(duel, args.game, pair), seeds))
            neighbours = names.index(pair[0]) == names.index(pair[1]) + 1
            failed |= _print_pair(pair, duels[pair], neighbours)
    if game.seats[1] == 1:
        _print_shares(names, duels)
    _print_times(names, duels)
    return int(failed)


def _different(game: Game) -> list[str]:
    """The house players, without aliases of another."""
    by_make = {house.make: house.name for house in reversed(game.house)}
    return list(reversed(by_make.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="tricky_eights", choices=list(games.GAMES), metavar="SLUG")
    parser.add_argument("--games", type=int, default=200, help="matches for each pair")
    parser.add_argument("--only", nargs="*", help="names of house players")
    parser.add_argument("--neighbours", action="store_true", help="each player against the one before it only")
    parser.add_argument("--ladder", action="store_true", help="measure the rungs, and write their ratings")
    parser.add_argument("--minutes", type=float, default=60, help="for --ladder: begin no pair after that time")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


def _print_pair(pair: tuple[str, str], duels: Sequence[Duel], neighbours: bool) -> bool:
    """Print a row of the table. True when the first should be clearly stronger and is not."""
    won, won_error = interval([each.won for each in duels])
    lead, lead_error = interval([each.lead for each in duels])
    weak = neighbours and won - won_error <= 0.5
    print(
        f"{pair[0]:>14} against {pair[1]:<14} won {100 * won:5.1f} % ± {100 * won_error:4.1f}"
        f"   {lead:+6.3f} ± {lead_error:5.3f} points a hand{'   NOT CLEARLY STRONGER' if weak else ''}",
        flush=True,
    )
    return weak


def _print_shares(names: Sequence[str], duels: dict[tuple[str, str], list[Duel]]) -> None:
    """Each player's share of the points of the strongest on the same deals: a ratio of means, and its interval."""
    for pair, played in duels.items():
        if pair[0] != names[-1]:
            continue
        best, mine = ([each.scores[who] for each in played] for who in (0, 1))
        share = fmean(mine) / fmean(best)
        error = interval([score - share * top for score, top in zip(mine, best, strict=True)])[1] / fmean(best)
        print(f"{pair[1]:>14}: {100 * share:5.1f} % ± {100 * error:3.1f} of the points of {pair[0]}")


def _print_times(names: Sequence[str], duels: dict[tuple[str, str], list[Duel]]) -> None:
    for name in names:
        sides = [(played, pair.index(name)) for pair, played in duels.items() if name in pair]
        spent = [ms for played, side in sides for each in played for ms in each.ms[side]]
        if spent:
            slow = quantiles(spent, n=100)[98]
            print(f"{name:>14}: {fmean(spent):6.3f} ms a decision, 99th percentile {slow:.3f} ms")


if __name__ == "__main__":
    sys.exit(main())
