"""The table of a worked example: one seat asks a voice, and the others do what the document says.

`example.json` in the game's folder has:

from      what it is, in words
seat      the seat whose answers the document shows
answers   these answers, as a bot writes them
options   where they differ from the preset
setting   `ids` and `entrants`, which some protocols tell their bots
games     each with its `opening`, and its `events`: the hand as it is dealt, then the decisions of all seats
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Protocol

from games.doctor.visit import Visit
from games.engine import CHANCE, OVER, Action, Event, Game, Opening, OptionError, Options, Seat, Setting, State
from games.hearing import Hearing


class Voice(Protocol):
    """Speaks one protocol with a program, and notes everything in a visit."""

    visit: Visit

    def begin(self, seat: Seat, options: Options, setting: Setting) -> None:
        """Start the program if it is not running, and take a seat in a game."""

    def tell(self, event: Event) -> None: ...

    def ask(self, state: State) -> Action | None:
        """Put the open question. None: it was not answered as it must be, or enough was asked."""

    def end(self) -> None:
        """End the program's input, and see whether it ends. Must come last."""


def play(game: Game, example: Example, voice: Voice) -> Visit:
    """Play the example as far as the program answers, and end the program."""
    try:
        for number, script in enumerate(example.scripts, 1):
            setting = replace(example.setting, number=number)
            voice.begin(example.seat, example.options, setting)
            if not voice.visit.connected or not _play(game, example, number, script, voice):
                break
    finally:
        voice.end()
    return voice.visit


def _play(game: Game, example: Example, number: int, script: Script, voice: Voice) -> bool:
    """Play one game, up to its end or that of its pack. Whether the program answered everything."""
    state = game.start(example.options, number=number, opening=script.opening)
    hearing = Hearing(game, [(example.seat, voice.tell)])
    if script.opening:
        hearing.tell({"event": "game", "number": number, **script.opening})
    planned: dict[Seat, list[Action]] = {}
    for event in script.decisions:
        planned.setdefault(event["seat"], []).append(game.action(event))
    pack = list(game.packed(script.hand))
    fresh = True
    while state.turn != OVER:
        if state.turn == CHANCE:
            dealt = game.dealt(state)
            if not dealt and not fresh:
                return True
            fresh = False
            following = state.deal(pack[dealt:])
        else:
            mine = state.turn == example.seat
            action = voice.ask(state) if mine else _planned(planned.get(state.turn, []), state)
            if action is None:
                return False
            following = [state.event(action), *state.apply(action)]
        for event in following:
            hearing.tell(event)
    hearing.tell(state.result())
    return True


def _planned(actions: list[Action], state: State) -> Action:
    """What the document says, as long as it fits: the program may have played something else."""
    found = next((action for action in actions if state.is_legal(action)), None)
    if found is None:
        return state.legal()[0]
    actions.remove(found)
    return found


@dataclass(frozen=True, slots=True)
class Script:
    """A game of the example."""

    opening: Opening
    hand: Event
    decisions: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Example:
    source: str
    seat: int
    answers: tuple[str, ...]
    options: dict[str, Any]
    setting: Setting
    scripts: tuple[Script, ...]


def example_of(game: Game) -> Example:
    """The worked example of a game. Raises OptionError where it has none."""
    try:
        data = json.loads((game.folder / "example.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise OptionError(f"{game.title} has no worked example") from None
    scripts = (Script(it["opening"], it["events"][0], tuple(it["events"][1:])) for it in data["games"])
    return Example(
        source=data["from"],
        seat=data["seat"],
        answers=tuple(data["answers"]),
        options=game.options(data["options"]),
        setting=Setting(tuple(data["setting"]["ids"]), data["setting"]["entrants"]),
        scripts=tuple(scripts),
    )
