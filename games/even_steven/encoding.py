"""Even Steven as numbers (games.encoding)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.encoding import Encoding, Field, blank, places
from games.engine import Action, Event
from games.even_steven.rules import INDEX, MOST, PACK

CARDS = len(PACK)


class EvenStevenEncoding(Encoding):
    fields = (
        Field("hand", CARDS, "a card in our hand"),
        Field("open", CARDS, "the card to be covered"),
        Field("dealt", CARDS, "a card that was dealt to be covered, the open one included"),
        Field("played", CARDS, "a card that we have played"),
        Field("coming", 1, "how many cards are still to be dealt", MOST),
    )
    moves = (Field("card", CARDS, "cover with this card"),)
    _AT = places(fields)

    def hears(self) -> Mapping[str, Callable[[Event], None]]:
        return {"hand": self._hand, "deal": self._deal, "play": self._play}

    def choices(self, legal: Sequence[Action]) -> Sequence[int]:
        return legal  # type: ignore[return-value]  # cards

    def choose(self, number: int) -> Action | None:
        return number

    def _hand(self, event: Event) -> None:
        hand = event["hands"][self.seat]
        for card in hand:
            self.values[INDEX[card]] = 1  # the hand comes first
        self.values[self._AT["coming"]] = len(hand)

    def _deal(self, event: Event) -> None:
        card = INDEX[event["card"]]
        self.values[self._AT["open"] : self._AT["dealt"]] = blank(CARDS)
        self.values[self._AT["open"] + card] = 1
        self.values[self._AT["dealt"] + card] = 1
        self.values[self._AT["coming"]] -= 1

    def _play(self, event: Event) -> None:
        card = INDEX[event["card"]]
        self.values[card] = 0
        self.values[self._AT["played"] + card] = 1


ENCODING = EvenStevenEncoding
