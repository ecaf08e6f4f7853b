"""Run `kibitz.pyz` as if this were another system: `elsewhere.py darwin|win32 kibitz.pyz WORD…`.

Everything that the system lacks is taken away before anything of ours is imported. What remains is what Python itself
needs to start processes here.
"""

from __future__ import annotations

import os
import runpy
import sys
from importlib import import_module
from typing import Any

MODULES = {
    "darwin": ("spwd",),
    "win32": ("fcntl", "grp", "posix_spawn", "pwd", "readline", "resource", "syslog", "termios", "tty", "pty"),
}
OF_LINUX = {
    "os": ("sched_getaffinity", "sched_setaffinity", "pidfd_open", "memfd_create", "eventfd"),
    "select": ("epoll", "POLLRDHUP"),
    "socket": ("TCP_QUICKACK", "SO_PEERCRED"),
    "time": ("pthread_getcpuclockid",),
}
OF_POSIX = {
    "os": (
        *("chown", "fchmod", "fork", "getgid", "getloadavg", "getpgid", "getuid", "geteuid", "killpg", "mkfifo"),
        *("set_blocking", "setpgid", "setsid", "statvfs", "sysconf", "uname", "wait3", "wait4", "WNOHANG"),
    ),
    "select": ("poll", "POLLIN", "POLLOUT"),
    "signal": ("SIGALRM", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGUSR1", "alarm", "pthread_sigmask", "setitimer"),
    "socket": ("MSG_DONTWAIT",),
    "time": ("clock_gettime", "clock_getres"),
}


def pretend(system: str) -> None:
    import signal
    import subprocess

    waitpid, nohang, kill = os.waitpid, os.WNOHANG, signal.SIGKILL
    for module in MODULES[system]:
        sys.modules[module] = None  # type: ignore[assignment]
    for module, names in (*OF_LINUX.items(), *(OF_POSIX.items() if system == "win32" else ())):
        for name in names:
            if hasattr(sys.modules.get(module) or __import__(module), name):
                delattr(sys.modules[module], name)
    if system == "win32":  # what Popen calls by itself on Linux
        subprocess.Popen.kill = lambda self: os.kill(self.pid, kill)  # type: ignore[method-assign]
        subprocess._waitpid = waitpid  # type: ignore[attr-defined]
        subprocess._WNOHANG = nohang  # type: ignore[attr-defined]
    sys.addaudithook(no_proc)


def no_proc(event: str, words: tuple[Any, ...]) -> None:
    if event in ("open", "os.listdir", "os.scandir") and str(words[0]).startswith("/proc"):
        raise FileNotFoundError(2, "there is no /proc on this system", str(words[0]))


if __name__ == "__main__":
    _, system, *sys.argv = sys.argv
    pretend(system)
    sys.path.insert(0, sys.argv[0])
    import_module("games.build").SYSTEM = system
    runpy.run_path(sys.argv[0], run_name="__main__")
