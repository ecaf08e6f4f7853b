"""What a game must say, and the words in which everybody says it.

A game is five things, each of which knows nothing of sockets, clocks or Django:

* `State`    the authoritative rules of one game: whose turn it is, what is legal, what follows from a decision;
* `Game.see` who may see which part of an event: everything told to a bot, shown to a team or printed in a
             replay is a fold over the events that `see` lets through, so nothing is censored after the fact;
* `View`     the fold over the events that one seat (or a spectator, or the open table) may see;
* `Wire`     the same events and questions as bytes of the bot's own protocol, and its bytes as an action;
* `Player`   the house's own players, which decide from a `View`.

Chance is an argument: `State.deal` is given a pack of cards, and nothing here draws random numbers. What bots do wrong
(`Fault`) and what we do wrong (`MachineryError`) are different types from the bottom up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources.abc import Traversable
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from games import rng
from games.events import DECISIONS, FIELDS, own_part
from games.options import Option

Seat = int
"""0-based, clockwise."""

Event = dict[str, Any]
"""One entry of the record: JSON-ready, `event` first, then the fields in the order of the table in docs/record.md."""

Action = Hashable
"""A decision, opaque outside its game's folder. `State.event` and `Game.action` translate to and from the record."""

Options = Mapping[str, Any]
"""The options of docs/record.md, complete: a preset's defaults with the contest's changes on top."""

UNCHANGED: Options = MappingProxyType({})  # a preset's options as they are

Opening = Mapping[str, Any]
"""What a game of a match brings along: the fields of its `game` event beside `number` (`leader`, `seating`, `seed`,
`cards`), as far as it has them."""

PLAIN: Opening = MappingProxyType({})  # a game of which there is nothing to say

CHANCE, OVER = -1, -2
"""`State.turn` while a pack of cards is due, and when the game is finished."""


class FaultKind(StrEnum):
    """Everything a bot can do wrong (docs/rulings.md, All games). The same seven for every game."""

    ILLEGAL = "illegal"
    GARBLED = "garbled"
    TIMEOUT = "timeout"
    CRASH = "crash"
    MEMORY = "memory"
    OUTPUT = "output"
    VIOLATION = "violation"


class Fault(Exception):
    """A bot did something wrong: its own fault, never ours.

    `detail` says it in words without times (`CALL PATH` for a violation); `answer` is what it answered, if anything.
    """

    def __init__(self, kind: FaultKind, detail: str, answer: bytes | str | None = None) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.answer = answer


class MachineryError(Exception):
    """The machinery failed (a sandbox that did not start, a lost worker): the match is run again, no bot is blamed."""


class OptionError(ValueError):
    """An option or a seat count that the game does not take. The text is shown to people."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """What the rules do about a fault of the seat in turn.

    Either the rules have settled the open decision themselves (`settled`, with the events that follow), or somebody
    else decides in the bot's place: `house` player `random` for the rest of the match when `disqualified`, else the
    referee's random choice for this one decision.
    """

    disqualified: bool = False
    points: int | None = None  # a fine, written into the `fault` event
    settled: bool = False
    events: Sequence[Event] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds a game, for protocols that tell their bots of it."""

    ids: tuple[int, ...]  # of the player in each seat of this game; the same throughout a tournament
    entrants: int  # players of the tournament, house players included
    number: int = 1  # of the game in its match
    match: int = 1  # its number, which no other one of the same server has

    @classmethod
    def of(cls, players: int) -> Setting:
        """A match that is no part of a tournament."""
        return cls(tuple(range(1, players + 1)), players)


Card = str | int
"""A card as it stands in the record: `"d9"`, `47`."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card as people see it, and hear of it."""

    rank: str  # what is printed on it
    suit: str = ""  # "c", "d", "h" or "s" is drawn beside the rank; another word is a class for the game's style sheet
    words: str = ""  # its name: "queen of spades"
    group: str = ""  # the name of those that it is held together with: "spades"; blank: of all
    strength: int = 0  # in a hand the higher ones stand first


@dataclass(frozen=True, slots=True)
class Turn:
    """A kind of decision that every seat makes before the play of a hand, and how a list of moves names it."""

    title: str  # "Passes"
    several: bool = False  # a seat makes more than one of them in a hand, so they are numbered


