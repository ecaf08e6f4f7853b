"""One POST request to somebody else's server, which may be slow, broken or hostile.

It goes only where `addresses` lets it, follows no redirect, uses no proxy, and is over when its time is, whatever the
other side does. Of the answer it reads the status and the beginning of the body.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from time import monotonic
from urllib.parse import urlsplit

from django.utils import timezone

from contest.words import printable
from tournaments.webhooks.addresses import Place, Unreachable, places_of

DEADLINE = 10.0  # seconds for everything: the name, the connection, the request and the answer
CONNECTING = 5.0  # seconds for one address
BODY = 2.0  # seconds for the body, once the status is known
MOST_OF_BODY = 4096  # bytes
KEPT = 2000  # characters


@dataclass(frozen=True, slots=True)
class Answer:
    """`status`: None if there was none, and `error` says why. `retry_after`: seconds that the receiver asks for."""

    status: int | None
    error: str
    body: str
    seconds: float
    retry_after: float | None = None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def post(url: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Send it, and return what came of it. Raises nothing."""
    began = monotonic()
    try:
        status, retry_after, text = _exchange(url, headers, body, began + DEADLINE)
    except Unreachable as error:
        return Answer(None, str(error), "", monotonic() - began)
    except ssl.SSLCertVerificationError as error:
        return Answer(None, f"The certificate is not valid: {error.verify_message}.", "", monotonic() - began)
    except TimeoutError:
        return Answer(None, _too_slow(), "", monotonic() - began)
    except (OSError, http.client.HTTPException, ValueError) as error:
        late = monotonic() >= began + DEADLINE
        return Answer(None, _too_slow() if late else _words(error), "", monotonic() - began)
    return Answer(status, "" if 200 <= status < 300 else _status_words(status), text, monotonic() - began, retry_after)


def _exchange(url: str, headers: Mapping[str, str], body: bytes, deadline: float) -> tuple[int, float | None, str]:
    parts = urlsplit(url)
    is_tls, host = parts.scheme == "https", parts.hostname or ""
    port = parts.port or (443 if is_tls else 80)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    places = places_of(host, port, deadline - monotonic())
    connection = _Connection(host, port, places, deadline, _context() if is_tls else None)
    try:
        connection.connect()
        connected = connection.sock
        with _cut_off(connected, deadline):
            connection.request("POST", target, body=body, headers={**headers, "Connection": "close"})
            response = connection.getresponse()
            if monotonic() >= deadline:  # a header that was cut off looks like a complete one
                raise TimeoutError
            return response.status, _seconds(response.getheader("Retry-After")), _beginning(connected, response)
    finally:
        connection.close()


class _Connection(http.client.HTTPConnection):
    """Connects to the checked addresses instead of looking the name up again. The name is still that of the certificate
    and of the header Host."""

    def __init__(
        self, host: str, port: int, places: Sequence[Place], deadline: float, context: ssl.SSLContext | None
    ) -> None:
        super().__init__(host, port)
        self.default_port = 443 if context else 80  # the header Host leaves this one out
        self.places, self.deadline, self.context = places, deadline, context

    def connect(self) -> None:
        failure: OSError = TimeoutError()
        for place in self.places:
            left = self.deadline - monotonic()
            if left <= 0:
                break
            self.sock = socket.socket(place.family, socket.SOCK_STREAM)
            try:
                self.sock.settimeout(min(left, CONNECTING))
                self.sock.connect(place.sockaddr)
            except OSError as error:
                failure = error
                continue
            self.sock.settimeout(max(self.deadline - monotonic(), 0.1))
            if self.context is not None:
                self._encrypt(self.context)
            return
        raise failure

    def _encrypt(self, context: ssl.SSLContext) -> None:
        self.sock = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
        with _cut_off(self.sock, self.deadline):
            self.sock.do_handshake()


@contextmanager
def _cut_off(connected: socket.socket, deadline: float) -> Iterator[None]:
    """Break the connection at the deadline: a server that sends a byte now and then would otherwise never let go."""

    def cut() -> None:
        try:
            socket.socket.shutdown(connected, socket.SHUT_RDWR)
        except OSError:
            pass  # it is closed already

    timer = threading.Timer(max(deadline - monotonic(), 0.0), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _beginning(connected: socket.socket, response: http.client.HTTPResponse) -> str:
    """How the body begins. The status has decided already, so whatever goes wrong here does no harm."""
    found, until = b"", monotonic() + BODY
    try:
        while len(found) < MOST_OF_BODY and (left := until - monotonic()) > 0:
            connected.settimeout(left)
            piece = response.read1(MOST_OF_BODY - len(found))
            if not piece:
                break
            found += piece
    except (OSError, http.client.HTTPException, ValueError):
        pass
    return printable(found.decode("utf-8", errors="replace")[:KEPT])


def _seconds(retry_after: str | None) -> float | None:
    """What `Retry-After` asks for: seconds or a date."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return (parsedate_to_datetime(text) - timezone.now()).total_seconds() if text else None
    except (ValueError, TypeError, OverflowError):  # not a date, or one without a zone, or far beyond all calendars
        return None


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _too_slow() -> str:
    return f"No answer within {DEADLINE:.0f} seconds."


def _status_words(status: int) -> str:
    if 300 <= status < 400:
        return "The receiver redirects elsewhere. Webhooks do not follow redirects: enter the new address."
    if status == http.HTTPStatus.GONE:
        return "The receiver wants no more messages (410 Gone)."
    try:
        return f"The receiver answered {status} {http.HTTPStatus(status).phrase}."
    except ValueError:
        return f"The receiver answered {status}."


def _words(error: Exception) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "The connection was refused."
    if isinstance(error, http.client.RemoteDisconnected | ConnectionResetError | BrokenPipeError):
        return "The connection was closed without an answer."
    if isinstance(error, ssl.SSLError):
        return f"No encrypted connection: {error.reason or 'TLS failed'}."[:300]
    if isinstance(error, http.client.HTTPException | ValueError):
        return "The answer is not valid HTTP."
    return printable(f"The connection failed: {error.strerror or type(error).__name__}.")[:300]  # type: ignore[attr-defined]
