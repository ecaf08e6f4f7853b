"""The system calls that a program in a jail may make, and the filter that enforces this.

A call gets one of three answers. *Allow*. *Deny softly*, with an errno, as a smaller kernel would. *Report*, which ends
the bot with a `violation` that names the call and its path. Only calls that no honest runtime makes by itself are
reported, so nobody is blamed for what a runtime probes when it starts. Calls in no list are denied softly: the filter
confines by default and accuses by exception.

Containment never depends on the filter alone: the jail has no network, nothing writable and no secrets.
"""

from __future__ import annotations

import errno
import hashlib
import socket
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from submissions.sandbox.bpf import ALLOW, NOTIFY, Action, Check, assemble, deny
from submissions.sandbox.calls import (
    ABOUT,
    ADDRESS,
    ADDRESSES,
    ADVICE,
    AT_EMPTY_PATH,
    BIND,
    CLOCK,
    CLOCKS,
    CLONE_NEW_SPACES,
    CLONE_PIDFD,
    CLONE_THREAD,
    COMPUTING,
    CONNECT,
    COUNTED,
    DANGEROUS,
    F_SETOWN,
    F_SETOWN_EX,
    F_SETSIG,
    FCNTL,
    FIOSETOWN,
    FUTEX_PRIVATE,
    FUTEX_WAIT,
    HIDDEN_OPTIONS,
    HOSTILE,
    LAST,
    LOOKUP,
    LOOKUPS,
    MADV_WILLNEED,
    MAP_ANONYMOUS,
    MAP_HUGETLB,
    MAP_SHARED,
    MEMBARRIER,
    MESSAGE,
    MS_ASYNC,
    MSG_FASTOPEN,
    NOBODYS,
    NONE,
    NOTIFICATIONS,
    NUMBERED,
    OF_A_PROCESS,
    OPEN_FLAGS,
    OPENED,
    OURS_ABOUT_OPEN,
    OURS_AMONG_OTHERS,
    OWN,
    OWN_NAME,
    PAIRS,
    PATHS,
    PLACEHOLDER,
    PRCTL,
    PROBING,
    PROGRAM_FD,
    REAL_TIME,
    REFUSED_AMONG_OTHERS,
    RLIMIT_CPU,
    SHARED,
    SIGCHLD,
    SIGKILL,
    SIGNALS,
    SIOCSPGRP,
    SO_LINGER,
    SO_PASSPIDFD,
    SO_SNDBUF,
    SO_SNDBUFFORCE,
    SOFT,
    STREAMS,
    SYSINFO,
    TERMINAL,
    THREAD,
    TIMED,
    names,
)


class Compiled(NamedTuple):
    """A policy for process 1, as it is sent in SETUP (init/)."""

    filter: bytes  # struct sock_filter[]
    calls: bytes  # struct call[]: the notified calls that have a path
    rules: bytes  # what happens to a path


