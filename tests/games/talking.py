"""Talking in lines to processes with every bad habit. All of them are real."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

import pytest

from games.debug import DebugLog
from games.engine import Fault, FaultKind
from games.pipes import LinePipes
from games.programs import LocalProgram

LONG = 60.0
"""Seconds that only a hang reaches."""
PRELUDE = """
import os, sys, time, signal
def read():
    line = b""
    while not line.endswith(b"\\n"):
        byte = os.read(0, 1)
        if not byte: sys.exit(0)
        line += byte
    return line
def write(data):
    while data: data = data[os.write(1, data):]
"""


class Pipes(LinePipes):
    """Pipes with a debug log."""

    def __init__(self, code: str) -> None:
        self.log = DebugLog()
        self.process = LocalProgram([sys.executable, "-I", "-S", "-c", PRELUDE + code]).start()
        super().__init__(self.process, self.log)

    def put(self, question: bytes = b"?\n", seconds: float = LONG, place: int = 0) -> bytes:
        """`ask`, starting now."""
        return self.ask(question, perf_counter(), seconds, place)

    def said(self) -> str:
        return "".join(piece.text for piece in self.log.pieces())


@contextmanager
def processes() -> Iterator[Callable[[str], Pipes]]:
    """Call what it gives with the code of a process. All of them end with the block."""
    started: list[Pipes] = []

    def make(code: str) -> Pipes:
        started.append(Pipes(code))
        return started[-1]

    yield make
    for pipes in started:
        pipes.close(99, 0.0)


def refused(pipes: Pipes, kind: FaultKind, detail: str, seconds: float = LONG, question: bytes = b"?\n") -> Fault:
    with pytest.raises(Fault, match=detail) as caught:
        pipes.put(question, seconds, 1)
    assert caught.value.kind is kind
    return caught.value
