"""Runs many cells: builds the drivers, starts a worker for each place, and collects what they say."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from itertools import cycle
from pathlib import Path
from types import MappingProxyType

from contest.server.processes import die_with_parent
from submissions.languages import LANGUAGES
from submissions.sandbox import build
from tests.sandbox.matrix.attacks import Attack
from tests.sandbox.matrix.cell import BREACHED, RAW, Cell
from tests.sandbox.matrix.places import PLACES, Place, State, program, state_of

DRIVERS = Path(__file__).with_name("drivers")
SOURCES = {"cpp": "driver.c", "scala": ""}
"""Languages whose driver is another's, or that have none."""

Key = tuple[Place, str, str]
"""A place, an attack, a language."""
Wanted = dict[Place, list[tuple[str, str]]]


def driver_of(slug: str) -> Path | None:
    """The driver's source. None: the language is the same as another's machine (Scala as Java)."""
    name = SOURCES.get(slug, f"driver{LANGUAGES[slug].extensions[0]}")
    return DRIVERS / name if name else None


class Matrix:
    """The places and languages that can exist on this machine, and the reasons for those that cannot."""

    def __init__(
        self, places: Sequence[Place] = PLACES, languages: Sequence[str] | None = None, state: Path | None = None
    ) -> None:
        self.impossible = {place: place.impossible for place in places if place.impossible}
        self.places = [place for place in places if place not in self.impossible]
        wanted = [slug for slug in LANGUAGES if languages is None or slug in languages]
        self.missing = [slug for slug in wanted if not LANGUAGES[slug].installed()]
        self.without = [slug for slug in wanted if driver_of(slug) is None and slug not in self.missing]
        self.languages = [slug for slug in wanted if slug not in self.missing and slug not in self.without]
        self._state = state
        self.levels: dict[Place, str] = {}  # what each worker said of its level

    def run(
        self, wanted: Wanted, at_once: int = 2, more: Mapping[str, Attack] = MappingProxyType({})
    ) -> dict[Key, Cell]:
        """What became of these cells. Cells whose results are in the state file are not tried again. `more`: attacks
        besides those of the files."""
        results = self._known()
        self._more = more
        languages = {slug for cells in wanted.values() for _, slug in cells}
        with tempfile.TemporaryDirectory(prefix="kibitz-matrix-") as folder:
            Path(folder).chmod(0o755)
            artifacts = {slug: _built(slug, Path(folder)) for slug in LANGUAGES if slug in languages}
            with ThreadPoolExecutor(at_once) as pool:
                todo = {
                    place: [cell for cell in cells if (place, *cell) not in results] for place, cells in wanted.items()
                }
                for found in pool.map(lambda place: self._run_place(place, todo[place], artifacts), todo):
                    results |= found
        return {key: results[key] for place, cells in wanted.items() for key in ((place, *cell) for cell in cells)}

    def _run_place(
        self, place: Place, cells: Sequence[tuple[str, str]], artifacts: Mapping[str, Path]
    ) -> dict[Key, Cell]:
        results: dict[Key, Cell] = {}
        left = list(cells)
        with state_of(place) as state:
            while left:
                found = self._ask_worker(place, left, artifacts, state)
                results |= found
                rest = [cell for cell in left if (place, *cell) not in results]
                if len(rest) == len(left):  # the worker died at the first one
                    results[(place, *rest[0])] = Cell(BREACHED, "the worker died")
                    rest = rest[1:]
                left = rest
        return results

    def _ask_worker(
        self, place: Place, cells: Sequence[tuple[str, str]], artifacts: Mapping[str, Path], state: State
    ) -> dict[Key, Cell]:
        job = {
            "level": place.level,
            "cells": cells,
            "artifacts": {slug: str(path) for slug, path in artifacts.items()},
            "more": [asdict(attack) for attack in self._more.values()],
        }
        with tempfile.TemporaryFile() as errors:
            worker = start_worker("tests.sandbox.matrix.worker", place, state, errors.fileno())
            assert worker.stdin is not None
            assert worker.stdout is not None
            worker.stdin.write(json.dumps(job).encode())
            worker.stdin.close()
            try:
                found = dict(self._listen(place, worker.stdout))
            finally:
                worker.wait()
            if worker.returncode and not found:
                errors.seek(0)
                raise RuntimeError(f"the worker at {place} failed: {errors.read()[-3000:].decode(errors='replace')}")
        return found

    def _listen(self, place: Place, lines: Iterable[bytes]) -> Iterable[tuple[Key, Cell]]:
        for line in lines:
            said = json.loads(line)
            if "level" in said:
                self.levels[place] = said["about"]
                if said["level"] != place.level:
                    raise RuntimeError(f"{place} became {said['about']}")
                continue
            key, cell = (place, said["attack"], said["language"]), Cell(said["result"], said["detail"])
            self._keep(key, cell)
            yield key, cell

    def _known(self) -> dict[Key, Cell]:
        if self._state is None or not self._state.exists():
            return {}
        places = {str(place): place for place in PLACES}
        lines = [json.loads(line) for line in self._state.read_text().splitlines()]
        return {(places[line[0]], line[1], line[2]): Cell(line[3], line[4]) for line in lines}

    def _keep(self, key: Key, cell: Cell) -> None:
        if self._state is not None:
            with self._state.open("a") as file:  # one write: several threads append
                file.write(json.dumps([str(key[0]), key[1], key[2], cell.result, cell.detail]) + "\n")


