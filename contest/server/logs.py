"""Log lines say which request, task and match they belong to; what is away or full is told in one line."""

import errno
import logging
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

import redis
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.exceptions import MigrationSchemaMissing
from django.http import HttpRequest
from kombu.exceptions import OperationalError as BrokerError
from pythonjsonlogger import json
from pythonjsonlogger.core import RESERVED_ATTRS

DROPPED = {"request", "response", "args", "status", "sinfo", "server_time", "data"}
"""Extra fields of other libraries that hold whole objects, cookies, or what people or bots have written."""

REQUEST = "request"
"""The name of a request's id in log lines, and in the META of the request."""

_context: ContextVar[Mapping[str, Any]] = ContextVar("log_context", default=MappingProxyType({}))


@contextmanager
def about(**ids: Any) -> Iterator[None]:
    """Name what log lines of this block are about: `request`, `task`, `match`, `attempt`, `contest` …"""
    token = _context.set({**_context.get(), **{name: each for name, each in ids.items() if each is not None}})
    try:
        yield
    finally:
        _context.reset(token)


class Context(logging.Filter):
    """Adds what a line is about to its record: `context` for JSON, `about` for lines of text."""

    def filter(self, record: logging.LogRecord) -> bool:
        about = _context.get()
        # Django logs an answer such as 404 when the request is over, and names the request.
        known = getattr(getattr(record, "request", None), "META", {}).get(REQUEST)
        if known:
            about = {REQUEST: known, **about}
        record.__dict__["context"] = about
        record.__dict__["about"] = "".join(f" [{name} {each}]" for name, each in about.items())
        return True


NAMES = "bearer|token|(?:sessionid|csrftoken)(?:-[0-9a-f]+)?|password|secret|secret_key|api_key|authorization|code"
SECRETS = re.compile(
    # A password in an address. The lengths are bounded, because strangers choose lines: without, time is quadratic.
    r"(?P<address>\b[a-z][a-z0-9+]{0,30}://[^\s:/@]{0,200}:)[^\s@]{1,1000}(?=@)"
    rf"|(?P<named>\b(?:{NAMES})\b[\"']?(?:\s*[=:]\s*|\s)[\"']?(?:bearer |token )?)(?=\S*[0-9A-Z])[\w+/=.~-]{{8,}}"
    r"|(?P<made>\b(?:kbz|kibitz|whsec)_)[\w+/=-]{16,}"  # a token or a secret that the portal made
    # Who knows these addresses may read or write.
    r"|(?P<path>/(?:watch|unsubscribe|reset/key|calendar|following/feed)/)[\w:=-]{6,}",
    re.IGNORECASE,
)


def scrubbed(text: str) -> str:
    """A log line without what would let its reader in."""
    return SECRETS.sub(lambda found: f"{found.group(found.lastgroup or 0)}…", text)


class PlainFormatter(logging.Formatter):
    """A line of text."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s:%(about)s %(message)s", defaults={"about": ""})

    def format(self, record: logging.LogRecord) -> str:
        return scrubbed(super().format(record))


class JsonFormatter(json.JsonFormatter):
    """`time`, `level`, `logger`, `message`, what the line is about, the `extra` fields of the call, and `trace` when
    there is an exception."""

    def __init__(self) -> None:
        super().__init__(
            ["levelname", "name", "message"],
            rename_fields={"levelname": "level", "name": "logger", "exc_info": "trace"},
            reserved_attrs=[*RESERVED_ATTRS, "about", *DROPPED],
            timestamp="time",
            json_default=lambda each: scrubbed(str(each)),
            json_ensure_ascii=False,
        )

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        fields = log_data | log_data.pop("context", {})
        return {name: scrubbed(each) if isinstance(each, str) else each for name, each in fields.items()}


# Classes of PostgreSQL's error codes: the connection, its resources such as the disk, and what an administrator does.
PASSING = ("08", "53", "57P")
SQLITE_PASSING = ("disk is full", "unable to open", "disk I/O error", "readonly")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


def absent(error: BaseException) -> tuple[str, str] | None:
    """What is away ("database", "broker" or "disk"), and how it is told in one line. None if something else is wrong,
    which will be the same at the next attempt."""
    if isinstance(error, MigrationSchemaMissing) and error.__context__ is not None:  # what stopped the first migration
        error = error.__context__
    if isinstance(error, (OperationalError, InterfaceError)):
        if connection.vendor == "sqlite":
            passing = any(words in str(error) for words in SQLITE_PASSING)
        else:
            code = getattr(error.__cause__, "sqlstate", None)
            passing = code is None or code.startswith(PASSING)  # without a code, it did not even answer
        return ("database", in_a_line(error)) if passing else None
    if isinstance(error, (redis.ConnectionError, redis.TimeoutError, BrokerError)):
        return "broker", in_a_line(error)
    if isinstance(error, OSError) and error.errno in FULL:
        where = f" ({error.filename})" if error.filename else ""
        return "disk", f"{error.strerror}{where}"
    return None


def in_a_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


class InALine(logging.Filter):
    """Tells what is away without a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is not None and (found := absent(error)):
            record.msg, record.args = "%s: the %s is away or full: %s", (record.getMessage(), *found)
            record.exc_info = record.exc_text = None
        return True


HEADER = "X-Request-ID"
GOOD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
"""Ids that we take over from a proxy. Anything else could forge log lines, and gets an id of ours."""


def middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """The outermost middleware: what the others log belongs to the request as well."""

    def answer(request: HttpRequest) -> Any:
        said = request.headers.get(HEADER, "")
        request.META[REQUEST] = number = said if GOOD.fullmatch(said) else secrets.token_hex(8)
        with about(**{REQUEST: number}):
            response = get_response(request)
        response[HEADER] = number
        return response

    # Python takes memory for calls in pieces of 16 kB, and gives a piece back when the call that needed it ends. A loop
    # at the end of a piece then asks the kernel at each call, and the page takes three times as long. A call that needs
    # 256 kB gets a piece of twice that, which has room for all that is called within.
    answer.__code__ = answer.__code__.replace(co_stacksize=2**15)
    return answer
