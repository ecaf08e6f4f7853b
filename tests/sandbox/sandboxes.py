"""Shared by the sandbox's tests: built programs, conversations with a jailed bot, and checks for leftovers."""

from __future__ import annotations

import ctypes
import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from games.programs import Exit
from submissions.languages import LANGUAGES, Language
from submissions.proving import hello_bots
from submissions.sandbox import BuildLimits, Jail, JailedProcess, Limits, build, cgroups, probe
from tests.games.cast import descriptors
from tests.sandbox.streams import MEGABYTE, hear

LEVEL = probe()

WHY = "; ".join(LEVEL.reasons)
"""Why the level of this machine is not full."""

needs_jail = pytest.mark.skipif(not LEVEL.acceptable, reason=f"needs a sandbox: {WHY}")
HAS_GROUPS = any("control groups" in it for it in LEVEL.can)
needs_groups = pytest.mark.skipif(not HAS_GROUPS, reason=f"needs control groups: {WHY}")
WITHOUT_GROUPS = "landlock" if LEVEL.name == "landlock" else "limits"
"""The level of this machine if nobody can create control groups."""

needs_namespaces = pytest.mark.skipif(LEVEL.name not in ("full", "limits"), reason=f"needs namespaces: {WHY}")
needs_landlock = pytest.mark.skipif(
    ctypes.CDLL(None).syscall(444, None, 0, 1) < 1,  # landlock_create_ruleset: asks for the version
    reason="no Landlock in this kernel",
)
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="bots get users of their own only when the worker is root")


def capable(number: int) -> bool:
    """Whether this process has that capability. Root in a container lacks most of them."""
    status = Path("/proc/self/status").read_text()
    return bool(int(status.split("CapEff:")[1].split()[0], 16) >> number & 1)


needs_admin = pytest.mark.skipif(not capable(21), reason="needs CAP_SYS_ADMIN, to imitate another container")


def programs_in(folder: str) -> dict[str, str]:
    """For every language, the program in that folder beside this file, by the language's slug."""
    return {
        language.slug: path.read_text()
        for language in LANGUAGES.values()
        if (path := Path(__file__).parent / folder / f"mybot{language.extensions[0]}").exists()
    }


HELLO = {slug: source.decode() for slug, (_, source) in hello_bots().items()}
"""The hello bot of every language: it plays Tricky Eights by the line protocol, and repeats any other line."""

HONEST = programs_in("honest")
"""A program in every language that uses its library as bots do: random numbers, time, collections, threads."""

STRENUOUS = programs_in("strenuous")
"""A program in every language that reads and writes much, makes garbage, and catches exceptions."""


def needs(slug: str) -> Language:
    """That language. Skips the test, with a reason that the run counts, if it is not installed."""
    language = LANGUAGES[slug]
    if not language.installed():
        pytest.skip(f"{language.name} is not installed (./run languages {slug})")
    return language


@cache
def artifact(slug: str, source: str, flags: tuple[str, ...] = ()) -> bytes:
    """The built program. Fails the test with the compiler's output."""
    language = LANGUAGES[slug]
    result = build(language, source.encode("utf-8", "surrogateescape"), f"mybot{language.extensions[0]}")
    assert result.artifact is not None, result.log
    return result.artifact


def jail(slug: str, source: str, **limits: float | int) -> Jail:
    language = LANGUAGES[slug]
    limits.setdefault("memory_bytes", max(4 * MEGABYTE, language.memory_floor))
    return Jail.open(artifact(slug, source), language, Limits(**limits))  # type: ignore[arg-type]


def line_of(process: JailedProcess, seconds: float = 60.0) -> bytes:
    """The next line of its output, or what came before the end."""
    said = b""
    while not said.endswith(b"\n"):
        assert select.select([process.stdout], [], [], seconds)[0], f"it said nothing more after {said!r}"
        piece = os.read(process.stdout, 1)
        if not piece:
            break
        said += piece
    return said


def run(
    slug: str, source: str, *, seconds: float = 60.0, grace: float = 0.0, **limits: float | int
) -> tuple[Exit, bytes, bytes]:
    """Run a program to its end. Returns how it ended and its output on both streams."""
    with jail(slug, source, **limits) as place:
        process = place.start()
        process.close_input()
        said, complained = hear(process, seconds)
        return process.stop(grace), said, complained


def play_hello(slug: str = "c") -> None:
    """The next match on the same worker, unharmed."""
    with jail(slug, HELLO[slug]) as place:
        process = place.start()
        for word in (b"one\n", b"two\n"):
            os.write(process.stdin, word)
            assert line_of(process) == b"got " + word
        end = process.stop(60.0)
    assert (str(end.status), end.code, end.path) == ("exited", 0, "")


@contextmanager
def nothing_left() -> Iterator[None]:
    """There are no more descriptors and children than before. What earlier tests left may end in between."""
    before, children = descriptors(), own_children()
    yield
    assert not [name for _, name in descriptors() - before if not name.startswith("net:[")]  # kept for other jails
    assert not set(own_children()) - set(children)


def own_children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


__all__ = ["HELLO", "LANGUAGES", "LEVEL", "MEGABYTE", "BuildLimits", "Language", "cgroups", "hear"]
