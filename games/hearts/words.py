"""Hearts in plain English: captions for the replay, and the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from games.cards import words
from games.engine import Event, Seat, Setting
from games.format import out_before
from games.hearing import Hearing
from games.hearts.rules import INDEX, SEATS, TWO_OF_CLUBS
from games.hearts.view import View, why
from games.hearts.wire import RoutineWire
from games.phrases import captions, counted, does, each, fault, listed

NAMES = tuple(seat.capitalize() for seat in SEATS)


def _hand(event: Event, before: View) -> str:
    where = {
        "left": "Three cards go to the left",
        "right": "Three cards go to the right",
        "across": "Three cards go across",
        "none": "Nothing is passed",
    }
    return f"Hand {event['number']}: thirteen cards for everybody. {where[event['pass']]}."


def _pass(event: Event, before: View) -> str:
    cards = event.get("cards")
    what = listed([f"the {words(INDEX[name])}" for name in cards]) if cards else "three cards"
    return f"{does(NAMES[event['seat']], event, 'passes')} {what} to {SEATS[event['to']]}."


def _play(event: Event, before: View) -> str:
    card = INDEX[event["card"]]
    if not before.trick:
        verb = "opens with" if card == TWO_OF_CLUBS else "leads"
    elif card // 13 != before.trick[0][1] // 13:
        verb = "cannot follow suit and throws"
    else:
        verb = "follows with"
    return f"{does(NAMES[event['seat']], event, verb)} the {words(card)}."


def _trick(event: Event, before: View) -> str:
    winner, points = event["winner"], event["points"]
    taking = next((card for seat, card in before.trick if seat == winner), None)
    with_what = f" with the {words(taking)}" if taking is not None else ""
    if not points:
        return f"{NAMES[winner]} takes the trick{with_what}: no points."
    parts = listed([part["for"] for part in why([card for _, card in before.trick])])
    return f"{NAMES[winner]} takes the trick{with_what}: {counted(points, 'point')} for {parts}."


def _score(event: Event, before: View) -> str:
    totals = each(SEATS, event["total"])
    shooter = next((seat for seat, points in enumerate(event["hand"]) if points < 0), None)
    if shooter is not None:
        return f"{NAMES[shooter]} has shot the moon and scores 26 points less. The score is now {totals}."
    return f"Hand {before.number} is over: {each(SEATS, event['hand'])}. The score is now {totals}."


def _fault(event: Event, before: View) -> str:
    return fault(NAMES[event["seat"]], event, "an answer is a line with places in the hand, 0 to 12")


def _result(event: Event, before: View) -> str:
    if event["winner"] is None:
        return f"The game ends without a winner: {each(SEATS, event['scores'])}."
    return f"{NAMES[event['winner']]} wins the game: {each(SEATS, event['scores'])}."


caption = captions(_hand, _pass, _play, _trick, _score, _fault, _result)
"""Describes an event in one sentence. `before` is the view that has not been told of it yet."""


def log(record: Event, events: Sequence[Event], hears: Callable[[dict[Seat, RoutineWire]], Hearing]) -> str:
    """Write hearts.log of one game: the lines as they were sent, each with its route, and comments.

        # Seat 2 takes the trick with the king of clubs: 1 point for a heart.
        2> trick 3C 10C KC 5H 2              a line sent to seat 2
        2< 7                                 its answer, without the report of its processor time

    Lines appear where they were sent, with the seat's next question. `hears` lets the wires hear what their seats hear.
    """
    return "\n".join(_log(record, events, hears)) + "\n"


def _log(record: Event, events: Sequence[Event], hears: Callable[[dict[Seat, RoutineWire]], Hearing]) -> Iterator[str]:
    seating = next((event["seating"] for event in events if "seating" in event), range(len(SEATS)))
    yield f"# Hearts, seed {record['seed']}, rules {record['rules']}"
    for seat, player in enumerate(seating):
        player = record["seats"][player]
        yield f"# {SEATS[seat]}: {player['name']} ({player['bot']})"
    yield "# N> line sent to seat N, N< its answer, # comment. The lines tournament and game are left out."
    wires = {
        seat: RoutineWire(seat, 0, Setting.of(len(SEATS)), first=False)
        for seat in range(len(SEATS))
        if seat not in out_before(events)
    }
    view, hearing = View(None), hears(wires)
    for event in events:
        wire = wires.get(event.get("seat", -1))
        answered = event["event"] in ("pass", "play") and "by" not in event
        if wire and (answered or event["event"] == "fault"):
            yield from _routed(event["seat"], wire.question()[0])
            if answered or "answer" in event:
                answer = wire.answer(event) if answered else event["answer"]
                yield f"{event['seat']}< {answer if answer.isprintable() else repr(answer)}"
        if not answered:
            yield f"# {caption(event, view)}"
        if event["event"] == "fault" and record["options"].get("disqualify", True):
            wires.pop(event["seat"], None)
            hearing.set_listeners([(seat, wire.tell) for seat, wire in wires.items()])
        view.tell(event)
        hearing.tell(event)
    for seat, wire in wires.items():
        yield from _routed(seat, wire.ending()[0])


def _routed(seat: Seat, lines: bytes) -> Iterator[str]:
    sent = lines.decode("ascii").splitlines()
    return (f"{seat}> {line}" for line in sent if not line.startswith("game "))
