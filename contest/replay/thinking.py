"""What bots were asked, how long they had, and how long they took."""

from __future__ import annotations

import cmath
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import mul
from statistics import median
from typing import TYPE_CHECKING

from contest.replay.parts import STEPS, MatchThinking, ReplaySeat, Thinking
from games.commons import Commons
from games.engine import FaultKind, Setting, Wire
from games.hearing import Hearing
from games.record import Record, seating_of
from games.record import games as split_games

if TYPE_CHECKING:
    from contest.replay import Replay


@dataclass(frozen=True, slots=True)
class Numbers:
    """By which numbers the bots of a match knew each other, by player, and how many players the tournament had."""

    ids: tuple[int, ...]
    entrants: int


Sent = tuple[bytes, int]
"""What a bot was sent since its last answer, and how many lines that is. A game has thousands, so they are no more."""


def questions(replay: Replay) -> Iterator[Sent | None]:
    """Yield for each event of the game what was sent before it, as the protocol put it, if it is a decision or a fault
    of a bot at an open seat. So the record need not tell what others saw.

    The same fold that spoke to the bot, over the same events: so this is what was sent, to the letter. Where a bot
    lasts for the whole match, what it is owed of the game before comes with the next one's first question.
    """
    game, record, number, seats = replay.game, replay.record, replay.number, len(replay.seats)
    numbers = replay.numbers or Numbers(tuple(range(1, seats + 1)), seats)
    players = {seat.player for seat in replay.open_seats}
    wires: dict[int, Wire | None] = dict.fromkeys(range(seats))
    for each in (number - 1, number) if game.lasting and number > 1 else (number,):
        seating = seating_of(record, replay.games[each - 1])
        commons = Commons()
        setting = Setting(tuple(numbers.ids[player] for player in seating), numbers.entrants, each, commons=commons)
        for seat, player in enumerate(seating):
            if player in players:
                wires[player] = game.wire(seat, record["options"], setting, wires[player])
        asks = [wires[player] for player in seating]
        tell = Hearing(game, [(seat, wire.tell) for seat, wire in enumerate(asks) if wire], commons=commons).tell
        for event in replay.games[each - 1]:
            kind = event["event"]
            wire = ((kind in game.decisions and "by" not in event) or kind == "fault") and asks[event["seat"]]
            sent = wire.question() if wire else None
            if each == number:
                yield sent
            tell(event)


UNSEEN = 0.0005
"""Pages show no difference between smaller shares of a limit, so they need not know the limit exactly."""


def thinking_of(replay: Replay, seat: ReplaySeat) -> Thinking | None:
    """The times of one seat; None when it neither made a timed decision nor was too slow for one."""
    events, limit = replay.events, replay.limit
    times = {ply: ms for ply, ms in replay.times[seat.index].items() if ms is not None}
    faults = (ply for ply in replay.plies("fault") if events[ply]["seat"] == seat.index)
    late = next((ply for ply in faults if events[ply].get("kind") == FaultKind.TIMEOUT), None)
    if not times and late is None:
        return None
    slowest = sorted(times, key=times.__getitem__, reverse=True)
    ordered = [times[ply] for ply in reversed(slowest)]
    share = 0.0 if late is None else 1.0
    for ply in slowest:
        most = times[ply] / limit(1)  # a question of more lines allows more time
        if most <= max(share, UNSEEN):
            share = share or most
            break
        question = replay.question(ply)
        share = max(share, times[ply] / question.limit_ms if question else 0)
    rest = events[-1].get("cpu_ms")  # of processor time, beside that of decisions (`Game.exact_cpu`)
    used = (event.get("cpu_ms") or 0 for event in events if event.get("seat") == seat.index)
    slowest_ply = late if late is not None else slowest[0]
    return Thinking(
        seat=seat,
        decisions=len(times),
        total=sum(times.values()),
        median=median(ordered) if times else None,
        slowest=ordered[-1] if times else None,
        slowest_ply=slowest_ply,
        share=share,
        late=None if late is None else replay.question(late),
        cpu=None if rest is None else rest[seat.index] + sum(used),
        href=replay.href(slowest_ply),
        spread=_spread(ordered),
    )


