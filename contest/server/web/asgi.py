"""The types of ASGI, as far as the web server uses it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

ENVIRON = "kibitz.environ"
"""Key of a scope: what to add to the WSGI environment of the request."""
TURN = "kibitz.turn"
"""Key of a scope: the address whose turn at the threads it is, if that is not the client's."""
ABORT = "kibitz.abort"
"""Key of a scope: a function that cuts the connection."""


async def answer_full(send: Send) -> None:
    """Answer a client whose address has too many requests that wait."""
    await answer_plainly(send, 503, "Too many requests at once. Try again soon.", (b"retry-after", b"5"))


async def answer_plainly(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    """Answer with a line of text, and close the connection."""
    body = f"{text}\n".encode()
    told = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})
