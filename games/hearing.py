"""What a seat hears of a game, event by event: the one fold behind what bots are told and replays show.

`Game.see` says which part of an event a seat may see at all. This says when: decisions that are made at the same time
(`Game.simultaneous`) are heard by their own seat at once, and by the others when everybody has decided, at the latest
when something else happens. A fault is heard at once, whatever it interrupts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.engine import Event, Game, Seat

Listener = tuple[Seat | None, Callable[[Event], None]]
"""A seat (None: a spectator) and what is called with each event, or the part of it, that it hears."""


class Hearing:
    """The listeners of one game, told of its events in the order of the record, which `write` gets first and whole."""

    def __init__(
        self, game: Game, listeners: Sequence[Listener], write: Callable[[Event], None] = lambda event: None
    ) -> None:
        self._write = write
        self._see = game.see
        self._public = game.public
        self._simultaneous = game.simultaneous
        self._seats = game.seats[1]
        self._held: list[tuple[Seat | None, Event]] = []  # decisions that only their own seats have heard of
        self.set_listeners(listeners)

    def set_listeners(self, listeners: Sequence[Listener]) -> None:
        """Somebody has left, or come."""
        self._listeners = list(listeners)
        self._tells = [tell for _, tell in listeners]

    def tell(self, event: Event) -> None:
        """An event has happened."""
        self._write(event)
        kind = event["event"]
        if self._simultaneous:
            if kind in self._simultaneous:
                self._held.append((event["seat"], event))
                self._tell(event, [listener for listener in self._listeners if listener[0] == event["seat"]])
                if len(self._held) == self._seats:  # whoever is asked next must know
                    self._release()
                return
            if kind != "fault":
                self._release()
        if kind in self._public:
            for tell in self._tells:
                tell(event)
            return
        self._tell(event, self._listeners)

    def _release(self) -> None:
        held, self._held = self._held, []
        for owner, event in held:
            self._tell(event, [listener for listener in self._listeners if listener[0] != owner])

    def _tell(self, event: Event, listeners: Sequence[Listener]) -> None:
        for seat, tell in listeners:
            seen = self._see(event, seat)
            if seen is not None:
                tell(seen)
