"""What bots were asked, how long they had, and how long they took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from contest.replay.parts import Asked, Chair, Thinking
from contest.words import printable
from games.engine import Event, FaultKind, Game, Options, Seat, Setting
from games.format import DECISIONS
from games.hearing import Hearing
from games.record import Record, seating_of
from games.record import games as split_games


def questions(game: Game, options: Options, events: Sequence[Event], players: int) -> dict[int, Asked]:
    """By ply: the question behind each decision and each fault of a bot, as its protocol put it.

    The same fold that spoke to the bot, over the same events: so this is what was sent, to the letter.
    """
    wires = [game.wire(seat, options, Setting.of(players)) for seat in range(players)]
    hearing = Hearing(game, [(seat, wire.tell) for seat, wire in enumerate(wires)])
    found: dict[int, Asked] = {}
    for ply, event in enumerate(events):
        if event["event"] == "fault" or (event["event"] in DECISIONS and "by" not in event):
            sent, lines = wires[event["seat"]].question()
            limit, line = (1000 * game.seconds(options, count) for count in (lines, 1))
            found[ply] = Asked(printable(sent.decode("utf-8", "backslashreplace")), lines, limit, line)
        hearing.tell(event)
    return found


def processor_time(seat: Seat, events: Sequence[Event]) -> float | None:
    """Milliseconds of processor time in a game, where all of it is known (`Game.exact_cpu`)."""
    result = events[-1]
    if "cpu_ms" not in result:
        return None
    mine = (event for event in events if event.get("seat") == seat)
    used: float = result["cpu_ms"][seat] + sum(event.get("cpu_ms") or 0 for event in mine)
    return used


def processor_times(record: Record) -> list[float]:
    """All processor milliseconds of every player in a match, where the game measures them (`Game.exact_cpu`)."""
    used = [0.0] * len(record["seats"])
    for events in split_games(record):
        for seat, player in enumerate(seating_of(record, events)):
            used[player] += processor_time(seat, events) or 0.0
    return used


def thinking_of(chair: Chair, events: Sequence[Event], asked: Mapping[int, Asked]) -> Thinking | None:
    """The times of one seat in one game; None when it neither made a timed decision nor was too slow for one."""
    mine = {ply: event for ply, event in enumerate(events) if event.get("seat") == chair.index}
    times = {ply: event["ms"] for ply, event in mine.items() if event["event"] in DECISIONS and "ms" in event}
    late = next((ply for ply, event in mine.items() if event.get("kind") == FaultKind.TIMEOUT), None)
    if not times and late is None:
        return None
    return Thinking(
        chair=chair,
        decisions=len(times),
        total=sum(times.values()),
        median=median(times.values()) if times else None,
        slowest=max(times.values(), default=None),
        slowest_ply=late if late is not None else max(times, key=times.__getitem__),
        share=max((ms / asked[ply].limit_ms for ply, ms in times.items()), default=0) if late is None else 1,
        late=None if late is None else asked[late],
        cpu=processor_time(chair.index, events),
    )
