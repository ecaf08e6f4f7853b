"""A contest that is played through faults, with real workers, a real broker and a real database.

    python -m tests.chaos --seed 1 --matches 300 --database sqlite|postgresql [--faults 60] [--keep]

The schedule follows from the seed: processes are killed or stopped, beyond their leases too; clocks step by an hour;
Redis and PostgreSQL are restarted, killed, stopped and emptied; messages are lost or come twice; the disk is full or
read-only. Clocks, and a read-only disk, are those of a library that is preloaded into the processes
(tests/chaos/shim.c). The disk is a small file system that is really full, where one can be mounted.

At the end every match has one result and one record that verifies, no bot is blamed, `rerate` and the replay of the
ledger change nothing, and no process is left. Exit status 1 if anything is not so. The report says how long it took
after each fault until the next result came. Nothing in it depends on how fast the machine is, except that time.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from contest.server.processes import LIBC
from tests.chaos import portal
from tests.chaos.shim import Shim
from tests.waiting import wait_for

PR_SET_CHILD_SUBREAPER = 36


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--faults", type=int, help="default: one for five matches")
    parser.add_argument("--only", nargs="+", default=[], metavar="FAULT", help="functions of tests/chaos/faults.py")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--start", type=Path, help="a migrated SQLite database to begin with")
    parser.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    told = parser.parse_args(arguments)
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
    with portal.scratch(told.keep) as folder:
        return run(told, folder)


def run(told: argparse.Namespace, folder: Path) -> int:
    var, logs = folder / "var", folder / "log"
    var.mkdir(mode=0o700)
    logs.mkdir()
    shim = Shim(folder)
    disk = portal.Disk(var, shim)
    server = None
    processes = None
    try:
        own = {"VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "contest.settings", "SECRET_KEY": "chaos" * 10}
        own |= {"MATCH_LEASE": str(portal.LEASE), "PROOFS_REQUIRED": "0", "LOG_LEVEL": "WARNING"}
        own |= {"PYTHONPATH": str(portal.ROOT), "REDIS_URL": "", "DATABASE_URL": ""}
        if told.database == "postgresql":
            (folder / "postgresql").mkdir()
            server = portal.Postgresql(folder / "postgresql")
            own["DATABASE_URL"] = server.url
        elif told.start:
            (var / "portal.sqlite3").write_bytes(told.start.read_bytes())
        os.environ.update(own)
        migrate()
        environment = {**os.environ, **shim.environment, "LOG_LEVEL": "INFO"}
        processes = portal.start_processes(environment, logs, var)
        return conduct(told, processes, shim, disk, server, var)
    finally:
        shim.disk(0)
        if processes is not None:
            processes.stop()
        if server is not None:
            server.stop()
        disk.remove()


def migrate() -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, check=True, cwd=portal.ROOT)


def conduct(
    told: argparse.Namespace,
    processes: portal.Processes,
    shim: Shim,
    disk: portal.Disk,
    server: portal.Postgresql | None,
    var: Path,
) -> int:
    import django

    django.setup()
    from django.db import connection

    from tests.chaos import conductor

    portal.await_start(processes)
    contests, matches = conductor.arrange(told.matches)
    faults = told.faults or max(1, matches // 5)
    plan = conductor.schedule(told.seed, connection.vendor, matches, faults, told.only)
    scene = conductor.Scene(processes, shim, disk, server)
    player = conductor.Conductor(scene, told.seed, lambda line: print(line, flush=True))
    print(f"seed {told.seed}, {connection.vendor}, {len(plan)} faults, disk {'real' if disk.is_real else 'played'}")
    began = time.monotonic()
    scene.take_care()
    try:
        player.play(plan)
        found = [each for contest in contests for each in conductor.problems(contest)]
    except conductor.Stuck as error:
        found = [f"stuck: {error}", *stacks(processes)]
        player.heal()
    scene.over.set()
    seconds = time.monotonic() - began
    attempts = conductor.attempts()
    connection.close()
    processes.stop()
    left: list[str] = []

    def nobody_left() -> bool:
        left[:] = portal.left_running(var)
        return not left

    try:
        wait_for(nobody_left, seconds=10, pause=0.1)
    except AssertionError:
        found += [f"left running: {line}" for line in left]
    report(player, attempts, seconds, found, processes)
    return 1 if found else 0


def stacks(processes: portal.Processes) -> list[str]:
    """Where each process stands, if py-spy is installed."""
    spy, found = shutil.which("py-spy"), []
    for name in processes.components:
        for pid in [processes.components[name].pid, *processes.pool_of(name)] if spy else []:
            dump = subprocess.run([str(spy), "dump", "--pid", str(pid)], check=False, capture_output=True, text=True)
            found.append(f"{name}: {dump.stdout}")
    return found


def report(player: Any, attempts: Counter[int], seconds: float, found: list[str], processes: portal.Processes) -> None:
    """On standard output: what it took to heal, what workers complained of, and what is wrong."""
    healed = [each.healed_after for each in player.happened if each.healed_after is not None]
    print(f"{sum(attempts.values())} matches in {seconds:.0f} s; attempts: {dict(sorted(attempts.items()))}")
    if healed:
        print(f"until the next result: median {statistics.median(healed):.1f} s, longest {max(healed):.1f} s")
        slowest = max(player.happened, key=lambda each: each.healed_after or 0)
        print(f"  the longest after: {slowest.what}")
    complaints: Counter[str] = Counter()
    for name in processes.components:
        for line in re.findall(r"^(?:\w+\.)*(?:\w*Error|\w*Exception\w*|LeaseLost)\b.*", processes.log(name), re.M):
            complaints[f"{name.rstrip('12')}: {line[:120]}"] += 1
    for line, count in complaints.most_common(12):
        print(f"  {count:4d} × {line}")
    print("\n".join(found) if found else "everything is right: results, records, ratings, ledger, processes")


if __name__ == "__main__":
    sys.exit(main())
