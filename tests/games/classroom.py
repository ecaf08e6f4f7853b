"""Games in which a coach speaks at every decision, for its tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from games import rng
from games.coach import Advice, Coach
from games.engine import CHANCE, OVER, UNCHANGED, Action, Event, Game, Opening, Options, Seat, State
from games.hearing import Hearing

Chooser = Callable[[State, Sequence[Action]], Action]
"""Decides for a seat, whatever it knows."""


def lowest(state: State, legal: Sequence[Action]) -> Action:
    return legal[0]


def highest(state: State, legal: Sequence[Action]) -> Action:
    """The last card; where the last is no card, the one before it."""
    return legal[-2] if isinstance(legal[-1], str) and len(legal) > 1 and legal[-2] != "accept" else legal[-1]


def at_random(seed: int) -> Chooser:
    chance = Random(seed)
    return lambda state, legal: chance.choice(legal)


class Table:
    """One game, whose packs follow from a seed. Seats without a chooser are played by the house."""

    def __init__(
        self,
        game: Game,
        seed: int,
        choosers: dict[Seat, Chooser],
        *,
        options: Options = UNCHANGED,
        opening: Opening | None = None,
        house: Sequence[str] = (),
    ) -> None:
        self.game, self.seed = game, seed
        self.options = game.options(options)
        self.opening = opening or game.opening(seed, 1, game.seats[1])
        self.state = game.start(self.options, opening=self.opening)
        seats = range(game.seats[1])
        self.heard: list[list[Event]] = [[] for _ in seats]
        self.choosers = choosers
        names = iter(house)
        self.house = {
            seat: game.house_player(next(names, "random")).make(seat, self.options, rng.Portable(seed, 1, seat))
            for seat in seats
            if seat not in choosers
        }
        listeners = [(seat, self.heard[seat].append) for seat in seats]
        self.hearing = Hearing(game, [*listeners, *((seat, player.tell) for seat, player in self.house.items())])

    def play(self) -> Iterator[tuple[Seat, Sequence[Action]]]:
        """Play the game, and stop at each decision of a seat that is not the house's."""
        self.hearing.tell({"event": "game", "number": 1, **self.opening})
        packs, pack, state = 0, [], self.state
        while state.turn != OVER:
            if state.turn == CHANCE:
                dealt = self.game.dealt(state)
                if not dealt:
                    packs += 1
                    pack = list(self.game.shuffle(self.seed, packs, self.opening))
                self._tell(state.deal(pack[dealt:]))
                continue
            seat, legal = state.turn, state.legal()
            if seat in self.house:
                action = self.house[seat].choose(legal)
            else:
                yield seat, legal
                action = self.choosers[seat](state, legal)
            event = state.event(action)
            self._tell([event, *state.apply(action)])
        self._tell([state.result()])

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            self.hearing.tell(event)


def lesson(
    coach: Coach[Any], chooser: Chooser, seed: int | None = None, opening: Opening | None = None
) -> list[Advice]:
    """Play the lesson's deal (or that of another seed) and return everything that was said."""
    plan = coach.lesson
    table = Table(
        coach.game,
        plan.seed if seed is None else seed,
        {plan.seat: chooser},
        options=plan.options,
        opening=opening or plan.opening or None,
        house=plan.house,
    )
    said = [coach.explain(table.state, seat, table.heard[seat], lesson=True) for seat, _ in table.play()]
    return [*said, coach.farewell(plan.seat, table.heard[plan.seat], lesson=True)]


def ideas(said: Sequence[Advice]) -> list[str]:
    return [key for advice in said for key, _ in advice.ideas]
