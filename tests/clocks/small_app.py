"""A small application for the web server, in two threads: `gunicorn tests.clocks.small_app:application`.

Its state is the content of a file. Who asks for `/new?seen=STATE` and waits gets the answer when that is another one.
"""

import gc
import os
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlencode

from contest.server.web.clients import Clients
from contest.server.web.threads import Threads
from contest.server.web.waiting import AGAIN, HEADER, Waiting

STATE = Path(os.environ["SMALL_APP_STATE"])
ASKED = {"first": 0, "again": 0}
OPEN = set()  # ids of streams that nobody has closed
MEGABYTE = bytes(1 << 20)


def app(environ, start_response):
    path, query = environ["PATH_INFO"], parse_qs(environ["QUERY_STRING"])
    headers = [("Content-Type", "text/plain")]
    if path == "/stream":
        start_response("200 OK", headers)
        return stream(int(query["megabytes"][0]))
    if path == "/new":
        return new(environ, start_response, query["seen"][0], headers)
    text = {
        "/": lambda: "hello",
        "/echo": lambda: repr((environ.get("CONTENT_LENGTH"), len(read(environ)))),
        "/told": lambda: repr([environ.get(name) for name in query["name"]]),
        "/sleep": lambda: time.sleep(float(query["seconds"][0])) or "slept",
        "/asked": lambda: f"{ASKED['first']} {ASKED['again']}",
        "/garbage": lambda: repr((gc.get_threshold(), gc.get_freeze_count() > 10_000)),
        "/open": lambda: f"{len(OPEN)} {threading.active_count()}",
        "/fails": lambda: 1 / 0,
        "/large": lambda: "x" * int(query["bytes"][0]),
    }.get(path, lambda: path)()
    if path == "/refuse":
        start_response("413 Too Large", headers)
        return [b"far too large"]
    body = text.encode()
    start_response("200 OK", [*headers, ("Content-Length", str(len(body)))])
    return [body]


def read(environ):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    return environ["wsgi.input"].read(length)


def stream(megabytes):
    own = object()
    OPEN.add(own)
    try:
        for _ in range(megabytes):
            yield MEGABYTE
    finally:
        OPEN.discard(own)


def new(environ, start_response, seen, headers):
    state = STATE.read_text()
    if AGAIN in environ:
        ASKED[environ[AGAIN]] += 1
    if state != seen:
        start_response("200 OK", [*headers, ("Content-Length", str(len(state)))])
        return [state.encode()]
    told = [(HEADER.decode(), urlencode({"state:1": state}))] if AGAIN in environ else []
    start_response("304 Not Modified", [*told, ("ETag", f'"{state}"')])
    return []


def look(names):
    return {name: STATE.read_text() for name in names}


class Strangers(Clients):
    """Nobody is this machine's own: clients at 127.0.0.2 and so on are told apart. A proxy is at 127.0.0.9."""

    def __init__(self):
        super().__init__(1, ["127.0.0.9"])
        self.own = []


def most_from(environ):
    return int(environ.get("HTTP_MOST", 32 << 20))


clients = Strangers() if "SMALL_APP_STRANGERS" in os.environ else None
application = Waiting(Threads(app, 4 if clients else 2, most_from=most_from, clients=clients), look)
