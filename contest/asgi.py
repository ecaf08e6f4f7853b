"""What the web server runs: the portal's pages in threads, copies of what everybody sees in front of them, those
who wait for something new around these, and outermost the streams of those who follow a game in progress."""

from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from contest import waiting
from contest.broadcast.feed import GameFeeds
from contest.server.web.clients import Clients
from contest.server.web.shared import Shared
from contest.server.web.store import Store
from contest.server.web.streams import Streams
from contest.server.web.threads import Threads
from contest.server.web.waiting import Waiting
from contest.wsgi import application as pages

THREADS = 8
PREFIX = "kibitz"  # of copies in the cache


def most_from(environ: dict[str, Any]) -> int:
    most: int = import_string("contest.body_limits.most_from")(environ)  # it has models, which need what comes below
    return most


clients = Clients(settings.ALLAUTH_TRUSTED_PROXY_COUNT, settings.PROXY_ADDRESSES)
threads = Threads(pages, THREADS, most_from=most_from, clients=clients)
store = Store(settings.CACHE_URL, PREFIX)
pages_of = "contest.shared_pages"  # it has models as well
plan, reader = import_string(f"{pages_of}.plan"), import_string(f"{pages_of}.reader")
shared = Shared(threads, plan, waiting.look, store, reader, clients)
application = Streams(Waiting(shared, waiting.look), GameFeeds().read, waiting.look)
