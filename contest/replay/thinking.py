"""What bots were asked, how long they had, and how long they took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from contest.replay.parts import Asked, Chair, Thinking
from games.engine import Event, FaultKind, Game, Options, Setting
from games.format import DECISIONS


def questions(game: Game, options: Options, events: Sequence[Event], players: int) -> dict[int, Asked]:
    """By ply: the question behind each decision and each fault of a bot, as its protocol put it.

    The same fold that spoke to the bot, over the same events: so this is what was sent, to the letter.
    """
    wires = [game.wire(seat, options, Setting.of(players)) for seat in range(players)]
    found: dict[int, Asked] = {}
    for ply, event in enumerate(events):
        if event["event"] == "fault" or (event["event"] in DECISIONS and "by" not in event):
            sent, lines = wires[event["seat"]].question()
            limit, line = (1000 * game.seconds(options, count) for count in (lines, 1))
            found[ply] = Asked(sent.decode("utf-8", "replace"), lines, limit, line)
        for seat, wire in enumerate(wires):
            seen = game.see(event, seat)
            if seen is not None:
                wire.tell(seen)
    return found


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
    )
