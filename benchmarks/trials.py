"""Trials (docs/trials.md): how often equal versions are declared better, and what it saves to play the same deals.

    python -m benchmarks.trials [--game SLUG...] [--pairs 1.0] [--trials 1000] [--jobs 2]

The players are a house player of the game that errs now and then: with a small probability it plays a random legal
card instead of its choice. Real pairs are played once for each game and question, as `kibitz compare` plays them. Games
are slow, so the trials draw from these pools, with replacement.

- **Equal versions**: both err equally often, at different moments. Exchanging them changes the sign of a difference,
  so each one is drawn with either sign, which makes the mean of the pool exactly zero. In the fast games there are
  enough pairs to add trials of consecutive real pairs, of which none is used twice. Target: at most 6 % are declared
  better, at a nominal 5 %, with bounds of a quarter of the deviation, where a trial takes about a hundred pairs.
- **Lopsided versions** of no game: one gains a little in most pairs and loses much in a few, so that no version is
  better. Losses are as large as the test reckons with, or half of that. Target: at most 6 % are declared better.
- **A small improvement**: the new version never errs, the old one in one decision of twenty. The bounds are zero and
  the mean of the pool. Independent deals: the two results of a pair come from different pairs of the pool. Target: with
  the same deals, the median trial takes at most 0.7 of the pairs.

Exit status 1 when a target is missed. `--pairs` multiplies the sizes of the pools.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import fmean, median, pstdev

import games
from games.engine import Action, Event, Game, House, Options, Player, Seat
from games.pairs import Measure, games_of, openings_of, reach_of, seats_of, seed_of, worth
from games.players import HousePlayer, Seated
from games.referee import play
from games.rng import Portable
from games.trial import Decision, Design, Step, steps

WRONG, RATIO = 0.06, 0.7
CAP = 5000
LOSSES = (0.01, 0.02, 0.05, 0.1, 0.3)
"""How often a lopsided version loses."""
ERRS, IMPROVED = 0.1, (0.0, 0.05)
"""How often equal versions err, and how often the new and the old version do."""


@dataclass(frozen=True)
class Field:
    """Who plays in the trials of a game, and how many pairs of each kind are affordable."""

    version: str
    opponent: str
    pairs: int


FIELDS = {
    "tricky_eights": Field("card_counter", "memoryless", 400),
    "even_steven": Field("thrifty", "", 4000),
    "intensity": Field("card_counter", "avoider", 6000),
    "hearts": Field("card_counter", "avoider", 500),
    "barracuda": Field("bold", "careful", 1000),
}


class Erring:
    """A house player that errs. The moments follow from `stream` and the deal."""

    def __init__(self, inner: Callable[[Seat, Options, Random], Player], errs: float, stream: int) -> None:
        self.make = inner
        self.errs = errs
        self.stream = stream

    def __call__(self, seat: Seat, options: Options, random: Random) -> Player:
        slips = Portable(self.stream, random.getrandbits(63))
        return _Erring(self.make(seat, options, random), self.errs, slips)


class _Erring:
    def __init__(self, inner: Player, errs: float, slips: Random) -> None:
        self.inner, self.errs, self.slips = inner, errs, slips

    def tell(self, event: Event) -> None:
        self.inner.tell(event)

    def choose(self, legal: Sequence[Action]) -> Action:
        chosen, slip, other = self.inner.choose(legal), self.slips.random(), self.slips.random()
        return legal[int(other * len(legal))] if slip < self.errs else chosen


Version = tuple[float, int]
"""How often it errs, and the stream of its errors."""


def played(slug: str, versions: tuple[Version, Version], number: int) -> tuple[float, float]:
    """What the two versions reach in a pair."""
    game, field = games.get(slug), FIELDS[slug]
    new, old = (_worth(game, field, version, number) for version in versions)
    return new, old


def _worth(game: Game, field: Field, version: Version, number: int) -> float:
    own = game.house_player(field.version)
    erring = House(own.name, own.skill, own.about, Erring(own.make, *version))
    others = [game.house_player(field.opponent) for _ in range(game.seats[0] - 1)]
    seats, count = seats_of(number, len(others) + 1), games_of(game)
    record = play(
        game,
        [Seated(str(each), "house", HousePlayer([erring, *others][each])) for each in seats],
        seed=seed_of(1, number),
        options=game.options(),
        preset=game.preset().name,
        games=count,
        openings=openings_of(count),
    ).record
    return worth(game, record, seats.index(0), Measure.POINTS, count)


def pool_of(
    slug: str, versions: tuple[Version, Version], pairs: int, jobs: ProcessPoolExecutor
) -> list[tuple[float, float]]:
    return list(jobs.map(partial(played, slug, versions), range(1, pairs + 1), chunksize=4))


def reach(slug: str) -> float:
    game = games.get(slug)
    return reach_of(game, Measure.POINTS, games_of(game))


def ended(design: Design, differences: Iterator[float]) -> Step:
    *_, last = steps(design, differences)
    return last


def equal(slug: str, pool: Sequence[tuple[float, float]], trials: int) -> bool:
    """Print the row of equal versions. False if too many are declared better."""
    differences = [new - old for new, old in pool]
    design = Design(0.0, pstdev(differences, 0.0) / 4, CAP, reach(slug))
    random = Random(1)

    def drawn() -> Iterator[float]:
        while True:
            yield random.choice(differences) * random.choice((-1, 1))

    last = [ended(design, drawn()) for _ in range(trials)]
    better = fmean(step.decision is Decision.BETTER for step in last)
    beyond = fmean(step.lower is not None and step.lower > 0 for step in last)
    print(
        f"{slug:>14}  equal: {100 * better:4.1f} % of {trials} declared better (lower end above zero: "
        f"{100 * beyond:.1f} %), median {median(step.pairs for step in last):.0f} pairs; {real(design, differences)}",
        flush=True,
    )
    return better <= WRONG


def real(design: Design, differences: Sequence[float]) -> str:
    """What trials of consecutive real pairs decide, each with pairs of its own."""
    found: list[Decision | None] = []
    rest = list(differences)
    while rest and (last := ended(design, iter(rest))).decision is not None:
        found.append(last.decision)
        rest = rest[last.pairs :]
    better = sum(decision is Decision.BETTER for decision in found)
    return f"{better} of {len(found)} trials without drawing"


def lopsided(losses: float, loss: float, trials: int) -> bool:
    """Print the row of versions that lose `loss` reaches in that share of the pairs. False if too many are declared
    better."""
    gain, deviation = loss * losses / (1 - losses), loss * (losses / (1 - losses)) ** 0.5
    design = Design(0.0, deviation / 4, CAP, 1.0)
    random = Random(3)

    def drawn() -> Iterator[float]:
        while True:
            yield -loss if random.random() < losses else gain

    last = [ended(design, drawn()) for _ in range(trials)]
    better = fmean(step.decision is Decision.BETTER for step in last)
    print(
        f"{'lopsided':>14}  {100 * losses:3.0f} % lose {loss / gain:4.1f} times what the others gain, {loss:.1f} of the"
        f" reach: {100 * better:.1f} % of {trials} better, median {median(it.pairs for it in last):.0f} pairs",
        flush=True,
    )
    return better <= WRONG


def improved(slug: str, pool: Sequence[tuple[float, float]], trials: int) -> bool:
    """Print the row of a small improvement. False if the same deals save too little."""
    gain = fmean(new - old for new, old in pool)
    if gain <= 0:
        print(f"{slug:>14}  the improvement does not show in {len(pool)} pairs: {gain:+.3f}")
        return False
    design = Design(0.0, gain, CAP, reach(slug))
    random = Random(2)

    def same() -> Iterator[float]:
        while True:
            new, old = random.choice(pool)
            yield new - old

    def independent() -> Iterator[float]:
        while True:
            yield random.choice(pool)[0] - random.choice(pool)[1]

    medians, found = [], []
    for draw in (same, independent):
        last = [ended(design, draw()) for _ in range(trials)]
        medians.append(median(step.pairs for step in last))
        found.append(fmean(step.decision is Decision.BETTER for step in last))
    ratio = medians[0] / medians[1]
    print(
        f"{slug:>14}  improved by {gain:.3f} points a game: median {medians[0]:.0f} pairs on the same deals, "
        f"{medians[1]:.0f} on independent ones, ratio {ratio:.2f}; found in {100 * found[0]:.0f} % and "
        f"{100 * found[1]:.0f} %",
        flush=True,
    )
    return ratio <= RATIO


def main() -> int:
    args = _arguments()
    rows = [lopsided(losses, loss, 4 * args.trials) for losses in LOSSES for loss in (1.0, 0.5)]
    good = all(rows)
    with ProcessPoolExecutor(args.jobs) as jobs:
        for slug in args.game:
            started = time.perf_counter()
            pairs = max(50, round(FIELDS[slug].pairs * args.pairs))
            good &= equal(slug, pool_of(slug, ((ERRS, 1), (ERRS, 2)), pairs, jobs), args.trials)
            good &= improved(slug, pool_of(slug, ((IMPROVED[0], 1), (IMPROVED[1], 1)), pairs, jobs), args.trials)
            print(f"{'':>14}  {pairs} real pairs for each, {time.perf_counter() - started:.0f} s", flush=True)
    return 0 if good else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", nargs="+", default=list(FIELDS), choices=list(FIELDS), metavar="SLUG")
    parser.add_argument("--pairs", type=float, default=1.0, help="multiplies the sizes of the pools")
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
