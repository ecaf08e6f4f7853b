"""A Barracuda client with every bad habit: client.py HABIT AT HOST PORT.

It plays its highest card and rejects every challenge. The habit shows at request number AT (from 1). It uses only the
standard library, without site, so that it starts quickly.
"""

import json
import os
import signal
import socket
import sys
import time

PAUSE = 5.05


def connect():
    global server  # noqa: PLW0603
    server = socket.create_connection((sys.argv[3], int(sys.argv[4])))
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def frame(body):
    return len(body).to_bytes(4, "big") + body


def send(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    server.sendall(frame(body))


def read(size):
    data = b""
    while len(data) < size:
        piece = server.recv(size - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def receive():
    return json.loads(read(int.from_bytes(read(4), "big")))


def move(request):
    if request["request"] == "challenge_offered":
        response = {"type": "reject_challenge"}
    else:
        response = {"type": "play_card", "card": request["state"]["hand"][0]}
    return {"type": "move", "request_id": request["request_id"], "response": response}


def good(request):
    send(move(request))


def card(number):
    def habit(request):
        send({**move(request), "response": {"type": "play_card", "card": number}})

    return habit


def response(kind):
    def habit(request):
        send({**move(request), "response": {"type": kind}})

    return habit


def again(request):
    """Disconnect in the middle of a decision, wait as required, and come back for the same request."""
    server.close()
    time.sleep(PAUSE)
    connect()
    assert receive()["type"] == "greetings_program"
    repeated = receive()
    assert repeated["request_id"] == request["request_id"], repeated
    assert repeated["state"] == request["state"], repeated
    assert repeated["remaining"] < request["remaining"] - 4, repeated
    print("again", file=sys.stderr, flush=True)
    send(move(repeated))


def hammer(request):
    """Reconnect at once, and at once again."""
    server.close()
    for _ in range(3):
        connect()
        print("closed" if server.recv(1) == b"" else "let in", file=sys.stderr, flush=True)
        server.close()
        time.sleep(0.05)
    time.sleep(60)


def twice(request):
    """Send each answer twice, forever: the second comes before the next request."""
    for _ in range(2):
        send(move(request))
    HABITS["good"] = twice


def flood(request):
    while True:
        send({**move(request), "request_id": request["request_id"] - 1, "extra": "x" * 1000})


def early_flood(request):
    """Answer, and then keep sending."""
    send(move(request))
    flood(request)


def slices(request):
    for byte in frame(json.dumps(move(request)).encode() + b" \r\n\t "):
        server.sendall(bytes([byte]))


def pieces(request):
    """Send header and body in two segments, with Nagle's algorithm, as many clients do."""
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
    body = json.dumps(move(request)).encode()
    server.sendall(len(body).to_bytes(4, "big"))
    server.sendall(body)
    HABITS["good"] = pieces


def last_words(request):
    send(move(request))
    server.close()
    os._exit(3)


def think(request):
    """Use 300 ms of processor time."""
    began = time.process_time()
    while time.process_time() - began < 0.3:
        pass
    send(move(request))


def loud(request):
    print("on standard output, too", flush=True)
    print("x" * 200_000, flush=True)
    send(move(request))


def reset(request):
    server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    server.close()
    time.sleep(60)


HABITS = {
    "good": good,
    "foreign": card(14),
    "float": card(9.0),
    "text": card("9"),
    "accept": response("accept_challenge"),
    "offer": response("offer_challenge"),
    "nonsense": lambda request: send(b"d1"),
    "list": lambda request: send(b"[]"),
    "bomb": lambda request: send(b"[" * 60000),
    "no_id": lambda request: send({"type": "move", "response": {"type": "play_card", "card": 1}}),
    "future": lambda request: send({**move(request), "request_id": request["request_id"] + 5}),
    "old": lambda request: (send({**move(request), "request_id": request["request_id"] - 1}), good(request)),
    "zero": lambda request: (server.sendall(b"\0\0\0\0"), time.sleep(60)),
    "huge": lambda request: (server.sendall(b"\xff\xff\xff\xff"), time.sleep(60)),
    "silent": lambda request: time.sleep(60),
    "halfway": lambda request: (server.sendall(b"\0\0\0\x20{"), time.sleep(60)),
    "leave": lambda request: (server.close(), time.sleep(60)),
    "exit": lambda request: os._exit(0),
    "crash": lambda request: 1 // 0,
    "segfault": lambda request: os.kill(os.getpid(), signal.SIGSEGV),
    "again": again,
    "hammer": hammer,
    "twice": twice,
    "flood": flood,
    "early_flood": early_flood,
    "slices": slices,
    "pieces": pieces,
    "last_words": last_words,
    "think": think,
    "loud": loud,
    "reset": reset,
    "stopped": lambda request: os.kill(os.getpid(), signal.SIGSTOP),
}


def main(habit, at):
    if habit == "never":
        time.sleep(60)
    connect()
    requests = 0
    while True:
        message = receive()
        if message["type"] == "request":
            requests += 1
            HABITS[habit if requests == at else "good"](message)


if __name__ == "__main__":
    try:
        main(sys.argv[1], int(sys.argv[2]))
    except (EOFError, ConnectionError):
        pass
