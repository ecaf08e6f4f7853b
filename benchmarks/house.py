"""How strong the house players of a game are: every pair on the same deals, in every seat.

    python -m benchmarks.house [--game SLUG] [--games 200] [--only NAME...] [--neighbours] [--jobs 2]

A pair plays every deal (a whole match from one seed) in several seatings. In games of four, two play two; in games of
two, each plays in each seat; in games for one, they play one after the other. A row shows the share of matches that the
first name won (a shared win counts half), and its lead in points for each of its seats in each hand. The seatings of a
deal belong together, so both have a 95 % confidence interval between deals; ± is its half width.

For a game for one, a second table shows each player's share of the points of the strongest. The strongest player of
Even Steven wins every game that can be won, so there it is the share of winnable games. Last come the thinking times.

Exit status 1 when a player is not clearly stronger than the one before it (interval above 50 %).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from statistics import fmean, quantiles, stdev

import games
from games.engine import Game
from games.format import Record
from games.players import HousePlayer, Seated
from games.record import games as split
from games.record import seating_of
from games.referee import play
from tournaments.formats.confidence import errors_for

SEATINGS = {
    1: ((0,), (1,)),
    2: ((0, 1), (1, 0)),
    4: ((0, 1, 0, 1), (1, 0, 1, 0), (0, 0, 1, 1), (1, 1, 0, 0)),
}
"""The seatings of a pair, by the number of players. A game for one player takes two matches."""

ALONE = 20
"""Games in a match for one player; many are decided by the deal."""


@dataclass(frozen=True)
class Duel:
    """All seatings of a pair on the deal of one seed."""

    won: float  # share of the matches that the first player of the pair won
    lead: float  # points a hand by which each of its seats was better than each of the other's
    scores: tuple[float, float]  # a hand
    ms: tuple[list[float], list[float]]  # of every decision


def duel(game_slug: str, pair: tuple[str, str], seed: int) -> Duel:
    """Play a pair in all seatings of one seed."""
    game = games.get(game_slug)
    seatings = SEATINGS[game.seats[1]]
    records = [_match(game, [pair[who] for who in seating], seed) for seating in seatings]
    ms: tuple[list[float], list[float]] = ([], [])
    for seating, record in zip(seatings, records, strict=True):
        for player, spent in _times(record):
            ms[seating[player]].append(spent)
    if game.seats[1] == 1:
        scores = tuple(record["result"]["scores"][0] / _hands(record) for record in records)
        won = _share(scores)
    else:
        sides = [_sides(seating, record) for seating, record in zip(seatings, records, strict=True)]
        scores = tuple(fmean(side[who] for side in sides) for who in (0, 1))
        won = fmean(_won(seating, record) for seating, record in zip(seatings, records, strict=True))
    lead = (scores[0] - scores[1]) * (-1 if game.low_wins else 1)
    return Duel(won, lead, scores, ms)


def _match(game: Game, names: Sequence[str], seed: int) -> Record:
    house = {player.name: player for player in game.house}
    seats = [Seated(name, f"house:{name}", HousePlayer(house[name])) for name in names]
    count = ALONE if len(names) == 1 else 1
    return play(game, seats, seed=seed, options=game.options(), preset=game.preset().name, games=count).record


def _times(record: Record) -> Iterator[tuple[int, float]]:
    """The player and the milliseconds of every decision."""
    for events in split(record):
        seating = seating_of(record, events)
        yield from ((seating[event["seat"]], event["ms"]) for event in events if "ms" in event)


def _hands(record: Record) -> int:
    return max(1, sum(event["event"] == "hand" for event in record["events"]))


def _share(scores: Sequence[float]) -> float:
    return 0.5 if scores[0] == scores[1] else float(scores[0] > scores[1])


def _sides(seating: Sequence[int], record: Record) -> list[float]:
    """Points per hand and seat for each of the pair."""
    scores = record["result"]["scores"]
    return [
        fmean(score for score, who in zip(scores, seating, strict=True) if who == side) / _hands(record)
        for side in (0, 1)
    ]


def _won(seating: Sequence[int], record: Record) -> float:
    """The share of wins of the first of the pair."""
    return fmean(who == 0 for who, place in zip(seating, record["result"]["places"], strict=True) if place == 1)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half width of its 95 % confidence interval."""
    return fmean(values), errors_for(len(values)) * stdev(values) / len(values) ** 0.5


def main() -> int:
    args = _arguments()
    game = games.get(args.game)
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
