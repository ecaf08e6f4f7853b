"""Plays one match: asks the players, applies faults, writes the record.

The referee knows no game and no sockets. The rules (`State`) say whose turn it is and what follows; the participants
(games.players) speak to the bots; who sees what is decided by `Game.see` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from games import rng
from games.debug import Piece
from games.engine import CHANCE, OVER, Event, Fault, FaultKind, Game, OptionError, Options, Seat, State
from games.format import FORMAT, Record, outcome, printable, seating
from games.pipes import GRACE
from games.players import Participant, Seated

ANSWER = 200
"""Characters of an answer that are kept in the record."""


@dataclass(frozen=True, slots=True)
class Match:
    """What came of a match. Lists are per player, in the order of `seats`."""

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
    games: int = 1,
    on_progress: Callable[[int], None] | None = None,
) -> Match:
    """Play a match of so many games and return its record.

    `options` are complete (`Game.options`). `on_progress` is called with the number of decisions made so far after each
    of them, and may raise to end the match. MachineryError and whatever else is raised leaves no process behind; what a
    bot does wrong is never raised.
    """
    fewest, most = game.seats
    if not fewest <= len(seats) <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise OptionError(f"{game.title} is played by {wanted} players, not {len(seats)}")
    referee = _Referee(game, seats, seed, options, on_progress)
    try:
        for number in range(1, games + 1):
            referee.play_game(number, of_several=games > 1)
            if len(referee.out) == len(seats):
                break
    finally:
        referee.close()
    record = {
        "format": FORMAT,
        "game": game.slug,
        "rules": preset,
        "seed": seed,
        "options": dict(options),
        "seats": [{"name": seated.name, "bot": seated.bot} for seated in seats],
        "events": referee.events,
        "result": outcome(game, referee.scores, referee.out),
    }
    return Match(record, referee.faults, [seated.player.debug.pieces() for seated in seats])


class _Referee:
    """A match in progress. Everything is per player but what says `seat`, which is of the current game."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seated],
        seed: int,
        options: Options,
        on_progress: Callable[[int], None] | None,
    ) -> None:
        self.game = game
        self.players = [seated.player for seated in seats]
        self.seed = seed
        self.options = options
        self.on_progress = on_progress
        self.events: list[Event] = []
        self.write = self.events.append
        self.scores = [0] * len(seats)
        self.faults: list[list[Event]] = [[] for _ in seats]
        self.out: set[int] = set()  # disqualified players
        self.decisions = 0
        self.packs = 0
        self.seating: list[int] = []
        self.in_seat: list[Participant | None] = []  # None where the referee plays on
        self.audience: list[tuple[Seat, Participant]] = []
        self.tells: list[Callable[[Event], None]] = []  # the audience's, for what everybody may see
        self.public = game.public
        self.state: State

    def play_game(self, number: int, of_several: bool) -> None:
        self.seating = seating(number, len(self.players)) if of_several else list(range(len(self.players)))
        self.state = self.game.start(self.options, number=number)
        self.in_seat = [None if player in self.out else self.players[player] for player in self.seating]
        for seat, participant in enumerate(self.in_seat):
            if participant is not None:
                participant.begin(self.game, seat, self.options, rng.Portable(self.seed, number, seat))
        self._set_audience()
        if of_several:
            self._tell({"event": "game", "number": number, "seating": self.seating})
        for seat, participant in enumerate(self.in_seat):
            if participant is None:
                self.state.disqualify(seat)
        self._play_on()
        self._end_game()

    def _play_on(self) -> None:
        state, pack_size = self.state, len(self.game.pack)
        while (turn := state.turn) != OVER:
            if turn == CHANCE:
                self.packs += 1
                for _, player in self.audience:
                    player.listen(len(self.events))
                for event in state.deal(rng.pack(self.seed, self.packs, pack_size)):
                    self._tell(event)
                continue
            self.decisions += 1
            asked = self.in_seat[turn]
            if asked is None:
                self._choose(turn)
            else:
                self._ask(turn, asked)
            if self.on_progress is not None:
                self.on_progress(self.decisions)

    def _ask(self, seat: Seat, player: Participant) -> None:
        state = self.state
        try:
            action, ms, cpu_ms, answer = player.decide(state.legal, len(self.events))
            if not state.is_legal(action):
                raise Fault(FaultKind.ILLEGAL, state.objection(action), answer)
        except Fault as fault:
            self._punish(seat, player, fault)
            return
        event = state.event(action)
        event["ms"] = ms
        if cpu_ms is not None:
            event["cpu_ms"] = cpu_ms
        following = state.apply(action)
        self._tell(event)
        for event in following:
            self._tell(event)

    def _choose(self, seat: Seat) -> None:
        """Decide in the place of a seat as the house player `random` does, from the match's own chance."""
        legal = self.state.legal()
        action = legal[rng.choice(self.seed, seat, self.decisions, len(legal))]
        event = self.state.event(action)
        event["by"] = "referee"
        following = self.state.apply(action)
        self._tell(event)
        for event in following:
            self._tell(event)

    def _punish(self, seat: Seat, player: Participant, fault: Fault) -> None:
        """What the rules do about a fault, which stands in the record directly before their decision."""
        state = self.state
        remedy = state.fault(fault.kind)
        event: Event = {"event": "fault", "seat": seat, "kind": str(fault.kind), "detail": printable(fault.detail)}
        if fault.answer is not None:
            event["answer"] = _readable(fault.answer)
        if remedy.points is not None:
            event["points"] = remedy.points
        self.faults[self.seating[seat]].append(event)
        self._tell(event)
        if remedy.disqualified:
            player.close(len(self.events), grace=0.0)
            self.out.add(self.seating[seat])
            self.in_seat[seat] = None
            self._set_audience()
            state.disqualify(seat)
        for event in remedy.events:
            self._tell(event)
        if not remedy.settled and state.turn == seat:
            self._choose(seat)

    def _end_game(self) -> None:
        result = self.state.result()
        self._tell(result)
        for seat, points in enumerate(self.game.points(result)):
            self.scores[self.seating[seat]] += points
        for _, player in self.audience:
            player.finish()
        deadline = perf_counter() + GRACE  # for all of them together
        for _, player in self.audience:
            player.close(len(self.events), max(0.0, deadline - perf_counter()))

    def _set_audience(self) -> None:
        self.audience = [(seat, player) for seat, player in enumerate(self.in_seat) if player is not None]
        self.tells = [player.tell for _, player in self.audience]

    def _tell(self, event: Event) -> None:
        """Write an event down and tell everybody what he may see of it."""
        self.write(event)
        if event["event"] in self.public:
            for tell in self.tells:
                tell(event)
            return
        for seat, player in self.audience:
            seen = self.game.see(event, seat)
            if seen is not None:
                player.tell(seen)

    def close(self) -> None:
        for player in self.players:
            player.close(len(self.events), grace=0.0)


def _readable(answer: bytes | str) -> str:
    text = answer if isinstance(answer, str) else answer[: 4 * ANSWER].decode("utf-8", "backslashreplace")
    return printable(text[: 4 * ANSWER])[:ANSWER]
