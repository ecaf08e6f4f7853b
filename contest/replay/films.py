"""Keeps films (film.py), so that each is made once for all who watch: compressed files with a bound, in `var/films`.

The film of a long game takes seconds to make, that of one of its rounds a twentieth of a second. A page asks for the
round that it shows first (`&round=3`), unless the film of the game is there, which is then the answer. One request
makes the film of a game; others that ask for it meanwhile are told to come back, and read rounds.

The address of a film holds a digest of everything that it depends on, and of the portal's own code. So it may be
cached for ever, and cannot be guessed. It is a query of the page's own address, and the page decides first who may read
it, as it does for itself. Nothing is shared that only some may see: standard error is fetched apart, and not kept.
"""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import hmac
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import zstandard
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers

import games
from contest.replay import Replay
from contest.replay.film import film_of, packed
from games.deals import Stranger, check
from games.engine import Game
from games.record import Record
from games.record import games as split_games


def verdict(record: Record) -> dict[str, Any]:
    """Whether the record is what its seed and moves give. Where it differs: a text, the game from 1, and the ply."""
    found = check(record, games.get(record["game"]))
    if found is None:
        count = len(record["events"])
        dealt = "and the seed deals the cards of every hand"
        return {"equal": True, "text": f"Equal: all {count} events follow from the moves by the rules, {dealt}."}
    place = _place(record, found.index)
    if isinstance(found, Stranger):
        return {"equal": False, "text": f"The moves follow the rules, but {found.text}.", **place}
    where = f" in game {place['game']}, event {place['ply']}" if place else ""
    return {"equal": False, "text": f"Different{where}: {found.text}.", **place}


def _place(record: Record, index: int) -> dict[str, int]:
    """The game and the ply of an event; nothing where it is the result of the match that differs."""
    for number, events in enumerate(split_games(record), 1):
        if index < len(events):
            return {"game": number, "ply": index}
        index -= len(events)
    return {}


LEVEL = 15  # of zstd: 19 saves one part in a hundred and takes three times as long
YEAR = 365 * 24 * 3600
FOLDER = "films"
MOST = 512 << 20  # bytes in it; what is deleted is made again
PARTS = {
    "film": film_of,
    "asked": lambda replay: replay.asked_texts,
    "verify": lambda replay: verdict(replay.record),
}
"""What a page may ask for, and what makes it."""
OF_ALL_VIEWS = "table"  # the view by which a part is asked for that is the same for all
DRAWN_BY = ("contest/replay", "contest/cards.py", "contest/drawing.py", "contest/charts.py", "contest/formatting.py")
DRAWN_WITH = ("templates/replay/drawn", "templates/games", "games")

Make = Callable[[str], Replay]
"""Makes the replay of one view. Raises LookupError where there is none."""


