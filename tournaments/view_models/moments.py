"""One decision of a game as a small picture in words: who holds what, what lies on the table, whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from games.engine import Card, Event, Face, Game
from games.record import Record, game_events, game_seating, games_played, positions
from tournaments.models import Match

TRIED = 8  # how many of the longest decisions are looked at
LEAST = 3  # legal cards that make a decision worth a thought


@dataclass(frozen=True, slots=True)
class MomentSeat:
    label: str
    name: str
    suits: Sequence[Sequence[Face]]  # the hand as people hold it
    spoken: str  # the hand for screen readers
    played: Face | None
    is_turn: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """The position before a decision, with all hands open."""

    game: Game
    title: str
    seats: Sequence[MomentSeat]
    legal: int
    ms: float
    url: str  # of the replay, just before it

    @property
    def decides(self) -> MomentSeat:
        return next(seat for seat in self.seats if seat.is_turn)


def hardest(match: Match, record: Record, pick: int) -> Moment | None:
    """The team's decision that took longest, of those with a choice, in one game of the match: `pick` says which game.

    None where no position shows hands and legal cards.
    """
    game = match.contest.game
    number = 1 + pick % max(1, games_played(record))
    events = game_events(record, number)
    house = [str(seat["bot"]).startswith("house:") for seat in record["seats"]]
    seating = game_seating(record, number)
    timed = [
        (house[seating[event["seat"]]], -event["ms"], ply)
        for ply, event in enumerate(events)
        if event["event"] in game.decisions and event.get("ms") is not None and "by" not in event and ply
    ]
    for _, minus, ply in sorted(timed)[:TRIED]:
        (position,) = positions(record, number, "table", plies=range(ply - 1, ply))
        table = position.table
        legal = table.get("legal") or ()
        # Cards to take from a pool are in no hand, so the picture would not show what it asks about.
        if len(legal) >= LEAST and _shows_hands(table) and set(legal) <= set(table["hands"][events[ply]["seat"]]):
            url = f"{reverse('replay', args=[match.pk, number])}?ply={ply - 1}"
            seats = _seats(game, record, number, table, events[ply])
            return Moment(game, match.title, seats, len(legal), -minus, url)
    return None


def _shows_hands(table: Mapping[str, Any]) -> bool:
    return bool(table.get("hands")) and all(hand is not None for hand in table["hands"])


def _seats(game: Game, record: Record, number: int, table: Mapping[str, Any], decision: Event) -> list[MomentSeat]:
    played = {each["seat"]: each["card"] for each in table.get("current") or ()}
    return [
        MomentSeat(
            game.seat_names[seat].capitalize(),
            record["seats"][player]["name"],
            held := _held(game, table["hands"][seat]),
            ", ".join(card.words for suit in held for card in suit) or "no cards",
            _face(game, played[seat]) if seat in played else None,
            seat == decision["seat"],
        )
        for seat, player in enumerate(game_seating(record, number))
    ]


def _face(game: Game, card: Card) -> Face:
    return game.face(card) or Face(str(card), words=str(card))


def _held(game: Game, cards: Sequence[Card]) -> list[list[Face]]:
    """By suit in the order spades, hearts, clubs, diamonds, so that the colours alternate; highest first."""
    groups: dict[str, list[Face]] = {}
    for face in sorted((_face(game, card) for card in cards), key=lambda face: -face.strength):
        groups.setdefault(face.group, []).append(face)
    return sorted(groups.values(), key=lambda group: ("shcd".find(group[0].suit), -group[0].strength))
