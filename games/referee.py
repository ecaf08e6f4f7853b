"""Play one match: ask the players, apply the rules about faults, write the record.

The referee knows no game and no sockets. The rules (`State`) say whose turn it is and what follows. The participants
(games.participants) speak to the bots. `Game.see` alone decides who sees what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from games import rng
from games.commons import Commons
from games.debug import Piece
from games.engine import (
    CHANCE,
    OVER,
    PLAIN,
    Event,
    Fault,
    FaultKind,
    Game,
    Opening,
    OptionError,
    Options,
    Seat,
    Setting,
    State,
)
from games.format import FORMAT, NAME, Record, outcome, printable
from games.hearing import Hearing, Listener
from games.participants import AT_ONCE, Participant, Seated
from games.programs import GRACE

ANSWER = 200
"""Characters of an answer that are kept in the record."""

LATE_MS = 1.0
"""The shortest time given back that a record tells of."""

CPU_DECIMALS = 3
"""As in the written record, so that penalties can be computed from it again: a C bot decides in less than 0.001 ms."""

DEAL = 10_000
"""Packs reserved for each game of a match with common deals."""


@dataclass(frozen=True, slots=True)
class Match:
    """The outcome of a match. Lists are per player, in the order of `seats`."""

    record: Record
    faults: list[list[Event]]  # the player's `fault` events
    debug: list[list[Piece]]  # its standard error


def play(
    game: Game,
    seats: Sequence[Seated],
    *,
    seed: int,
    options: Options,
    preset: str,
    games: int | None = None,
    openings: Sequence[Opening] | None = None,
    packs: Sequence[int] = (),
    entrants: int | None = None,
    match: int | None = None,
    decided: int = 0,
    on_start: Callable[[State], None] | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Match:
    """Play a match and return its record.

    The match has `games` games, or one for each of `openings`, which replace the game's own. Without either, it has as
    many as its rules say, or one. Where the rules want more games than `openings`, the others open as the rules say.
    `packs` says how many packs are used up before each game, where other games than these precede it, and `decided` how
    many decisions were made in them. `options` are complete (`Game.options`), and `entrants` is the number of players
    in the tournament. `match` is the number of this match, which bots may be told. Without it, the number follows from
    the seed without giving it away. `on_start` is called with the rules of each game as it starts. `on_progress` is
    called after each decision with the number of decisions so far, and may raise to end the match. `on_event` is called
    with every event in full, in the order of the record, as it is written; it must neither change it nor take long.
    MachineryError and all other exceptions leave no process behind. Mistakes of bots are never raised.
    """
    fewest, most = game.seats
    if not fewest <= len(seats) <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise OptionError(f"{game.title} is played by {wanted} players, not {len(seats)}")
    if games is not None:
        options = game.with_games(options, games)
    surrounding = Setting((), entrants or len(seats), match=_number(seed) if match is None else match)
    referee = _Referee(game, seats, seed, options, surrounding, on_progress, on_event)
    referee.decisions, referee.on_start = decided, on_start
    try:
        names = referee.introduce([seated.name for seated in seats])
        referee.play_match(games, openings, packs)
    finally:
        referee.close()
    record = {
        "format": FORMAT,
        "game": game.slug,
        "rules": preset,
        "seed": seed,
        "options": dict(options),
        "seats": [{"name": name, "bot": seated.bot} for name, seated in zip(names, seats, strict=True)],
        "events": referee.events,
        "result": outcome(game, referee.scores, referee.out),
    }
    return Match(record, referee.faults, [seated.player.debug.pieces() for seated in seats])


def _number(seed: int) -> int:
    """Return a number from a draw that no decision uses, before the first one."""
    return 1 + rng.choice(seed, 0, 0, 1_000_000)


class _Referee:
    """A match in progress. Everything is per player, except where the name says `seat`, which is of the current
    game."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seated],
        seed: int,
        options: Options,
        surrounding: Setting,
        on_progress: Callable[[int], None] | None,
        on_event: Callable[[Event], None] | None,
    ) -> None:
        self.game = game
        self.players = [seated.player for seated in seats]
        self.ids = [player if seated.id is None else seated.id for player, seated in enumerate(seats, 1)]
        self.surrounding = surrounding
        self.seed = seed
        self.options = options
        self.on_progress = on_progress
        self.on_start: Callable[[State], None] | None = None
        self.events: list[Event] = []
        self._write = _both(self.events.append, on_event) if on_event else self.events.append
        self.scores = [0] * len(seats)
        self.faults: list[list[Event]] = [[] for _ in seats]
        self.out: set[int] = set()  # disqualified players
        self.decisions = 0
        self.packs = 0
        self.pack: Sequence[int] = ()
        self.seating: list[int] = []
        self.in_seat: list[Participant | None] = []  # None where the referee plays on
        self.audience: list[tuple[Seat, Participant]] = []
        self.told_at_once: list[Participant] = []  # of the audience
        self.opening: Opening
        self.state: State
        self._hearing: Hearing
        self._tell: Callable[[Event], None]  # writes an event down, and tells everybody what they hear of it

    def introduce(self, names: Sequence[str]) -> list[str]:
        """Return the players' names: what their bots call themselves where they are asked, with a suffix to keep them
        apart."""
        if self.game.introduction is None:
            return list(names)
        taken: list[str] = []
        for player, name in zip(self.players, names, strict=True):
            taken.append(unlike(taken, player.introduce(self.game) or name))
        return taken

    def play_match(self, games: int | None, openings: Sequence[Opening] | None, packs: Sequence[int]) -> None:
        wanted = len(openings) if openings is not None else games or 1
        announced = wanted > 1 or self.game.announces or any(openings or ())
        over, number = False, 0
        while not over:
            number += 1
            given = openings[number - 1] if openings is not None and number <= len(openings) else PLAIN
            own = self.game.opening(self.seed, number, len(self.players)) if announced else PLAIN
            self.opening = {**own, **given}
            if number <= len(packs):
                self.packs = packs[number - 1]
            elif "deal" in self.opening:  # the same packs in every match with this seed
                self.packs = DEAL * self.opening["deal"]
            result = self.play_game(number, announced)
            decided = self.game.decided(self.options, self.scores, number, result)
            over = number == wanted if decided is None else decided
            over = over or len(self.out) == len(self.players)
        if self.game.lasting:
            self._dismiss(enumerate(self.players))

    def play_game(self, number: int, announced: bool) -> Event:
        game, opening = self.game, self.opening
        self.seating = list(opening.get("seating", range(len(self.players))))
        self.state = game.start(self.options, number=number, opening=opening)
        if self.on_start is not None:
            self.on_start(self.state)
        self.in_seat = [None if player in self.out else self.players[player] for player in self.seating]
        ids = tuple(self.ids[player] for player in self.seating)
        commons = Commons()
        setting = replace(self.surrounding, ids=ids, number=number, commons=commons)
        for seat, participant in enumerate(self.in_seat):
            if participant is not None:
                participant.begin(game, seat, self.options, rng.Portable(self.seed, number, seat), setting)
        self._set_audience()
        self._hearing = Hearing(game, self._listeners(), self._write, commons)
        self._tell = self._hearing.tell
        if announced:
            self._tell({"event": "game", "number": number, **opening})
        for seat, participant in enumerate(self.in_seat):
            if participant is None:
                self.state.disqualify(seat)
        self._play_on()
        return self._end_game()

    def _play_on(self) -> None:
        state = self.state
        while (turn := state.turn) != OVER:
            if turn == CHANCE:
                self._deal()
                continue
            self.decisions += 1
            asked = self.in_seat[turn]
            if asked is None:
                self._choose(turn)
            else:
                self._ask(turn, asked)
            if self.on_progress is not None:
                self.on_progress(self.decisions)

    def _deal(self) -> None:
        for _, player in self.audience:
            player.listen(len(self.events))
        dealt = self.game.dealt(self.state)
        if not dealt:
            self.packs += 1
            self.pack = self.game.shuffle(self.seed, self.packs, self.opening)
        for event in self.state.deal(self.pack[dealt:]):
            self._tell(event)

    def _ask(self, seat: Seat, player: Participant) -> None:
        state = self.state
        for other in self.told_at_once:
            if other is not player:  # it is sent what it was told together with the request
                other.flush()
        try:
            action, ms, cpu_ms, answer, late_ms = player.decide(state.legal, len(self.events))
            if not state.is_legal(action):
                raise Fault(FaultKind.ILLEGAL, state.objection(action), answer)
        except Fault as fault:
            self._punish(seat, player, fault)
            return
        event = state.event(action)
        event["ms"] = ms
        if cpu_ms is not None:
            event["cpu_ms"] = round(cpu_ms, CPU_DECIMALS)
        if late_ms >= LATE_MS:
            event["late_ms"] = late_ms
        following = state.apply(action)
        self._tell(event)
        for event in following:
            self._tell(event)

    def _choose(self, seat: Seat) -> None:
        """Decide for a seat as the house player `random` does, with the match's own randomness."""
        legal = self.state.legal()
        action = legal[rng.choice(self.seed, seat, self.decisions, len(legal))]
        event = self.state.event(action)
        event["by"] = "referee"
        following = self.state.apply(action)
        self._tell(event)
        for event in following:
            self._tell(event)

    def _punish(self, seat: Seat, player: Participant, fault: Fault) -> None:
        """Apply the rules to a fault, which the record has directly before the decision that they cause."""
        state = self.state
        remedy = state.fault(fault.kind)
        event: Event = {"event": "fault", "seat": seat, "kind": str(fault.kind), "detail": printable(fault.detail)}
        if fault.answer is not None:
            answer = fault.answer
            event["answer"] = readable(answer if isinstance(answer, str) else player.debug.told(answer))
        if remedy.points is not None:
            event["points"] = remedy.points
        self.faults[self.seating[seat]].append(event)
        self._tell(event)
        if remedy.disqualified:
            player.close(len(self.events), grace=0.0)
            self.out.add(self.seating[seat])
            self.in_seat[seat] = None
            self._set_audience()
            self._hearing.set_listeners(self._listeners())
            state.disqualify(seat)
        for event in remedy.events:
            self._tell(event)
        if not remedy.settled and state.turn == seat:
            self._choose(seat)

    def _end_game(self) -> Event:
        result = self.state.result()
        if self.game.exact_cpu:
            rest = [each.settle(len(self.events)) if each else 0 for each in self.in_seat]
            result["cpu_ms"] = [round(ms, CPU_DECIMALS) for ms in rest]
        self._tell(result)
        for player in self.told_at_once:
            player.flush()
        for seat, points in enumerate(self.game.points(result)):
            self.scores[self.seating[seat]] += points
        if not self.game.lasting:
            self._dismiss(self.audience)
        return result

    def _dismiss(self, participants: Iterable[tuple[int, Participant]]) -> None:
        """Tell all players that nothing more will be asked, then give all of them together a moment to end."""
        leaving = [participant for _, participant in participants]
        for participant in leaving:
            participant.finish()
        deadline = perf_counter() + GRACE
        for participant in leaving:
            participant.close(len(self.events), max(0.0, deadline - perf_counter()))

    def _set_audience(self) -> None:
        self.audience = [(seat, player) for seat, player in enumerate(self.in_seat) if player is not None]
        if self.game.protocol in AT_ONCE:
            self.told_at_once = [player for _, player in self.audience]

    def _listeners(self) -> list[Listener]:
        return [(seat, player.tell) for seat, player in self.audience]

    def close(self) -> None:
        for player in self.players:
            player.close(len(self.events), grace=0.0)


def _both(first: Callable[[Event], None], second: Callable[[Event], None]) -> Callable[[Event], None]:
    def tell(event: Event) -> None:
        first(event)
        second(event)

    return tell


def readable(answer: bytes | str) -> str:
    """Return an answer as the record keeps it: text that can be printed, of at most `ANSWER` characters."""
    text = answer if isinstance(answer, str) else answer[: 4 * ANSWER].decode("utf-8", "backslashreplace")
    return printable(text[: 4 * ANSWER])[:ANSWER]


def unlike(taken: Sequence[str], name: str) -> str:
    """Return the name, with a number added if it is taken (docs/rulings.md, Intensity 5)."""
    name, number = name[:NAME], 1
    unlike = name
    while unlike in taken:
        number += 1
        suffix = f" {number}"
        unlike = name[: NAME - len(suffix)] + suffix
    return unlike
