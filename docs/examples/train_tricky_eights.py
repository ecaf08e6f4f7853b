#!/usr/bin/env python3
"""Train a player of Tricky Eights against itself, and write it as one source file for the starter kit (docs/rl.md).

    python docs/examples/train_tricky_eights.py learned.py --seconds 60

The policy is linear: each card that may be taken or played gets a score, the sum of its features times their weights,
and the chance of a card grows with its score (softmax). The weights follow the gradient of the points that were won
(REINFORCE): a card becomes likelier when the tricks after it brought more points than usual.

The functions under "What the policy looks at" know plain lists and numbers only. Their text goes into the exported
file, where the starter kit fills in what the environment fills in here. So both always decide alike.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kibitz_rl

# --- What the policy looks at: this text is also in the exported file -------------------------------------------------


def count(cards: list[int], first: int, last: int) -> int:
    """How many of the cards first ... last there are. `cards` has 1 for each card that is there, 0 ... 51."""
    return sum(cards[first : last + 1])


def take_features(card: int, hand: list[int], pool: list[int], out: list[int]) -> list[float]:
    """What speaks for taking this card from the pool. `out`: the cards that the others hold."""
    suit, rank = divmod(card, 13)
    top = 13 * suit + 12
    length = count(hand, 13 * suit, top)
    above = count(pool, card + 1, top) + count(out, card + 1, top)
    return [rank / 12, rank * rank / 144, rank == 6, length / 10, rank * length / 120, above / 12, above == 0]


def play_features(
    card: int, hand: list[int], trick: list[int], led: int | None, out: list[int], number: int
) -> list[float]:
    """What speaks for playing this card. `trick`: the cards on the table, `led`: the suit led, `number`: of the trick.

    A card that is led, one that takes the trick as it stands, and one that does not, have features of their own.
    """
    suit, rank = divmod(card, 13)
    top = 13 * suit + 12
    above, below = count(out, card + 1, top), count(out, 13 * suit, card)
    rest = count(hand, 13 * suit, top) - 1
    eight, late, high = rank == 6, number / 13, rank / 12
    best = above == 0
    lead, win, lose = [0.0] * 9, [0.0] * 10, [0.0] * 7
    worth = (1 + 2 * (number in (1, 13)) + 2 * sum(trick[6::13])) / 5
    if led is None:
        lead = [1, high, above / 6, best, rest / 6, eight, below / 6, best * late, high * late]
    elif suit == led and count(trick, card + 1, top) == 0:
        last = sum(trick) == 3
        sure = last or best
        win = [1, high, above / 6, sure, sure * worth, worth, last, eight, sure * eight, sure * high]
    else:
        lose = [high, eight, eight * worth, above / 6, best, rest / 6 * (suit != led), high * late]
    return [*lead, *win, *lose]


def score(features: list[float], weights: list[float]) -> float:
    return sum(feature * weight for feature, weight in zip(features, weights, strict=True))


TAKE, PLAY = 7, 26
"""How many features the two functions return."""

LOOKS = "\n\n".join(map(inspect.getsource, (count, take_features, play_features, score)))
"""The text of these functions, read now: this file may be edited while it trains."""

Observation = dict[str, Any]
Row = NDArray[np.float64]

# --- What an agent sees in the environment (the tables of docs/rl.md) -------------------------------------------------

HAND, TRICK, PLAYED, LED, NUMBER, POOL = 0, 52, 260, 468, 488, 489


def options_of(seen: Observation) -> tuple[list[int], bool, list[list[float]]]:
    """Return the cards that may be chosen, whether they are taken from the pool, and the features of each."""
    row = seen["observation"]
    cards = np.flatnonzero(seen["action_mask"]).tolist()
    hand, pool = row[HAND : HAND + 52], row[POOL : POOL + 52]
    played = row[PLAYED : PLAYED + 208].reshape(4, 52).sum(axis=0)
    out = (1 - hand - pool - played).tolist()
    hand = hand.tolist()
    if pool.any():
        pool = pool.tolist()
        return cards, True, [take_features(card, hand, pool, out) for card in cards]
    trick = row[TRICK : TRICK + 208].reshape(4, 52).sum(axis=0).tolist()
    suits = row[LED : LED + 4]
    led = int(suits.argmax()) if suits.any() else None
    number = max(1, int(row[NUMBER]))
    return cards, False, [play_features(card, hand, trick, led, out, number) for card in cards]


def best(seen: Observation, weights: list[float]) -> int:
    """Return the card that the trained player chooses, as the exported file does."""
    cards, takes, features = options_of(seen)
    own = weights[:TAKE] if takes else weights[TAKE:]
    return max(zip(cards, features, strict=True), key=lambda option: score(option[1], own))[0]


# --- Training ---------------------------------------------------------------------------------------------------------

HAND_STEPS = 64  # 12 cards are taken and 52 played
BATCH = 8  # hands for each step of the weights
RATE = 0.05


class Learner:
    """The weights, and how they are improved."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.weights = np.zeros(TAKE + PLAY)
        self.usual = np.zeros(HAND_STEPS // 4)  # what is won after each of a player's decisions of a hand, on average
        self.mean, self.square, self.steps = np.zeros(TAKE + PLAY), np.zeros(TAKE + PLAY), 0
        self.hands = 0

    def choose(self, seen: Observation) -> tuple[int, Row]:
        """Choose by chance. Returns the card and the direction of the weights in which it becomes likelier."""
        cards, takes, features = options_of(seen)
        table = np.array(features, float)
        own = slice(0, TAKE) if takes else slice(TAKE, None)
        chances = np.exp(np.minimum(table @ self.weights[own], 50))
        chances /= chances.sum()
        place = int(self.random.choice(len(cards), p=chances))
        direction = np.zeros(TAKE + PLAY)
        direction[own] = table[place] - chances @ table
        return cards[place], direction

    def hand(self, env: kibitz_rl.CardGame) -> Row:
        """Play one hand with the same weights in all seats. Returns the gradient of what it brought."""
        decisions: dict[str, list[Row]] = {agent: [] for agent in env.possible_agents}
        # After which of its own decisions an agent won something, and how much:
        won: dict[str, list[tuple[int, float]]] = {agent: [] for agent in env.possible_agents}
        for _ in range(HAND_STEPS):
            agent = env.agent_selection
            card, direction = self.choose(env.observe(agent))
            decisions[agent].append(direction)
            env.step(card)
            for other, points in env.rewards.items():
                if points:
                    won[other].append((len(decisions[other]), points))
        gradient = np.zeros(TAKE + PLAY)
        self.hands += 1
        for agent, directions in decisions.items():
            after = np.array([sum(points for made, points in won[agent] if made > n) for n in range(len(directions))])
            gradient += (after - self.usual) @ np.array(directions)
            self.usual += (after - self.usual) / min(4 * self.hands, 1000)
        return gradient

    def improve(self, gradient: Row) -> None:
        """Move the weights uphill (Adam)."""
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * gradient
        self.square = 0.99 * self.square + 0.01 * gradient**2
        mean, square = self.mean / (1 - 0.9**self.steps), self.square / (1 - 0.99**self.steps)
        self.weights += RATE * mean / (np.sqrt(square) + 1e-6)


def train(seed: int, seconds: float, hands: float) -> list[float]:
    """Train for so long, or so many hands if that is less. Returns the weights."""
    env = kibitz_rl.env("tricky_eights")
    env.reset(seed=seed)
    learner, started = Learner(seed), time.monotonic()
    while learner.hands < hands and time.monotonic() - started < seconds:
        gradient = np.zeros(TAKE + PLAY)
        for _ in range(BATCH):
            if any(env.terminations.values()):
                env.reset()
            gradient += learner.hand(env)
        learner.improve(gradient)
        if learner.steps % 50 == 0:
            print(f"{learner.hands} hands, {time.monotonic() - started:.0f} s", file=sys.stderr)
    print(f"{learner.hands} hands in all", file=sys.stderr)
    return learner.weights.tolist()


# --- The exported file ------------------------------------------------------------------------------------------------

BOT = '''\
"""A player of Tricky Eights for the starter kit. Its weights were learned by train_tricky_eights.py."""

from acm98 import *

TAKE = {take!r}
PLAY = {play!r}


{functions}

def there(cards):
    return [int(card in cards) for card in range(52)]


def out():
    """The cards that the other players hold."""
    gone = (PLAYED, TABLE, POOL)
    return [int(GAME.where[card] not in gone and GAME.owner[card] != GAME.me) for card in range(52)]


def start_game():
    pass


def start_round():
    pass


def take_card():
    hand, pool, others = there(GAME.hand), there(GAME.pool), out()
    return max(sorted(GAME.pool), key=lambda card: score(take_features(card, hand, pool, others), TAKE))


def end_takes():
    pass


def play_card():
    cards = [card for card in GAME.trick.card if card is not None]
    led = suit(GAME.trick.card[GAME.trick.leader]) if cards else None
    seen = there(GAME.hand), there(cards), led, out(), GAME.trick_number
    return max(sorted(legal_cards()), key=lambda card: score(play_features(card, *seen), PLAY))


def end_round():
    pass


if __name__ == "__main__":
    run(start_game, start_round, take_card, end_takes, play_card, end_round)
'''


def export(weights: list[float]) -> str:
    """Return the source of a player with these weights. It needs the starter kit and nothing else."""
    weights = [round(weight, 4) for weight in weights]
    return BOT.format(take=weights[:TAKE], play=weights[TAKE:], functions=LOOKS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="the source file to write")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--hands", type=float, default=float("inf"), help="stop after that many")
    parser.add_argument("--seed", type=int, default=1, help="of the deals and the choices")
    arguments = parser.parse_args()
    arguments.file.write_text(export(train(arguments.seed, arguments.seconds, arguments.hands)), encoding="utf-8")


if __name__ == "__main__":
    main()
