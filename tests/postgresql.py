"""A PostgreSQL server for tests: a cluster in a temporary folder, on a Unix socket, removed afterwards.

`./run test --long postgresql` runs the tests of the database on one, `python -m tests.postgresql COMMAND` anything.

Debian keeps the server's programs out of PATH. The server refuses to run as root, so root runs it as another user.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from contest.server.processes import die_with_parent
from tests.waiting import wait_for

LENT = ("postgres", "nobody")
MISSING = "there is no PostgreSQL server here (apt-get install postgresql)"


def programs() -> Path | None:
    """The folder with `postgres` and `initdb` of the newest installed version. None if there is none."""
    found = shutil.which("postgres")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda it: float(it.parent.name), reverse=True)
    return next((it for it in folders if (it / "postgres").is_file() and (it / "initdb").is_file()), None)


def _lent_user() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(known[name] for name in LENT if name in known)


def identity() -> dict[str, Any]:
    """As whom to run the server's programs, for subprocess: nothing, unless we are root."""
    user = _lent_user()
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


@contextmanager
def server(folder_of_programs: Path) -> Iterator[str]:
    """A server with an empty cluster. Yields its DATABASE_URL."""
    with _private_folder() as folder:
        data = folder / "data"
        initdb = [folder_of_programs / "initdb", "-D", data, "-U", "kibitz", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run([*initdb, "--locale=C.UTF-8"], check=True, cwd=folder, stdout=subprocess.DEVNULL, **identity())
        with (data / "postgresql.conf").open("a") as settings:
            settings.write("archive_mode = on\narchive_command = '/bin/true'\n")  # a test gives another one
        with _running(folder_of_programs, data, folder) as url:
            yield url


@contextmanager
def started(folder_of_programs: Path, data: Path) -> Iterator[str]:
    """A server for a cluster that there is already. Yields its DATABASE_URL when it is no longer in recovery."""
    with _private_folder() as folder, _running(folder_of_programs, data, folder) as url:
        command = [folder_of_programs / "psql", "-h", folder, "-U", "kibitz", "-d", "postgres", "-Atc"]

        def is_itself() -> bool:
            asked = [*command, "SELECT pg_is_in_recovery()"]
            return subprocess.run(asked, check=False, capture_output=True, text=True).stdout.strip() == "f"

        wait_for(is_itself, (folder / "log").read_text, 60, pause=0.1)
        yield url


@contextmanager
def _private_folder() -> Iterator[Path]:
    user = _lent_user()
    folder = Path(tempfile.mkdtemp(prefix="kibitz-pg-"))
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def _running(folder_of_programs: Path, data: Path, folder: Path) -> Iterator[str]:
    """The server, with its socket and its log in this folder. Whoever wants its log archived gives the command."""
    command = [folder_of_programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="]
    command += ["-c", "fsync=off", "-c", "full_page_writes=off"]
    command += ["-c", "synchronous_commit=off", "-c", "deadlock_timeout=200ms"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, stdout=log, stderr=log, **identity(),
            preexec_fn=partial(die_with_parent, signal.SIGQUIT),
        )  # fmt: skip
    try:
        _wait(folder_of_programs, folder, process)
        yield f"postgres://kibitz@{quote(str(folder), safe='')}/postgres"
    finally:
        process.send_signal(signal.SIGINT)  # a fast shutdown
        process.wait(timeout=60)


def _wait(programs: Path, folder: Path, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    command = [programs / "pg_isready", "-q", "-h", folder, "-U", "kibitz", "-d", "postgres"]

    def ready() -> bool:
        return subprocess.run(command, check=False).returncode == 0

    def log() -> str:
        return (folder / "log").read_text(errors="replace")

    wait_for(lambda: ready() or process.poll() is not None, log, seconds, pause=0.05)
    assert process.poll() is None, f"PostgreSQL did not start:\n{log()}"


def main(command: list[str]) -> int:
    """Run a command with DATABASE_URL: `python -m tests.postgresql pytest tests/contest`."""
    folder = programs()
    if folder is None:
        print(MISSING, file=sys.stderr)
        return 1
    environment = dict(os.environ)
    environment.pop("DJANGO_SETTINGS_MODULE", None)  # an import above set it to the portal's own settings
    with server(folder) as url:
        return subprocess.run(command, check=False, env=environment | {"DATABASE_URL": url}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
