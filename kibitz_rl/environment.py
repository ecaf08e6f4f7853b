"""One environment for all games: PettingZoo's agent environment cycle over the rules of a game.

Nothing here knows a game. The rules say whose turn it is and what follows (`games.engine.State`), `games.hearing`
decides who hears what of it, and an encoding (games.encoding) turns what a seat has heard into numbers. There are no
processes, no clocks and no faults: an action that is not legal raises ValueError.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from games import PACKAGE_OF, get, rng
from games.encoding import encoding_of, size
from games.engine import CHANCE, OVER, PLAIN, UNCHANGED, Action, Event, Game, Opening, Options, Player, Seat, State
from games.hearing import Hearing, Listener

Numbers = NDArray[np.int8]
Observation = dict[str, Numbers]

VERSION = 0
"""Part of an environment's name. It rises when observations, actions or rewards change."""

_SEEDS = 2**31


def env(game: str, **arguments: Any) -> CardGame:
    """Return the environment of a game by its slug. The arguments are those of `CardGame`."""
    return CardGame(get(game), **arguments)


class CardGame(AECEnv[str, Observation, Any]):  # type: ignore[misc]  # PettingZoo is not typed
    """A game as an environment. The agent `player_N` plays seat N, and an episode is one game.

    `options` are changes to the options of a preset. `house` names house players by their seats: they decide inside
    `step`, and are not agents. With `final_rewards`, all rewards come at the end of the game.
    """

    metadata: dict[str, Any]
    infos: dict[str, dict[str, Any]]

    def __init__(
        self,
        game: Game,
        *,
        preset: str | None = None,
        options: Options = UNCHANGED,
        house: Mapping[Seat, str] | None = None,
        final_rewards: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.options = game.options(options, preset)
        self.render_mode = render_mode
        self.metadata = {"name": f"{game.slug}_v{VERSION}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.seed: int | None = None
        self.number = 0  # of the game in the match of this seed
        self.agents: list[str] = []
        self.events: list[Event] = []  # of this game, as in a record
        self._encode = encoding_of(game, PACKAGE_OF[game.slug])
        self._house = {seat: game.house_player(name) for seat, name in (house or {}).items()}
        seats = range(game.seats[1])
        if unknown := self._house.keys() - set(seats):
            raise ValueError(f"{game.title} has no seat {min(unknown)}")
        self._seat_of = {f"player_{seat}": seat for seat in seats if seat not in self._house}
        if not self._seat_of:
            raise ValueError("the house plays in every seat: nobody is left to learn")
        self._agent_in = {seat: agent for agent, seat in self._seat_of.items()}
        self.possible_agents = list(self._seat_of)
        self._sign = -1 if game.low_wins else 1
        self._packs = 0  # of the match, as many as were shuffled
        self._spaces()
        self._by_hand = not (final_rewards or game.counts_games)
        self._by_trick = self._by_hand and next(iter(self._encodings.values())).trick_points

    def _spaces(self) -> None:
        self._encodings = {seat: self._encode(seat, self.options) for seat in self._agent_in}
        self._listeners: list[Listener] = [(seat, encoding.tell) for seat, encoding in self._encodings.items()]
        self._views: dict[str, Numbers] = {
            self._agent_in[seat]: np.frombuffer(encoding.values, np.int8) for seat, encoding in self._encodings.items()
        }
        sample = next(iter(self._encodings.values()))
        self.fields, self.moves = sample.fields, sample.moves
        self._choices = size(self.moves)
        low = np.array([field.low for field in self.fields for _ in range(field.size)], np.int8)
        high = np.array([field.high for field in self.fields for _ in range(field.size)], np.int8)
        self._action_spaces = {agent: Discrete(self._choices) for agent in self.possible_agents}
        self._observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(low, high, dtype=np.int8),
                    "action_mask": Box(0, 1, (self._choices,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        players = len(self.possible_agents)
        self.state_space = Box(np.tile(low, players), np.tile(high, players), dtype=np.int8)

    def observation_space(self, agent: str) -> Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self._action_spaces[agent]

    # --- a game -------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. With a seed it is the first one of the match that `games play --seed` plays; without, the next
        one of the same match. `options["opening"]` replaces parts of how the game opens."""
        if seed is not None or self.seed is None:
            self.seed = SystemRandom().randrange(_SEEDS) if seed is None else int(seed)
            self.number = self._packs = 0
        self.number += 1
        game = self.game
        opening = {**game.opening(self.seed, self.number, game.seats[1]), **(options or {}).get("opening", PLAIN)}
        self._begin(opening)
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._nothing()} for agent in self.agents}
        self._skip_agent_selection = None
        self._given = [0] * game.seats[1]  # points given as rewards so far
        self._given_before = list(self._given)  # by the end of the hand before
        self._earned = False
        self._play_on()

    def _begin(self, opening: Opening) -> None:
        assert self.seed is not None
        game, self._opening = self.game, opening
        self._state: State = game.start(self.options, number=self.number, opening=opening)
        for encoding in self._encodings.values():
            encoding.begin()
        self._bots: dict[Seat, Player] = {
            seat: house.make(seat, self.options, rng.Portable(self.seed, self.number, seat))
            for seat, house in self._house.items()
        }
        bots: list[Listener] = [(seat, bot.tell) for seat, bot in self._bots.items()]
        self.events = []
        self._tell = Hearing(game, [*self._listeners, *bots], self.events.append).tell
        self._announce({"event": "game", "number": self.number, **opening})

    def _announce(self, event: Event) -> None:
        """Tell the house players the beginning or the end of a game. Encodings have no use for it."""
        if self._bots:
            self._tell(event)
        else:
            self.events.append(event)

    def _play_on(self) -> None:
        """Go on until an agent must decide, or the game is over."""
        state = self._state
        while (turn := state.turn) not in self._agent_in:
            if turn == CHANCE:
                self._deal()
            elif turn == OVER:
                self._end()
                return
            else:
                self._decide(self._bots[turn].choose(state.legal()))
        self._ask(turn)

    def _deal(self) -> None:
        assert self.seed is not None
        used = self.game.dealt(self._state)
        if not used:
            self._packs += 1
            self._pack = self.game.shuffle(self.seed, self._packs, self._opening)
        for event in self._state.deal(self._pack[used:] if used else self._pack):
            self._tell(event)

    def _decide(self, action: Action) -> None:
        event = self._state.event(action)
        following = self._state.apply(action)
        self._tell(event)
        for event in following:
            self._tell(event)
            if event["event"] == "trick":
                if self._by_trick and event["winner"] is not None:
                    self._give(event["winner"], event["points"])
            elif event["event"] == "score" and self._by_hand:
                self._settle([a + b for a, b in zip(self._given_before, event["hand"], strict=True)])
                self._given_before = list(self._given)

    def _ask(self, seat: Seat) -> None:
        agent, before = self._agent_in[seat], self.agent_selection
        self._legal = self._encodings[seat].choices(self._state.legal())
        mask = bytearray(self._choices)
        for choice in self._legal:
            mask[choice] = 1
        self._mask: Numbers = np.frombuffer(mask, np.int8)
        if agent != before:
            self.infos[before] = {"action_mask": self._nothing()}
            self.agent_selection = agent
        self.infos[agent] = {"action_mask": self._mask}

    def _end(self) -> None:
        result = self._state.result()
        self._announce(result)
        self._settle(self.game.points(result))
        self._mask = self._nothing()
        for agent in self.agents:
            self.terminations[agent] = True
            self.infos[agent] = {"action_mask": self._mask, "scores": list(result["scores"])}
        self.agent_selection = self.agents[0]

    def _settle(self, due: list[int]) -> None:
        """Give every seat what it is due by now and was not given yet."""
        for seat, points in enumerate(due):
            if points != self._given[seat]:
                self._give(seat, points - self._given[seat])

    def _give(self, seat: Seat, points: int) -> None:
        if not points:
            return
        self._given[seat] += points
        agent = self._agent_in.get(seat)
        if agent is not None:
            self._earned = True
            self.rewards[agent] += self._sign * points
            self._cumulative_rewards[agent] += self._sign * points

    # --- what PettingZoo asks for -------------------------------------------------------------------------------------

    def step(self, action: Any) -> None:
        """Choose for the agent in turn. Raises ValueError when the choice is not legal."""
        if not self.agents:
            raise RuntimeError("no game is being played: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action not in self._legal:
            raise ValueError(f"{agent} cannot choose {action} now, only {', '.join(map(str, self._legal))}")
        if self._earned:
            self._clear_rewards()
            self._earned = False
        self._cumulative_rewards[agent] = 0.0
        seat = self._seat_of[agent]
        decision = self._encodings[seat].choose(int(action))
        if decision is None:  # the next choice completes it
            self._ask(seat)
            return
        self._decide(decision)
        self._play_on()

    def observe(self, agent: str) -> Observation:
        """Return what the agent knows. Its mask is empty unless it is in turn."""
        asked = agent == self.agent_selection
        return {
            "observation": self._views[agent].copy(),
            "action_mask": self._mask if asked else self._nothing(),
        }

    def _nothing(self) -> Numbers:
        return np.zeros(self._choices, np.int8)

    def state(self) -> Numbers:
        """Return what all agents together know: their observations one after the other."""
        return np.concatenate(list(self._views.values()))

    def render(self) -> str:
        """Return what has happened in this game so far, in words, with everybody's cards."""
        view = self.game.view(None)
        lines = []
        for event in self.events:
            lines.append(self.game.caption(event, view))
            view.tell(event)
        return "\n".join(lines)

    def close(self) -> None:
        """Nothing was opened."""
