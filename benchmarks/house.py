"""How strong the house players are: every pair, two against two, seats rotated over the same deals.

    python -m benchmarks.house [--game tricky_eights] [--games 200] [--only NAME...] [--neighbours] [--jobs 2]

A pair plays 4 seatings of each deal (a whole game from one seed). A row has the share of games that the first name's
players won, with the half width of its 95 % interval (between deals, as the seatings of a deal belong together), and
the points a round that each of them makes more. The thinking times follow. Exit status 1 if a player is not clearly
stronger (interval above 50 %) than the one before it.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from statistics import fmean, quantiles, stdev

import games
from games.players import HousePlayer, Seated
from games.referee import play

SEATINGS = ((0, 1, 0, 1), (1, 0, 1, 0), (0, 0, 1, 1), (1, 1, 0, 0))


@dataclass(frozen=True)
class Duel:
    """One deal: all seatings of a pair from one seed."""

    won: float  # share of the games that the first player of the pair won
    lead: float  # points a round that each of its seats made more than each of the other's
    ms: tuple[list[float], list[float]]  # of every decision, by player of the pair


def duel(game_slug: str, pair: tuple[str, str], seed: int) -> Duel:
    """Play a pair in all seatings of one seed."""
    game = games.get(game_slug)
    house = {player.name: player for player in game.house}
    options = game.options()
    won = 0.0
    leads: list[float] = []
    ms: tuple[list[float], list[float]] = ([], [])
    for seating in SEATINGS:
        seats = [Seated(pair[who], f"house:{pair[who]}", HousePlayer(house[pair[who]])) for who in seating]
        record = play(game, seats, seed=seed, options=options, preset=game.preset().name).record
        scores = record["result"]["scores"]
        sides = [sum(score for score, who in zip(scores, seating, strict=True) if who == side) for side in (0, 1)]
        rounds = sum(event["event"] == "score" for event in record["events"])
        leads.append((sides[0] - sides[1]) / 2 / rounds)
        won += seating[record["events"][-1]["winner"]] == 0
        for event in record["events"]:
            if "ms" in event:
                ms[seating[event["seat"]]].append(event["ms"])
    return Duel(won / len(SEATINGS), fmean(leads), ms)


def interval(values: list[float]) -> tuple[float, float]:
    """Mean and half width of its 95 % interval."""
    return fmean(values), 1.96 * stdev(values) / len(values) ** 0.5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="tricky_eights")
    parser.add_argument("--games", type=int, default=200, help="games for each pair")
    parser.add_argument("--only", nargs="*", help="names of house players")
    parser.add_argument("--neighbours", action="store_true", help="each player against the one before it only")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    args = parser.parse_args()

    names = [house.name for house in games.get(args.game).house if not args.only or house.name in args.only]
    pairs = [(strong, weak) for weak, strong in combinations(names, 2)]
    if args.neighbours:
        pairs = [(strong, weak) for weak, strong in pairwise(names)]
    seeds = range(1, max(2, args.games // len(SEATINGS)) + 1)
    times: dict[str, list[float]] = {name: [] for name in names}
    failed = False
    print(f"{len(seeds) * len(SEATINGS)} games for each pair, two against two")
    with ProcessPoolExecutor(args.jobs) as pool:
        for pair in pairs:
            duels = list(pool.map(partial(duel, args.game, pair), seeds))
            won, won_error = interval([each.won for each in duels])
            lead, lead_error = interval([each.lead for each in duels])
            neighbours = names.index(pair[0]) == names.index(pair[1]) + 1
            weak = neighbours and won - won_error <= 0.5
            failed |= weak
            print(
                f"{pair[0]:>14} against {pair[1]:<14} won {100 * won:5.1f} % ± {100 * won_error:4.1f}"
                f"   {lead:+5.2f} ± {lead_error:4.2f} points a round{'   NOT CLEARLY STRONGER' if weak else ''}",
                flush=True,
            )
            for side in (0, 1):
                times[pair[side]] += [ms for each in duels for ms in each.ms[side]]
    for name, all_ms in times.items():
        if all_ms:
            slow = quantiles(all_ms, n=100)[98]
            print(f"{name:>14}: {fmean(all_ms):6.3f} ms a decision, 99th percentile {slow:.3f} ms")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
