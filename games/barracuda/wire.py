"""The messages of Barracuda (docs/barracuda-wire.md; "API" in the Barracuda rules): events and requests as JSON,
answers as actions. Framing, connections and running clocks belong to games/sockets.py."""

from __future__ import annotations

import json
from typing import Any

from games.barracuda.rules import ACCEPT, CHALLENGE, RANKS, REJECT
from games.clock import Clock
from games.engine import Action, Event, Fault, FaultKind, Options, Seat, Setting
from games.frames import garbled, read_object

ANSWERS: dict[str, Action] = {
    "offer_challenge": CHALLENGE,
    "accept_challenge": ACCEPT,
    "reject_challenge": REJECT,
}

KINDS = ("game", "hand", "play", "challenge", "accept", "reject", "fault", "forfeit", "trick", "score", "result")
"""Identifies events of this game."""

_NUMBERS = tuple(map(str, range(1 + RANKS)))

MATCHES = 2_147_483
"""Game identifiers have 31 bits: the number of the match, which is below this, and three digits for the game."""


def greeting(team: int) -> bytes:
    """Return what a connection is told first."""
    return b'{"type":"greetings_program","team_id":%d}' % team


def refusal(host: str, message: str) -> bytes:
    """Return what a connection is told last before it is closed. Clients end when they see it."""
    return json.dumps({"type": "error", "seen_host": host, "message": message}, separators=(",", ":")).encode("ascii")


