"""Requests to a portal's API: repeated where that is safe, throttled as the portal asks, refused in its words."""

from __future__ import annotations

import json
import re
import socket
import ssl
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from http.client import HTTPException
from io import BytesIO
from typing import IO, Any, NamedTuple
from urllib.parse import urlencode, urlsplit, urlunsplit

from games.portal.trouble import NO_ACCESS, NoAnswer, Trouble

API = "/api/v1"
LARGEST = 256 << 20  # bytes of an answer; the longest records have a few megabytes
MOST_OF_ERROR = 1 << 20
PAGES = re.compile(r"/(?:api/v1|c|m|accounts)(?:/|$)")
"""With what the paths of a portal's pages begin."""
TIMEOUT = 60.0  # seconds without a byte; a portal that waits for news answers sooner
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds before a request is sent again
PATIENCE = 120.0  # seconds without an answer before a command gives up that was getting answers
LONGEST_THROTTLE = 900.0  # seconds that a portal may ask to wait
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 10.0  # seconds between two requests for news; it grows while there is none
GATEWAY = (502, 503, 504)  # a server in front of the portal, while that starts


class Answer(NamedTuple):
    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        return json.loads(self.body)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token must not follow a redirect to somebody else."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Upload(BytesIO):
    """A body that reports how much of it was sent."""

    def __init__(self, data: bytes, told: Callable[[int, int], None]) -> None:
        super().__init__(data)
        self.size, self.told = len(data), told

    def read(self, size: int | None = -1, /) -> bytes:
        piece = super().read(size)
        self.told(self.tell(), self.size)
        return piece


def address_of(text: str) -> str:
    """The address of a portal as somebody may type it. Raises Trouble."""
    text = text.strip()
    if "://" not in text:
        host = text.partition("/")[0].partition(":")[0]
        text = f"{'http' if host in ('localhost', '127.0.0.1') else 'https'}://{text}"
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Trouble(
            f"“{text}” is not the address of a portal.", "It looks like https://portal.example.", code="usage"
        )
    page = PAGES.search(parts.path)  # people copy the address of a page
    path = parts.path[: page.start()] if page else parts.path.rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2].lower(), path, "", ""))


