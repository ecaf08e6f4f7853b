"""A visitor who guesses addresses: all of the portal's own, with any numbers, and the answers."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from contest.models import User

CHANCE = re.compile(r'(csrfmiddlewaretoken" value|nonce|X-CSRFToken["\']?)[=:] ?"[^"]*"')
MOMENT = re.compile(r'(<time datetime="[^"]*"[^>]*>)[^<]*')  # "1 minute ago" depends on when one looks
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def routes(entries: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    """Every address of our own pages, with its parameters still in it."""
    for entry in entries:
        whole = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            if not whole.startswith(("admin/", "accounts/")):
                yield from routes(entry.url_patterns, whole)
        elif "^" not in whole and whole not in ("api/v1/", "api/v1/schema"):  # the same for everybody
            yield whole


def addresses(values: Mapping[str, Sequence[object]], where: str = "") -> list[str]:
    """Every address that begins with a route matching `where`, with all of these values; 1 for other parameters."""
    found = []
    for route in routes(get_resolver().url_patterns):
        if re.match(where, route):
            for chosen in product(*(values.get(name, [1]) for name in PARAMETER.findall(route))):
                words = iter(chosen)
                found.append("/" + PARAMETER.sub(lambda _, words=words: str(next(words)), route))
    return found


def visitor(user: User | None = None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def seen(asked: Iterable[str], user: User | Client | None) -> dict[str, tuple[int, str]]:
    """Status and text of every answer, without random parts."""
    client = user if isinstance(user, Client) else visitor(user)
    answers = ((address, client.get(address)) for address in asked)
    return {
        address: (answer.status_code, MOMENT.sub(r"\1", CHANCE.sub("", _text(b"".join(answer)))))
        for address, answer in answers
    }


def _text(content: bytes) -> str:
    """What an answer says. Of an archive its files, without when they were packed and how the visitor logged in."""
    if not content.startswith(b"PK\x03\x04"):
        return content.decode(errors="replace")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        told = [name for name in archive.namelist() if name != "sessions.json"]
        return "\n".join(f"{name}\n{archive.read(name).decode(errors='replace')}" for name in told)
