"""The replay of a game of 45 rounds: what it weighs, what making its film costs, and what a viewer costs after that.

    python -m benchmarks.replay

Targets: a film of the whole game is at most 80 kB with gzip; making it takes at most 2 seconds, and 20 times as long as
folding the game; one round of it under 100 ms; a film that is kept, with all that decides who may read it, at most 2 ms
of processor time for each of its rounds; the page at most 30 kB until it can be used. Exit status 1 when one is missed.
Times are processor times, the best of several runs.

The page is counted as a browser that has nothing yet gets it: the HTML with gzip, and every style sheet, script and
icon that it names or that these import, as collected, with Brotli (to compare, also with gzip). "Until usable" is what
must have come before somebody can step: the HTML up to the script of the replay, which starts there, and what that part
names, but for scripts that wait for the whole page. tests/browser/test_replay_early.py steps with nothing else. The
film is not counted: without it, every control is a link.
"""

import gzip
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import brotli
import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from contest import followers  # noqa: E402
from contest.replay import Replay  # noqa: E402
from contest.replay.film import film_of, packed  # noqa: E402
from contest.server.garbage import look_seldom  # noqa: E402
from games.record import Record, positions  # noqa: E402
from tests.tournaments import scenes  # noqa: E402
from tournaments.models import Match  # noqa: E402
from tournaments.seating import queue  # noqa: E402

MOST = {
    "film of the game, kB gzip": 80,
    "page until usable, kB": 30,
    "film of the game, s": 2,
    "film of the game / fold": 20,
    "film of a round, ms": 100,
    "kept film, ms for each round": 2,
}
IMPORTS = re.compile(r'(?:\bfrom\s*|\burl\()"([^"]+\.(?:css|js|svg))"')
LATER = re.compile(r'\bimport\("([^"]*replay_more[^"]*)"')
STARTS = re.compile(r'<script type="module" async [^>]*></script>')
WAITING = re.compile(r'<script type="module" src=[^>]*></script>')


def cpu(do: Callable[[], Any], times: int = 3) -> float:
    """Seconds of processor time, the best of several runs."""
    best = float("inf")
    for _ in range(times):
        started = time.process_time()
        do()
        best = min(best, time.process_time() - started)
    return best


def long_match() -> Match:
    contest = scenes.small_contest(name="Cup", target=300)
    stage = scenes.many(contest, 4, 0)
    return scenes.play_match(stage.matches.filter(state="queued")[0], reconcile=False)


def compressed(text: bytes, level: int = 6) -> float:
    """Kilobytes with gzip. What is made for each reader is compressed quickly (6), what is kept thoroughly (9)."""
    return len(gzip.compress(text, level)) / 1000


def weights(page: str) -> dict[str, float]:
    """Kilobytes of the page with all that it loads, and of what somebody needs to step."""
    starts = STARTS.search(page)
    assert starts, "the script of the replay is not there"
    until = WAITING.sub("", page[: starts.end()])
    needed, every = loaded(until), loaded(page, LATER)
    assert needed.keys() < every.keys()
    return {
        "page until usable, kB": compressed(until.encode()) + brotlied(needed),
        "of that HTML, kB": compressed(until.encode()),
        "page in all, kB": compressed(page.encode()) + brotlied(every),
        "the same with gzip alone, kB": compressed(page.encode()) + sum(compressed(each, 9) for each in every.values()),
    }


def loaded(html: str, *also: re.Pattern[str]) -> dict[str, bytes]:
    """The files that a piece of HTML names, and those that these import. `also`: other ways to name them."""
    named = re.findall(r'(?:href|src)="/static/([^"#]+\.(?:css|js|svg))', html)
    found: dict[str, bytes] = {}
    while named:
        name = named.pop()
        if name in found:
            continue
        found[name] = body = (settings.STATIC_ROOT / name).read_bytes()
        others = [each for pattern in (IMPORTS, *also) for each in pattern.findall(body.decode())]
        named += [os.path.normpath(f"{Path(name).parent}/{each}") for each in others]
    return found


def brotlied(files: dict[str, bytes]) -> float:
    return sum(len(brotli.compress(body)) for body in files.values()) / 1000


def measured(match: Match) -> dict[str, float]:
    client, url = Client(), reverse("replay", args=[match.pk, 1])
    page = client.get(f"{url}?ply=40").text
    films = json.loads(unescape(re.search(r'data-film="([^"]*)"', page)[1]))  # type: ignore[index]
    record: Record = match.record.loaded()
    rounds = len(Replay(record, 1, "table", url).rounds)
    fold = cpu(lambda: positions(record, 1, "table"))
    make = cpu(lambda: packed(film_of(Replay(record, 1, "table", url))))
    film = packed(film_of(Replay(record, 1, "table", url)))
    one = {**record, "events": record["events"][: Replay(record, 1, "table", url).rounds[0].last + 1]}
    client.get(films["table"])
    kept = cpu(lambda: client.get(films["table"], headers={"Accept-Encoding": "gzip"}), 20)
    return {
        "rounds": rounds,
        "positions": len(record["events"]),
        "film of the game, kB gzip": compressed(film, 9),
        **weights(page),
        "fold, s": fold,
        "film of the game, s": make,
        "film of the game / fold": make / fold,
        "film of a round, ms": 1000 * cpu(lambda: film_of(Replay(one, 1, "table", url)), 5),
        "kept film, ms": 1000 * kept,
        "kept film, ms for each round": 1000 * kept / rounds,
        "page, ms": 1000 * cpu(lambda: client.get(f"{url}?ply=40"), 10),
    }


def main() -> int:
    setup_test_environment()
    look_seldom()  # as the web server does
    queue.wake = lambda *_: None  # type: ignore[assignment]  # nobody is there to play
    followers._send = lambda *_: None  # nor to follow the ledger
    settings.STORAGES["staticfiles"] = {"BACKEND": "contest.static_files.Collected"}
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    try:
        found = measured(long_match())
        for name, value in found.items():
            bound = f"   (at most {MOST[name]})" if name in MOST else ""
            print(f"{name:<44}{value:>10.1f}{bound}")
        good = all(found[name] <= most for name, most in MOST.items())
        print("within the targets" if good else "TARGET MISSED")
        return 0 if good else 1
    finally:
        shutil.rmtree(settings.VAR_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
