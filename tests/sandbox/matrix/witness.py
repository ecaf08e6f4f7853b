"""What stands outside a jail and tells whether an attack succeeded: files, sockets, a victim, processes and clocks."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

TICK = 1 / os.sysconf("SC_CLK_TCK")
PAGES = 16
THEIRS = "what somebody else wrote\n"


class Witness:
    """Made by a worker for all its attacks. `words` are the words in braces of their scripts."""

    def __init__(self) -> None:
        self.token = os.urandom(8).hex()
        self.folder = Path(f"/tmp/kibitz-witness-{os.getpid()}-{os.urandom(3).hex()}")
        self.secret = self.folder / f"secret-{self.token[:6]}"
        self.drop = self.folder / "drop"
        self._victims: dict[int, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Witness:
        self.folder.mkdir(mode=0o755)
        self.folder.chmod(0o755)
        self.secret.write_text(f"the token is {self.token}\n")
        self.secret.chmod(0o644)
        (self.folder / "link").symlink_to(self.secret)
        self._restore()
        os.environ["KIBITZ_TOKEN"] = self.token
        self._listening = {
            "a Unix socket": self._socket(socket.AF_UNIX, socket.SOCK_STREAM, f"{self.folder}/stream"),
            "a Unix socket for datagrams": self._socket(socket.AF_UNIX, socket.SOCK_DGRAM, f"{self.folder}/datagram"),
            "an abstract socket": self._socket(socket.AF_UNIX, socket.SOCK_STREAM, f"\0witness-{self.token}"),
            "a port": self._socket(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "a port for datagrams": self._socket(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        }
        with contextlib.suppress(OSError):
            port = self._listening["a port"].getsockname()[1]
            self._listening["a port by IPv6"] = self._socket(socket.AF_INET6, socket.SOCK_STREAM, ("::1", port))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for listener in self._listening.values():
            listener.close()
        for victim in self._victims.values():
            victim.kill()
            victim.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _socket(self, family: int, kind: int, address: object) -> socket.socket:
        made = socket.socket(family, kind)
        made.bind(address)  # type: ignore[arg-type]
        if kind == socket.SOCK_STREAM:
            made.listen(50)
        made.setblocking(False)
        if isinstance(address, str) and address[0] == "/":
            os.chmod(address, 0o777)
        return made

    def words(self, user: int) -> dict[str, object]:
        """The words of scripts that speak of the host, for a bot of that host user."""
        abstract = f"witness-{self.token}"
        return {
            "secret": self.secret,
            "missing": self.folder / f"nothing-{self.token[:5]}",
            "link": self.folder / "link",
            "folder": self.folder,
            "drop": self.drop,
            "stream": self.folder / "stream",
            "datagram": self.folder / "datagram",
            "abstract": abstract,
            "abstract_size": 3 + len(abstract),
            "tcp": self._listening["a port"].getsockname()[1],
            "udp": self._listening["a port for datagrams"].getsockname()[1],
            "token": self.token,
            "name": f"note-{self.token[:6]}",
            "worker": os.getpid(),
            "victim": self.victim(user).pid,
        }

    def victim(self, user: int) -> subprocess.Popen[bytes]:
        """A process that sleeps, of the same user as the bot."""
        if user not in self._victims or self._victims[user].poll() is not None:
            who = {"user": user, "group": user, "extra_groups": []} if user else {}
            self._victims[user] = subprocess.Popen(["/bin/sleep", "3600"], start_new_session=True, **who)  # type: ignore[call-overload]
        return self._victims[user]

    def sees(self, output: bytes) -> Iterator[str]:
        """What happened since it was last asked, in words; restores what was changed."""
        token = self.token.encode()
        if token in output or token.hex().encode() in output or self.secret.name.encode().hex().encode() in output:
            yield "it said the secret"
        for name, listener in self._listening.items():
            if _reached(listener):
                yield f"something arrived at {name}"
        there = {path.name: path.is_file() and path.read_bytes() for path in self.drop.iterdir()}
        if there != {"theirs": THEIRS.encode()}:
            yield "files of the host were changed"
            self._restore()
        if (self.drop / "theirs").stat().st_mode & 0o777 != 0o666:
            yield "the rights of a file of the host were changed"
            self._restore()
        for user, victim in self._victims.items():
            if victim.poll() is not None:
                yield "the victim was killed"
                self.victim(user)
            elif _state(victim.pid) == "T":
                yield "the victim was stopped"
                victim.send_signal(signal.SIGCONT)

    def _restore(self) -> None:
        shutil.rmtree(self.drop, ignore_errors=True)
        self.drop.mkdir()
        self.drop.chmod(0o777)
        (self.drop / "theirs").write_text(THEIRS)
        (self.drop / "theirs").chmod(0o666)


def _reached(listener: socket.socket) -> bool:
    reached = False
    with contextlib.suppress(BlockingIOError):
        while True:
            if listener.type == socket.SOCK_STREAM:
                listener.accept()[0].close()
            else:
                listener.recvfrom(4096)
            reached = True
    return reached


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


Clocks = dict[int, tuple[float, float]]
"""Processes, each with the processor seconds that it has used and those of its children that have ended."""


def descendants() -> Clocks:
    """All processes below this one."""
    parents: dict[int, tuple[int, float, float]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{entry.name}/stat").read_text().rpartition(")")[2].split()
                own, ended = TICK * sum(map(int, words[11:13])), TICK * sum(map(int, words[13:15]))
                parents[int(entry.name)] = int(words[1]), own, ended
    found: Clocks = {}
    below = {os.getpid()}
    while below:
        below = {pid for pid, (parent, *_) in parents.items() if parent in below}
        found |= {pid: parents[pid][1:] for pid in below}
    return found


def used_between(before: Clocks, after: Clocks) -> float:
    """The processor seconds of what was started since `before`, and of what has ended since then.

    Processes that were there before are the jail's own. Process 1 watches the memory of a bot that may have children,
    where no control group does, and a busy machine makes each look longer: that is not the bot's time."""
    started = sum(own for pid, (own, _) in after.items() if pid not in before)
    ended = sum(ended - before.get(pid, (0.0, 0.0))[1] for pid, (_, ended) in after.items())
    return started + ended


