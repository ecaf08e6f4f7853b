import json
import socket
import struct


class Wire:
    def __init__(self, host, port):
        self.file = socket.create_connection((host, port)).makefile("rwb")

    def __iter__(self):
        while header := self.file.read(4):
            (size,) = struct.unpack(">I", header)
            yield json.loads(self.file.read(size))

    def answer(self, request, response):
        body = json.dumps({"type": "move", "request_id": request["request_id"], "response": response}).encode()
        self.file.write(struct.pack(">I", len(body)) + body)
        self.file.flush()