class State(Protocol):
    """The rules of one game in progress. Mutable; made by `Game.start`."""

    turn: int
    """The seat that must decide, or CHANCE, or OVER."""

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        """Deal the next hand from an ordered pack (indices into `Game.pack`). Only while `turn` is CHANCE.

        Raises ValueError when this game cannot deal such a hand: a record that was made up."""

    def legal(self) -> Sequence[Action]:
        """Every legal action of the seat in turn, in the order in which that seat's bot sees its cards; never empty."""

    def is_legal(self, action: Action) -> bool:
        """Whether the seat in turn may do this now. Anything may be asked; nonsense is not legal."""

    def objection(self, action: Action) -> str:
        """Why a readable action is not allowed now, in words that follow the name of the player."""

    def event(self, action: Action) -> Event:
        """A legal decision of the seat in turn as it stands in the record, without `ms`."""

    def apply(self, action: Action) -> Sequence[Event]:
        """Make a legal decision for the seat in turn. Returns what follows from it, without the decision's own event.

        The caller has asked `is_legal`; an illegal action leaves the state undefined."""

    def fault(self, kind: FaultKind) -> Remedy:
        """The answer of the rules to a fault of the seat in turn. Called before anybody decides in its place."""

    def disqualify(self, seat: Seat) -> None:
        """Remember that a seat is out (it ranks last); its cards are played on by the house."""

    def scores(self) -> list[int]:
        """Points of the game so far, per seat."""

    def result(self) -> Event:
        """The game's `result` event. Only when `turn` is OVER."""


class View(Protocol):
    """What one seat (or everybody, seat None) knows: a fold over the events it may see."""

    def tell(self, event: Event) -> None: ...

    def position(self) -> dict[str, Any]:
        """JSON-ready picture of the table for the replay page. Shape per game, documented where it is made."""


class Wire(Protocol):
    """The bot's own protocol for one seat: events and questions to bytes, bytes to an action.

    One per player and game. `tell` is called with every event this seat may hear (games.hearing).
    """

    def tell(self, event: Event) -> None: ...

    def question(self) -> tuple[bytes, int]:
        """All bytes owed to the bot since its last answer, ending with the question, and how many lines they are."""

    def farewell(self) -> bytes:
        """Bytes owed to the bot when nothing more will be asked."""

    def parse(self, line: bytes) -> Action:
        """One answer, without its line end. Raises Fault(GARBLED) when it cannot be read as an answer."""


class Player(Protocol):
    """A house player: fair (it sees only what its seat may see) and deterministic for a given `Random`."""

    def tell(self, event: Event) -> None: ...

    def choose(self, legal: Sequence[Action]) -> Action: ...


@dataclass(frozen=True, slots=True)
class House:
    """A house player of a known strength. `make(seat, options, random)` makes one for one game."""

    name: str
    skill: str  # the class shown to people, such as "card counter"
    about: str  # one sentence
    make: Callable[[Seat, Options, Random], Player]
    title: str = ""  # what it is called at a table; blank: its name


@dataclass(frozen=True, slots=True)
class Preset:
    """A contest of the seeds as its organisers ran it, as far as the game itself is concerned."""

    name: str  # `rules` of the record, such as "utah-1998"
    title: str
    options: Options
    languages: tuple[str, ...]
    memory_mb: int
    startup: float = 5.0  # seconds allowed for starting a process