def thinking_in_match(record: Record, href: Callable[[int, int], str]) -> list[MatchThinking]:
    """The times of all games of a match, by player who made a timed decision. `href`: of a game (from 1) and a ply."""
    times: dict[int, list[tuple[float, int, int]]] = {}
    for number, events in enumerate(split_games(record), 1):
        seating = seating_of(record, events)
        for ply, event in enumerate(events):
            if "ms" in event and "seat" in event:
                times.setdefault(seating[event["seat"]], []).append((event["ms"], number, ply))
    found = []
    for player, timed in sorted(times.items()):
        every = [ms for ms, _, _ in timed]
        slowest, number, ply = max(timed, key=lambda each: each[0])
        place = href(number, ply)
        found.append(MatchThinking(player, len(every), sum(every), median(every), slowest, place, _spread(every)))
    return found


def _spread(times: Iterable[float]) -> list[int]:
    """How many of these times lie below each of STEPS and not below the one before, and how many beyond the last."""
    ordered = sorted(times)
    ends = [0, *(bisect_left(ordered, step) for step in STEPS), len(ordered)]
    return [end - start for start, end in pairwise(ends)]


FEWEST, FINEST, SLOTS, ON_IT = 40, 2.0, 6, 0.8
"""When answers sit on a grid: so many answers, on a grid not finer than so many milliseconds (timers and the scheduler
have finer ones), in so many slots. Their phases on it, as arrows of length 1, add up to this share of their number.
Fixed thinking times fill fewer slots. Of 40 smooth times, whose arrows point everywhere, the best of the grids that are
tried gets there once in a million matches."""
LOOKED_AT = 128
"""The last answers of a match, and the slots of the finest grid that is tried. This bounds the work."""


def grids(record: Record) -> dict[int, float]:
    """The milliseconds of a grid on which a player's answers sit, by player, for those who have one.

    A bot that waits for a slot of the clock tells its partner by the slot which cards it holds. Its thinking times are
    on the grid, or, as others think meanwhile, the times from one of its answers to the next."""
    own: dict[int, list[float]] = {}
    apart: dict[int, list[float]] = {}
    since: dict[int, float] = {}
    for events in split_games(record):
        seating = seating_of(record, events)
        for event in events:
            if "ms" not in event or "seat" not in event:
                continue
            player, ms = seating[event["seat"]], float(event["ms"])
            since = {other: passed + ms for other, passed in since.items()}
            own.setdefault(player, []).append(ms)
            apart.setdefault(player, []).append(since.get(player, ms))
            since[player] = 0.0
    found = {player: _grid(times, times) or _grid(apart[player], times) for player, times in own.items()}
    return {player: width for player, width in found.items() if width}


def _grid(times: Sequence[float], own: Sequence[float]) -> float | None:
    """The width of a grid with these times. The bot's `own` must fill its slots as well, in whatever phase."""
    times, own = times[-LOOKED_AT:], own[-LOOKED_AT:]
    ordered, edge = sorted(times), len(times) // 20
    spread = ordered[-1 - edge] - ordered[edge]
    if len(times) < FEWEST or spread < SLOTS * FINEST:
        return None
    step = math.tau / (4 * spread)  # of the frequency; a quarter of a turn between the first and the last arrow
    most = min(4 * LOOKED_AT, int(4 * spread / FINEST))
    arrows = [cmath.rect(1, 4 * SLOTS * step * it) for it in times]
    turns = [cmath.rect(1, step * it) for it in times]
    sums = []
    for _ in range(4 * SLOTS, most + 1):
        sums.append(sum(arrows))
        arrows = list(map(mul, arrows, turns))
    total = max(sums, key=abs)
    width = math.tau / (step * (4 * SLOTS + sums.index(total)))
    phase = cmath.phase(total) / math.tau
    slots = Counter(round(it / width - phase) for it in times), Counter(round(it / width) for it in own)
    filled = all(sum(n > 1 for n in it.values()) >= SLOTS and 2 * max(it.values()) <= len(times) for it in slots)
    return width if filled and abs(total) >= ON_IT * len(times) else None
