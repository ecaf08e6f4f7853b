"""Which pages are made once for all who are not logged in, and what such a copy depends on.

The web server keeps the copies (contest/server/web/shared.py). A request that may get one carries no session, no token
and no message, and its page is asked for with nothing but what `plan` lists here: a copy is made by a request *without*
cookies, so nothing of anybody can be in it. The same is asked under one key, whatever else a browser sends.

`Middleware` says of an answer that it may be shared, and on which subjects (contest/waiting.py) it depends: the public
revision of each contest that it shows, with the phase and the freeze, and the stamp of everything that revisions do not
count (contest/changes.py). Both are read before the page is made. What depends on the clock alone, such as "3 min ago",
is as old as the copy, ten seconds at most.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.http.response import HttpResponse, HttpResponseBase

from contest import moments, subjects
from contest.models import Contest
from contest.permissions import Access
from contest.server.web.asgi import Scope
from contest.server.web.shared import BEHIND, READS, RENDERS, REVISION, STATES, Question
from contest.waiting import state_of


def edition() -> bytes:
    """Names the files that pages load: two releases side by side must not share copies."""
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    try:
        return hashlib.blake2b(manifest.read_bytes(), digest_size=8).hexdigest().encode()
    except OSError:
        return b""


ONE = r"\d{1,12}"
SLUG = r"/c/[-\w]{1,80}"
NUMBER, WORD = re.compile(r"\d{1,9}|all"), re.compile(r"[\w-]{0,40}", re.ASCII)
LISTED = {"page": NUMBER}
STAGE = {"round": NUMBER, "team": NUMBER, **LISTED}
MATCHES = {"stage": NUMBER, "team": NUMBER, "state": WORD, "faults": WORD, **LISTED}
PAGES: tuple[tuple[re.Pattern[str], str, Mapping[str, re.Pattern[str]]], ...] = tuple(
    (re.compile(address, re.ASCII), live, more)
    for address, live, more in (
        (r"/", "now", LISTED),
        (rf"{SLUG}/", "rev", {}),
        (rf"{SLUG}/standings/", "rev", {"stage": WORD, **LISTED}),
        (rf"{SLUG}/bracket/{ONE}/", "rev", STAGE),
        (rf"{SLUG}/bracket/{ONE}/poster/", "rev", {}),
        (rf"/m/{ONE}/", "rev", {}),
        (rf"{SLUG}/matches/", "", MATCHES),
        (rf"{SLUG}/teams/", "", {}),
        (rf"{SLUG}/teams/{ONE}/({ONE}/)?", "", {}),
    )
)
"""Addresses, the parameter with which each page asks for its live part, and other parameters with what they may be."""

TRACES = re.compile(r"utm_\w+|fbclid|gclid|mc_[ce]id")
"""Parameters that other sites add to links. No page reads them."""
PERSONAL = frozenset({settings.SESSION_COOKIE_NAME, "messages"})
"""Cookies that make an answer one for this reader alone."""
ALONE = frozenset({b"authorization", b"content-length", b"transfer-encoding"})
"""Headers of requests that are answered alone. `X-Forwarded-Host`, which Caddy sends with every request, is none of
them: the portal does not read it (USE_X_FORWARDED_HOST), and no copy is asked for with it."""
EDITION = edition()
"""Another one for another set of style sheets and scripts, whose names are in the pages."""


# For the web server ---------------------------------------------------------------------------------------------------


@lru_cache(4096)
def _asked(path: bytes, query: bytes) -> tuple[str, str, bool] | None:
    """The query without what changes nothing, the revision that the client has, and whether it asks for a live part.

    None: there are no copies of this."""
    text = path.decode("latin-1")
    page = next((page for page in PAGES if page[0].fullmatch(text)), None)
    if page is None or len(query) > 300:
        return None
    _, live, more = page
    revision, kept = "", {}
    is_live = False
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=30):
        if name == "wait" or TRACES.fullmatch(name):
            continue
        if name in kept or (name == live and is_live):
            return None
        if name == live and live:
            revision, is_live = value, True
        elif name in more and more[name].fullmatch(value):
            kept[name] = value
        else:
            return None
    return urlencode(sorted(kept.items())), revision, is_live


@lru_cache(512)
def _is_anybody(cookies: bytes) -> bool:
    """Whether these cookies are not of somebody who may have an answer of their own."""
    return PERSONAL.isdisjoint(parse_cookie(cookies.decode("latin-1")))


def plan(scope: Scope) -> Question | None:
    """What this request asks for, if everybody without an account gets the same. None: it has to be answered alone."""
    if scope["method"] not in ("GET", "HEAD"):
        return None
    asked = _asked(scope["raw_path"], scope["query_string"])
    if asked is None:
        return None
    query, revision, is_live = asked
    told = dict(scope["headers"])
    htmx = told.get(b"hx-request", b"")
    # A live part that is opened as a page, or a page that htmx loads, is rare: each page has its own rule for it.
    if not ALONE.isdisjoint(told) or htmx != (b"true" if is_live else b""):
        return None
    cookies = [value for name, value in scope["headers"] if name == b"cookie"]
    host, scheme = told.get(b"host", b""), told.get(b"x-forwarded-proto", b"")
    if (
        len(cookies) > 1
        or not all(map(_is_anybody, cookies))
        or len(host) > 100
        or scheme not in (b"", b"http", b"https")
    ):
        return None
    if is_live:
        query += f"{'&' if query else ''}{'now' if scope['raw_path'] == b'/' else 'rev'}=-"
    headers = [(b"host", host)]
    headers += [(b"x-forwarded-proto", scheme)] if scheme else []
    headers += [(b"hx-request", b"true")] if is_live else []
    headers += [each for each in scope["headers"] if each[0] == b"x-forwarded-for"]  # it decides whose turn it is
    key = (scope["raw_path"], query.encode(), host, scheme, htmx, scope["scheme"].encode(), EDITION)
    return Question(b"\n".join(key), query.encode(), headers, revision if is_live else None)


def reader(scope: Scope) -> bytes | None:
    """Names a session and the page that it reads, if there are copies of that page."""
    if scope["method"] != "GET" or _asked(scope["raw_path"], scope["query_string"]) is None:
        return None
    cookies = [value for name, value in scope["headers"] if name == b"cookie"]
    # One with a body is none of them: it could arrive as slowly as its sender likes.
    if len(cookies) != 1 or any(name in ALONE for name, _ in scope["headers"]):
        return None
    session = parse_cookie(cookies[0].decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
    return hashlib.blake2b(f"{session} {scope['raw_path']!r}".encode(), digest_size=16).digest() if session else None


# For the portal -------------------------------------------------------------------------------------------------------


class Middleware:
    """Around all that set cookies."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if RENDERS not in request.META:
            if READS in request.META:
                moments.allow(request, request.META[READS], state_of("written", 0)["written:0"])
            response = self.get_response(request)
            if READS in request.META and response.status_code in (200, 204) and _reads_as_strangers(request):
                response[READS] = "as strangers"
            return response
        states = dict(state_of("written", 0))
        moments.allow(request, request.META[RENDERS], states["written:0"])
        if request.path_info == "/":
            states |= state_of("portal", 0)
        response = self.get_response(request)
        if isinstance(response, HttpResponse) and response.status_code == 200 and not response.cookies:
            shown: dict[int, Access] = request.__dict__.get("_access", {})
            for access in shown.values():
                states |= subjects.results_of(access)
            response[STATES] = urlencode(states)
            one = next(iter(shown.values())) if len(shown) == 1 else None
            revision = getattr(request, "shared_revision", one.revision if one else "")
            response[REVISION] = revision
            response[BEHIND] = str(moments.behind(request))
        return response


ALIKE = frozenset({"bracket", "poster", "standings", "match"})
"""Names of pages whose live part is the same for a stranger and for somebody who has neither a team nor a role."""


def _reads_as_strangers(request: HttpRequest) -> bool:
    shown: dict[int, Access] = request.__dict__.get("_access", {})
    here = request.resolver_match
    return bool(shown) and here is not None and here.url_name in ALIKE and all(map(_is_bystander, shown.values()))


def _is_bystander(access: Access) -> bool:
    is_private = access.contest.visibility == Contest.Visibility.PRIVATE
    return not (access.sees_desk or access.watches or access.membership or is_private)
