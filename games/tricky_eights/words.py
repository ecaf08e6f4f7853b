"""Tricky Eights in plain English: captions for the replay, and te.log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.cards import words
from games.engine import Event
from games.format import out_before
from games.phrases import captions, counted, does, each, fault, listed
from games.tricky_eights.rules import INDEX, LETTERS, SEATS
from games.tricky_eights.view import View, why
from games.tricky_eights.wire import LineWire

NAMES = tuple(seat.capitalize() for seat in SEATS)


def _hand(event: Event, before: View) -> str:
    return (
        f"Round {event['number']}: {NAMES[event['dealer']]} deals ten cards to everybody and puts twelve in the pool."
    )


def _take(event: Event, before: View) -> str:
    return f"{does(NAMES[event['seat']], event, 'takes')} the {words(INDEX[event['card']])} from the pool."


def _play(event: Event, before: View) -> str:
    card = INDEX[event["card"]]
    if not before.trick:
        verb = "leads"
    elif card // 13 != before.trick[0][1] // 13:
        verb = "cannot follow suit and plays"
    else:
        verb = "follows with"
    return f"{does(NAMES[event['seat']], event, verb)} the {words(card)}."


def _trick(event: Event, before: View) -> str:
    winner = event["winner"]
    cards = [card for _, card in before.trick]
    taking = next((card for seat, card in before.trick if seat == winner), None)
    parts = [f"{part['points']} for {part['for']}" for part in why(before.trick_number, cards)]
    points = event["points"]
    with_what = f" with the {words(taking)}" if taking is not None else ""
    if len(parts) == 1:
        return f"{NAMES[winner]} takes the trick{with_what}: {counted(points, 'point')}" + (
            "." if points == 1 else f" for {parts[0].split(' for ')[1]}."
        )
    return f"{NAMES[winner]} takes the trick{with_what}: {counted(points, 'point')}, {listed(parts)}."


def _score(event: Event, before: View) -> str:
    hand, total = each(NAMES, event["hand"]), each(NAMES, event["total"])
    return f"Round {before.number} is over: {hand}. The score is now {total}."


def _fault(event: Event, before: View) -> str:
    return fault(NAMES[event["seat"]], event, "an answer is one line with one card, such as dk")


def _result(event: Event, before: View) -> str:
    scores = each(NAMES, event["scores"])
    if event["winner"] is None:
        return f"The game ends without a winner: {scores}."
    return f"{NAMES[event['winner']]} wins the game: {scores}."


caption = captions(_hand, _take, _play, _trick, _score, _fault, _result)
"""Describes an event in one sentence. `before` is the view that has not been told of it yet."""


def log(record: Event, events: Sequence[Event]) -> str:
    """Write te.log of one game: the lines as they were sent, each with its route, and comments.

        # South takes the trick with the king of diamonds: 3 points for the first trick.
        s> result n d9 e d3 s dk w dj        a line sent to south
        s< h9                                south's answer

    Lines appear where they were sent: with the player's next request, as the server sends them.
    """
    return "\n".join(_log(record, events)) + "\n"


def _log(record: Event, events: Sequence[Event]) -> Iterator[str]:
    seating = next((event["seating"] for event in events if "seating" in event), range(len(SEATS)))
    yield f"# Tricky Eights, seed {record['seed']}, rules {record['rules']}"
    for seat, player in enumerate(seating):
        player = record["seats"][player]
        yield f"# {LETTERS[seat]} = {SEATS[seat]}: {player['name']} ({player['bot']})"
    yield "# X> line sent to player X, X< its answer, # comment"
    wires = {seat: LineWire(seat) for seat in range(len(SEATS)) if seat not in out_before(events)}
    view = View(None)
    for event in events:
        wire = wires.get(event.get("seat", -1))
        answered = event["event"] in ("take", "play") and "by" not in event
        if wire and (answered or event["event"] == "fault"):
            letter = LETTERS[event["seat"]]
            yield from _routed(letter, wire.question()[0])
            if "card" in event or "answer" in event:
                answer = event["card"] if "card" in event else event["answer"]
                yield f"{letter}< {answer if answer.isprintable() else repr(answer)}"
        if not answered:
            yield f"# {caption(event, view)}"
        if event["event"] == "fault" and record["options"].get("disqualify", True):
            wires.pop(event["seat"], None)
        view.tell(event)
        for wire in wires.values():
            wire.tell(event)
    for seat, wire in wires.items():
        yield from _routed(LETTERS[seat], wire.farewell())


def _routed(letter: str, lines: bytes) -> Iterator[str]:
    return (f"{letter}> {line}" for line in lines.decode("ascii").splitlines())
