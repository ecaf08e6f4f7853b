"""A client of a contest server in the tests' own process."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any

from games.frames import frame


class Client:
    """A client in this process with its own address: all of 127/8 is this machine."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))

    def send(self, message: Any) -> None:
        self.stream.sendall(frame(json.dumps(message).encode()))

    def receive(self) -> dict[str, Any]:
        """The next message. Raises EOFError when the connection is closed."""
        size = self._read(4)
        return dict(json.loads(self._read(int.from_bytes(size, "big"))))

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self.stream.recv(size - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def closed(self) -> bool:
        """Whether it is closed without any message."""
        try:
            return self.stream.recv(1) == b""
        except ConnectionResetError:
            return True

    def answer(self, request: dict[str, Any]) -> None:
        offered = request["request"] == "challenge_offered"
        response = (
            {"type": "reject_challenge"} if offered else {"type": "play_card", "card": request["state"]["hand"][0]}
        )
        self.send({"type": "move", "request_id": request["request_id"], "response": response})

    def play(self, heard: Callable[[dict[str, Any]], bool]) -> None:
        """Answer until `heard` accepts a message as the last one."""
        while True:
            message = self.receive()
            if heard(message):
                return
            if message["type"] == "request":
                self.answer(message)

    def close(self) -> None:
        self.stream.close()
