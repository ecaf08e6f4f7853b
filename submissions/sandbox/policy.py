"""What a program in a jail may ask of the kernel, and the filter that says so.

Three answers: *allow*; *deny softly* with an errno, as a smaller kernel would; and *report*, which ends the bot with a
`violation` that names the call and its path. A call is reported only when no honest runtime makes it by itself, so that
nobody is accused for what the runtime probes at its start. Whatever is in no list is denied softly: the filter contains
by default and accuses by exception.

Containment never rests on the filter alone: the jail has no network, nothing writable, and nothing secret in it.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

# ---- classic BPF over struct seccomp_data ------------------------------------------------------------------------

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_SET, JUMP, RETURN = 0x20, 0x15, 0x35, 0x45, 0x05, 0x06
ALLOW, NOTIFY, ERRNO = 0x7FFF0000, 0x7FC00000, 0x00050000
NUMBER, ARCHITECTURE = 0, 4
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


def _argument(index: int) -> int:
    return 16 + 8 * index  # the low half: every argument that we look at is an int for the kernel


def _deny(number: int) -> int:
    return ERRNO | number


@dataclass(frozen=True, slots=True)
class Check:
    """Look at one argument: equal to one of `values`, or any of `bits` set, gives `then`, else `otherwise`."""

    argument: int
    then: int
    otherwise: int | Check
    values: tuple[int, ...] = ()
    bits: int = 0

    def code(self) -> list[Instruction]:
        program: list[Instruction] = [(LOAD, 0, 0, _argument(self.argument))]
        if self.values:
            for value in self.values:
                program += [(JUMP_EQUAL, 0, 1, value & 0xFFFFFFFF), (RETURN, 0, 0, self.then)]
        else:
            program += [(JUMP_SET, 0, 1, self.bits), (RETURN, 0, 0, self.then)]
        if isinstance(self.otherwise, Check):
            return program + self.otherwise.code()
        return [*program, (RETURN, 0, 0, self.otherwise)]


Action = int | Check


def assemble(actions: Mapping[int, Action], default: int, foreign: int) -> bytes:
    """The filter as `struct sock_filter[]`: `actions` by call number, `default` for the rest, `foreign` for calls of
    another architecture (32-bit, x32)."""
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, ARCHITECTURES[platform.machine()]),
        (RETURN, 0, 0, foreign),
        (LOAD, 0, 0, NUMBER),
    ]
    if platform.machine() == "x86_64":
        program += [(JUMP_AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, foreign)]
    program += _tree(_ranges(actions, default))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _ranges(actions: Mapping[int, Action], default: int) -> list[tuple[int, Action]]:
    """(first number, action) of every stretch of neighbours that share an action."""
    ranges: list[tuple[int, Action]] = []
    for number in range(max(actions) + 2):
        action = actions.get(number, default)
        if not ranges or ranges[-1][1] != action:
            ranges.append((number, action))
    return ranges


def _tree(ranges: list[tuple[int, Action]]) -> list[Instruction]:
    """Binary search, so that the kernel's table of always-allowed calls is computed fast and a check costs little."""
    if len(ranges) == 1:
        action = ranges[0][1]
        return action.code() if isinstance(action, Check) else [(RETURN, 0, 0, action)]
    middle = len(ranges) // 2
    low, high = _tree(ranges[:middle]), _tree(ranges[middle:])
    if len(low) <= 255:
        return [(JUMP_AT_LEAST, len(low), 0, ranges[middle][0]), *low, *high]
    return [(JUMP_AT_LEAST, 0, 1, ranges[middle][0]), (JUMP, 0, 0, len(low)), *low, *high]


# ---- the calls ------------------------------------------------------------------------------------------------------

# Computing, its own memory, its own descriptors, time, signals: what every program does.
COMPUTING = """
    read write readv writev pread64 pwrite64 preadv pwritev close close_range fstat lseek mmap mprotect munmap brk mremap
    madvise mincore msync rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
    nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times getrusage getpid gettid getppid getpgid
    getpgrp getsid setsid setpgid getuid geteuid getgid getegid getresuid getresgid getgroups getrandom exit exit_group
    tgkill tkill kill futex futex_waitv set_robust_list get_robust_list set_tid_address rseq arch_prctl prlimit64 getrlimit
    setrlimit uname sysinfo sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max
    sched_get_priority_min getpriority dup dup2 dup3 pipe pipe2 getcwd restart_syscall pause alarm setitimer getitimer
    timer_create timer_settime timer_gettime timer_delete timer_getoverrun timerfd_create timerfd_settime timerfd_gettime
    wait4 waitid recvmsg sendmsg sendto getdents64 fadvise64 membarrier getcpu capget umask sendfile
""".split()

# Probing of files without opening them: answered as if nothing were there.
PROBING = """
    stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat statfs fstatfs getxattr lgetxattr fgetxattr
    listxattr llistxattr
""".split()

