"""The interface of a game, and the shared vocabulary.

A game has five parts. None of them knows anything about sockets, clocks or Django:

* `State`    the authoritative rules of one game: whose turn it is, what is legal, what a decision leads to;
* `Game.see` who may see which part of an event. Everything told to a bot, shown to a team or printed in a replay is a
             fold over the events that `see` lets through, so nothing is censored afterwards;
* `View`     the fold over the events that one seat (or a spectator, or the open table) may see;
* `Wire`     the same events and questions as bytes of the bot's own protocol, and its bytes as an action;
* `Player`   a house player, which decides from the events of its seat.

Chance is an argument: `State.deal` is given a pack of cards, and nothing here draws random numbers. Mistakes of bots
(`Fault`) and failures of ours (`MachineryError`) are different types everywhere.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources.abc import Traversable
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from games import rng
from games.commons import Commons
from games.events import DECISIONS, FIELDS, own_part
from games.options import Length, Option, Preset

Seat = int
"""Counted from 0, clockwise."""

Event = dict[str, Any]
"""One entry of the record: JSON-ready, `event` first, then the fields in the order of the table in docs/record.md."""

Action = Hashable
"""A decision, opaque outside its game's folder. `State.event` and `Game.action` convert it to and from the record."""

Options = Mapping[str, Any]
"""The options of docs/record.md, complete: a preset's defaults with the contest's changes applied."""

UNCHANGED: Options = MappingProxyType({})  # a preset's options as they are

Opening = Mapping[str, Any]
"""How a game opens: the fields of its `game` event other than `number`, such as `leader` or `seating`."""

PLAIN: Opening = MappingProxyType({})  # a game that needs none of these

CHANCE, OVER = -1, -2
"""`State.turn` while a pack of cards is due, and when the game is finished."""


class FaultKind(StrEnum):
    """Everything that a bot can do wrong (docs/rulings.md, All games). These seven hold for every game."""

    ILLEGAL = "illegal"
    GARBLED = "garbled"
    TIMEOUT = "timeout"
    CRASH = "crash"
    MEMORY = "memory"
    OUTPUT = "output"
    VIOLATION = "violation"


class Fault(Exception):
    """A mistake of a bot, never ours.

    `detail` describes it without times (`CALL PATH` for a violation). `answer` is what the bot answered, if anything.
    """

    def __init__(self, kind: FaultKind, detail: str, answer: bytes | str | None = None) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        self.answer = answer


class MachineryError(Exception):
    """A failure of ours, such as a lost worker. The match is played again, and no bot is blamed."""


class OptionError(ValueError):
    """An option or a number of players that the game does not accept. The text is shown to people."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """What the rules do about a fault of the seat in turn.

    Either the rules have made the open decision themselves (`settled`, with the events that follow), or somebody else
    decides for the bot: the house player `random` for the rest of the match if `disqualified`, otherwise the referee at
    random for this one decision.
    """

    disqualified: bool = False
    points: int | None = None  # a fine, written into the `fault` event
    settled: bool = False
    events: Sequence[Event] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """The context of a game, for protocols that tell it to their bots."""

    ids: tuple[int, ...]  # of the player in each seat of this game, the same throughout a tournament
    entrants: int  # players in the tournament, house players included
    number: int = 1  # of the game in its match
    match: int = 1  # number of the match, unique on its server
    commons: Commons | None = field(default=None, compare=False, repr=False)  # None: each wire is told everything

    @classmethod
    def of(cls, players: int) -> Setting:
        """Return the setting of a match that is not part of a tournament."""
        return cls(tuple(range(1, players + 1)), players)


Card = str | int
"""A card as the record writes it: `"d9"`, `47`."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card as people see it and hear it read aloud."""

    rank: str  # what is printed on it
    suit: str = ""  # "c", "d", "h" or "s" is drawn beside the rank; another word is a class for the game's style sheet
    words: str = ""  # its name: "queen of spades"
    group: str = ""  # name of the cards it is held with: "spades"; blank: all of them
    strength: int = 0  # cards with a higher one come first in a hand


@dataclass(frozen=True, slots=True)
class Turn:
    """A kind of decision that every seat makes before the play of a hand, and how a list of moves names it."""

    title: str  # "Passes"
    several: bool = False  # a seat makes more than one of them in a hand, so they are numbered


