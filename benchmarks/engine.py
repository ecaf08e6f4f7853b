"""Random playouts of our engines against `open_spiel`'s Hearts driven from Python, dealing included.

    python -m benchmarks.engine [--game SLUG...] [--rounds 9] [--decisions 20000]

Everything runs on one core, and processor time is counted. Each round measures all engines one after the other. A ratio
is the median over the rounds of our decisions per second divided by those of open_spiel in the same round. Exit status
1 when one is below the target.

Judged games (`Game.sample`) are played as they are judged: on one set of games whose packs are shuffled once. Games
that are new each time are shown beside it without a target. In Even Steven a random player loses after two decisions,
before which up to 26 cards are drawn one by one.

Barracuda misses the target. Random players end a game after 19 decisions, every game begins with a fresh pack of 104
(docs/rulings.md, Barracuda 1), and the portable shuffle (games.rng) takes half the time that open_spiel needs for as
many decisions.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import count, cycle
from random import random

import pyspiel

from games import GAMES
from games.engine import OVER, Game, Opening
from games.programs import pinned

TARGET = 1.0
"""At least as fast as open_spiel, in every game."""

BASE = "open_spiel hearts"
SET = 100
"""Number of games in a set on which entries are judged."""


@dataclass(slots=True)
class Count:
    """The work done in some playouts."""

    decisions: int
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds


def openings(game: Game) -> Iterable[Opening]:
    """Playouts of new games."""
    return (game.opening(1, number, game.seats[1]) for number in count(1))


def judged(game: Game) -> Iterable[Opening]:
    """Playouts of the games of one set, over and over."""
    return cycle([game.opening(1, number, game.seats[1]) for number in range(1, SET + 1)])


def ours(game: Game, opens: Callable[[Game], Iterable[Opening]], decisions: int) -> Count:
    """Play whole games of random legal decisions until at least `decisions` were made."""
    options = game.options()
    shuffle, dealt, start = game.shuffle, game.dealt, game.start
    made = packs = 0
    for number, opening in enumerate(opens(game), 1):
        state = start(options, number=number, opening=opening)
        legal, apply = state.legal, state.apply
        while state.turn != OVER:
            used = dealt(state)
            if not used:
                packs += 1
                pack = shuffle(1, packs, opening)
            state.deal(pack[used:] if used else pack)
            while state.turn >= 0:
                actions = legal()
                apply(actions[int(random() * len(actions))])
                made += 1
        if made >= decisions:
            break
    return Count(made)


def hearts(game: pyspiel.Game, decisions: int) -> Count:
    """The same playouts with open_spiel."""
    made = 0
    while made < decisions:
        state = game.new_initial_state()
        legal, apply, chance = state.legal_actions, state.apply_action, state.is_chance_node
        while chance():
            actions = legal()
            apply(actions[int(random() * len(actions))])
        terminal = state.is_terminal
        while not terminal():
            actions = legal()
            apply(actions[int(random() * len(actions))])
            made += 1
    return Count(made)


def measured(play: Callable[[int], Count], decisions: int) -> Count:
    started = time.process_time()
    done = play(decisions)
    done.seconds = time.process_time() - started
    return done


def all_engines(slugs: Iterable[str]) -> dict[str, tuple[Callable[[int], Count], float]]:
    """Each engine by name: a function that plays so many decisions, and its target (0: none)."""
    engines: dict[str, tuple[Callable[[int], Count], float]] = {
        BASE: (partial(hearts, pyspiel.load_game("hearts(pass_cards=False)")), 0.0)
    }
    for game in map(GAMES.__getitem__, slugs):
        engines[game.slug] = partial(ours, game, judged if game.sample else openings), TARGET
        if game.sample:
            engines[f"{game.slug}, new games"] = partial(ours, game, openings), 0.0
    return engines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", nargs="*", default=list(GAMES), choices=list(GAMES), metavar="SLUG")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--decisions", type=int, default=20_000, help="decisions of each engine in a round")
    arguments = parser.parse_args()

    engines = all_engines(arguments.game)
    counts: dict[str, list[Count]] = {name: [] for name in engines}
    with pinned():
        for play, _ in engines.values():
            play(2000)  # tables are made, code is warm
        for _ in range(arguments.rounds):
            for name, (play, _) in engines.items():
                counts[name].append(measured(play, arguments.decisions))

    print(f"{'engine':24}{'decisions/s':>12}{'ratio':>7}   {'rounds':14} target")
    missed = False
    for name, (_, target) in engines.items():
        ratios = [mine.rate / base.rate for mine, base in zip(counts[name], counts[BASE], strict=True)]
        ratio = statistics.median(ratios)
        missed |= ratio < target
        rate = statistics.median(done.rate for done in counts[name])
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        print(f"{name:24}{rate:12,.0f}{ratio:7.2f}   {spread:14} {f'at least {target}' if target else ''}".rstrip())
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