class Portal:
    """One portal, asked with a token or without one."""

    def __init__(self, address: str, token: str = "", *, note: Callable[[str], None] | None = None) -> None:
        self.address = address
        self.token = token
        self.note = note or (lambda text: print(text, file=sys.stderr))
        self.answered = False
        """How often a request whose answer is lost is sent again."""
        self.opener = urllib.request.build_opener(_NoRedirects())

    # Requests ---------------------------------------------------------------------------------------------------------

    def get(self, path: str, **query: Any) -> Any:
        """The JSON at an address below /api/v1."""
        return _value(self.ask("GET", path, query), self.address)

    def post(self, path: str, data: Any = None, **query: Any) -> Any:
        """Send JSON and return the JSON that answers it. It is sent again if its answer is lost, under a key by which
        the portal knows it."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        answer = self.ask("POST", path, query, json.dumps(data or {}).encode(), headers)
        return _value(answer, self.address) if answer.body else None

    def pieces(self, path: str, limit: int | None = None, **query: Any) -> Iterator[Any]:
        """Yield the rows of a long list, at most `limit`."""
        size = min(limit, 500) if limit else 100
        following: str | None = path
        query = {**query, "limit": size}
        count = 0
        while following:
            found = self.get(following, **query)
            for row in found["results"]:
                yield row
                count += 1
                if limit and count == limit:
                    return
            following, query = self._below(found["next"]), {}

    def _below(self, address: str | None) -> str | None:
        """The path of a link that the portal gave. Only its path: a token goes nowhere else."""
        if not address:
            return None
        parts = urlsplit(address)
        return parts.path.partition(API)[2] + (f"?{parts.query}" if parts.query else "")

    def changes(self, path: str, **query: Any) -> Iterator[Any]:
        """Yield what is at an address, and again whenever it has changed. Endless."""
        etag, pause = "", FIRST_PAUSE
        while True:
            answer = self.ask("GET", path, query, headers={"If-None-Match": etag} if etag else {})
            if answer.status == 304:
                pause = min(pause * 1.5, LONGEST_PAUSE)
            else:
                etag, pause = answer.headers.get("ETag", ""), FIRST_PAUSE
                yield _value(answer, self.address)
            time.sleep(pause)

    def ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        told: Callable[[int, int], None] | None = None,
    ) -> Answer:
        """Send a request until there is an answer. Raises Trouble for every answer but a good one or 304."""
        headers = dict(headers or {})
        again = method == "GET" or "Idempotency-Key" in headers
        tries, since, throttled = 0, time.monotonic(), 0.0
        while True:
            try:
                answer = self._send(method, self._url(path, query), body, headers, told)
            except NoAnswer as lost:
                if not again or not self._hopeful(lost, tries, since):
                    raise
                if tries == 1:
                    self.note(f"{lost.said} Trying again …")
                time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
                tries += 1
                continue
            self.answered = True
            pause = _throttle(answer)
            if pause is None:
                return self._checked(answer)
            throttled += pause
            if throttled > LONGEST_THROTTLE:
                raise self._refusal(answer)
            self.note(f"Too many requests: the portal asks for a pause of {pause:.0f} s.")
            time.sleep(pause)
            tries, since = 0, time.monotonic()

    def _hopeful(self, lost: NoAnswer, tries: int, since: float) -> bool:
        """Whether to try again: a portal that has answered before may be starting anew."""
        if self.answered:
            return time.monotonic() - since < PATIENCE
        return lost.sent and tries < len(PAUSES)

    def _url(self, path: str, query: Mapping[str, Any] | None) -> str:
        asked = {name: value for name, value in (query or {}).items() if value not in (None, "", False)}
        words = urlencode({name: "true" if value is True else value for name, value in asked.items()})
        return f"{self.address}{API}{path}" + (f"{'&' if '?' in path else '?'}{words}" if words else "")

    def _send(
        self,
        method: str,
        url: str,
        body: bytes | None,
        headers: dict[str, str],
        told: Callable[[int, int], None] | None,
    ) -> Answer:
        data: bytes | IO[bytes] | None = Upload(body, told) if body is not None and told else body
        request = urllib.request.Request(url, data, headers, method=method)
        request.add_header("Accept", "application/json")
        request.add_header("User-Agent", "kibitz")
        if body is not None:
            request.add_header("Content-Length", str(len(body)))
        if self.token:
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        try:
            with self.opener.open(request, timeout=TIMEOUT) as found:
                return Answer(found.status, found.headers, self._read(found))
        except urllib.error.HTTPError as error:
            with error:
                answer = Answer(error.code, error.headers or Message(), _rest(error))
            if answer.status not in GATEWAY:
                return answer
            said = f"{self.address} is not ready: it answers {answer.status}."
            raise NoAnswer(said, "Try again in a minute.", sent=True) from None
        except urllib.error.URLError as error:
            raise self._unreachable(error.reason) from None
        except (OSError, HTTPException) as error:
            if isinstance(error, ssl.SSLError):
                raise self._unreachable(error) from None
            said = "takes too long to answer" if isinstance(error, TimeoutError) else "broke off its answer"
            raise NoAnswer(f"{self.address} {said}.", "Try again.", sent=True) from None
        except UnicodeError:
            raise Trouble(f"“{self.address}” is not the address of a portal.", code="usage") from None

    def _read(self, found: IO[bytes]) -> bytes:
        """The body. Raises Trouble if it has no end in sight."""
        body = found.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise Trouble(f"{self.address} answers with more than {LARGEST >> 20} MB.", code="too_large")
        return body

    def _unreachable(self, reason: object) -> NoAnswer:
        host = urlsplit(self.address).hostname
        if isinstance(reason, ssl.SSLCertVerificationError):
            return NoAnswer(
                f"The certificate of {host} cannot be verified: {reason.verify_message}.",
                "If your organisation signs its own certificates, name its certificate file in SSL_CERT_FILE.",
                code="tls",
            )
        if isinstance(reason, ssl.SSLError):
            hint = f"If it uses plain http, log in to http://{urlsplit(self.address).netloc}."
            return NoAnswer(f"There is no secure connection to {host}: {reason.reason or reason}.", hint, code="tls")
        if isinstance(reason, socket.gaierror):
            return NoAnswer(f"There is no host {host}.", "Check the address and your connection to the network.")
        said = reason.strerror if isinstance(reason, OSError) and reason.strerror else str(reason)
        sent = isinstance(reason, (ConnectionResetError, BrokenPipeError))
        return NoAnswer(f"{self.address} cannot be reached: {said}.", "Check the address. Is the portal up?", sent=sent)

    # Answers ----------------------------------------------------------------------------------------------------------

    def _checked(self, answer: Answer) -> Answer:
        if answer.status < 300 or answer.status == 304:
            return answer
        if answer.status < 400:
            there = answer.headers.get("Location", "another address")
            hint = f"If you trust it, log in there: kibitz login {address_of(there) if '://' in there else there}"
            raise Trouble(f"{self.address} redirects to {there}.", hint, code="redirect")
        raise self._refusal(answer)

    def _refusal(self, answer: Answer) -> Trouble:
        try:
            told = answer.json() if "json" in answer.headers.get("Content-Type", "") else None
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            said = f"{self.address} does not answer like a portal: status {answer.status}."
            return Trouble(said, "Check its address.", code="no_portal")
        said, code = str(told.get("detail") or told.get("title")), str(told.get("code") or "refused")
        page = f"{self.address}/accounts/tokens/"
        if answer.status == 401:
            hint = f"Make a new one at {page}" if self.token else f"Make a token at {page}"
            said = said if self.token else "You are not logged in."
            hint += f" and log in: kibitz login {self.address}"
            return Trouble(said, hint, status=NO_ACCESS, code=code, answer=told)
        if answer.status == 403:
            hint = f"Make one at {page} and log in again." if "scope" in said else ""
            return Trouble(said, hint, status=NO_ACCESS, code=code, answer=told)
        return Trouble(said, code=code, answer=told)


def _rest(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read(MOST_OF_ERROR)
    except (OSError, HTTPException):
        return b""


def _value(answer: Answer, address: str) -> Any:
    try:
        return answer.json()
    except (ValueError, RecursionError):
        said = f"{address} does not answer like a portal."
        raise Trouble(
            said, "Check its address. Does a page ask you to log in to the network?", code="no_portal"
        ) from None


def _throttle(answer: Answer) -> float | None:
    """For how many seconds the portal asks to wait, if it does."""
    if answer.status != 429:
        return None
    asked = answer.headers.get("Retry-After", "")
    return float(asked) if asked.isascii() and asked.isdigit() else 5.0


def multipart(fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]], boundary: str) -> tuple[bytes, str]:
    """A form with files. Returns the body and its content type."""
    parts = []
    for name, value in fields.items():
        parts.append((f'name="{name}"', "", value.encode()))
    for name, (filename, data) in files.items():
        quoted = filename.replace("\\", "\\\\").replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        parts.append((f'name="{name}"; filename="{quoted}"', "Content-Type: application/octet-stream\r\n", data))
    body = b"".join(
        f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n{kind}\r\n".encode() + data + b"\r\n"
        for head, kind, data in parts
    )
    return body + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"
