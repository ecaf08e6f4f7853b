"""`intensity_referee`, as the Intensity assignment prints it ("Playing Intensity")."""

from __future__ import annotations

import secrets
import shlex
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NoReturn, cast

from games import get
from games.build import HOUSE, seated
from games.cards import mask
from games.commands import JUDGED, PLAYED, REFUSED, Command, print_debug
from games.debug import DebugLog
from games.engine import Action, Event, Fault, Game, OptionError, Options, Seat, Setting
from games.format import dumps
from games.intensity.rules import card_objection, discards_objection
from games.intensity.view import View
from games.intensity.wire import QuestionWire
from games.intensity.words import Printer, log
from games.participants import Decision, Participant, PassiveParticipant, Seated
from games.programs import pinned
from games.referee import Match, play, unlike
from games.rng import Portable
from games.toolchains import recognise

VERSION = "0.2"
"""The seed in the printed form of 2018."""

PERSON = "Interactive Player"


class _Ended(Exception):
    """The person's input has ended."""


class _Usage(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise OptionError(f"{message}: {self.format_usage().strip().removeprefix('usage: ')}")


def intensity_referee(words: Sequence[str]) -> int:
    """Run `intensity_referee [-i] [--seed N] [--record FILE] BOT…`: one game, with random players in the empty
    seats."""
    parser = _Usage(
        prog="intensity_referee",
        usage="%(prog)s [-h] [--seed N] [--record FILE] BOT... | -i [BOT...]",
        description="Play one game and print it. The house's random players take the empty seats.",
    )
    parser.add_argument("-i", dest="interactive", action="store_true", help="a person plays one hand at the terminal")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="the seed of the cards, and of who takes the empty seats; without it, a random one",
    )
    parser.add_argument("--record", metavar="FILE", help="write the record, JSON")
    parser.add_argument("bots", metavar="BOT", nargs="*", help="a source file, an executable or house:NAME; at most 4")
    arguments = parser.parse_args(list(words))
    if not arguments.bots and not arguments.interactive:
        raise OptionError("intensity_referee takes the names of one to four programs, or -i to play yourself")
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    print(f"Version: {VERSION}", flush=True)
    try:
        match = _play(_seats(arguments.bots, arguments.interactive, seed), seed)
    except _Ended:
        print("\nThe input has ended, and so has the game.")
        return REFUSED
    if arguments.record:
        Path(arguments.record).write_text(dumps(match.record) + "\n", encoding="utf-8")
    for player, pieces in enumerate(match.debug):
        print_debug(match.record["seats"][player]["name"], pieces)
    return JUDGED if match.record["result"]["disqualified"] else PLAYED


def _seats(bots: Sequence[str], interactive: bool, seed: int) -> list[Seated]:
    """Return the bots as they were named, then the house's. A person gets any seat. Raises OptionError."""
    game, chance = get("intensity"), Portable(seed, "chairs")
    most = game.seats[1] - interactive
    if len(bots) > most:
        raise OptionError(f"{len(bots)} programs were named, and there are only {most} seats for them")
    seats = []
    for bot in bots:
        seats.append(seated(game, bot))
        recipe = recognise(Path(bot).name)
        if recipe is not None and recipe.build:
            print(*map(shlex.join, recipe.build_commands(Path(bot).name)), sep="\n", flush=True)
    fillers = list(game.fillers)
    chance.shuffle(fillers)
    for name in fillers[: most - len(bots)]:
        seats.append(seated(game, HOUSE + name))
    if interactive:
        seats.append(Seated(PERSON, "person", InteractivePlayer()))
        chance.shuffle(seats)
    return seats


def _play(seats: Sequence[Seated], seed: int) -> Match:
    """Play and print. A person sees at once what the seat hears; without one, everything is printed at the end."""
    game = get("intensity")
    names: list[str] = []
    for each in seats:
        if isinstance(each.player, InteractivePlayer):
            each.player.printer = Printer(names)
            seats = [replace(seated, player=cast(Participant, _Named(seated, names))) for seated in seats]
            break
    with pinned():
        match = play(game, seats, seed=seed, options=game.options(), preset=game.preset().name)
    if not names:
        print(log(match.record, match.record["events"]), end="")
    return match


class _Named:
    """A player whose name is noted as soon as it is known, because names are printed while the game goes on."""

    def __init__(self, seated: Seated, names: list[str]) -> None:
        self._seated = seated
        self._names = names

    def __getattr__(self, name: str) -> Any:
        """Leave everything else to the player."""
        return getattr(self._seated.player, name)

    def introduce(self, game: Game) -> str:
        self._names.append(unlike(self._names, self._seated.player.introduce(game) or self._seated.name))
        return self._names[-1]


class InteractivePlayer(PassiveParticipant):
    """A person at the terminal, who is asked again after an answer that is unreadable or not allowed. Nobody is
    timed."""

    printer: Printer

    def __init__(self) -> None:
        self.debug = DebugLog(0)

    def introduce(self, game: Game) -> str:
        return PERSON

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self._wire = QuestionWire(seat)
        self._view = View(seat)

    def tell(self, event: Event) -> None:
        self._wire.tell(event)
        self._view.tell(event)
        if event["event"] != "pass":  # people know what they pass, and see in their hand what they were given
            for line in self.printer.lines(event):
                print(line, flush=True)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        choices = legal()
        discarding = self._view.phase == "discards"
        print(f"{PERSON} {'must choose discards.' if discarding else 'turn to play.'}")
        print(f"Hand: {self._view.hands[self._view.seat or 0]}")
        while True:
            try:
                answer = input(f"Enter {'cards to discard' if discarding else 'card to play'}: ").encode()
            except EOFError:
                raise _Ended from None
            complaint = self._complaint(answer, choices)
            if not complaint:
                return Decision(self._wire.parse(answer), 0, None, answer)
            print(f"{PERSON} {complaint}")

    def _complaint(self, answer: bytes, choices: Sequence[Action]) -> str:
        """Say what is wrong with an answer; blank when nothing is."""
        try:
            action = self._wire.parse(answer)
        except Fault as fault:
            return fault.detail
        if action in choices:
            return ""
        hand = mask(self._view.hands[self._view.seat or 0] or [])
        if self._view.phase == "discards":
            return discards_objection(hand, action)
        return card_objection(hand, self._view.led, self._view.broken, action)


COMMANDS = {
    "intensity_referee": Command(
        intensity_referee,
        "[-i] BOT...: a game of Intensity, printed; the house's random players take the empty seats",
        lists_options=True,
    ),
}