@dataclass(frozen=True, slots=True)
class Policy:
    """The permissions of one kind of program. `allow` and `soft` (name, errno) change the common lists."""

    name: str
    readable: tuple[str, ...] = ()  # paths that may be read; ending in "/": everything below
    absent: tuple[str, ...] = ()  # paths that honest runtimes try: "no such file" instead of a violation
    refused: tuple[str, ...] = ()  # paths that may be tried in any way: "not permitted" instead of a violation
    probing: bool = False  # may look files up (for runtimes that consist of many files)
    allow: tuple[str, ...] = ()
    soft: tuple[tuple[str, int], ...] = ()
    name_service: bool = False  # looks up its user over a local socket: denied softly, unlike all other sockets
    placeholders: bool = False  # opens sockets only to test for them: gets /dev/null, and using it is reported
    confined: bool = True  # False: a toolchain. Nothing is reported, dangerous calls are denied softly

    def compile(
        self,
        numbers: Mapping[str, int],
        *,
        processes: int,
        threads: int = 2,
        secret: int = 0,
        hosted: bool = False,
        tcp: bool = False,
        watched: bool = False,
        counted: bool = True,
    ) -> Compiled:
        """The filter and its tables in the form of init/setup.c, with this machine's call numbers.

        `secret` has 64 bits and is known only to process 1 and its worker: process 1's own calls carry it. `hosted` is
        for jails without namespaces: the host's processes and files are within reach. `tcp` lets the bot be a client
        on the loopback of its own network namespace. With one process and one thread, process 1 refuses further
        threads, like a kernel that has none left, and remembers it. `watched`: process 1 looks at its processes'
        memory, so memory that belongs to no process is refused. Unless `counted` by a control group, the processor time
        of ended processes is known only to their parents, so no process may disown its children."""
        key = self, processes > 1, threads > 1, id(numbers), secret, hosted, tcp, watched, counted
        if key not in _COMPILED:  # takes a few milliseconds, and every jail needs it
            thread = ALLOW if max(processes, threads) > 1 else NOTIFY
            actions = self._confined(processes, thread) if self.confined else self._toolchain()
            if self.confined and (hosted or tcp or "socketpair" in self.allow):
                actions |= _hiding(actions)
            if tcp:
                actions |= self._client(actions, alone=thread == NOTIFY)
            if hosted:
                actions |= self._among_others()
                actions |= self._looking_up(actions, tcp)
            if watched:
                actions |= self._watched()
            if processes > 1 and not counted:
                actions["rt_sigaction"] = Check(0, Check(1, ALLOW, deny(0), exact=0), ALLOW, values=(SIGCHLD,))
            if secret:
                actions |= self._ours(actions, secret, hosted=hosted, watched=watched)
            if not self.confined:  # each build has a secret of its own
                return self._assembled(actions, numbers, hosted, tcp, watched)
            _COMPILED[key] = self._assembled(actions, numbers, hosted, tcp, watched)
        return _COMPILED[key]

    def _assembled(
        self, actions: Mapping[str, Action], numbers: Mapping[str, int], hosted: bool, tcp: bool, watched: bool
    ) -> Compiled:
        known = {numbers[name]: action for name, action in actions.items() if name in numbers}
        calls = self._calls(numbers, hosted, tcp, watched)
        if not self.confined:
            every: dict[int, Action] = dict.fromkeys(range(LAST + 1), ALLOW)
            absent = deny(errno.ENOSYS)
            return Compiled(assemble(every | known, absent, absent), calls, b"")
        return Compiled(assemble(known, deny(errno.EPERM), NOTIFY), calls, self._rules(hosted))

    def _calls(self, numbers: Mapping[str, int], hosted: bool, tcp: bool, watched: bool) -> bytes:
        """What process 1 has to know about the notified calls. The first entry of a call counts."""
        told = [("connect", CONNECT, NONE)] if hosted and tcp else []
        told += [("socket", COUNTED, NONE), ("bind", BIND, NONE), ("getsockname", OWN_NAME, NONE)] if tcp else []
        told += [("sendmsg", MESSAGE, NONE)] if tcp and "socketpair" in self.allow else []
        told += [("socketpair", PAIRS, NONE)] if watched and not self.confined else []
        if hosted:
            told += [(name, path, ABOUT if name in LOOKUPS else LOOKUP) for name, path in self._lookups().items()]
        if self.confined:
            told += [("fstat", OPENED, NONE), ("newfstatat", 1, ABOUT), ("statx", 1, ABOUT), ("sysinfo", SYSINFO, NONE)]
            told += [(name, COUNTED, NONE) for name in NUMBERED if name not in HOSTILE or name in self.allow]
            told += [(name, OWN, argument) for name, argument in OF_A_PROCESS.items()]
            told += [(name, CLOCK, argument) for name, argument in TIMED.items()]
            told += [(name, path, OPEN_FLAGS.get(name, NONE)) for name, path in PATHS.items()]
            told += [(name, address, ADDRESS) for name, address in ADDRESSES.items()]
            told += [("clone", THREAD, NONE), ("mmap", SHARED, NONE)]
        if self.placeholders:
            told.append(("socket", PLACEHOLDER, NONE))
        return b"".join(struct.pack("=HBB", numbers[name], *words) for name, *words in told if name in numbers)

    def _confined(self, processes: int, thread: int) -> dict[str, Action]:
        actions: dict[str, Action] = dict.fromkeys(COMPUTING, ALLOW)
        actions |= dict.fromkeys(PROBING, ALLOW if self.probing else deny(errno.ENOENT))
        actions |= {name: deny(number) for name, number in SOFT.items()}
        actions |= dict.fromkeys((*PATHS, *HOSTILE), NOTIFY)
        actions |= self._by_argument(processes, thread)
        actions |= _unseen()
        actions |= {name: NOTIFY if name in NUMBERED else ALLOW for name in self.allow}
        if "socketpair" in self.allow:  # descriptors on their way count for all programs of a user
            actions["socketpair"] = _streams_only(NOTIFY, deny(errno.EPROTONOSUPPORT))
            actions["sendmsg"] = deny(errno.EPERM)
        if thread == ALLOW and self.name != "script":  # another thread could change which signal it sends (judge.c)
            actions["timer_create"] = deny(errno.EAGAIN)
        actions |= {name: deny(number) for name, number in self.soft}
        if self.name_service or self.placeholders:
            actions["socket"] = Check(0, deny(errno.EACCES), NOTIFY, values=(socket.AF_UNIX,))
        if self.placeholders:
            absent = deny(errno.EAFNOSUPPORT)
            actions["socket"] = Check(0, absent, actions["socket"], values=(socket.AF_NETLINK,))
            actions["setsockopt"] = deny(0)  # reports success
        if processes > 1:
            actions |= {"fork": ALLOW, "vfork": ALLOW}
        return actions

    def _by_argument(self, processes: int, thread: int) -> dict[str, Action]:
        fork = ALLOW if processes > 1 else NOTIFY
        unnamed = deny(errno.EINVAL)  # the number of a pidfd counts all processes of the host
        started = Check(0, unnamed, fork, bits=CLONE_PIDFD) if processes > 1 else fork
        threads = Check(0, Check(0, unnamed, thread, bits=CLONE_PIDFD), started, bits=CLONE_THREAD)
        actions: dict[str, Action] = {
            "clone": Check(0, NOTIFY, threads, bits=CLONE_NEW_SPACES),
            "mmap": Check(3, deny(errno.ENOMEM), ALLOW, bits=MAP_HUGETLB),  # belongs to no process, and to no group
            "sendto": Check(4, ALLOW, NOTIFY, exact=0),  # without an address it is a `send`
            "ioctl": Check(1, ALLOW, deny(errno.ENOTTY), values=(*TERMINAL, *NOTIFICATIONS)),
            "fcntl": Check(1, ALLOW, deny(errno.EPERM), values=FCNTL),
            "prctl": Check(0, ALLOW, deny(errno.EPERM), values=PRCTL),
            "setrlimit": Check(0, deny(errno.EPERM), ALLOW, values=(RLIMIT_CPU,)),
            "prlimit64": KEEPS_ITS_TIME,
            **{name: Check(at, NOTIFY, ALLOW, values=(SIGKILL,)) for name, at in SIGNALS.items()},
        }
        if not self.probing:  # these are newer forms of fstat
            actions["newfstatat"] = Check(3, ALLOW, deny(errno.ENOENT), bits=AT_EMPTY_PATH)
            actions["statx"] = Check(2, ALLOW, deny(errno.ENOENT), bits=AT_EMPTY_PATH)
        return actions

    def _client(self, actions: Mapping[str, Action], *, alone: bool) -> dict[str, Action]:
        """A TCP client: only IPv4 sockets, because the loopback has nothing else. Resolvers and libraries first try a
        name server, the routing table and IPv6; these appear to be missing. Acting as a server is still reported.
        Process 1 counts the sockets, answers a `bind` to no port in particular without making it, and hides the port
        that a socket has got. Of one thread, it looks for descriptors in messages."""
        absent = deny(errno.EAFNOSUPPORT)
        asking: Action = actions["socket"]
        for family in (socket.AF_INET6, socket.AF_NETLINK, socket.AF_UNIX):
            asking = Check(0, absent, asking, values=(family,))
        message: Action = actions["sendmsg"]
        return {
            **dict.fromkeys(names("connect recvfrom shutdown recvmmsg"), ALLOW),
            "sendmmsg": message,
            "sendmsg": NOTIFY if alone and "socketpair" in self.allow else message,
            "setsockopt": Check(2, deny(0), ALLOW, values=(SO_LINGER, SO_PASSPIDFD)),  # process 1 must not block
            "getsockname": NOTIFY,
            "socket": Check(0, NOTIFY, asking, values=(socket.AF_INET,)),
        }

    def _among_others(self) -> dict[str, Action]:
        """The changes if the processes, the IPC and the network of the host are within reach."""
        refuse = NOTIFY if self.confined else deny(errno.EPERM)
        changed: dict[str, Action] = dict.fromkeys(SIGNALS, refuse)
        own = KEEPS_ITS_TIME if self.confined else ALLOW
        changed["prlimit64"] = Check(0, own, deny(errno.EPERM), values=(0,))
        if self.confined:
            changed |= {"fork": NOTIFY, "vfork": NOTIFY, "clone": NOTIFY}  # process 1 counts threads
            changed |= {"chdir": deny(errno.EACCES)} if "chdir" in self.allow else {}
            queued = deny(errno.EAGAIN)  # the kernel counts those that wait for all programs of a user
            changed |= {name: Check(at, queued, NOTIFY, bits=REAL_TIME) for name, at in SIGNALS.items()}
            changed |= {name: Check(at, ALLOW, NOTIFY, values=(0,)) for name, at in OF_A_PROCESS.items()}
            changed |= {name: Check(at, ALLOW, NOTIFY, values=CLOCKS) for name, at in TIMED.items()}
        else:
            changed |= dict.fromkeys(names("shmget shmat msgget msgsnd msgrcv semget semop mq_open"), refuse)
            changed |= {"socketpair": _streams_only(ALLOW, refuse), "sendto": Check(4, ALLOW, refuse, exact=0)}
            changed |= {name: deny(number) for name, number in REFUSED_AMONG_OTHERS.items()}
            changed["fcntl"] = Check(1, refuse, ALLOW, values=(F_SETOWN, F_SETSIG, F_SETOWN_EX))
            changed["ioctl"] = Check(1, refuse, self._toolchain()["ioctl"], values=(FIOSETOWN, SIOCSPGRP))
        return changed

    def _lookups(self) -> dict[str, int]:
        """The calls that must find nothing outside a program's own places. For a toolchain this includes opening; for a
        bot, rules decide about that."""
        if self.confined:
            kept = [name for name in LOOKUPS if name not in SOFT] if self.probing else ["newfstatat", "statx"]
            return {name: LOOKUPS[name] for name in kept}
        others = (*DANGEROUS, *REFUSED_AMONG_OTHERS, "symlink")  # the first argument of symlink need not exist
        return {name: path for name, path in (LOOKUPS | PATHS).items() if name not in others}

    def _looking_up(self, actions: Mapping[str, Action], tcp: bool) -> dict[str, Action]:
        """Process 1 answers look-ups, and connects for the bot."""
        changed: dict[str, Action] = {}
        if self.probing or not self.confined:
            changed |= dict.fromkeys(self._lookups(), NOTIFY)
        if tcp:
            # In the host's network `connect` is the only way to connect. (Process 1 allows sockets for TCP alone.)
            flags = {"sendto": 3, "sendmsg": 2, "sendmmsg": 3}  # the argument with the flags
            checks = {name: Check(at, NOTIFY, actions[name], bits=MSG_FASTOPEN) for name, at in flags.items()}
            changed |= {"connect": NOTIFY, **checks}
        return changed

    def _ours(self, actions: Mapping[str, Action], secret: int, *, hosted: bool, watched: bool) -> dict[str, Action]:
        """The calls that only process 1 may make: to start a bot, to watch it, to read its memory and to write answers
        there, to look up names and what it has open, and to connect for it. Where a call has no room for the secret, an
        address depends on it."""
        otherwise = NOTIFY if self.confined else deny(errno.EPERM)
        common = deny(errno.EPERM) if self.confined else ALLOW
        needed = {"clone", *(OURS_AMONG_OTHERS if hosted else ()), *(("openat", "sysinfo") if watched else ())}
        needed |= {"kill", "prlimit64", "openat", "sendmsg", "utimensat", *OURS_ABOUT_OPEN} if self.confined else set()
        changed: dict[str, Action] = {name: _with(secret, actions.get(name, common)) for name in needed}
        if self.confined or hosted:
            seen = actions.get("statx", common)  # half of the secret alone could be guessed here
            changed["statx"] = _last(secret, seen, then=Check(4, ALLOW, seen, exact=scratch_of(secret)))
            memory = Check(1, ALLOW, otherwise, exact=scratch_of(secret))
            changed |= dict.fromkeys(("process_vm_readv", "process_vm_writev"), memory)
        if self.confined:
            changed["pipe2"] = _with(secret, actions["pipe2"])
            changed["execveat"] = Check(0, _last(secret, NOTIFY), NOTIFY, values=(PROGRAM_FD,))
        return changed

    def _watched(self) -> dict[str, Action]:
        """Memory that process 1 could not see is refused, and shared memory is counted when it is asked for."""
        refused: dict[str, Action] = {name: deny(number) for name, number in NOBODYS.items()}
        if self.confined:  # what is a violation stays one
            violations = {*HOSTILE, *PATHS} - {*self.allow}
            refused = {name: action for name, action in refused.items() if name not in violations}
            if self.probing:  # it may map files, and not all that it holds is then memory
                refused["exit_group"] = NOTIFY
        else:  # what is in their buffers belongs to no process, so they are few and small
            refused["socketpair"] = _streams_only(NOTIFY, deny(errno.EPROTONOSUPPORT))
            refused["setsockopt"] = Check(2, deny(0), ALLOW, values=(SO_SNDBUF, SO_SNDBUFFORCE))
        asked = NOTIFY if self.confined else deny(errno.ENOMEM)
        shared = Check(3, Check(3, asked, ALLOW, bits=MAP_ANONYMOUS), ALLOW, bits=MAP_SHARED)
        return refused | {"mmap": Check(3, deny(errno.ENOMEM), shared, bits=MAP_HUGETLB)}

    def _toolchain(self) -> dict[str, Action]:
        actions: dict[str, Action] = dict.fromkeys(DANGEROUS, deny(errno.EPERM))
        absent = ("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3")
        actions |= dict.fromkeys(absent, deny(errno.ENOSYS))
        actions |= dict.fromkeys(("socket", "connect", "bind", "listen"), deny(errno.EACCES))
        actions["clone"] = Check(0, deny(errno.EPERM), ALLOW, bits=CLONE_NEW_SPACES)
        actions["ioctl"] = Check(1, deny(errno.EPERM), ALLOW, values=(0x5412, 0x541C))  # TIOCSTI, TIOCLINUX
        actions["mmap"] = Check(3, deny(errno.ENOMEM), ALLOW, bits=MAP_HUGETLB)
        return actions

    def _rules(self, own_names: bool) -> bytes:
        rules: Iterable[tuple[str, str]] = [
            ("u", "/dev/urandom"),
            ("u", "/dev/random"),
            ("n", "/dev/null"),
            *(("e", path) for path in self.refused),
            *(("h" if own_names else "r", path) for path in NAMES),
            *(("r", path) for path in self.readable),
            *(("s", path) for path in (*ABSENT, *self.absent)),
        ]
        return b"".join(kind.encode() + path.encode() + b"\0" for kind, path in rules)


