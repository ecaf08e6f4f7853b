"""The clock and the disk of processes under test: compiles shim.c, and changes what it reads while they run."""

from __future__ import annotations

import mmap
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
FULL, READ_ONLY = 1, 2
MOST = 32
SIZE = 16 * (1 + MOST)


class Shim:
    """Give `environment` to the processes. Every change holds at once."""

    def __init__(self, folder: Path) -> None:
        library, shared = folder / "shim.so", folder / "shim"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        shared.write_bytes(bytes(SIZE))
        with shared.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), SIZE)
        self.environment = {"LD_PRELOAD": str(library), "CHAOS_SHIM": str(shared)}

    def _put(self, number: int, value: int) -> None:
        struct.pack_into("q", self._shared, 8 * number, value)

    def step(self, seconds: int) -> None:
        """The clock of the machine: all processes."""
        self._put(0, seconds)

    def step_of(self, processes: list[int], seconds: int) -> None:
        """The clocks of these processes, as if they ran on another machine. No processes: all are right again."""
        for at in range(MOST):
            pid = processes[at] if at < len(processes) else 0
            self._put(3 + 2 * at, seconds if pid else 0)
            self._put(2 + 2 * at, pid)

    def disk(self, state: int) -> None:
        """FULL, READ_ONLY, or 0 for a healthy disk."""
        self._put(1, state)