# Calls whose path is worth telling; value: which argument it is.
PATHS = {
    "open": 0, "creat": 0, "truncate": 0, "mkdir": 0, "rmdir": 0, "unlink": 0, "rename": 0, "link": 0, "symlink": 0,
    "chmod": 0, "chown": 0, "lchown": 0, "mknod": 0, "chdir": 0, "chroot": 0, "utime": 0, "utimes": 0, "execve": 0,
    "mount": 1, "umount2": 0, "pivot_root": 0, "swapon": 0, "acct": 0, "setxattr": 0, "openat": 1, "openat2": 1,
    "mkdirat": 1, "unlinkat": 1, "renameat": 1, "renameat2": 1, "linkat": 1, "symlinkat": 2, "fchmodat": 1,
    "fchownat": 1, "mknodat": 1, "utimensat": 1, "futimesat": 1, "execveat": 1, "name_to_handle_at": 1,
    "inotify_add_watch": 1, "fanotify_mark": 4, "open_tree": 1, "fspick": 1, "shm_open": 0, "mq_open": 0,
}  # fmt: skip
OPEN_FLAGS = {"open": 1, "openat": 2}

# Disk, network, other programs, other processes, the machine: reported.
HOSTILE = """
    fchdir fchmod fchown ftruncate fallocate flock socket socketpair connect bind listen accept accept4 recvfrom recvmmsg
    sendmmsg getsockname getpeername setsockopt getsockopt shutdown fork vfork ptrace process_vm_writev process_madvise
    pidfd_open pidfd_getfd pidfd_send_signal kcmp shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semctl
    semtimedop mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr memfd_create memfd_secret userfaultfd
    io_uring_setup io_uring_enter io_uring_register io_setup io_submit keyctl add_key request_key bpf perf_event_open
    unshare setns open_by_handle_at move_mount fsopen fsconfig fsmount mount_setattr reboot kexec_load kexec_file_load
    init_module finit_module delete_module clock_settime clock_adjtime settimeofday adjtimex sethostname setdomainname
    swapoff quotactl syslog vhangup iopl ioperm nfsservctl lookup_dcookie inotify_init inotify_init1 fanotify_init
    landlock_create_ruleset seccomp
""".split()

# Known, harmless to refuse, and made by honest runtimes: an errno of its own. The rest gets EPERM.
SOFT = {
    "clone3": errno.ENOSYS, "rseq_slice_yield": errno.ENOSYS, "set_mempolicy": errno.ENOSYS, "mbind": errno.ENOSYS,
    "get_mempolicy": errno.ENOSYS, "setpriority": errno.EPERM, "sched_setaffinity": errno.EPERM,
    "sched_setscheduler": errno.EPERM, "sched_setparam": errno.EPERM, "mlock": errno.EPERM, "pkey_alloc": errno.ENOSPC,
}  # fmt: skip

CLONE_THREAD, CLONE_NEW_SPACES = 0x00010000, 0x7E020000
CLONE_OURS = 0x00000100 | 0x00004000 | 0x00001000 | 17  # VM | VFORK | PIDFD | SIGCHLD: how init.c starts a bot
SCRATCH, PROGRAM_FD = 0x4B6962697000, 900  # as in init.c
NOTIFICATIONS = (0xC0502100, 0xC0182101, 0x40082102, 0x40182103)  # SECCOMP_IOCTL_NOTIF_RECV, SEND, ID_VALID, ADDFD
TERMINAL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
FCNTL = (0, 1, 2, 3, 4, 1030, 1032)  # DUPFD GETFD SETFD GETFL SETFL DUPFD_CLOEXEC GETPIPE_SZ: no locks, no leases
PRCTL = (1, 2, 3, 15, 16, 23, 0x53564D41)  # PDEATHSIG, DUMPABLE, NAME, CAPBSET_READ, SET_VMA: no seccomp, no caps
AT_EMPTY_PATH = 0x1000