def _hiding(actions: Mapping[str, Action]) -> dict[str, Action]:
    """Process 1 tells of files that a bot has open, without the numbers of pipes and sockets. Elsewhere there are no
    sockets, and process 1 makes FIFOs where pipes are asked for."""
    flags = {"newfstatat": 3, "statx": 2}  # the argument with the flags
    seen: dict[str, Action] = {name: Check(at, NOTIFY, actions[name], bits=AT_EMPTY_PATH) for name, at in flags.items()}
    return seen | {"fstat": NOTIFY}


def _unseen() -> dict[str, Action]:
    """The calls of which only some forms are harmless, because others could see or feel the rest."""
    return {
        "madvise": Check(2, ALLOW, Check(2, deny(0), deny(errno.EINVAL), values=(MADV_WILLNEED,)), values=ADVICE),
        "msync": Check(2, ALLOW, deny(0), values=(MS_ASYNC,)),
        "membarrier": Check(0, ALLOW, deny(errno.EINVAL), values=MEMBARRIER),
        "futex": Check(1, ALLOW, Check(1, ALLOW, deny(errno.EINVAL), values=FUTEX_WAIT), bits=FUTEX_PRIVATE),
        "getsockopt": Check(2, deny(errno.ENOPROTOOPT), ALLOW, values=HIDDEN_OPTIONS),
        "sysinfo": NOTIFY,  # process 1 answers with constants
        **dict.fromkeys((name for name in NUMBERED if name not in HOSTILE), NOTIFY),
    }