class JsonWire:
    """One seat's messages in one game. `owed` holds those not sent yet."""

    def __init__(self, seat: Seat, options: Options, setting: Setting) -> None:
        self.clock = Clock(options["clock"], options["bonus"], options["bonus_moves"])
        self.owed: list[bytes] = []
        self._seat = seat
        self._team, self._opponent = setting.ids[seat], setting.ids[1 - seat]
        self._game_id = setting.match % MATCHES * 1000 + setting.number % 1000
        self._me = seat  # 0 for the player who led the game
        self._hand: list[int] = []
        self._hand_id = 0
        self._points = [0, 0]
        self._requests = 0  # counter for `question`
        self._tells = {kind: getattr(self, f"_tell_{kind}") for kind in KINDS}
        self._new_hand()

    def _new_hand(self) -> None:
        """Forget the hand before, and write down what every request of this one says."""
        seat, other = self._seat, 1 - self._seat
        self._ids = f'"hand_id":{self._hand_id},"game_id":{self._game_id}'
        self._standing = (
            f'"your_points":{self._points[seat]},"opponent_id":{self._opponent},'
            f'"their_points":{self._points[other]},"player_number":{self._me}'
        )
        self._table = self._last = 0  # the card on the table, and the last one played
        self._tricks = [0, 0]
        self._played = 0  # tricks
        self._challenger: Seat | None = None
        self._accepted = False

    # What happens

    def tell(self, event: Event) -> None:
        self._tells[event["event"]](event)

    def _tell_game(self, event: Event) -> None:
        self._me = self._seat ^ event["leader"]

    def _tell_hand(self, event: Event) -> None:
        self._hand = list(event["hands"][self._seat])
        self._hand_id = event["number"]
        self._new_hand()

    def _tell_play(self, event: Event) -> None:
        card = self._last = event["card"]
        leads, self._table = not self._table, 0 if self._table else card
        if event["seat"] == self._seat:
            self._hand.remove(card)
            self._answered(event)
            if leads:
                self._result('{"type":"accepted"}')

    def _tell_challenge(self, event: Event) -> None:
        self._challenger = event["seat"]
        self._accepted_move(event)

    def _tell_accept(self, event: Event) -> None:
        self._accepted = True
        self._accepted_move(event)

    def _tell_reject(self, event: Event) -> None:
        self._table = 0
        self._answered(event)

    def _tell_fault(self, event: Event) -> None:
        if event["seat"] == self._seat:
            self._result(f'{{"type":"error","reason":{json.dumps(event.get("detail", ""))}}}')

    def _tell_forfeit(self, event: Event) -> None:
        """The opponent's card on the table goes back first. The card that the offender lost now counts as the last one
        played."""
        mine = event["seat"] == self._seat
        if self._table and not mine:
            self._hand = sorted([*self._hand, self._table], reverse=True)
        self._table, self._last = 0, event["lost"]
        self._hand.remove(event["lost" if mine else "other"])

    def _tell_trick(self, event: Event) -> None:
        winner = event["winner"]
        self._played += 1
        if winner is None:
            self._result('{"type":"trick_tied"}')
            return
        self._tricks[winner] += 1
        self._result(f'{{"type":"trick_won","by":{self._number(winner)},"card":{self._last}}}')

    def _tell_score(self, event: Event) -> None:
        points = self._tricks if self._accepted else event["hand"]
        self._points = list(event["total"])
        tied = points[0] == points[1]
        by = "" if tied else f',"by":{self._number(int(points[0] < points[1]))}'
        self._result(f'{{"type":"hand_done"{by}}}')

    def _tell_result(self, event: Event) -> None:
        winner = event["winner"]
        if winner is not None:
            self._result(f'{{"type":"game_won","by":{self._number(winner)}}}')

    def _accepted_move(self, event: Event) -> None:
        if event["seat"] == self._seat:
            self._answered(event)
            self._result('{"type":"accepted"}')

    def _answered(self, event: Event) -> None:
        """An answer of our own was accepted: it earns time, and the time it took is gone."""
        if event["seat"] == self._seat and "by" not in event:
            self.clock.spend(event.get("ms", 0.0) / 1000)
            self.clock.earn()

    def _result(self, result: str) -> None:
        self.owed.append(f'{{"type":"result","your_player_num":{self._me},"result":{result}}}'.encode("ascii"))

    def _number(self, seat: Seat) -> int:
        """Return a player's number on the wire: 0 led the game."""
        return self._me if seat == self._seat else 1 - self._me

    # What is asked

    @property
    def greeting(self) -> bytes:
        return greeting(self._team)

    def request(self, request_id: int, remaining: float) -> bytes:
        """Return the request for the decision that is due, with the seconds left for it."""
        seat, other = self._seat, 1 - self._seat
        offered = self._challenger == other and not self._accepted
        card = f'"card":{self._table},' if self._table else ""
        return (
            f'{{"type":"request","request":"{"challenge_offered" if offered else "request_card"}",'
            f'"request_id":{request_id},"remaining":{round(max(0.0, float(remaining)), 3)!r},"state":{{'
            f'"hand":[{",".join([_NUMBERS[held] for held in self._hand])}],{card}{self._ids},'
            f'"your_tricks":{self._tricks[seat]},"their_tricks":{self._tricks[other]},'
            f'"can_challenge":{"true" if self._challenger is None else "false"},'
            f'"in_challenge":{"true" if self._accepted else "false"},"total_tricks":{self._played},{self._standing}}}}}'
        ).encode("ascii")

    def answer(self, message: dict[str, Any], request_id: int, body: bytes) -> Action:
        """Return what a message answers to the open request. Raises Fault(GARBLED). The rules say whether it is
        legal."""
        if message.get("type") != "move":
            raise garbled('sent a message whose type is not "move"', body)
        if "request_id" not in message:
            raise garbled("sent a move without a request_id", body)
        if type(message["request_id"]) is not int:
            raise garbled("sent a request_id that is not an integer", body)
        if message["request_id"] != request_id:
            raise garbled("answered a request that it was never sent", body)
        response = message.get("response")
        if type(response) is not dict:
            raise garbled("sent a move without a response", body)
        kind = response.get("type")
        if kind == "play_card":
            return _card(response, body)
        if type(kind) is str and kind in ANSWERS:
            return ANSWERS[kind]
        raise garbled("sent a response of a type that does not exist", body)

    # The same as text, for people who watch

    def question(self) -> tuple[bytes, int]:
        """Return the messages sent since the last request, and the next request, one on each line. Requests count from
        1."""
        self._requests += 1
        bodies = [*self.owed, self.request(self._requests, self.clock.left)]
        self.owed.clear()
        return b"\n".join(bodies) + b"\n", len(bodies)

    def farewell(self) -> bytes:
        bodies = b"".join(body + b"\n" for body in self.owed)
        self.owed.clear()
        return bodies

    def parse(self, line: bytes) -> Action:
        return self.answer(read_object(line), self._requests, line)


def _card(response: dict[str, Any], body: bytes) -> Action:
    if "card" not in response:
        raise garbled("played a card without saying which", body)
    card: int = response["card"]
    if type(card) is not int:
        raise garbled("played a card that is not an integer", body)
    if not -999 <= card <= 999:
        raise Fault(FaultKind.ILLEGAL, "wanted to play a card that does not exist", body)
    return card
