"""Intensity in plain English: captions for the replay, and the printed form of a game
("Playing Intensity" in the Intensity assignment)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine import Event
from games.intensity.rules import BUFFALO, SEATS
from games.intensity.view import View, why
from games.phrases import captions, counted, does, each, fault, listed

NAMES = tuple(seat.capitalize() for seat in SEATS)
PENALTY = "penalty point"


def card_words(card: int) -> str:
    """Such as `47, the buffalo`."""
    return f"{card}, the buffalo" if card == BUFFALO else f"{card}, a calf" if card // 10 == 3 else f"{card}"


def _hand(event: Event, before: View) -> str:
    return "Everybody is dealt ten cards and chooses three of them for the player on the left."


def _pass(event: Event, before: View) -> str:
    cards = listed([str(card) for card in event["cards"]]) if "cards" in event else "three cards"
    return f"{does(NAMES[event['seat']], event, 'passes')} {cards} to {SEATS[event['to']]}."


def _play(event: Event, before: View) -> str:
    card = event["card"]
    first = before.trick[0][1] // 10 if before.trick else None
    if first is None:
        verb = "leads"
    elif card // 10 == first:
        verb = "follows with"
    else:
        verb = f"has no card with first digit {first} and plays"
    return f"{does(NAMES[event['seat']], event, verb)} the {card_words(card)}."


def _trick(event: Event, before: View) -> str:
    winner, points = event["winner"], event["points"]
    cards = [card for _, card in before.trick]
    winning = next((card for seat, card in before.trick if seat == winner), None)
    with_what = "" if winning is None else f" with the {winning}"
    penalty = f": {counted(points, PENALTY)} for {why(cards)}" if points else " without a penalty"
    return f"{NAMES[winner]} wins the round{with_what}{penalty}."


def _score(event: Event, before: View) -> str:
    return f"The ten rounds are over. Penalty points: {each(NAMES, event['hand'])}."


def _fault(event: Event, before: View) -> str:
    fine = f" That costs {counted(event['points'], PENALTY)}." if event.get("points") else ""
    return fault(NAMES[event["seat"]], event, "an answer is one card, or three to discard, in numbers") + fine


def _result(event: Event, before: View) -> str:
    scores = each(NAMES, event["scores"])
    if event["winner"] is None:
        return f"The game ends with a shared first place: {scores}."
    return f"{NAMES[event['winner']]} wins with the lowest score: {scores}."


caption = captions(_hand, _pass, _play, _trick, _score, _fault, _result)
"""Describes an event in one sentence. `before` is the view that has not been told of it yet."""


class Printer:
    """The printed form of a game, event by event: word for word what the assignment prints, and the rest in its style.

    Rounds are numbered from 0. `names` are those of the players in their seats.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._round = 0

    def lines(self, event: Event) -> Iterator[str]:
        """Yield what is printed for an event. Hidden hands and discards are not."""
        print_it = getattr(self, f"_{event['event']}", None)
        if print_it is not None:
            yield from print_it(event)

    def _hand(self, event: Event) -> Iterator[str]:
        if None not in event["hands"]:
            yield "Deal:"
            yield from self._table([str(hand) for hand in event["hands"]])
        yield "Discards:"

    def _table(self, values: Sequence[str]) -> Iterator[str]:
        width = max(map(len, self.names))
        for seat, (name, value) in enumerate(zip(self.names, values, strict=True)):
            yield f"Table position {seat}: {name:{width}}: {value}"

    def _pass(self, event: Event) -> Iterator[str]:
        if "cards" in event:
            yield f"{self._name(event)} discards {event['cards']} to {self.names[event['to']]}{_referee(event)}"

    def _play(self, event: Event) -> Iterator[str]:
        yield f"Round {self._round}: {self._name(event)} plays the {event['card']}{_referee(event)}"

    def _trick(self, event: Event) -> Iterator[str]:
        penalty = f", {counted(event['points'], PENALTY)}" if event["points"] else ""
        yield f"Round {self._round}: {self.names[event['winner']]} wins the round{penalty}"
        self._round += 1

    def _fault(self, event: Event) -> Iterator[str]:
        detail = event.get("detail", event["kind"])
        detail = f"made a forbidden system call: {detail}" if event["kind"] == "violation" else detail
        answer = f", answer {event['answer']!r}" if event.get("answer") else ""
        yield f"{self._name(event)} {detail}{answer}: {counted(event['points'], PENALTY)}"

    def _result(self, event: Event) -> Iterator[str]:
        yield "Penalty points:"
        yield from self._table([str(points) for points in event["scores"]])
        best = min(event["scores"])
        winners = [name for name, points in zip(self.names, event["scores"], strict=True) if points == best]
        yield f"{'Winner' if len(winners) == 1 else 'Winners'}: {listed(winners)}"

    def _name(self, event: Event) -> str:
        return self.names[event["seat"]]


def _referee(event: Event) -> str:
    return " (chosen by the referee)" if event.get("by") == "referee" else ""


def log(record: Event, events: Sequence[Event]) -> str:
    """Write intensity.log of one game: its printed form."""
    seating = next((event["seating"] for event in events if "seating" in event), range(len(SEATS)))
    printer = Printer([record["seats"][player]["name"] for player in seating])
    return "".join(f"{line}\n" for event in events for line in printer.lines(event))
