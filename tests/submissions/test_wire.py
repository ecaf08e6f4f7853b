"""The messages between worker and process 1, and the compiled half itself."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import MachineryError
from submissions.sandbox import native as native_module
from submissions.sandbox import wire
from submissions.sandbox.native import native
from submissions.sandbox.wire import RECORD, read_record
from tests.sandbox.sandboxes import needs_jail


@settings(max_examples=10)
@given(st.binary(max_size=300), st.binary(max_size=300), st.binary(max_size=300))
def test_a_record_is_read_with_what_follows_it(path: bytes, output: bytes, errors: bytes) -> None:
    sizes = len(path), len(output), len(errors)
    head = RECORD.pack(
        wire.ENDED, wire.VIOLATION, -1, 9, 2_500_000_000, 10**9, 4096, 257, 0xC000003E, 2, *sizes, 0, 3, 5, 1
    )
    record = read_record(head + path + output + errors)
    assert record is not None
    assert (record.path, record.output, record.errors) == (path, output, errors)
    assert (record.status, record.code, record.signal) == (wire.VIOLATION, -1, 9)
    assert (record.cpu_seconds, record.wall_seconds, record.peak) == (2.5, 1.0, 4096)
    assert (record.call, record.architecture, record.argument) == (257, 0xC000003E, 2)
    assert (record.threads, record.memory, record.files) == (0, 3, 5 << 10)


@pytest.mark.parametrize("message", [b"", b"\x05\0\0\0no memory", wire.KILL_MESSAGE, bytes(RECORD.size)])
def test_what_is_no_record_is_not_read(message: bytes) -> None:
    assert read_record(message) is None


PT_INTERP = 3
"""The segment with the program's dynamic linker (elf(5))."""


def segments(program: bytes) -> set[int]:
    """The types of the segments of a 64-bit ELF file."""
    assert program[:5] == b"\x7fELF\x02"
    start, size, count = *struct.unpack_from("<Q", program, 32), *struct.unpack_from("<HH", program, 54)
    return {struct.unpack_from("<I", program, start + size * number)[0] for number in range(count)}


@needs_jail
def test_process_1_is_static_and_of_no_use_outside_a_jail() -> None:
    init = str(native().init)
    run = subprocess.run([init], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "process 1 of a jail" in run.stderr
    assert PT_INTERP not in segments(Path(init).read_bytes())
    assert PT_INTERP in segments(Path(sys.executable).resolve().read_bytes()), "so a linked program would be noticed"


def weight_of_this_session() -> str:
    file = Path("/proc/self/autogroup")  # not in every kernel
    return file.read_text() if file.exists() else ""


@needs_jail
def test_the_launcher_never_runs_anything_as_root() -> None:
    weight = weight_of_this_session()
    run = subprocess.run(
        [str(native().init), "launch", "0", "0", "3", "-1", "/usr/bin/id"], capture_output=True, text=True, check=False
    )
    if "uid=" in run.stdout:
        assert "uid=0" not in run.stdout  # we are not root ourselves
    else:
        assert "refusing to run bots as the host's root" in run.stderr
    assert weight_of_this_session() == weight, "the session that started it keeps its weight"


@needs_jail
def test_a_compiler_that_fails_is_our_failure_in_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MachineryError, match="could not be compiled"):
        native_module._output("gcc", "--no-such-option")
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(MachineryError, match="gcc is needed"):
        native_module._output("gcc", "--version")
