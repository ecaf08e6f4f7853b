"""Playing in environments: random choices, and the choices that make a decision of a record."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from games.engine import Event
from kibitz_rl import CardGame

QUICK = {"hearts": {"target": 40}, "tricky_eights": {"target": 60}}
"""Options by which whole games are short."""


def make(slug: str, **arguments: Any) -> CardGame:
    import kibitz_rl

    return kibitz_rl.env(slug, **{"options": QUICK.get(slug, {}), **arguments})


def allowed(env: CardGame) -> list[int]:
    """What the agent in turn may choose."""
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()


def over(env: CardGame) -> bool:
    return any(env.terminations.values())


def play_randomly(env: CardGame, random: Random) -> dict[str, float]:
    """Play to the end of the game, and return what each agent was given by `last` on the way."""
    earned = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, _, _ = env.last()
        earned[agent] += reward
        env.step(None if terminated else random.choice(allowed(env)))
    return earned


def start_of(env: CardGame, name: str) -> int:
    """The first position of a field."""
    start = 0
    for field in env.fields:
        if field.name == name:
            return start
        start += field.size
    raise KeyError(name)


def field(env: CardGame, name: str, agent: str) -> list[int]:
    start = start_of(env, name)
    size = next(field.size for field in env.fields if field.name == name)
    return env.observe(agent)["observation"][start : start + size].tolist()


def numbers(env: CardGame, event: Event) -> list[int]:
    """The choices that make a decision of a record."""
    cards = event["cards"] if "cards" in event else [event["card"]] if "card" in event else []
    pack = list(dict.fromkeys(env.game.pack))
    if cards:
        return [pack.index(str(card)) for card in cards]
    start = 0
    for move in env.moves:
        if move.name == event["event"]:
            return [start]
        start += move.size
    raise KeyError(event)
