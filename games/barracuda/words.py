"""Barracuda in plain English: captions for the replay, and the log of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from games import phrases
from games.barracuda.rules import SEATS
from games.barracuda.view import View
from games.barracuda.wire import JsonWire
from games.engine import Event, Seat, Setting
from games.events import DECISIONS

NAMES = tuple(seat.capitalize() for seat in SEATS)


def _game(event: Event, before: View) -> str:
    return f"Game {event['number']} begins. {NAMES[event['leader']]} leads."


def _hand(event: Event, before: View) -> str:
    return f"Hand {event['number']}: both are dealt five cards, and {NAMES[event['leader']]} leads."


def _play(event: Event, before: View) -> str:
    name, card = NAMES[event["seat"]], event["card"]
    if not before.current:
        return f"{name} leads {a_card(card)}."
    led = before.current[0][1]
    if card == led:
        return f"{name} plays {a_card(card)}, too."
    return f"{name} {'beats' if card > led else 'loses to'} the {led} with {a_card(card)}."


def a_card(card: int) -> str:
    return f"an {card}" if card in (8, 11) else f"a {card}"


def _trick(event: Event, before: View) -> str:
    winner = event["winner"]
    if winner is None:
        return f"The cards are equal: nobody takes the trick, and {NAMES[before.lead]} leads again."
    return f"{NAMES[winner]} takes the trick."


def _challenge(event: Event, before: View) -> str:
    return f"{NAMES[event['seat']]} offers a challenge: give me a point, or play this hand for the whole game."


def _accept(event: Event, before: View) -> str:
    return f"{NAMES[event['seat']]} accepts: whoever takes more tricks in this hand wins the game."


def _reject(event: Event, before: View) -> str:
    how = "does not answer, which counts as rejecting" if "by" in event else "rejects"
    return f"{NAMES[event['seat']]} {how} the challenge: the hand is over."


def _forfeit(event: Event, before: View) -> str:
    seat, other = NAMES[event["seat"]], NAMES[1 - event["seat"]]
    back = f"The {before.current[0][1]} goes back to {other}. " if before.current else ""
    return (
        f"{back}{seat} fails to play a card and loses its highest, {a_card(event['lost'])}; {other} gives up its "
        f"lowest, {a_card(event['other'])}, and takes the trick."
    )


def _score(event: Event, before: View) -> str:
    points = phrases.each(NAMES, event["total"])
    mine, theirs = before.tricks
    if before.challenge == "accepted":
        if mine == theirs:
            return "The challenge is tied: the hand counts for nothing, and the game goes on."
        return f"{NAMES[int(mine < theirs)]} wins the challenge, {max(mine, theirs)} tricks to {min(mine, theirs)}."
    if not any(event["hand"]):
        return f"Hand {before.number} is tied: nobody gets a point. It is {points}."
    return f"{NAMES[event['hand'].index(1)]} gets the point of hand {before.number}. It is {points}."


def _fault(event: Event, before: View) -> str:
    return phrases.fault(NAMES[event["seat"]], event, "an answer is a move, as the rules page describes it")


def _result(event: Event, before: View) -> str:
    winner = event["winner"]
    if winner is None:
        return "The game ends without a winner."
    scores = event["scores"]
    how = "by the challenge" if before.decider is not None else f"{scores[winner]} to {scores[1 - winner]}"
    return f"{NAMES[winner]} wins the game, {how}."


def ending(events: Sequence[Event]) -> str:
    """Describe how a game was won: an accepted challenge decides it with its hand, unless that is tied."""
    if events[-1].get("winner") is None:
        return ""
    for event in reversed(events):
        if event["event"] in ("accept", "hand"):
            return "by challenge" if event["event"] == "accept" else "by points"
    return ""


caption = phrases.captions(_game, _hand, _play, _trick, _challenge, _accept, _reject, _forfeit, _score, _fault, _result)
"""Describes an event in one sentence. `before` is the view that has not been told of it yet."""


def log(record: Event, events: Sequence[Event], see: Callable[[Event, Seat], Event | None]) -> str:
    """Write the log of one game: the messages as they were sent, without their headers, and comments.

        # Left leads a 9.
        1> {"type":"request","request":"request_card",…     a message sent to player 1
        1< {"type":"move",…                                 its answer

    Player 0 led the game. Request numbers count from 1 here, and `remaining` includes only accepted answers. Both
    differ from what was sent.
    """
    return "\n".join(_log(record, events, see)) + "\n"


def _log(record: Event, events: Sequence[Event], see: Callable[[Event, Seat], Event | None]) -> Iterator[str]:
    leader = events[0].get("leader", 0)
    yield f"# Barracuda, seed {record['seed']}, rules {record['rules']}"
    for seat, player in enumerate(record["seats"]):
        yield f"# {seat ^ leader} = {SEATS[seat]}: {player['name']} ({player['bot']})"
    yield "# N> message to player N, N< its answer, # comment"
    setting = Setting(tuple(range(1, len(SEATS) + 1)), len(SEATS), events[0].get("number", 1))
    wires = [JsonWire(seat, record["options"], setting) for seat in range(len(SEATS))]
    view = View(None)
    for event in events:
        answered = event["event"] in DECISIONS and "by" not in event
        if answered or event["event"] == "fault":
            number, wire = event["seat"] ^ leader, wires[event["seat"]]
            yield from (f"{number}> {line}" for line in wire.question()[0].decode("ascii").splitlines())
            if answered:
                yield f"{number}< {_answer(event)}"
            elif "answer" in event:
                yield f"{number}< {event['answer']}"
        yield f"# {caption(event, view)}"
        view.tell(event)
        for seat, wire in enumerate(wires):
            seen = see(event, seat)
            if seen is not None:
                wire.tell(seen)
    for seat, wire in enumerate(wires):
        yield from (f"{seat ^ leader}> {line}" for line in wire.farewell().decode("ascii").splitlines())


def _answer(event: Event) -> str:
    kind = {"challenge": "offer_challenge", "accept": "accept_challenge", "reject": "reject_challenge"}
    if event["event"] == "play":
        return f"play_card {event['card']}"
    return kind[event["event"]]
