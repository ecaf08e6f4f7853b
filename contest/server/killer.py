"""Outlive the supervisor, and kill everything that it left.

Theory of operation. `stand_behind` forks. The child goes on as the supervisor, in a session of its own. The parent, the
process that people, terminals and systemd know, becomes this small program: it passes signals on, and waits. Orphans
below it become its children (PR_SET_CHILD_SUBREAPER), whatever session they are in. So when the supervisor has ended,
however it ended, everything that is still there is below this process, and is killed: pool processes of Celery that had
no time to ask for a parent-death signal, a broker that cannot write its snapshot and therefore stays, jails. If this
process is killed itself, the supervisor gets LEFT_ALONE and stops everything.

Standard library only, and little of it: it stays in memory as long as the portal runs.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
LIBC = ctypes.CDLL(None, use_errno=True)

LEFT_ALONE = signal.SIGUSR1  # what the supervisor gets when this process is killed
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
MOMENT = 0.8  # seconds that processes have to end by themselves when their supervisor has died


def stand_behind() -> None:
    """Return in a child, which is to be the supervisor. This process becomes the killer, and ends with its status.

    Call it while there is one thread."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
    parent = os.getpid()
    # No signal may be lost between here and the program's loop. The mask survives exec.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*PASSED_ON, signal.SIGCHLD})
    supervisor = os.fork()
    if supervisor:
        program = getattr(sys, "_base_executable", "") or sys.executable
        with contextlib.suppress(OSError):
            os.execv(program, [program, "-I", "-S", os.path.abspath(__file__), str(supervisor)])
        os._exit(watch(supervisor))  # larger, but it works as well
    LIBC.prctl(PR_SET_PDEATHSIG, int(LEFT_ALONE))
    os.setsid()  # Ctrl-C reaches the killer, which passes it on, and nobody twice
    if os.getppid() != parent:  # it died before the call
        os._exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def watch(supervisor: int) -> int:
    """Pass signals on until the supervisor ends, kill what it left, and return the status to end with."""
    status = None
    while (status := _reap(supervisor)) is None:
        number = signal.sigwait({*PASSED_ON, signal.SIGCHLD})
        if number != signal.SIGCHLD:
            with contextlib.suppress(ProcessLookupError):
                os.kill(supervisor, number)
    deadline = time.monotonic() + MOMENT
    while left := descendants(os.getpid()):
        if time.monotonic() > deadline:
            for pid in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
        _reap(supervisor)
    return 128 - status if status < 0 else status


def _reap(awaited: int) -> int | None:
    """Reap all dead children. Returns the exit code of the awaited one if it was among them, negative for a signal."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == awaited:
                found = os.waitstatus_to_exitcode(status)
    return found


def descendants(pid: int) -> list[int]:
    """All descendants of a process, including zombies."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    fields = stat.read().rpartition(b")")[2].split()
            except OSError:
                continue  # it ended while we looked
            parents.setdefault(int(fields[1]), []).append(int(name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


if __name__ == "__main__":
    sys.exit(watch(int(sys.argv[1])))
