"""What a seat hears of a game, event by event: the one fold behind what bots are told and replays show.

`Game.see` says which part of an event a seat may see. This module says when. Decisions that are made at the same time
(`Game.simultaneous`) reach their own seat at once, and the others when everybody has decided, or at the latest when
something else happens. A fault is heard at once, whatever it interrupts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.commons import Commons
from games.engine import Event, Game, Seat

Listener = tuple[Seat | None, Callable[[Event], None]]
"""A seat (None: a spectator), and the function that is called with each event, or part of one, that it hears."""


class Hearing:
    """The listeners of one game. They are told its events in the order of the record, which `write` gets first and in
    full."""

    tell: Callable[[Event], None]
    """Tell everybody an event."""

    def __init__(
        self,
        game: Game,
        listeners: Sequence[Listener],
        write: Callable[[Event], None] = lambda event: None,
        commons: Commons | None = None,
    ) -> None:
        """`commons`: what some of the listeners share, who have joined it already."""
        self._write = write
        self._commons = commons or Commons()
        self._see = game.see
        self._public = game.public
        self._simultaneous = game.simultaneous
        self._seats = game.seats[1]
        self._held: list[tuple[Seat | None, Event]] = []  # decisions told only to their own seats
        self._listeners: list[Listener] = []
        self._tells: list[Callable[[Event], None]] = []  # of public events
        self.set_listeners(listeners)
        self._tell_now = self._at_once()
        self.tell = self._tell_in_turn if game.simultaneous else self._tell_now

    def set_listeners(self, listeners: Sequence[Listener]) -> None:
        """Replace the listeners after somebody has left or joined."""
        self._listeners[:] = listeners
        shared = [fold.tell for fold in self._commons.folds.values()]
        self._tells[:] = shared + [tell for _, tell in listeners if tell not in self._commons.spared]

    def _at_once(self) -> Callable[[Event], None]:
        """Return `tell` for events that are not held back. It is called for every event of every match, so it looks
        nothing up."""
        write, public, tells, listeners, tell_part = self._write, self._public, self._tells, self._listeners, self._tell

        def tell(event: Event) -> None:
            write(event)
            if event["event"] in public:
                for hear in tells:
                    hear(event)
            else:
                tell_part(event, listeners)

        return tell

    def _tell_in_turn(self, event: Event) -> None:
        kind = event["event"]
        if kind not in self._simultaneous:
            if kind != "fault":
                self._release()
            self._tell_now(event)
            return
        self._write(event)
        self._held.append((event["seat"], event))
        self._tell(event, [listener for listener in self._listeners if listener[0] == event["seat"]])
        if len(self._held) == self._seats:  # the next decision depends on them
            self._release()

    def _release(self) -> None:
        held, self._held = self._held, []
        for owner, event in held:
            self._tell(event, [listener for listener in self._listeners if listener[0] != owner])

    def _tell(self, event: Event, listeners: Sequence[Listener]) -> None:
        for seat, tell in listeners:
            seen = self._see(event, seat)
            if seen is not None:
                tell(seen)


def heard(game: Game, events: Sequence[Event], seat: Seat | None) -> list[tuple[int, Event | None]]:
    """Return for each event of a game the index of the event with which a seat (None: a spectator) hears of it, and the
    part that it hears. The part is None where it hears nothing, or has not heard it by the end."""
    told: list[Event] = []
    hearing = Hearing(game, [(seat, told.append)])
    found: list[tuple[int, Event | None]] = [(index, None) for index in range(len(events))]
    latest: dict[tuple[str, Seat | None], int] = {}  # nobody decides twice before all have decided
    for index, event in enumerate(events):
        latest[event["event"], event.get("seat")] = index
        told.clear()
        hearing.tell(event)
        for part in told:
            found[latest[part["event"], part.get("seat")]] = (index, part)
    return found
