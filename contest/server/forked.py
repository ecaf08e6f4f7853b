"""Processes that are forks of this one, with everything loaded that they need.

Ten processes that each import the portal take ten times its memory, and ten times two seconds of a processor. A fork
shares both. Freezing what is loaded keeps Python's garbage collector from writing into the shared pages.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path

from setproctitle import setproctitle

UNKNOWN = 255  # the status of a process that somebody else has reaped
ROOT = Path(__file__).resolve().parents[2]
_loaded: dict[str, tuple[int, int]] = {}


def preload(modules: Iterable[str]) -> None:
    """Import what forks will need. Nothing may open a connection or start a thread at its import."""
    for name in modules:
        importlib.import_module(name)
    _loaded.update(_sources())
    gc.collect()
    gc.freeze()


def is_stale() -> bool:
    """Whether our code has changed since it was loaded: a process that is started now must not be a fork."""
    return any(_loaded.get(path, state) != state for path, state in _sources().items())


def _sources() -> dict[str, tuple[int, int]]:
    """Time and size of each file of this installation that is loaded, without installed packages."""
    found = {}
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None) or ""
        if path.startswith(f"{ROOT}/") and "site-packages" not in path:
            try:
                state = os.stat(path)
                found[path] = (state.st_mtime_ns, state.st_size)
            except OSError:
                found[path] = (0, 0)
    return found


class Forked:
    """A child that runs `main` and ends with its status: the part of subprocess.Popen that the supervisor uses.

    `arguments` is its sys.argv and its title. Of our descriptors it keeps `descriptors` alone; its standard output and
    error are `stdout`.
    """

    def __init__(
        self,
        main: Callable[[], object],
        arguments: Sequence[str],
        *,
        descriptors: Sequence[int] = (),
        environment: Mapping[str, str] | None = None,
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        if threading.active_count() > 1:
            raise RuntimeError("a process with threads cannot be forked: they may hold locks")
        self.returncode: int | None = None
        read, write = os.pipe()
        # A signal that comes in between would call our handlers there.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):
                    stream.flush()
            self.pid = os.fork()
            if self.pid == 0:
                _become(main, arguments, write, set(descriptors), environment or {}, prepare, before)
        except OSError:
            os.close(read)
            raise
        finally:
            os.close(write)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self.stdout = FileIO(read, "rb")

    def poll(self) -> int | None:
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else has reaped it
                self.returncode = UNKNOWN
            else:
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def _become(
    main: Callable[[], object],
    arguments: Sequence[str],
    output: int,
    kept: set[int],
    environment: Mapping[str, str],
    prepare: Callable[[], object],
    mask: Iterable[int],
) -> None:
    """In the child. Never returns: our callers have clean-ups that are not its business."""
    status = 1
    try:
        os.setsid()
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE, signal.SIGXFSZ}:
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        prepare()
        nothing = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(source, target)
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2 and int(name) not in kept:
                with suppress(OSError):  # the one that has listed them
                    os.close(int(name))
        for descriptor in kept:
            os.set_inheritable(descriptor, True)
        os.environ.update(environment)
        sys.argv = list(arguments)
        setproctitle(" ".join(arguments))
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        main()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except KeyboardInterrupt:
        status = 130
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
