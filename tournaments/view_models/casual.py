"""A casual table as its page shows it to one seat."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.urls import reverse

from contest import cards
from contest.formatting import cardinal
from contest.replay import Replay
from contest.replay.films import Shelf
from contest.replay.growing import Unfinished
from games.engine import Card, Game
from games.format import Record
from games.record import games as split_games
from tournaments.casual import moves, tables
from tournaments.casual.rules import terms
from tournaments.kinds import secrecy
from tournaments.models import CasualGame, CasualSeat

KEYS = (
    (("←", "→", "↑", "↓"), "walk along your cards"),
    (("Enter",), "play the card, or choose it and put it back"),
    (("1", "…", "9", "0"), "the first ten cards you may play, then the other answers"),
    (("C",), "confirm the cards you have chosen"),
    (("Space",), "skip the wait, or go on to the next deal"),
    (("T",), "look at the last trick, and back"),
    (("W",), "read aloud where the game stands"),
    (("Esc",), "close an explanation"),
    (("?",), "this help"),
)

VERBS = {"play": "Play", "pass": "Pass", "take": "Take"}


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of the table and who sits there."""

    index: int
    letter: str
    name: str
    about: str  # "house, card counter", "open", "has left: the house plays"
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A player's result."""

    name: str
    points: float
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    title: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Invitation:
    """Others want to play again: who, and where a form takes the seat that they keep."""

    names: str
    join: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A card in the form for browsers without scripts."""

    card: Card
    words: str


def prompt_of(question: Mapping[str, Any]) -> str:
    """What the question asks, as a sentence: `Your turn: play a card`."""
    wanted = question.get("choose", 1)
    if not question.get("cards"):
        return "Your turn: what do you answer?"
    what = "a card" if wanted == 1 else f"{cardinal(wanted)} cards"
    others = " or ".join(each["label"].lower() for each in question.get("answers") or ())
    return f"Your turn: {question['kind']} {what}{f', or {others}' if others else ''}"


@dataclass(frozen=True)
class SeatPage:
    """One table, as the person in `seat` sees it."""

    game: Game
    seat: int
    seats: Sequence[Place]
    urls: Mapping[str, str]
    where: str = ""
    caption: str = ""
    position: str = ""
    ply: int = -1  # of the position
    question: Mapping[str, Any] | None = None
    decided: int = 0  # decisions that were made at this table
    result: Outcome | None = None
    rules: str = ""
    coached: bool = False
    lesson: bool = False
    farewell: Mapping[str, Any] | None = None  # what the coach says at the end
    is_over: bool = False
    is_open: bool = False
    why: str = ""  # it was given up
    has_left: bool = False
    is_seated: bool = True  # whoever looks has a seat
    may_join: bool = False
    asks_name: bool = False
    code: str = ""  # of the table, to be read out
    terms: str = ""
    has_company: bool = False  # other people sit here, too
    kept: bool = False  # the free seat is kept for whoever looks
    again: Invitation | None = None  # to another table
    keys: Sequence[tuple[tuple[str, ...], str]] = field(default=KEYS)

    @property
    def title(self) -> str:
        return f"Play {self.game.title}"

    @property
    def label(self) -> str:
        return self.game.seat_names[self.seat].capitalize()

    @property
    def rotate(self) -> int:
        """By how many places the table is turned, so that this seat is nearest."""
        return (len(self.seats) // 2 - self.seat) % len(self.seats)

    @property
    def suited(self) -> bool:
        """Whether the suits of the pack are drawn, so that their colours can be told apart."""
        return cards.face(self.game, self.game.pack[0]).suit in cards.SUITS

    @cached_property
    def faces(self) -> str:
        return json.dumps(cards.faces(self.game), separators=(",", ":"))

    @property
    def prompt(self) -> str:
        return prompt_of(self.question) if self.question else ""

    @property
    def several(self) -> bool:
        return self.question is not None and self.question["choose"] > 1

    @property
    def verb(self) -> str:
        kind = self.question["kind"] if self.question else ""
        return VERBS.get(kind, kind.capitalize())

    @property
    def choices(self) -> list[Choice]:
        """The cards that may be chosen, once each, in the order of a hand."""
        wanted = dict.fromkeys(self.question.get("cards") or ()) if self.question else {}
        return [
            Choice(card, cards.face(self.game, card).words)
            for group in cards.by_suit(self.game, list(wanted))
            for card in group
        ]


def seat_page(
    table: CasualGame,
    seat: CasualSeat | None,
    *,
    invitation: str,
    guest: bool = False,
    kept: CasualSeat | None = None,
) -> SeatPage:
    """A table as the person in `seat` sees it, or (None) somebody who may take one. `invitation`: its whole address
    with the key. `guest`: they have no account. `kept`: the free seat that is kept for them."""
    taken = list(table.seats.all())
    free = [each for each in taken if each.is_free and each.kept_for_id is None]
    shown = seat or kept or next(iter(free), None)
    index = shown.index if shown else 0
    question = moves.open_question(table, seat) if seat else None
    farewell = None
    if seat and table.coached and table.record:
        told = moves.heard(table.game, split_games(table.loaded())[-1], index)
        farewell = moves.coached(table, lambda it: it.farewell(index, told, lesson=table.lesson))
    return SeatPage(
        game=table.game,
        seat=index,
        seats=[_place(table, each, seat) for each in taken],
        urls=_urls(table, invitation),
        question=question,
        decided=0 if table.is_over else table.moves.count(),
        result=_outcome(table, taken, seat),
        coached=table.coached,
        lesson=table.lesson,
        farewell=farewell,
        is_over=table.is_over,
        is_open=table.is_open,
        why=table.why,
        has_left=bool(seat and seat.left_at and table.is_playing),
        is_seated=seat is not None,
        may_join=seat is None and (kept is not None or bool(free)),
        asks_name=guest,
        code=table.code if table.is_open else "",
        terms=terms(table),
        has_company=any(each.is_person and each != seat for each in taken),
        kept=kept is not None,
        again=_invitation(table, seat) if seat and table.is_over else None,
        **({} if table.is_open or seat is None else _drawn(table, index)),
    )


def _invitation(table: CasualGame, seat: CasualSeat) -> Invitation | None:
    """To the table at which others from this one wait for this person."""
    found = tables.next_table(table)
    if found is None or not any(each.is_free and each.kept_for_id == seat.pk for each in found.seats.all()):
        return None
    names = [each.name for each in found.seats.all() if each.is_person and each.name]
    return Invitation(" and ".join(map(format, names)), reverse("casual-join", args=[found.pk]))


def _urls(table: CasualGame, invitation: str) -> dict[str, str]:
    names = ("move", "leave", "join", "begin", "again", "live")
    found = {name: reverse(f"casual-{name}", args=[table.pk]) for name in names}
    replay = reverse("casual-replay", args=[table.pk, 1]) if table.record else ""
    return found | {"invitation": invitation, "replay": replay}


def _drawn(table: CasualGame, seat: int) -> dict[str, Any]:
    """The newest position, in the view of a seat."""
    record: Record = table.loaded() if table.record else moves.stand(table).record
    if not record["events"]:
        return {}
    replay = Replay(record, len(split_games(record)), str(seat), table.get_absolute_url())
    step = replay.step(replay.last, bare=True)
    return {"where": step.where, "caption": step.caption, "position": replay.draw_position(step), "ply": replay.last}


def _place(table: CasualGame, seat: CasualSeat, mine: CasualSeat | None) -> Place:
    names = [name.capitalize() for name in table.game.seat_names]
    initials = {name[0] for name in names}
    letter = names[seat.index][0] if len(initials) == len(names) else str(seat.index)
    return Place(seat.index, letter, seat.name or "Free seat", _about(table, seat), mine is not None and seat == mine)


def _about(table: CasualGame, seat: CasualSeat) -> str:
    if seat.kind == CasualSeat.Kind.HOUSE:
        house = table.game.house_player(seat.house)
        return "house player" if tables.is_telling(seat.name, house) else f"house player, {house.skill}"
    if seat.kind == CasualSeat.Kind.VERSION:
        differs = table.notes.get("differs", {}).get(f"{seat.index}")
        return f"version, {differs['text']} and has left: the house plays" if differs else "version"
    if seat.is_free:
        return f"kept for {seat.kept_for.name}" if seat.kept_for else "waiting for somebody"
    if seat.left_at:
        return "has left: the house plays"
    return ""


def _outcome(table: CasualGame, seats: Sequence[CasualSeat], mine: CasualSeat | None) -> Outcome | None:
    if not table.is_over:
        return None
    if not table.result:
        return Outcome("This game was given up", ())
    scores, places = table.result["scores"], table.result["places"]
    order = sorted(seats, key=lambda seat: (places[seat.index], seat.index))
    lines = [Line(seat.name, scores[seat.index], mine is not None and seat == mine) for seat in order]
    return Outcome(_title(order, places, scores, mine), lines)


def _title(order: Sequence[CasualSeat], places: Sequence[int], scores: Sequence[float], mine: CasualSeat | None) -> str:
    if len(order) == 1:
        return "You won" if scores[0] > 0 else "You lost"
    first = [seat for seat in order if places[seat.index] == 1]
    if mine in first:
        return "You won" if len(first) == 1 else "You share first place"
    return f"{first[0].name} won" if len(first) == 1 else "A shared first place"


def address_of(table: CasualGame, game: int = 1) -> str:
    return reverse("casual-replay", args=[table.pk, game])


def replay_of(table: CasualGame, game: int, view: str | None) -> Replay:
    """One game of a table that is over. Raises LookupError."""
    return Replay(table.loaded(), game, view, address_of(table, game))


def shelf_of(table: CasualGame, game: int) -> Shelf:
    return Shelf(f"casual {table.pk} {table.sha256}", game, public=lambda: not table.private)


def watched(table: CasualGame, view: str | None) -> Unfinished:
    """A game in progress so far. Nothing that is drawn needs its seed."""
    record = {**moves.stand(table).record, "seed": 0}
    views = secrecy.views_of_table(table.game.seats[1])
    return Unfinished(record, 1, view if view in views else views[0], address_of(table), views)


def names_of(table: CasualGame) -> str:
    return " – ".join(format(each.name) for each in table.seats.all())