@cache
def code(game: Game) -> str:
    """A digest of the files that decide what a film of this game shows."""
    places = [settings.BASE_DIR / name for name in (*DRAWN_BY, *DRAWN_WITH)] + [Path(str(game.folder))]
    digest = hashlib.sha256()
    for place in places:
        files = [place] if place.is_file() else list(place.glob("*.py"))
        if place.name != "games":  # where each folder is a game's own
            files += place.rglob("*.*")
        for file in sorted(each for each in files if each.suffix in (".py", ".html")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


class Shelf:
    """The films of one game of a record. `source` names the record and its version; it is never shown. `whole`: nothing
    is kept from this reader, so the record can be verified."""

    def __init__(self, source: str, number: int, *, public: Callable[[], bool], whole: bool = True) -> None:
        self.source = f"{source} {number}"
        self.public = public
        self.whole = whole

    def addresses(self, replay: Replay) -> dict[str, str]:
        """For the page: by view, the addresses of films and of what bots were sent, which of these films
        are still to be made, and where standard error is."""
        found = {
            part: json.dumps({view: self._address(replay, part, view) for view in replay.views})
            for part in ("film", "asked")
        }
        if len(replay.rounds) > 1:
            films = {view: self._file("film", view, self._key(replay, "film", view)) for view in replay.views}
            found["new"] = json.dumps([view for view, film in films.items() if not film.is_file()])
        if self.whole:
            found["verify"] = self._address(replay, "verify", OF_ALL_VIEWS)
        return found | ({"debug": f"{replay.base_url}?debug=1"} if replay.stderr else {})

    def _address(self, replay: Replay, part: str, view: str) -> str:
        return f"{replay.base_url}?view={view}&{part}={self._key(replay, part, view)}"

    def _key(self, replay: Replay, part: str, view: str) -> str:
        given = (code(replay.game), self.source, part, view, replay.rules, replay.plain_seats, replay.numbers)
        return self._digest(repr(given))

    @staticmethod
    def _digest(text: str) -> str:
        return hmac.digest(settings.SECRET_KEY.encode(), f"film {text}".encode(), "sha256").hex()[:32]

    def answer(self, request: HttpRequest, make: Make) -> HttpResponse | None:
        """What the request asks for: a part by its key, or standard error. None: the page. Raises Http404."""
        try:
            for part in PARTS if self.whole else ("film", "asked"):
                if key := request.GET.get(part):
                    return self._answer(request, part, key, make)
            if "debug" in request.GET:
                response = JsonResponse(make(request.GET.get("view", "table")).debug_texts)
                response["Cache-Control"] = "private, no-cache"
                return response
        except LookupError as error:
            raise Http404(str(error)) from error
        return None

    def _answer(self, request: HttpRequest, part: str, key: str, make: Make) -> HttpResponse:
        view = request.GET.get("view", "table")
        if not key.isalnum():
            raise Http404("this is no key")
        file, number = self._file(part, view, key), request.GET.get("round", "") if part == "film" else ""
        if number and not file.is_file():
            file = self._file(f"round {number} of {part}", view, key)
        if not file.is_file():
            replay = make(view)
            if replay.view != view or not hmac.compare_digest(self._key(replay, part, view), key):
                raise Http404("there is no such film; the page has the address of the one there is")
            try:
                if number:
                    this = {str(each.number): each for each in replay.rounds}[number]
                    _keep(file, lambda: packed(film_of(replay, this)), waits=True)
                else:
                    _keep(file, lambda: packed(PARTS[part](replay)))
            except BlockingIOError:  # somebody is making it: no thread waits for that
                return HttpResponse(status=503, headers={"Retry-After": "1", "Cache-Control": "no-store"})
        response = _compressed(request, file)
        response["Cache-Control"] = f"{'public' if self.public() else 'private'}, max-age={YEAR}, immutable"
        return response

    def _file(self, part: str, view: str, key: str) -> Path:
        place: Path = settings.VAR_DIR / FOLDER / self._digest(f"{self.source} {part} {view}")
        return place / f"{key}.zst"


def _accepts(request: HttpRequest, encoding: str) -> bool:
    """Whether `Accept-Encoding` names this encoding, or any, without refusing it (`q=0`)."""
    offered = {}
    for part in request.headers.get("Accept-Encoding", "").lower().split(","):
        name, _, quality = part.strip().partition(";")
        offered[name.strip()] = quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return offered.get(encoding, offered.get("*", False))


def _compressed(request: HttpRequest, file: Path) -> HttpResponse:
    os.utime(file)  # what is not asked for any more goes first
    body = file.read_bytes()
    encoding = "zstd" if _accepts(request, "zstd") else "gzip" if _accepts(request, "gzip") else ""
    if encoding == "gzip":
        body = file.with_suffix(".gz").read_bytes()
    elif not encoding:
        body = zstandard.ZstdDecompressor().decompress(body)
    response = HttpResponse(body, content_type="application/json")
    if encoding:
        response["Content-Encoding"] = encoding
    patch_vary_headers(response, ("Accept-Encoding",))
    return response


def _keep(file: Path, make: Callable[[], bytes], *, waits: bool = False) -> None:
    """Write a film. While somebody else is doing so, wait for that or raise BlockingIOError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with (file.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        if file.is_file():
            return
        for old in file.parent.glob("*.[gz]*"):  # of other code, or before somebody got another name
            old.unlink(missing_ok=True)
        body = make()
        _write(file.with_suffix(".gz"), gzip.compress(body, 9, mtime=0))
        _write(file, zstandard.ZstdCompressor(level=LEVEL).compress(body))
    prune(settings.VAR_DIR / FOLDER, MOST)


def _write(file: Path, body: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as unfinished:
        unfinished.write(body)
    os.replace(unfinished.name, file)


def prune(place: Path, most: int) -> None:
    """Delete the films that were not asked for the longest, until they take at most nine tenths of `most` bytes."""
    found = [(each.stat().st_mtime, each.stat().st_size, each.parent) for each in place.glob("*/*.zst")]
    total = 2 * sum(size for _, size, _ in found)  # each is there twice
    if total <= most:
        return
    for _, size, folder in sorted(found):
        shutil.rmtree(folder, ignore_errors=True)
        total -= 2 * size
        if total <= 0.9 * most:
            return
