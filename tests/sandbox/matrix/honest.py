"""No honest program is accused: the programs of every language, many times, at every level, in all circumstances.

Of twenty runs, twelve are of the hello bot in all circumstances in turn (circumstances.py), four of the players of the
games' kits, three of the honest program that uses its library, and one of the strenuous one (a megabyte of input,
garbage, exceptions, much output). The runs of a level are divided among its places: as root and not, with groups and
without.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from games import GAMES
from games.kits import kit_files
from submissions.languages import LANGUAGES, Language
from submissions.sandbox import build
from tests.sandbox.matrix.places import LEVELS, Place, state_of
from tests.sandbox.matrix.run import start_worker
from tests.sandbox.sandboxes import HELLO, HONEST, STRENUOUS, artifact

Tally = dict[tuple[Place, str], tuple[int, list[str]]]
"""By place and language: runs, and the accusations in words."""


def accuse(places: Sequence[Place], runs: int, languages: Sequence[str] | None, at_once: int = 2) -> int:
    """Make so many runs of each language at each level, print the table, and return the exit status."""
    possible = [place for place in places if not place.impossible]
    slugs = [slug for slug in LANGUAGES if languages is None or slug in languages]
    installed = [slug for slug in slugs if LANGUAGES[slug].installed()]
    tally = tally_of(possible, runs, installed, at_once)
    for place in possible:
        for slug in installed:
            count, wrong = tally[place, slug]
            print(
                f"{place!s:<20} {LANGUAGES[slug].name:<11} {len(wrong)} accusations in {count} runs",
                *wrong[:3],
                sep="\n    ",
            )
    total, accused = (
        sum(figures) for figures in zip(*((count, len(wrong)) for count, wrong in tally.values()), strict=True)
    )
    if missing := [LANGUAGES[slug].name for slug in slugs if slug not in installed]:
        print(f"not proven, because not installed here: {', '.join(missing)}")
    print(f"{accused} accusations in {total} runs of honest programs in {len(installed)} languages")
    return 1 if accused else 0


def tally_of(
    places: Sequence[Place], runs: int, languages: Sequence[str], at_once: int = 2, *, players: bool = True
) -> Tally:
    """So many runs of each language at each level, divided among its places. Without `players`, the hello bot takes the
    turns of the kits' players."""
    tally: Tally = {}
    with tempfile.TemporaryDirectory(prefix="kibitz-honest-") as folder:
        Path(folder).chmod(0o755)
        programs = [entry for slug in languages for entry in _built(LANGUAGES[slug], Path(folder), players)]
        with ThreadPoolExecutor(at_once) as pool:
            for found in pool.map(lambda place: _ask_worker(place, _share(place, places, runs), programs), places):
                tally |= found
    return tally


def kit_players(language: Language) -> Iterator[tuple[str, bytes]]:
    """The name and artifact of every player in that language in the games' kits."""
    for game in GAMES.values():
        library = game.kit_sources.get(language.slug, ())
        files = {name: (game.folder / "kit" / name).read_bytes() for name in library}
        for name in kit_files(game, language.slug) if library else ():
            if name.startswith("random"):
                result = build(language, (game.folder / "kit" / name).read_bytes(), name, files)
                assert result.artifact is not None, result.log
                yield f"{game.title}, {name}", result.artifact


def _share(place: Place, places: Sequence[Place], runs: int) -> range:
    """The numbers of the runs that are this place's, of those of its level."""
    assert place.level in LEVELS
    peers = [other for other in places if other.level == place.level]
    return range(peers.index(place), runs, len(peers))


def _built(language: Language, folder: Path, players: bool) -> Iterator[dict[str, str]]:
    """The programs of a language as files, with their kinds and names."""
    sources = {"hello": HELLO, "honest": HONEST, "strenuous": STRENUOUS}
    made = [(kind, kind, artifact(language.slug, texts[language.slug])) for kind, texts in sources.items()]
    if players:
        made += [("player", name, program) for name, program in kit_players(language)]
    for number, (kind, name, program) in enumerate(made):
        path = folder / f"{language.slug}-{number}"
        path.write_bytes(program)
        path.chmod(0o644)
        yield {"language": language.slug, "kind": kind, "name": name, "path": str(path)}


def _ask_worker(place: Place, runs: range, programs: list[dict[str, str]]) -> Tally:
    tally: Tally = {}
    with state_of(place) as state, tempfile.TemporaryFile() as errors:
        worker = start_worker("tests.sandbox.matrix.honest_worker", place, state, errors.fileno())
        job: dict[str, Any] = {"programs": programs, "runs": [runs.start, runs.stop, runs.step], "level": place.level}
        said, _ = worker.communicate(json.dumps(job).encode())
        for line in said.splitlines():
            told = json.loads(line)
            tally[place, told["language"]] = told["runs"], told["accusations"]
        if worker.returncode or not said:
            errors.seek(0)
            raise RuntimeError(f"the worker at {place} failed: {errors.read()[-3000:].decode(errors='replace')}")
    return tally
