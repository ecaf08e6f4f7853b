"""Barracuda as numbers (games.encoding). Of the two players, we come first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.barracuda.rules import ACCEPT, CHALLENGE, COPIES, HAND, HANDS, RANKS, REJECT
from games.encoding import LEAST, MOST, Encoding, Field, blank, percent, places
from games.engine import Action, Event, Options, Seat

_ACTIONS: tuple[Action, ...] = (*range(1, RANKS + 1), CHALLENGE, ACCEPT, REJECT)
_number = {action: number for number, action in enumerate(_ACTIONS)}.__getitem__


class BarracudaEncoding(Encoding):
    fields = (
        Field("hand", RANKS, "how many cards of this value, 1 to 13, we hold", HAND),
        Field("trick", 2 * RANKS, "the card on the table, by who led it"),
        Field("played", 2 * RANKS, "how many cards of this value each of us has played in this hand", HAND),
        Field("tricks", 2, "tricks taken in this hand", HAND),
        Field("leads", 1, "we lead this trick"),
        Field("offered", 2, "who has offered the challenge of this hand"),
        Field("asked", 1, "the challenge waits for an answer"),
        Field("accepted", 1, "the challenge was accepted: this hand decides the game"),
        Field("seen", RANKS, "how many cards of this value we have seen since the pack was shuffled", COPIES),
        Field("since", 1, "how many hands were dealt from this pack before this one", HANDS - 1),
        Field("total", 2, "points of each of us, in hundredths of the target", MOST, LEAST),
    )
    moves = (
        Field("card", RANKS, "play a card of this value, 1 to 13"),
        Field(CHALLENGE, 1, "offer a challenge"),
        Field(ACCEPT, 1, "accept the challenge"),
        Field(REJECT, 1, "reject the challenge"),
    )

    def __init__(self, seat: Seat, options: Options) -> None:
        super().__init__(seat, options)
        self._at = places(self.fields)

    def hears(self) -> Mapping[str, Callable[[Event], None]]:
        return {
            "hand": self._hand,
            "play": self._play,
            "trick": self._trick,
            "challenge": self._challenge,
            "accept": self._accept,
            "reject": self._reject,
            "score": self._score,
        }

    def choices(self, legal: Sequence[Action]) -> Sequence[int]:
        return list(map(_number, legal))

    def choose(self, number: int) -> Action | None:
        return _ACTIONS[number]

    def _hand(self, event: Event) -> None:
        at, values = self._at, self.values
        values[: at["seen"]] = blank(at["seen"])
        since = values[at["since"]] = (event["number"] - 1) % HANDS
        if not since:
            values[at["seen"] : at["since"]] = blank(RANKS)
        for card in event["hands"][self.seat]:
            values[card - 1] += 1  # the hand comes first
            values[at["seen"] + card - 1] += 1
        values[at["leads"]] = event["leader"] == self.seat

    def _play(self, event: Event) -> None:
        at, values, place = self._at, self.values, event["card"] - 1
        other = event["seat"] != self.seat
        values[at["trick"] + RANKS * other + place] = 1
        values[at["played"] + RANKS * other + place] += 1
        if other:
            values[at["seen"] + place] += 1
        else:
            values[place] -= 1

    def _trick(self, event: Event) -> None:
        at, values = self._at, self.values
        values[at["trick"] : at["played"]] = blank(2 * RANKS)
        if event["winner"] is not None:
            other = event["winner"] != self.seat
            values[at["tricks"] + other] += 1
            values[at["leads"]] = not other

    def _challenge(self, event: Event) -> None:
        self.values[self._at["offered"] + (event["seat"] != self.seat)] = 1
        self.values[self._at["asked"]] = 1

    def _accept(self, event: Event) -> None:
        self.values[self._at["asked"]] = 0
        self.values[self._at["accepted"]] = 1

    def _reject(self, event: Event) -> None:
        self.values[self._at["asked"]] = 0

    def _score(self, event: Event) -> None:
        for seat, points in enumerate(event["total"]):
            place = self._at["total"] + (seat != self.seat)
            self.values[place] = percent(points, self.options["target"])


ENCODING = BarracudaEncoding