def warm(path: str) -> None:
    """Bring the beginning of a file into memory."""
    with open(path, "rb") as file:
        file.read(PAGES * mmap.PAGESIZE)


def cold(path: str) -> int:
    """How many of the first pages of a file are not in memory."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    with open(path, "rb") as file:
        size = min(PAGES * mmap.PAGESIZE, os.fstat(file.fileno()).st_size)
        at = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), ctypes.c_long(0))
    pages = (ctypes.c_ubyte * PAGES)()
    failed = libc.mincore(ctypes.c_void_p(at), ctypes.c_size_t(size), pages)
    libc.munmap(ctypes.c_void_p(at), ctypes.c_size_t(size))
    assert not failed, os.strerror(ctypes.get_errno())
    return sum(not page & 1 for page in pages[: -(-size // mmap.PAGESIZE)])


def facts(name: str, path: str) -> list[bytes]:
    """What a bot's output must not contain if the attack must not learn that fact of the host. Any of them is a
    breach."""
    if name == "memory":
        kilobytes = int(Path("/proc/meminfo").read_text().split()[1])
        return [f"{1024 * kilobytes}".encode(), (1024 * kilobytes).to_bytes(8, "little")]
    if name == "load":
        one, five, fifteen = os.getloadavg()
        return [load.to_bytes(24, "little") for load in [_loads(one, five, fifteen)] if load]
    if name == "uptime":
        now = int(time.clock_gettime(time.CLOCK_BOOTTIME))
        return [text for second in (now - 1, now, now + 1) for text in _spellings(second)]
    if name == "hostname":
        return [os.uname().nodename.encode()] if os.uname().nodename not in ("", "localhost", "kibitz") else []
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError:
        return []
    return [line[:40] for line in lines[:50] if len(line) >= 12 and any(digit in line for digit in b"123456789")]


def _loads(*loads: float) -> int:
    return int.from_bytes(b"".join(int(load * 65_536).to_bytes(8, "little") for load in loads), "little")


def _spellings(second: int) -> list[bytes]:
    return [f"\n{second}.".encode(), f" {second}.".encode(), second.to_bytes(8, "little")] if second > 65_536 else []