@dataclass(frozen=True, slots=True)
class Policy:
    """What one kind of program may do. `allow`, `soft` (name: errno) and `report` change the common lists."""

    name: str
    readable: tuple[str, ...] = ()  # paths that may be opened for reading; ending in "/": everything below
    absent: tuple[str, ...] = ()  # paths that an honest runtime tries: "no such file" instead of a violation
    probing: bool = False  # may look files up (the runtime is spread over many of them)
    allow: tuple[str, ...] = ()
    soft: Mapping[str, int] = field(default_factory=dict)
    confined: bool = True  # False: a toolchain. Nothing is reported, dangerous calls are denied softly

    @property
    def architecture(self) -> int:
        return ARCHITECTURES[platform.machine()]

    def compile(self, numbers: Mapping[str, int], *, processes: int) -> tuple[bytes, bytes, bytes]:
        """(filter, table of notified calls, rules about paths) in the form that init.c takes."""
        actions = self._confined(processes) if self.confined else self._toolchain()
        known = {numbers[name]: action for name, action in actions.items() if name in numbers}
        if not self.confined:
            return assemble(known, ALLOW, _deny(errno.ENOSYS)), b"", b""
        calls = b"".join(
            struct.pack("=HBB", numbers[name], path, OPEN_FLAGS.get(name, 255))
            for name, path in PATHS.items()
            if name in numbers
        )
        return assemble(known, _deny(errno.EPERM), NOTIFY), calls, self._rules()

    def _confined(self, processes: int) -> dict[str, Action]:
        actions: dict[str, Action] = dict.fromkeys(COMPUTING, ALLOW)
        actions |= dict.fromkeys(PROBING, ALLOW if self.probing else _deny(errno.ENOENT))
        actions |= {name: _deny(number) for name, number in SOFT.items()}
        actions |= dict.fromkeys((*PATHS, *HOSTILE), NOTIFY)
        actions |= self._by_argument(processes)
        actions |= dict.fromkeys(self.allow, ALLOW)
        actions |= {name: _deny(number) for name, number in self.soft.items()}
        if processes > 1:
            actions |= {"fork": ALLOW, "vfork": ALLOW}
        return actions

    def _by_argument(self, processes: int) -> dict[str, Action]:
        fork = ALLOW if processes > 1 else NOTIFY
        threads = Check(0, ALLOW, fork, bits=CLONE_THREAD)
        actions: dict[str, Action] = {
            "clone": Check(0, ALLOW, Check(0, NOTIFY, threads, bits=CLONE_NEW_SPACES), values=(CLONE_OURS,)),
            "ioctl": Check(1, ALLOW, _deny(errno.ENOTTY), values=(*TERMINAL, *NOTIFICATIONS)),
            "fcntl": Check(1, ALLOW, _deny(errno.EPERM), values=FCNTL),
            "prctl": Check(0, ALLOW, _deny(errno.EPERM), values=PRCTL),
            "execveat": Check(0, ALLOW, NOTIFY, values=(PROGRAM_FD,)),
            "process_vm_readv": Check(1, ALLOW, NOTIFY, values=(SCRATCH,)),
        }
        if not self.probing:  # fstat in its newer clothes
            actions["newfstatat"] = Check(3, ALLOW, _deny(errno.ENOENT), bits=AT_EMPTY_PATH)
            actions["statx"] = Check(2, ALLOW, _deny(errno.ENOENT), bits=AT_EMPTY_PATH)
        return actions

    def _toolchain(self) -> dict[str, Action]:
        dangerous = """
            ptrace process_vm_readv process_vm_writev keyctl add_key request_key bpf perf_event_open userfaultfd mount umount2
            pivot_root chroot unshare setns open_by_handle_at name_to_handle_at move_mount fsopen fsconfig fsmount open_tree
            mount_setattr reboot kexec_load kexec_file_load init_module finit_module delete_module clock_settime settimeofday
            adjtimex clock_adjtime sethostname setdomainname swapon swapoff quotactl acct syslog vhangup iopl ioperm seccomp
        """.split()
        actions: dict[str, Action] = dict.fromkeys(dangerous, _deny(errno.EPERM))
        absent = ("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3")
        actions |= dict.fromkeys(absent, _deny(errno.ENOSYS))
        actions |= dict.fromkeys(("socket", "connect", "bind", "listen"), _deny(errno.EACCES))
        actions["clone"] = Check(0, _deny(errno.EPERM), ALLOW, bits=CLONE_NEW_SPACES)
        actions["ioctl"] = Check(1, _deny(errno.EPERM), ALLOW, values=(0x5412, 0x541C))  # TIOCSTI, TIOCLINUX
        return actions

    def _rules(self) -> bytes:
        rules: Iterable[tuple[str, str]] = [
            ("u", "/dev/urandom"),
            ("u", "/dev/random"),
            ("n", "/dev/null"),
            *(("r", path) for path in self.readable),
            *(("s", path) for path in (*ABSENT, *self.absent)),
        ]
        return b"".join(kind.encode() + path.encode() + b"\0" for kind, path in rules)


# What C libraries look up by themselves: the time zone, the locale, the processors, the memory, the dynamic linker.
ABSENT = (
    "/etc/localtime", "/usr/share/zoneinfo/", "/usr/lib/locale/", "/usr/share/locale/", "/usr/lib/x86_64-linux-gnu/gconv/",
    "/usr/share/locale-langpack/", "/etc/ld.so.cache", "/etc/ld.so.preload", "/sys/devices/system/", "/sys/kernel/mm/",
    "/proc/stat", "/proc/cpuinfo", "/proc/meminfo", "/proc/self/", "/proc/sys/vm/", "/proc/sys/kernel/", "/dev/tty",
    "/etc/nsswitch.conf", "/sys/fs/cgroup/", "/proc/cgroups", "/usr/share/terminfo/", "/etc/terminfo/", "/lib/terminfo/",
)  # fmt: skip

STATIC = Policy("static")
"""One statically linked program: C, C++, Pascal. Opens nothing at all."""

PYTHON = Policy("python", readable=("/usr/", "/lib/", "/lib64/", "/box/"), probing=True,
                allow=("socketpair", "getsockname"))  # fmt: skip
"""CPython: reads its library and its own source."""

TOOLCHAIN = Policy("toolchain", confined=False)
"""Compilers, in a jail with a scratch folder. They start programs and write files, and are not accused of anything."""
