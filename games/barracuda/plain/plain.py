"""Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
challenge."""

import json
import socket

server = socket.create_connection(("cuda.contest", 19999)).makefile("rwb")
while head := server.read(4):
    message = json.loads(server.read(int.from_bytes(head, "big")))
    if message["type"] != "request":
        continue
    answer = {"type": "reject_challenge"}
    if message["request"] == "request_card":
        answer = {"type": "play_card", "card": message["state"]["hand"][0]}
    body = json.dumps({"type": "move", "request_id": message["request_id"], "response": answer}).encode()
    server.write(len(body).to_bytes(4, "big") + body)
    server.flush()
