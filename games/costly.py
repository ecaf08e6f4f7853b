"""The hands that cost a player most, by the same cards: two matches on the same deals in which two players have changed
seats. What one took with a hand is compared with what the other took with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.engine import Event, Game, Seat
from games.format import Record
from games.record import games as split
from games.record import seating_of


@dataclass(frozen=True, slots=True)
class Costly:
    """A hand that was played twice from the same seat: by us in one match, by the other player in its mirror."""

    game: int  # from 1
    hand: int  # from 1, within its game; 0: the game is one deal
    index: int  # of the hand's first event within its game: where a replay of it begins
    seat: Seat
    mine: float
    theirs: float
    loss: float  # positive: it went better for the other


@dataclass(frozen=True, slots=True)
class _Hand:
    index: int
    dealt: Sequence[object]  # the cards of each seat
    points: Sequence[float]  # of each seat


def costly(
    game: Game, mine: Record, ours: Sequence[bool], mirror: Record, mirrored: Sequence[bool]
) -> Iterator[Costly]:
    """Yield every hand that was dealt in both matches, from each seat where we played in the first and the other in the
    second. `ours` and `mirrored` say of the players of each record whether they are we."""
    for number, (events, others) in enumerate(zip(split(mine), split(mirror), strict=False), 1):
        seats = [ours[player] for player in seating_of(mine, events)]
        there = [mirrored[player] for player in seating_of(mirror, others)]
        theirs = _hands(game, others)
        for place, hand in _hands(game, events).items():
            other = theirs.get(place)
            if other is None or other.dealt != hand.dealt:
                continue
            for seat, (here, again) in enumerate(zip(seats, there, strict=True)):
                if here and (not again or len(seats) == 1):
                    loss = hand.points[seat] - other.points[seat]
                    loss = loss if game.low_wins else -loss
                    yield Costly(number, place, hand.index, seat, hand.points[seat], other.points[seat], loss)


def costliest(game: Game, records: Sequence[Record], ours: Sequence[Sequence[bool]]) -> tuple[int, Costly] | None:
    """Return the hand of a duel that cost most, after the index of the match in which we held it. None: none cost
    anything. `records` are a match and its mirror, and `ours` says of the players of each whether they are we."""
    pairs = ((0, 1), (1, 0)) if game.seats[1] > 1 else ((0, 1),)
    found = (
        (here, hand)
        for here, there in pairs
        for hand in costly(game, records[here], ours[here], records[there], ours[there])
        if hand.loss > 0
    )
    return max(found, key=lambda each: each[1].loss, default=None)


def _hands(game: Game, events: Sequence[Event]) -> Mapping[int, _Hand]:
    """Return the hands of a game that were played to their end. Where nothing is scored by the hand, the whole game is
    hand 0."""
    found: dict[int, _Hand] = {}
    begun: tuple[int, Event] | None = None
    for index, event in enumerate(events):
        if event["event"] == "hand":
            begun = index, event
        elif event["event"] == "score" and begun is not None:
            at, hand = begun
            found[hand["number"]] = _Hand(at, hand["hands"], event["hand"])
        elif event["event"] == "result" and not found and begun is not None:
            at, hand = begun
            found[0] = _Hand(at, hand["hands"], game.points(event))
    return found


def hand_events(events: Sequence[Event], number: int) -> list[Event]:
    """Return the events of one hand of a game, from its deal to its score; none if it was not dealt."""
    found: list[Event] = []
    for event in events:
        if event["event"] == "hand":
            if found:
                break
            if event["number"] != number:
                continue
        elif not found:
            continue
        found.append(event)
        if event["event"] == "score":
            break
    return found