class State(Protocol):
    """The rules of one game in progress. Mutable, made by `Game.start`."""

    turn: int
    """The seat that must decide, or CHANCE, or OVER."""

    def deal(self, pack: Sequence[int]) -> Sequence[Event]:
        """Deal the next hand from an ordered pack (indices into `Game.pack`). Only while `turn` is CHANCE. Raises
        ValueError when this game cannot deal such a hand, as in a forged record."""

    def legal(self) -> Sequence[Action]:
        """Return every legal action of the seat in turn, in the order in which its bot sees its cards. Never empty."""

    def is_legal(self, action: Action) -> bool:
        """Whether the seat in turn may do this now. `action` may be anything; nonsense is not legal."""

    def objection(self, action: Action) -> str:
        """Explain why a readable action is not allowed now, in words that follow the player's name."""

    def event(self, action: Action) -> Event:
        """Return a legal decision of the seat in turn as an event of the record, without `ms`."""

    def apply(self, action: Action) -> Sequence[Event]:
        """Make a decision for the seat in turn, for which `is_legal` holds. Returns the events that follow it."""

    def fault(self, kind: FaultKind) -> Remedy:
        """Apply the rules to a fault of the seat in turn. Called before anybody decides in its place."""

    def disqualify(self, seat: Seat) -> None:
        """Mark a seat as disqualified: it ranks last, and the house plays its cards."""

    def scores(self) -> list[int]:
        """Return the points of the game so far, per seat."""

    def result(self) -> Event:
        """Return the game's `result` event. Only when `turn` is OVER."""


class View(Protocol):
    """What one seat (or everybody, seat None) knows: a fold over the events that it may see."""

    def tell(self, event: Event) -> None: ...

    def position(self) -> dict[str, Any]:
        """Return a JSON-ready picture of the table for the replay page. Each game documents the shape of its own."""


class Wire(Protocol):
    """The bot's own protocol for one seat: events and questions to bytes, bytes to an action. There is one per player
    and game. `tell` is called with every event that this seat may hear (games.hearing)."""

    def tell(self, event: Event) -> None: ...

    def question(self) -> tuple[bytes, int]:
        """Return all bytes owed to the bot since its last answer, ending with the question, and the number of lines."""

    def farewell(self) -> bytes:
        """Return the bytes owed to the bot when nothing more will be asked."""

    def parse(self, line: bytes) -> Action:
        """Parse one answer, without its line end. Raises Fault(GARBLED) when it cannot be read as an answer."""


class Player(Protocol):
    """A house player. It is fair (it sees only what its seat may see) and deterministic for a given `Random`."""

    def tell(self, event: Event) -> None: ...

    def choose(self, legal: Sequence[Action]) -> Action: ...


@dataclass(frozen=True, slots=True)
class House:
    """A house player of known strength. `make(seat, options, random)` makes one for one game."""

    name: str
    skill: str  # the class shown to people, such as "card counter"
    about: str  # one sentence
    make: Callable[[Seat, Options, Random], Player]
    title: str = ""  # its name at a table; blank: `name`


