"""Random playouts of our engines against `open_spiel`'s hearts driven from Python, dealing included.

    python -m benchmarks.engine [--game SLUG...] [--rounds 9] [--decisions 20000]

Everything runs on one core and counts its processor time; every round measures all engines one after the other, and a
ratio is the median over the rounds of the ratio within a round, ours over hearts. Exit status 1 below the target.

What counts are decisions, dealing included. An action is a decision or a dealt card (open_spiel deals by actions, too):
these count instead where a random game has more dealt cards than decisions. In Even Steven it is lost after two
decisions, with a pack to be shuffled before them: decisions would measure nothing but shuffling.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import random

import pyspiel

from games import GAMES
from games.engine import CHANCE, OVER, Game
from games.programs import pinned

TARGET = 1.0
"""Issue 4: at least as fast, in every game."""

BASE = "open_spiel hearts"


@dataclass(slots=True)
class Count:
    """What was done in some playouts."""

    decisions: int = 0
    cards: int = 0  # dealt
    seconds: float = 0.0

    @property
    def rates(self) -> tuple[float, float]:
        """Decisions and actions per second."""
        return self.decisions / self.seconds, (self.decisions + self.cards) / self.seconds


def ours(game: Game, decisions: int) -> Count:
    """Play whole games of random legal decisions, at least that many."""
    options = game.options()
    opening, shuffle, dealt, start = game.opening, game.shuffle, game.dealt, game.start
    players = game.seats[1]
    made = cards = number = packs = 0
    while made < decisions:
        number += 1
        opens = opening(1, number, players)
        state = start(options, number=number, opening=opens)
        deal, legal, apply = state.deal, state.legal, state.apply
        while (turn := state.turn) != OVER:
            if turn == CHANCE:
                used = dealt(state)
                if not used:
                    packs += 1
                    pack = shuffle(1, packs, opens)
                hand = deal(pack[used:] if used else pack)[0]
                cards += sum(map(len, hand["hands"])) + len(hand.get("pool", ())) + len(hand.get("stock", ()))
            else:
                actions = legal()
                apply(actions[int(random() * len(actions))])
                made += 1
    return Count(made, cards)


def hearts(game: pyspiel.Game, decisions: int) -> Count:
    """The same with open_spiel."""
    made = cards = 0
    while made < decisions:
        state = game.new_initial_state()
        legal, apply, chance = state.legal_actions, state.apply_action, state.is_chance_node
        while chance():
            actions = legal()
            apply(actions[int(random() * len(actions))])
            cards += 1
        terminal = state.is_terminal
        while not terminal():
            actions = legal()
            apply(actions[int(random() * len(actions))])
            made += 1
    return Count(made, cards)


def measured(play: Callable[[int], Count], decisions: int) -> Count:
    started = time.process_time()
    count = play(decisions)
    count.seconds = time.process_time() - started
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--game", nargs="*", default=list(GAMES), choices=list(GAMES), metavar="SLUG")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--decisions", type=int, default=20_000, help="of each engine in a round")
    arguments = parser.parse_args()

    engines = {BASE: partial(hearts, pyspiel.load_game("hearts(pass_cards=False)"))}
    engines |= {slug: partial(ours, GAMES[slug]) for slug in arguments.game}
    counts: dict[str, list[Count]] = {name: [] for name in engines}
    with pinned():
        for play in engines.values():
            play(2000)  # tables are made, code is warm
        for _ in range(arguments.rounds):
            for name, play in engines.items():
                counts[name].append(measured(play, arguments.decisions))

    print(f"{'engine':18}{'decisions/s':>12}{'ratio':>7}{'actions/s':>12}{'ratio':>7}   {'rounds':14} target")
    missed = False
    for name, mine in counts.items():
        column = int(sum(count.cards for count in mine) > sum(count.decisions for count in mine))
        ratios = [_ratios(mine, counts[BASE], each) for each in (0, 1)]
        ratio = statistics.median(ratios[column])
        missed |= name != BASE and ratio < TARGET
        figures = "".join(
            f"{statistics.median(count.rates[each] for count in mine):12,.0f}{statistics.median(ratios[each]):7.2f}"
            for each in (0, 1)
        )
        spread = f"{min(ratios[column]):.2f} to {max(ratios[column]):.2f}"
        target = f"at least {TARGET} of {('decisions', 'actions')[column]}" if name != BASE else ""
        print(f"{name:18}{figures}   {spread:14} {target}".rstrip())
    return int(missed)


def _ratios(mine: list[Count], base: list[Count], column: int) -> list[float]:
    """Ours to the base in every round: of decisions, or of actions."""
    return [one.rates[column] / other.rates[column] for one, other in zip(mine, base, strict=True)]


if __name__ == "__main__":
    sys.exit(main())