class Game(ABC):
    """One of the games. Each folder of `games/` exports one instance, listed in `games.GAMES`."""

    slug: str
    title: str
    tagline: str
    seats: tuple[int, int]  # fewest and most players of a match
    seat_names: tuple[str, ...]
    pack: Sequence[str]  # the cards as the bots see them, by the index used in packs
    presets: tuple[Preset, ...]
    option_fields: Mapping[str, Option] = MappingProxyType({})
    """All its options, by name. A preset need not have every one."""
    hand_word: str = "hand"  # what people call all that follows one deal; blank where a game is one deal
    trick_word: str = "trick"  # and what is played card by card: a trick, or one card of the dealer
    counts: str = "points"  # what the scores of a match are
    counts_games: bool = False  # they are the games that were won, so an average of them is a share
    house: tuple[House, ...]  # from the weakest to the strongest; the first is `random`
    low_wins: bool = False
    protocol: str = "lines"  # how a bot is spoken to; a key of games.players.PROTOCOLS
    log_name: str  # what `log` is called as a file
    lasting: bool = False  # a bot's process (or connection) lasts for the whole match, not for one game
    exact_cpu: bool = False  # processor time is read at every decision, and `result` has what no decision holds
    introduction: bytes | None = None  # what a bot is asked for its own name, once a match
    unit_tests: bytes | None = None  # what a bot is asked for its own tests, when an entry is checked
    decides: bool = False  # the rules say when a match is over (`decided`), unless so many games are asked for
    announces: bool = False  # also a match of one game begins with a `game` event
    simultaneous: frozenset[str] = frozenset()
    """Kinds of decisions that are made at the same time: others hear of them when everybody has decided."""
    practice: str = ""  # the house player at the test port of a contest server; blank: the first
    fillers: tuple[str, ...] = ()
    """House players that take the chairs for which there is nobody, in this order."""
    forgives: frozenset[FaultKind] = frozenset()
    """Faults that an entry's check lets pass, with a warning: they cost what the rules say."""
    sample: Sequence[Opening] = ()
    """Games that everybody may know, on which an entry is tried, where entries are judged game by game."""
    folder: Traversable
    """The game's folder, also inside a zipapp: `folder / "kit" / "acm98.h"` can be read, not passed to programs."""
    events: Mapping[str, tuple[str, ...]] = FIELDS
    """The events of its records and the order of their fields. With bids: `{**FIELDS, "bid": ("seat", "bid")}`."""
    decisions: frozenset[str] = DECISIONS
    """Those events that a seat decides on."""
    turns: Mapping[str, Turn] = MappingProxyType({})
    """The decisions that every seat makes before the play of a hand, such as bids: by their event."""
    public: frozenset[str] = frozenset()
    """Kinds of events that everybody may see as they are, so that `see` need not be asked."""
    kit_sources: Mapping[str, tuple[str, ...]] = {}
    """By language (games.toolchains): the files of `kit/` that are laid beside an entry and built with it."""

    def options(self, changes: Options = UNCHANGED, preset: str | None = None) -> dict[str, Any]:
        """Complete options: the preset's with the changes on top. Raises OptionError on an unknown or bad value."""
        options = {**self.preset(preset).options, **changes}
        if unknown := options.keys() - self.option_fields.keys():
            raise OptionError(f"{self.title} has no option {', '.join(sorted(unknown))}")
        for name, value in options.items():
            if objection := self.option_fields[name].objection(value):
                raise OptionError(f"{name} {objection}")
        return options

    def opening(self, seed: int, number: int, players: int) -> Opening:
        """How game `number` (from 1) of a match with that seed opens: here, everybody moves on by one seat."""
        return {"seating": [(seat + number - 1) % players for seat in range(players)]}

    @abstractmethod
    def start(self, options: Options, *, number: int = 1, opening: Opening = PLAIN) -> State:
        """Game `number` (from 1) of a match, before its first pack. Raises ValueError for an impossible opening."""

    def shuffle(self, seed: int, number: int, opening: Opening) -> Sequence[int]:
        """Pack `number` (from 1) of the match."""
        return rng.pack(seed, number, len(self.pack))

    def dealt(self, state: State) -> int:
        """How many cards of the pack in use were dealt in earlier hands. 0: a new pack is shuffled for the next."""
        return 0

    def decided(self, options: Options, scores: Sequence[int], played: int, result: Event) -> bool | None:
        """Whether a match is over after so many games, the last of which ended with `result`; `scores` are per player.

        None where the rules leave the number of games to whoever arranges the match."""
        return None

    def with_games(self, options: Options, games: int) -> Options:
        """The options of a match of exactly so many games, where that is for the rules to know. Raises OptionError."""
        return options

    @abstractmethod
    def action(self, event: Event) -> Action:
        """The inverse of `State.event`. Raises ValueError when the event holds no action of this game."""

    def chosen(self, event: Event) -> list[Any]:
        """What a decision chose: its cards, or what else its event says beside who decided, and for whom."""
        fields = (field for field in self.events[event["event"]] if field in event and field not in ("seat", "to"))
        values = [event[field] for field in fields]
        return [each for value in values for each in (value if isinstance(value, list) else [value])]

    @abstractmethod
    def packed(self, event: Event) -> Sequence[int]:
        """The inverse of `State.deal`: a pack that is dealt as this `hand` event. Raises ValueError when none is."""

    def see(self, event: Event, seat: Seat | None) -> Event | None:
        """The part of an event that a seat may see while the game is played; None for a spectator without cards."""
        return own_part(event, seat)

    @abstractmethod
    def view(self, seat: Seat | None) -> View:
        """The fold for one seat, or (None) for the open table. Feed it unfiltered events for the open table."""

    @abstractmethod
    def wire(self, seat: Seat, options: Options, setting: Setting, previous: Wire | None = None) -> Wire:
        """The protocol for a seat of a new game; `previous`: of the game before, where its process lasts."""

    def greeting(self, team: int) -> bytes:
        """What a client is told first that a contest server lets in. Where `protocol` is `socket`."""
        raise NotImplementedError(f"{self.title} is not played over connections")

    def refusal(self, host: str, message: str) -> bytes:
        """What a client is told that a contest server does not let in; `host`: the address at which it is seen."""
        raise NotImplementedError(f"{self.title} is not played over connections")

    def house_player(self, name: str) -> House:
        """Raises OptionError."""
        for house in self.house:
            if house.name == name:
                return house
        names = ", ".join(house.name for house in self.house)
        raise OptionError(f"there is no house player {name!r}: there is {names}")

    @property
    def test_bot(self) -> House:
        """Who plays against everybody at the test port."""
        return self.house_player(self.practice) if self.practice else self.house[0]

    def read_name(self, answer: bytes) -> str:
        """The name that a bot gives itself when it is asked its `introduction`; blank when it has none."""
        return ""

    def points(self, result: Event) -> list[int]:
        """What a game adds to the match's scores, per seat, from its `result` event: its scores, or games won."""
        return list(result["scores"])

    def failed(self, result: Mapping[str, Any], events: Sequence[Event]) -> bool:
        """Whether a match ended badly for a bot, by its record: the exit status of the command line."""
        return bool(result["disqualified"])

    def seconds(self, options: Options, lines: int) -> float:
        """How long the bot may think about a question, given the number of lines it was sent since its last answer."""
        return float(options["time_limit"])

    def penalty(self, options: Options, cpu_ms: float) -> float:
        """What a tournament adds to a player's points for the processor time it used in a match."""
        return 0.0

    def fair_games(self) -> int:
        """So many games, or a multiple, put everybody into everybody's place."""
        return self.seats[1]

    def write_opening(self, opening: Opening) -> str:
        """The line of `read_openings` that says this game."""
        return " ".join(f"{key} {value}" for key, value in opening.items())

    def read_openings(self, text: str) -> list[Opening]:
        """The games that an organiser wrote down, where entries are judged game by game. Raises OptionError, which
        names the line."""
        raise OptionError(f"{self.title} is not judged game by game")

    def judgement(self, result: Mapping[str, Any], events: Sequence[Event]) -> str:
        """What is said of an entry by its record: `correct`, or what is wrong with it. Where entries are judged."""
        return "wrong" if self.failed(result, events) else "correct"

    def tally(self, events: Sequence[Event]) -> str:
        """How the games of a match ended, in words, where its scores do not say it."""
        return ""

    def ending(self, events: Sequence[Event]) -> str:
        """How a game was won, by its part of the record, in words that follow "won"; blank where scores say it all."""
        return ""

    def first_failure(self, events: Sequence[Event]) -> int | None:
        """The number (from 1) of the first game that cost an entry its judgement, where entries are judged."""
        return None

    def face(self, card: Card) -> Face | None:
        """A card for people; None when it is none of this game."""
        text = str(card)
        return Face(text, words=text, strength=self.pack.index(text)) if text in self.pack else None

    def seconds_in_all(self, options: Options, allowed: float) -> float:
        """The most that a bot may think in a whole game, where the limits of its questions add up to `allowed`."""
        return allowed

    def preset(self, name: str | None = None) -> Preset:
        """The preset of that name, or the game's first. Raises OptionError."""
        for preset in self.presets:
            if name in (None, preset.name):
                return preset
        raise OptionError(f"{self.title} has no preset {name!r}: it has {', '.join(p.name for p in self.presets)}")

    @abstractmethod
    def caption(self, event: Event, before: View) -> str:
        """An event in a plain sentence for people, seen from `before`: the view that has not been told of it yet."""

    @abstractmethod
    def log(self, record: Event, events: Sequence[Event]) -> str:
        """The game's own log, for people, of one game of a match: `events` is that game's part of the record."""

    def rules_text(self) -> str:
        """The rules page, as Markdown."""
        return (self.folder / "rules.md").read_text(encoding="utf-8")