KEEPS_ITS_TIME = Check(1, Check(2, ALLOW, deny(errno.EPERM), exact=0), ALLOW, values=(RLIMIT_CPU,))
"""`prlimit64` by a bot. The kernel kills who is over that limit, and a SIGKILL that no bot has sent is our failure."""


@lru_cache(maxsize=16)
def scratch_of(secret: int) -> int:
    """The page through which process 1 reads and writes the memory of others: below all mappings of its own."""
    number = int.from_bytes(hashlib.sha256(b"%d" % secret).digest()[:8], "little")
    return 0x1000_0000_0000 + (number & 0x3FFF_FFFF_F000)


def _with(secret: int, otherwise: Action) -> Check:
    """Allow a call only with the secret in its last two arguments, which the kernel ignores: it is process 1's."""
    return Check(5, Check(4, ALLOW, otherwise, values=(secret >> 32,)), otherwise, values=(secret,))


def _last(secret: int, otherwise: Action, *, then: Action = ALLOW) -> Check:
    """The same for a call of five arguments, with half of the secret. `then` must see to the rest."""
    return Check(5, then, otherwise, values=(secret,))


def _streams_only(action: Action, otherwise: Action) -> Check:
    """Pairs of connected streams, which the kernel never lets send to anybody else: a name given to it is refused. A
    pair of any other type can send to every socket of the host that has a name."""
    return Check(0, Check(1, action, otherwise, values=STREAMS), otherwise, values=(socket.AF_UNIX,))


