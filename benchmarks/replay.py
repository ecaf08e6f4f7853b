"""The replay of a game of 45 rounds: what it weighs, what making its film costs, and what a viewer costs after that.

    python -m benchmarks.replay

Targets: a film of the whole game is at most 80 kB with gzip; making it takes at most 2 seconds, and 20 times as long as
folding the game; one round of it under 100 ms; a film that is kept, with all that decides who may read it, at most 2 ms
of processor time for each of its rounds; the page with everything that it loads before it can be used at most 30 kB for
a browser that has the style sheets and scripts of all pages. Exit status 1 when one is missed. Times are processor
times, the best of several runs.
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

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.staticfiles import finders  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from contest.replay import Replay  # noqa: E402
from contest.replay.film import film_of, packed  # noqa: E402
from contest.server.garbage import look_seldom  # noqa: E402
from games.record import Record, positions  # noqa: E402
from tests.tournaments import scenes  # noqa: E402
from tournaments.models import Match  # noqa: E402
from tournaments.seating import queue  # noqa: E402

MOST = {
    "film of the game, kB gzip": 80,
    "page, kB gzip, beyond what all pages share": 30,
    "film of the game, s": 2,
    "film of the game / fold": 20,
    "film of a round, ms": 100,
    "kept film, ms for each round": 2,
}
SHARED = (
    "kibitz.css",
    "frame.css",
    "forms.css",
    "parts.css",
    "pico.min.css",
    "htmx-2.min.js",
    "page.js",
    "keep.js",
    "theme.js",
)


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


def weights(page: str) -> tuple[float, float]:
    """Kilobytes of the page with the style sheets and scripts that it names: all, and those of replays alone."""
    files = dict.fromkeys(re.findall(r'(?:href|src)="/static/([^"]+\.(?:css|js))"', page))
    sizes = {name: compressed(Path(str(finders.find(name))).read_bytes()) for name in (*files, "js/film.js")}
    sizes |= {"pico.min.css": compressed(Path(str(finders.find("vendor/pico/2.1.1/pico.min.css"))).read_bytes())}
    own = sum(size for name, size in sizes.items() if not name.endswith(SHARED))
    html = compressed(page.encode())
    return html + sum(sizes.values()), html + own


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
    everything, own = weights(page)
    return {
        "rounds": rounds,
        "positions": len(record["events"]),
        "film of the game, kB gzip": compressed(film, 9),
        "page, kB gzip, with all it loads": everything,
        "page, kB gzip, beyond what all pages share": own,
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
    call_command("migrate", verbosity=0)
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
