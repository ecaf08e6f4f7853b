"""The abuse suite: one small hostile (or honest) program per case, in abuse/. The comment at its top gives the expected
result:

    expect: violation CALL [PATH] | memory | cpu | killed | signal N | exit N
    limits: memory=MEGABYTES processes=N threads=N cpu=SECONDS
                                                          default 4 MB (Python 32), one process, no limit on CPU
    landlock: the result without namespaces, if it differs; `prints` is then ignored
    prints: the expected output
    needs: control groups                                 skipped where there are only rlimits

After each of them the same worker plays another match, and nothing may be left behind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from games.engine import FaultKind
from games.programs import Exit, ExitStatus
from submissions.sandbox import slots, walls
from tests.sandbox.sandboxes import (
    HAS_GROUPS,
    MEGABYTE,
    WHY,
    hear,
    jail,
    needs_jail,
    needs_landlock,
    nothing_left,
    play_hello,
)

pytestmark = needs_jail

CASES = sorted(path for path in Path(__file__).with_name("abuse").iterdir() if path.suffix in (".c", ".py"))
PATIENCE = 1.0
"""Seconds allowed to a program that never ends."""


@dataclass(frozen=True)
class Case:
    source: str
    language: str
    expect: str
    limits: dict[str, int]
    prints: str | None
    needs_groups: bool
    landlock: str | None

    @classmethod
    def read(cls, path: Path) -> Case:
        source = path.read_text()
        words = dict(re.findall(r"^\s*(expect|limits|prints|needs|landlock): (.+)$", source, re.MULTILINE))
        limits = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", words.get("limits", ""))}
        language = {".c": "c", ".py": "python"}[path.suffix]
        return cls(
            source, language, words["expect"], limits, words.get("prints"), "needs" in words, words.get("landlock")
        )


def verdict(end: Exit) -> str:
    """An end in the format of `expect`."""
    match end.status:
        case ExitStatus.VIOLATION:
            return f"violation {end.call} {end.path}".rstrip()
        case ExitStatus.SIGNALLED:
            return f"signal {end.signal}"
        case ExitStatus.EXITED:
            return f"exit {end.code}"
        case _:
            return str(end.status)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_abuse(path: Path) -> None:
    withstand(Case.read(path))


@needs_landlock
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_abuse_without_namespaces(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "are", lambda: walls.Walls.LANDLOCK)
    withstand(Case.read(path))


def withstand(case: Case) -> None:
    if case.needs_groups and not HAS_GROUPS:
        pytest.skip(f"needs control groups: {WHY}")
    if case.landlock is not None and walls.are() is walls.Walls.LANDLOCK:
        case = replace(case, expect=case.landlock, prints=None)
    default = 4 if case.language == "c" else 32
    with nothing_left():
        with jail(
            case.language,
            case.source,
            memory_bytes=case.limits.get("memory", default) * MEGABYTE,
            processes=case.limits.get("processes", 1),
            threads=case.limits.get("threads", 1),
            cpu_seconds=case.limits.get("cpu"),  # type: ignore[arg-type]
        ) as place:
            slot = place.slot
            process = place.start()
            process.close_input()
            said, complained = hear(process, 60.0 if case.expect != "killed" else PATIENCE)
            end = process.stop(0.0 if case.expect == "killed" else 5.0)
        assert verdict(end) == case.expect.replace("\\\\", "\\"), (end, said, complained)
        if case.prints is not None:
            assert said.decode().strip() == case.prints
        assert not bots_of(slot), "it left a process behind"
        play_hello(case.language)


def bots_of(slot: slots.Slot) -> list[str]:
    if not slot.user:
        return []
    owned = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and entry.stat().st_uid == slot.user:
                owned.append((entry / "cmdline").read_text())
        except (FileNotFoundError, ProcessLookupError):
            continue
    return owned


def test_every_case_states_what_must_become_of_it() -> None:
    assert len(CASES) > 80
    for path in CASES:
        assert re.match(r"violation \w|memory$|cpu$|killed$|(signal|exit) \d+$", Case.read(path).expect), path.name


def test_a_violation_is_a_fault_that_names_call_and_path() -> None:
    with jail("c", (Path(__file__).with_name("abuse") / "write_file.c").read_text()) as place:
        fault = place.start().stop(60.0).fault()
    assert fault.kind is FaultKind.VIOLATION
    assert fault.detail == "openat /box/cheat.txt"