NAMES = ("/etc/hosts", "/etc/nsswitch.conf")
"""The names of the loopback in every jail, and that there are no others. They are no secret, and honest TCP clients
read them."""

_COMPILED: dict[tuple[object, ...], Compiled] = {}

# Where Go's library looks for time zones: in the installation that built the program.
GO_ZONES = tuple(
    f"/usr/{place}/lib/time/" for place in ("lib/go", *(f"lib/go-1.{n}" for n in range(15, 40)), "local/go")
)

# What C libraries look up by themselves: the time zone, the locale, the processors, the memory, the dynamic linker.
ABSENT = (
    "/etc/localtime", "/etc/timezone", "/usr/share/zoneinfo/", "/usr/share/lib/zoneinfo/",
    "/usr/lib/locale/", "/usr/share/locale/",
    "/usr/lib/x86_64-linux-gnu/gconv/", "/usr/share/locale-langpack/", "/etc/ld.so.cache", "/etc/ld.so.preload",
    "/sys/devices/system/", "/sys/kernel/mm/", "/proc/stat", "/proc/cpuinfo", "/proc/meminfo", "/proc/self/",
    "/proc/sys/vm/", "/etc/resolv.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/services",
    "/etc/protocols", "/proc/sys/kernel/", "/dev/tty", "/sys/fs/cgroup/", "/proc/cgroups",
    "/usr/share/terminfo/", "/etc/terminfo/", "/lib/terminfo/", *GO_ZONES,
)  # fmt: skip

