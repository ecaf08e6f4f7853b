"""A player of Barracuda with the bad habit that its arguments name, before HOST and PORT: messages over TCP."""

import json
import socket
import sys
import time

HABIT = sys.argv[1] if len(sys.argv) > 3 else ""
HOST, PORT = sys.argv[-2:]


def read(stream):
    length = int.from_bytes(stream.recv(4, socket.MSG_WAITALL), "big")
    return json.loads(stream.recv(length, socket.MSG_WAITALL)) if length else None


def send(stream, message):
    body = json.dumps(message).encode()
    stream.sendall(len(body).to_bytes(4, "big") + body)


def answer(stream, request):
    state, move = request["state"], {"type": "move", "request_id": request["request_id"]}
    move["response"] = {"type": "play_card", "card": state["hand"][0]} if state["hand"] else {}
    if request["request"] == "challenge_offered":
        move["response"] = {"type": "reject_challenge"}
    if HABIT == "double":
        send(stream, move)
    elif HABIT == "text":
        move["response"]["card"] = "9"
    elif HABIT == "silent":
        time.sleep(100)
    elif HABIT == "crash":
        sys.exit("I have no idea")
    elif HABIT == "little_endian":
        body = json.dumps(move).encode()
        stream.sendall(len(body).to_bytes(4, "little") + body)
        return
    elif HABIT == "no_length":
        stream.sendall(json.dumps(move).encode())
        return
    elif HABIT == "debugging":
        stream.sendall((5).to_bytes(4, "big") + b"hello")
    send(stream, move)


def main():
    if HABIT == "away":
        time.sleep(100)
    if HABIT == "gone":
        raise ConnectionRefusedError("no such server: cuda.contest")
    with socket.create_connection((HOST, int(PORT))) as stream:
        if HABIT == "early":
            send(stream, {"type": "move", "request_id": 1, "response": {"type": "play_card", "card": 12}})
        while message := read(stream):
            if message["type"] == "request":
                answer(stream, message)


main()
