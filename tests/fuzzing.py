"""How all fuzzers run: seeds, lengths and mutations. A fuzzer is a test with the mark `fuzz` that calls `fuzz`.

    @pytest.mark.fuzz
    def test_no_message_confuses_the_reader() -> None:
        def attempt(random: Random) -> None:
            read(mutated(random, frame(b'{"type":"login"}')))  # may raise only what its docstring says

        fuzz(attempt, attempts=2000)

In the suite every fuzzer makes a fixed number of attempts with fixed seeds, so that a failing run fails again. With
`FUZZ_ATTEMPTS=100000 ./run test -m fuzz` each makes that many new ones. A failure names its seed, and
`FUZZ_SEED='…' ./run test TEST` repeats that attempt alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

NUMBERS = (-1, 0, 1, 127, 128, 255, 256, 65_535, 65_536, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63, 10**40)
"""Numbers at which programs go wrong."""

WORDS = (
    *("", " ", "\n", "\r\n", "\0", "%s%n", "../../etc/passwd", "<script>", "'\"`;--", "\ufeff", "\u202e", "\U0001f0a1"),
    *(
        "null",
        "NaN",
        "Infinity",
        "-0",
        "1e999",
        "0x10",
        "١٢",
        "{",
        "[" * 50,
        "x" * 5000,
        "\u00e9",
        "e\u0301",
        "ß",
        "İ",
        "\x1b[2J",
    ),
)
"""Texts at which programs go wrong."""

PIECES = (b"\0", b"\n", b"\r\n", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"-1", b"9" * 30, b'"', b"\\")


def fuzz(attempt: Callable[[Random], object], *, attempts: int) -> None:
    """Call `attempt` with one random generator after another. It fails by raising; the seed is added as a note."""
    for seed in _seeds(attempts):
        try:
            attempt(Random(seed))
        except BaseException as error:
            error.add_note(f"repeat this attempt with FUZZ_SEED={seed}")
            raise


def _seeds(attempts: int) -> Iterator[str]:
    if chosen := os.environ.get("FUZZ_SEED"):
        yield chosen
        return
    new = os.environ.get("FUZZ_ATTEMPTS")
    start = os.urandom(4).hex() if new else "same"
    yield from (f"{start}-{number}" for number in range(int(new or attempts)))


def mutated(random: Random, data: bytes, most: int = 8) -> bytes:
    """Return the data with a few bytes changed, removed, repeated or inserted; sometimes unchanged."""
    changed = bytearray(data)
    for _ in range(random.randint(0, most)):
        at = random.randint(0, len(changed))
        end = min(len(changed), at + random.choice((1, 1, 2, 4, 16, 256)))
        match random.randrange(7):
            case 0 if changed:
                changed[at % len(changed)] ^= 1 << random.randrange(8)
            case 1:
                del changed[at:end]
            case 2:
                changed[at:at] = changed[at:end] * random.choice((1, 2, 50))
            case 3:
                changed[at:end] = random.choice(PIECES)
            case 4:
                changed[at:at] = random.randbytes(random.choice((1, 4, 100)))
            case 5:
                size = random.choice((2, 4, 8))
                order = random.choice(("big", "little"))
                changed[at : at + size] = (random.choice(NUMBERS) % 256**size).to_bytes(size, order)
            case _:
                del changed[at:]
    return bytes(changed)


def mutated_value(random: Random, value: Any) -> Any:
    """Return a JSON value with one part of it exchanged, removed, renamed or nested; the original is not changed."""
    copy = json.loads(json.dumps(value))
    places = list(_places(copy))
    if not places:
        return any_value(random)
    inside, key = random.choice(places)
    match random.randrange(6):
        case 0:
            del inside[key]
        case 1 if isinstance(inside, dict):
            inside[random.choice(WORDS)] = inside.pop(key)
        case 2:
            inside[key] = [inside[key]]
        case 3:
            other, other_key = random.choice(places)
            inside[key] = json.loads(json.dumps(other[other_key]))
        case _:
            inside[key] = any_value(random)
    return copy


def any_value(random: Random, depth: int = 0) -> Any:
    """Return some JSON value that programs rarely expect."""
    match random.randrange(8 if depth < 3 else 6):
        case 0:
            return random.choice((None, True, False))
        case 1 | 2:
            return random.choice(NUMBERS) * random.choice((1, -1))
        case 3:
            return random.choice((0.5, -0.0, 1e308, 1e-320))
        case 4 | 5:
            return random.choice(WORDS)
        case 6:
            return [any_value(random, depth + 1) for _ in range(random.randrange(4))]
        case _:
            return {random.choice(WORDS): any_value(random, depth + 1) for _ in range(random.randrange(4))}


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every part of a JSON value: what it is in, and its key or index there."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])