STATIC = Policy("static")
"""One statically linked program: C, C++, Pascal, Go, Rust, Haskell. Opens nothing at all."""

FOLDER = Policy("folder", readable=("/box/",), probing=True)
"""The same for a program of several files, which may read those beside it."""

LIBRARIES = ("/usr/", "/lib/", "/lib64/", "/box/")

PYTHON = Policy("python", readable=LIBRARIES, probing=True, allow=("socketpair",))
"""CPython: reads its library and its own source."""

SCRIPT = Policy("script", readable=(*LIBRARIES, "/etc/perl/"), probing=True)
"""The small interpreters: Perl, Lua, PHP, Ruby."""

TCL = Policy("tcl", readable=LIBRARIES, absent=("/etc/",), probing=True, name_service=True)
"""Tcl, which looks for the user's home when it starts: first a name server, then /etc/passwd."""

NODE = Policy(
    "node",
    readable=(*LIBRARIES, "/proc/", "/dev/"),
    absent=("/sys/", "/package.json", "/etc/ssl/", "/etc/svc.conf", "/etc/netsvc.conf"),
    refused=("/proc/self/oom_score_adj",),
    probing=True,
    allow=("socketpair", "ftruncate"),
    soft=(("process_madvise", errno.ENOSYS), ("memfd_create", errno.ENOSYS),
          ("io_uring_setup", errno.ENOSYS), ("pkey_alloc", errno.ENOSPC), ("perf_event_open", errno.EACCES),
          ("inotify_init1", errno.EMFILE), ("pidfd_open", errno.ENOSYS)),
)  # fmt: skip
"""Node: a virtual machine with threads and garbage collection. It examines the machine at its start, but no network."""

