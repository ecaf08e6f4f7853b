"""What bots were asked, how long they had, and how long they took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from contest.replay.parts import Asked, Chair, Thinking
from games.engine import Event, Game, Options
from games.format import DECISIONS


def questions(game: Game, options: Options, events: Sequence[Event], players: int) -> dict[int, Asked]:
    """By ply: the question behind each decision and each fault of a bot, as its protocol put it.

    The same fold that spoke to the bot, over the same events: so this is what was sent, to the letter.
    """
    wires = [game.wire(seat, options) for seat in range(players)]
    found: dict[int, Asked] = {}
    for ply, event in enumerate(events):
        if event["event"] == "fault" or (event["event"] in DECISIONS and "by" not in event):
            sent, lines = wires[event["seat"]].question()
            found[ply] = Asked(sent.decode("utf-8", "replace"), lines, 1000 * game.seconds(options, lines))
        for seat, wire in enumerate(wires):
            seen = game.see(event, seat)
            if seen is not None:
                wire.tell(seen)
    return found


def thinking_of(chair: Chair, events: Sequence[Event], asked: Mapping[int, Asked]) -> Thinking | None:
    """The times of one seat in one game; None when none of its decisions was timed."""
    times = {
        ply: event["ms"]
        for ply, event in enumerate(events)
        if event["event"] in DECISIONS and event["seat"] == chair.index and "ms" in event
    }
    if not times:
        return None
    return Thinking(
        chair=chair,
        decisions=len(times),
        total=sum(times.values()),
        median=median(times.values()),
        slowest=max(times.values()),
        slowest_ply=max(times, key=times.__getitem__),
        share=max(ms / asked[ply].limit_ms for ply, ms in times.items()),
    )