class Game(ABC):
    """One of the games. Each game's package exports one instance as `GAME`, and `games.GAMES` lists them."""

    slug: str
    title: str
    tagline: str
    tagline_of_contests: str = ""  # what else holds where programs play
    seats: tuple[int, int]  # fewest and most players of a match
    seat_names: tuple[str, ...]
    pack: Sequence[str]  # the cards as the bots see them, by their index in packs
    presets: tuple[Preset, ...]
    option_fields: Mapping[str, Option] = MappingProxyType({})
    """All options by name. A preset need not have every one."""
    lengths: tuple[Length, ...] = ()  # that people may choose from, the usual one first; none: it is always one deal
    hand_word: str = "hand"  # the word for everything after a deal; blank if a game is one deal
    trick_word: str = "trick"  # the word for what is played card by card: a trick, or one card of the dealer
    counts: str = "points"  # the unit of a match's scores
    counts_games: bool = False  # the unit is games won, so their average is a share
    house: tuple[House, ...]  # from the weakest to the strongest; the first is `random`
    low_wins: bool = False
    protocol: str = "lines"  # the bots' protocol: a key of games.players.PROTOCOLS
    log_name: str  # the file name of `log`
    lasting: bool = False  # a bot's process (or connection) lasts for the whole match, not for one game
    exact_cpu: bool = False  # processor time is read at every decision, and `result` has the rest of it
    introduction: bytes | None = None  # asks a bot for its own name, once per match
    unit_tests: bytes | None = None  # asks a bot to run its own tests, when an entry is checked
    decides: bool = False  # the rules say when a match is over (`decided`), unless a number of games is asked for
    announces: bool = False  # even a match of one game begins with a `game` event
    simultaneous: frozenset[str] = frozenset()
    """Kinds of decisions that are made at the same time. The others are told when everybody has decided."""
    practice: str = ""  # the house player at the test port of a contest server; blank: the first
    fillers: tuple[str, ...] = ()  # house players that take the empty seats, in this order
    gain: float = 0.1  # points a game by which a trial of a new version looks for it to be better
    costs: Mapping[str, str] = MappingProxyType({})
    """What a fault costs beside fines, by the kind of event that follows it: `{"forfeit": "trick"}`."""
    sample: Sequence[Opening] = ()
    """Public games for the check of an entry, if entries are judged game by game."""
    folder: Traversable
    """The game's folder, even inside a zipapp: `folder / "kit" / "acm98.h"` can be read, but not passed to programs."""
    events: Mapping[str, tuple[str, ...]] = FIELDS
    """The events of its records and the order of their fields. With bids: `{**FIELDS, "bid": ("seat", "bid")}`."""
    decisions: frozenset[str] = DECISIONS
    """The events that are decisions of a seat."""
    turns: Mapping[str, Turn] = MappingProxyType({})
    """By event: the decisions that every seat makes before the play of a hand, such as bids."""
    public: frozenset[str] = frozenset()
    """Kinds of events that everybody may see in full, so `see` is not called."""
    kit_sources: Mapping[str, tuple[str, ...]] = {}
    """By language (games.toolchains): the files of `kit/` that an entry is built with."""

    @property
    def summary(self) -> str:
        """The game in one or two sentences, where programs play it."""
        return f"{self.tagline} {self.tagline_of_contests}".rstrip()

    def options(self, changes: Options = UNCHANGED, preset: str | None = None) -> dict[str, Any]:
        """Return complete options: the preset's with the changes applied. Raises OptionError on a bad one."""
        options = {**self.preset(preset).options, **changes}
        if unknown := options.keys() - self.option_fields.keys():
            raise OptionError(f"{self.title} has no option {', '.join(sorted(unknown))}")
        for name, value in options.items():
            if objection := self.option_fields[name].objection(value):
                raise OptionError(f"{name} {objection}")
        return options

    def opening(self, seed: int, number: int, players: int) -> Opening:
        """Return how game `number` (from 1) of a match with that seed opens. By default everybody moves on by one
        seat."""
        return {"seating": [(seat + number - 1) % players for seat in range(players)]}

    @abstractmethod
    def start(self, options: Options, *, number: int = 1, opening: Opening = PLAIN) -> State:
        """Start game `number` (from 1) of a match, before its first pack. Raises ValueError for an impossible
        opening."""

    def shuffle(self, seed: int, number: int, opening: Opening) -> Sequence[int]:
        """Return pack `number` (from 1) of the match."""
        return rng.pack(seed, number, len(self.pack))

    def dealt(self, state: State) -> int:
        """Return how many cards of the current pack earlier hands have used. 0: the next hand has a new pack."""
        return 0

    def decided(self, options: Options, scores: Sequence[int], played: int, result: Event) -> bool | None:
        """Whether a match is over after `played` games, the last of which ended with `result`. `scores` are per player.
        None: the rules leave the number of games to the caller."""
        return None

    def with_games(self, options: Options, games: int) -> Options:
        """Return the options of a match of that many games, where the rules decide the number. Raises OptionError."""
        return options

    @abstractmethod
    def action(self, event: Event) -> Action:
        """Return the action of an event: the inverse of `State.event`. Raises ValueError when it holds no action of
        this game."""

    def chosen(self, event: Event) -> list[Any]:
        """Return what a decision chose: its cards, or its event's other fields apart from who decided and for whom."""
        fields = (field for field in self.events[event["event"]] if field in event and field not in ("seat", "to"))
        values = [event[field] for field in fields]
        return [each for value in values for each in (value if isinstance(value, list) else [value])]

    @abstractmethod
    def packed(self, event: Event) -> Sequence[int]:
        """Return a pack that is dealt as this `hand` event: the inverse of `State.deal`. Raises ValueError when there
        is none."""

    def see(self, event: Event, seat: Seat | None) -> Event | None:
        """Return the part of an event that a seat may see during the game. None: a spectator without cards."""
        return own_part(event, seat)

    @abstractmethod
    def view(self, seat: Seat | None) -> View:
        """Return the fold for one seat, or (None) for the open table, which is fed unfiltered events."""

    @abstractmethod
    def wire(self, seat: Seat, options: Options, setting: Setting, previous: Wire | None = None) -> Wire:
        """Return the protocol for a seat of a new game. `previous`: that of the game before, where a bot's process
        lasts."""

    def greeting(self, team: int) -> bytes:
        """Return what a contest server tells a client first when it lets it in. Where `protocol` is `socket`."""
        raise NotImplementedError(f"{self.title} is not played over connections")

    def refusal(self, host: str, message: str) -> bytes:
        """Return what a contest server tells a client that it does not let in. `host`: the client's address."""
        raise NotImplementedError(f"{self.title} is not played over connections")

    def house_player(self, name: str) -> House:
        """Return the house player of that name. Raises OptionError."""
        if found := next((house for house in self.house if house.name == name), None):
            return found
        names = ", ".join(house.name for house in self.house)
        raise OptionError(f"there is no house player {name!r}: there is {names}")

    @property
    def test_bot(self) -> House:
        """The house player at the test port."""
        return self.house_player(self.practice) if self.practice else self.house[0]

    def read_name(self, answer: bytes) -> str:
        """Return the bot's own name from its answer to `introduction`; blank if it has none."""
        return ""

    def points(self, result: Event) -> list[int]:
        """Return what a game adds to the match's scores, per seat, by its `result` event: its scores, or games won."""
        return list(result["scores"])

    def failed(self, result: Mapping[str, Any], events: Sequence[Event]) -> bool:
        """Whether a match ended badly for a bot, by its record: the exit status of the command line."""
        return bool(result["disqualified"])

    def seconds(self, options: Options, lines: int) -> float:
        """Return how long the bot may think about a question, given how many lines it was sent since its last
        answer."""
        return float(options["time_limit"])

    def is_of_one_call(self, fault: Event) -> bool:
        """Return whether a timeout broke the limit of one line, however many were sent."""
        return False

    def penalty(self, options: Options, cpu_ms: float) -> float:
        """Return what a tournament adds to a player's points for the processor time it used in a match."""
        return 0.0

    def fair_games(self) -> int:
        """Return the number of games (or multiple of it) that rotates the players through all seats."""
        return self.seats[1]

    def write_opening(self, opening: Opening) -> str:
        """Write a game as a line that `read_openings` reads."""
        return " ".join(f"{key} {value}" for key, value in opening.items())

    def read_openings(self, text: str) -> list[Opening]:
        """Read the games that an organiser wrote, where entries are judged game by game. Raises OptionError, which
        names the line."""
        raise OptionError(f"{self.title} is not judged game by game")

    def judgement(self, result: Mapping[str, Any], events: Sequence[Event]) -> str:
        """Return the judgement on an entry by its record, where entries are judged: `correct`, or what is wrong."""
        return "wrong" if self.failed(result, events) else "correct"

    def tally(self, events: Sequence[Event]) -> str:
        """Describe how the games of a match ended, if its scores do not show it."""
        return ""

    def ending(self, events: Sequence[Event]) -> str:
        """Describe how a game was won, by its part of the record, in words that follow "won"; blank where scores show
        it."""
        return ""

    def first_failure(self, events: Sequence[Event]) -> int | None:
        """Return the number (from 1) of the first game that made an entry wrong, where entries are judged."""
        return None

    def face(self, card: Card) -> Face | None:
        """Return a card for people, or None when this game has no such card."""
        text = str(card)
        return Face(text, words=text, strength=self.pack.index(text)) if text in self.pack else None

    def preset(self, name: str | None = None) -> Preset:
        """Return the preset of that name, or the game's first. Raises OptionError."""
        if found := next((it for it in self.presets if name in (None, it.name)), None):
            return found
        raise OptionError(f"{self.title} has no preset {name!r}: it has {', '.join(p.name for p in self.presets)}")

    @abstractmethod
    def caption(self, event: Event, before: View) -> str:
        """Describe an event in a sentence. `before` is the view before the event."""

    @abstractmethod
    def log(self, record: Event, events: Sequence[Event]) -> str:
        """Write the game's own log of one game of a match. `events` is that game's part of the record."""

    def rules_text(
        self, options: Mapping[str, Any] | None = None, memory_mb: int | None = None, startup: float | None = None
    ) -> str:
        """Return the rules page as Markdown, with the numbers of a contest, or else of the first preset.

        In rules.md `{target}` is the value of an option or a limit, and `{disqualify?this|that}` one of two texts."""
        preset = self.preset()
        values = {"memory_mb": memory_mb or preset.memory_mb, "startup": startup or preset.startup}
        values |= self.options() if options is None else options
        text = (self.folder / "rules.md").read_text(encoding="utf-8")
        names = "|".join(map(re.escape, values))
        text = re.sub(rf"{{({names})}}", lambda found: f"{values[found[1]]:g}", text)
        either = re.compile(rf"{{({names})\?(.*?)\|(.*?)}}", re.DOTALL)
        return either.sub(lambda found: found[2 if values[found[1]] else 3], text)