JAVA = Policy(
    "java",
    readable=(*LIBRARIES, "/proc/", "/etc/", "/dev/"),
    absent=("/tmp/", "/sys/"),
    refused=("/proc/self/coredump_filter", "/proc/self/oom_score_adj"),
    probing=True,
    allow=("socketpair", "chdir", "fchdir", "ftruncate", "mlock"),
    soft=(("process_madvise", errno.ENOSYS), ("memfd_create", errno.ENOSYS),
          ("pkey_alloc", errno.ENOSPC), ("perf_event_open", errno.EACCES), ("inotify_init1", errno.EMFILE),
          ("pidfd_open", errno.ENOSYS)),
    placeholders=True,
)  # fmt: skip
"""The Java virtual machine, for Java and Scala. Its libraries open sockets of both families only to test for them, as
soon as a program touches a path. So sockets are no violation, but connecting or binding is, with the address."""

POLICIES = {policy.name: policy for policy in (STATIC, FOLDER, PYTHON, SCRIPT, TCL, NODE, JAVA)}
"""By the names that games.toolchains uses."""

TOOLCHAIN = Policy("toolchain", confined=False)
"""Compilers, in a jail with a scratch folder. They start programs and write files, and nothing is reported."""


def describe(call: str, argument: int) -> str:
    """Describe a forbidden call without a path by its first argument."""
    if call == "clone":
        if argument & CLONE_NEW_SPACES:
            return "new namespaces"
        return "a thread" if argument & CLONE_THREAD else "another process"
    if call not in ("socket", "socketpair"):
        return ""
    family = argument & 0xFFFFFFFF
    return FAMILIES.get(family, f"family {family}")


FAMILIES = {family.value: family.name for family in socket.AddressFamily}
