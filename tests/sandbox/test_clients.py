"""Uploaded TCP clients in the jail: the same source as at home, its faults, and reconnecting during a game."""

from __future__ import annotations

from typing import Any

import pytest

from games import get
from games.barracuda import SERVER
from games.players import HousePlayer, Seated
from games.record import verify
from games.referee import Match, play
from games.sockets import SocketPlayer
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits
from tests.sandbox.sandboxes import MEGABYTE, artifact, needs_jail, nothing_left

pytestmark = needs_jail
GAME = get("barracuda")

CLIENT = """
import json, os, socket, sys, time

def connect():
    global server
    server = socket.create_connection((sys.argv[1], int(sys.argv[2])))

def send(message):
    body = json.dumps(message).encode()
    server.sendall(len(body).to_bytes(4, "big") + body)

def receive():
    size = int.from_bytes(server.recv(4, socket.MSG_WAITALL), "big")
    return json.loads(server.recv(size, socket.MSG_WAITALL))

def good(request):
    kind = {"type": "reject_challenge"}
    if request["request"] == "request_card":
        kind = {"type": "play_card", "card": request["state"]["hand"][0]}
    send({"type": "move", "request_id": request["request_id"], "response": kind})

def habit(request):
    HABIT

connect()
requests = 0
while True:
    message = receive()
    if message["type"] == "request":
        requests += 1
        (habit if requests == 3 else good)(message)
"""

AGAIN = """
    server.close()
    time.sleep(5.05)
    connect()
    assert receive()["type"] == "greetings_program"
    repeated = receive()
    assert repeated["request_id"] == request["request_id"]
    good(repeated)
"""


def match(habit: str, **changes: Any) -> Match:
    """A game of the client with this habit at its third request, against the house."""
    source = CLIENT.replace("    HABIT", f"    {habit.strip()}")
    with (
        nothing_left(),
        Jail.open(artifact("python", source), LANGUAGES["python"], Limits(memory_bytes=64 * MEGABYTE), SERVER) as jail,
    ):
        seats = [
            Seated("client", "client.py", SocketPlayer(jail)),
            Seated("house", "house:careful", HousePlayer(GAME.house[2])),
        ]
        options = GAME.options({"target": 3, **changes})
        played = play(GAME, seats, seed=5, options=options, preset="open", games=2)
    assert verify(played.record) is None
    return played


def test_a_client_plays_without_a_fault_for_a_whole_match() -> None:
    assert match("good(request)").faults == [[], []]


@pytest.mark.parametrize(
    ("habit", "kind", "detail"),
    [
        ('send({"type": "move"})', "garbled", "sent a move without a request_id"),
        ('send({"type": "move", "request_id": request["request_id"], "response": {"type": "play_card", "card": 14}})',
         "illegal", "wanted to play 14, which it does not hold"),
        ("time.sleep(30)", "timeout", "did not answer before its clock ran out"),
        ("os._exit(7)", "crash", "exited with status 7 without an answer"),
        ("x = bytearray(500 << 20)", "memory", "went over its memory limit"),
        ("[send({'type': 'move', 'request_id': request['request_id'] - 1, 'x': 'x' * 1000}) for _ in range(9999)]",
         "output", "sent more than 65536 bytes that are not an answer"),
        ('open("/box/cheat.txt", "w")', "violation", "openat /box/cheat.txt"),
        ('os.fork()', "violation", None),
        ('socket.create_server(("", 7777))', "violation", None),
    ],
)  # fmt: skip
def test_faults(habit: str, kind: str, detail: str | None) -> None:
    played = match(habit, clock=1)
    fault = played.faults[0][0]
    assert fault["kind"] == kind
    assert detail is None or fault["detail"] == detail
    assert played.record["result"]["disqualified"] == []
    if kind in ("crash", "memory", "violation"):
        assert {other["kind"] for other in played.faults[0]} == {kind}
        answers = sum("ms" in event for event in played.record["events"] if event.get("seat") == 0)
        assert (answers > 2) == (kind != "violation"), "after all others it is started again"


def test_there_is_no_other_server_to_connect_to() -> None:
    played = match('print(socket.socket().connect_ex(("127.0.0.1", 22)), file=sys.stderr, flush=True); good(request)')
    assert played.faults[0] == []
    assert "111" in "".join(piece.text for piece in played.debug[0])


def test_it_comes_again_in_the_middle_of_a_decision() -> None:
    played = match(AGAIN, clock=9)
    assert played.faults[0] == []
    assert max(event["ms"] for event in played.record["events"] if "ms" in event) > 5000


def test_two_clients_in_jails_of_their_own_play_each_other() -> None:
    source = CLIENT.replace("HABIT", "good(request)")
    parts = artifact("python", source), LANGUAGES["python"], Limits(memory_bytes=64 * MEGABYTE)
    with nothing_left(), Jail.open(*parts, SERVER) as one, Jail.open(*parts, SERVER) as other:
        seats = [Seated(name, "client.py", SocketPlayer(jail)) for name, jail in (("one", one), ("other", other))]
        played = play(GAME, seats, seed=5, options=GAME.options({"target": 3}), preset="open", games=3)
    assert played.faults == [[], []]