def start_worker(module: str, place: Place, state: State, errors: int) -> subprocess.Popen[bytes]:
    """Start a module at a place, by the system's Python, which every user can read. It waits for its input."""
    python = shutil.which("python3", path="/usr/local/bin:/usr/bin") or sys.executable
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(program())}
    if place.groups != "none" and (chosen := os.environ.get("KIBITZ_CGROUP")):
        environment["KIBITZ_CGROUP"] = chosen
    who = {"user": place.number, "group": place.number, "extra_groups": []} if place.number else {}
    worker = subprocess.Popen(
        [python, "-B", "-m", module],
        env=environment | state.environment, cwd="/", start_new_session=True,
        preexec_fn=partial(die_with_parent, signal.SIGKILL),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, **who,  # type: ignore[call-overload]
    )  # fmt: skip
    if state.join:
        (state.join / "cgroup.procs").write_text(f"{worker.pid}")
    return worker


def _built(slug: str, folder: Path) -> Path:
    language, source = LANGUAGES[slug], driver_of(slug)
    assert source is not None
    result = build(language, source.read_bytes(), f"driver{language.extensions[0]}")
    if result.artifact is None:
        raise RuntimeError(f"the driver in {language.name} cannot be built: {result.reason}\n{result.log}")
    path = folder / slug
    path.write_bytes(result.artifact)
    path.chmod(0o644)
    return path


def sample(places: Sequence[Place], languages: Sequence[str], attacks: Mapping[str, Attack]) -> Wanted:
    """A fixed choice of cells: every attack at least once, in a language that can try it; every language at every
    place; every place equally often."""
    wanted: Wanted = {place: [] for place in places}
    turns = cycle(places)
    quick = [slug for slug in languages if slug in QUICK]
    for number, attack in enumerate(attacks.values()):
        able = [slug for slug in quick if attack.script(raw=slug in RAW)] or [
            slug for slug in languages if attack.script(raw=slug in RAW)
        ]
        if able:
            wanted[next(turns)].append((attack.name, able[(number + number // len(places)) % len(able)]))
    for slug in languages:
        able_names = [attack.name for attack in attacks.values() if attack.script(raw=slug in RAW)]
        for number, place in enumerate(places):
            if all(other != slug for _, other in wanted[place]):
                wanted[place].append((able_names[7 * number % len(able_names)], slug))
    return {place: sorted(cells, key=lambda cell: languages.index(cell[1])) for place, cells in wanted.items()}


QUICK = ("c", "cpp", "pascal", "go", "rust", "haskell", "perl", "python", "lua")
"""Languages that start within 30 ms."""
