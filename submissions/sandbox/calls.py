"""The system calls by what they do, and the constants in their arguments. What follows from them is in policy.py."""

from __future__ import annotations

import errno
import socket


def names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# ---- the calls ------------------------------------------------------------------------------------------------------

# Computing, its own memory, its own descriptors, time, signals: what every program does.
COMPUTING = names("""
    read write readv writev pread64 pwrite64 preadv pwritev close close_range fstat lseek mmap mprotect munmap brk
    mremap rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend
    sigaltstack poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
    eventfd eventfd2 nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times getrusage getpid
    gettid getppid getpgid getpgrp getsid setsid setpgid getuid geteuid getgid getegid getresuid getresgid getgroups
    getrandom exit exit_group tgkill tkill kill set_robust_list get_robust_list set_tid_address rseq
    arch_prctl prlimit64 getrlimit setrlimit uname sched_yield sched_getaffinity sched_getparam
    sched_getscheduler sched_get_priority_max sched_get_priority_min getpriority dup dup2 dup3 getcwd
    restart_syscall pause alarm setitimer getitimer timer_settime timer_gettime timer_delete
    timer_getoverrun timerfd_create timerfd_settime timerfd_gettime wait4 waitid recvmsg sendmsg sendto getdents64
    getcpu capget umask sendfile getsockname getpeername
""")

# Looking for files without opening them: the answer is always that they do not exist.
PROBING = names("""
    stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getxattr lgetxattr
    fgetxattr listxattr llistxattr
""")

# Those with a path; the value is its argument.
LOOKUPS = {
    "stat": 0, "lstat": 0, "newfstatat": 1, "statx": 1, "access": 0, "faccessat": 1, "faccessat2": 1, "readlink": 0,
    "readlinkat": 1, "statfs": 0, "getxattr": 0, "lgetxattr": 0, "listxattr": 0, "llistxattr": 0,
}  # fmt: skip

# Calls whose path is worth reporting; the value is its argument.
PATHS = {
    "open": 0, "creat": 0, "truncate": 0, "mkdir": 0, "rmdir": 0, "unlink": 0, "rename": 0, "link": 0, "symlink": 0,
    "chmod": 0, "chown": 0, "lchown": 0, "mknod": 0, "chdir": 0, "chroot": 0, "utime": 0, "utimes": 0, "execve": 0,
    "mount": 1, "umount2": 0, "pivot_root": 0, "swapon": 0, "acct": 0, "setxattr": 0, "openat": 1, "openat2": 1,
    "mkdirat": 1, "unlinkat": 1, "renameat": 1, "renameat2": 1, "linkat": 1, "symlinkat": 2, "fchmodat": 1,
    "fchownat": 1, "mknodat": 1, "utimensat": 1, "futimesat": 1, "execveat": 1, "name_to_handle_at": 1,
    "inotify_add_watch": 1, "fanotify_mark": 4, "open_tree": 1, "fspick": 1, "shm_open": 0, "mq_open": 0,
}  # fmt: skip
OPEN_FLAGS = {"open": 1, "openat": 2}
# Calls with a socket address, which is also worth reporting; its length is the next argument.
ADDRESSES = {"connect": 1, "bind": 1, "sendto": 4}
# Instead of an argument number, as in init/jail.h:
NONE, ADDRESS, PLACEHOLDER, LOOKUP, CONNECT, THREAD, SHARED, ABOUT = 255, 254, 253, 252, 251, 250, 249, 244
OWN, CLOCK, COUNTED, SYSINFO, PAIRS, BIND, OPENED, OWN_NAME, MESSAGE = 248, 247, 246, 245, 243, 242, 241, 240, 239

# Disk, network, other programs, other processes, the machine: reported.
HOSTILE = names("""
    fchdir fchmod fchown ftruncate fallocate flock socket socketpair connect bind listen accept accept4 recvfrom
    recvmmsg sendmmsg setsockopt shutdown fork vfork ptrace process_vm_writev
    process_madvise pidfd_open pidfd_getfd pidfd_send_signal kcmp shmget shmat shmctl shmdt msgget msgsnd msgrcv
    msgctl semget semop semctl semtimedop mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr memfd_create
    memfd_secret userfaultfd io_uring_setup io_uring_enter io_uring_register io_setup io_submit keyctl add_key
    request_key bpf perf_event_open unshare setns open_by_handle_at move_mount fsopen fsconfig fsmount mount_setattr
    reboot kexec_load kexec_file_load init_module finit_module delete_module clock_settime clock_adjtime settimeofday
    adjtimex sethostname setdomainname swapoff quotactl syslog vhangup iopl ioperm nfsservctl lookup_dcookie
    inotify_init inotify_init1 fanotify_init landlock_create_ruleset seccomp
""")

# Never needed by toolchains: denied softly.
DANGEROUS = names("""
    ptrace process_vm_readv process_vm_writev keyctl add_key request_key bpf perf_event_open userfaultfd mount
    umount2 pivot_root chroot unshare setns open_by_handle_at name_to_handle_at move_mount fsopen fsconfig
    fsmount open_tree mount_setattr reboot kexec_load kexec_file_load init_module finit_module delete_module
    clock_settime settimeofday adjtimex clock_adjtime sethostname setdomainname swapon swapoff quotactl acct
    syslog vhangup iopl ioperm seccomp
""")

# Known, harmless to refuse, and made by honest runtimes: these get their own errno. Others get EPERM.
SOFT = {
    "clone3": errno.ENOSYS, "rseq_slice_yield": errno.ENOSYS, "set_mempolicy": errno.ENOSYS, "mbind": errno.ENOSYS,
    "get_mempolicy": errno.ENOSYS, "setpriority": errno.EPERM, "sched_setaffinity": errno.EPERM,
    "sched_setscheduler": errno.EPERM, "sched_setparam": errno.EPERM, "mlock": errno.EPERM, "pkey_alloc": errno.ENOSPC,
    # What two bots can see of each other: which pages of a file are in memory, how full a disk is, when it was written.
    # Advice is accepted without effect; 0 is success.
    "fadvise64": 0, "readahead": 0, "mincore": errno.ENOSYS, "cachestat": errno.ENOSYS, "statfs": errno.ENOSYS,
    "fstatfs": errno.ENOSYS, "sync": 0, "syncfs": errno.EINVAL, "fsync": errno.EINVAL, "fdatasync": errno.EINVAL,
    "sync_file_range": errno.EINVAL, "futex_waitv": errno.ENOSYS,
}  # fmt: skip

MADV_WILLNEED = 3
ADVICE = (0, 1, 2, 4, 8, 10, 11, 13, 14, 15, 16, 17, 18, 19, 22, 23, 102, 103)
"""What a program may tell the kernel of its own memory (`madvise`): nothing that moves a file's pages out (COLD,
PAGEOUT, COLLAPSE, REMOVE) or compares pages with those of others (MERGEABLE)."""
MEMBARRIER = (0, 8, 16, 32, 64)
"""Barriers within the process (`membarrier`). The global ones interrupt others, or wait for them."""
MS_ASYNC = 1
FUTEX_PRIVATE, FUTEX_WAIT = 128, (0, 9, 256 | 9)
"""A futex that is not private may be on a page of a file, and others wait there. `pthread_join` only waits."""
SO_SNDBUF, SO_SNDBUFFORCE, SO_LINGER, SO_PASSPIDFD = 7, 32, 13, 76
HIDDEN_OPTIONS = (49, 55, 56, 57, 71, 77)
"""Options of sockets that tell of the machine: SO_INCOMING_CPU, SO_MEMINFO, SO_INCOMING_NAPI_ID, both cookies,
SO_PEERPIDFD."""
NUMBERED = names("pipe pipe2 socketpair timer_create")
"""Calls that create a thing with a number of the whole machine (an inode), or one of few for all programs of a user."""
CLOCKS = (*range(12), -2, -6)
"""Clocks of everybody, and those of the calling thread and process. Others are of another thread or process."""
OF_A_PROCESS = {
    "getpgid": 0, "getsid": 0, "getpriority": 1, "sched_getaffinity": 0, "sched_getparam": 0, "sched_getscheduler": 0,
    "get_robust_list": 0,
}  # fmt: skip
"""Calls that tell something about any process; the value is the argument that names it. 0 is the caller."""
TIMED = {"clock_gettime": 0, "clock_getres": 0, "clock_nanosleep": 0}
"""Calls that read any process's clock; the value is the argument that names it."""

CLONE_PIDFD, CLONE_THREAD, CLONE_NEW_SPACES = 0x1000, 0x00010000, 0x7E020000
PROGRAM_FD = 900  # as in init/jail.h
NOTIFICATIONS = (0xC0502100, 0xC0182101, 0x40082102, 0x40182103)  # SECCOMP_IOCTL_NOTIF_RECV, SEND, ID_VALID, ADDFD
TERMINAL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
FCNTL = (0, 1, 2, 3, 4, 1030, 1032)  # DUPFD GETFD SETFD GETFL SETFL DUPFD_CLOEXEC GETPIPE_SZ: no locks, no leases
MSG_FASTOPEN = 0x20000000
PRCTL = (1, 2, 3, 15, 16, 23, 0x53564D41)  # PDEATHSIG, DUMPABLE, NAME, CAPBSET_READ, SET_VMA: no seccomp, no caps
AT_EMPTY_PATH = 0x1000
MAP_SHARED, MAP_ANONYMOUS, MAP_HUGETLB = 0x1, 0x20, 0x40000
STREAMS = tuple(socket.SOCK_STREAM | flags for flags in (0, 0x800, 0x80000, 0x80800))  # NONBLOCK, CLOEXEC
SIGKILL, SIGCHLD, REAL_TIME = 9, 17, 0x60  # any of these bits is set in signals from 32 on
SIGNALS = {"kill": 1, "tkill": 1, "tgkill": 2}
"""Calls that send a signal; the value is the argument that says which."""
RLIMIT_CPU = 0

# Calls by which process 1 does without namespaces what they do, with room for the secret.
OURS_AMONG_OTHERS = names("""
    openat openat2 readlinkat newfstatat faccessat2 fstatfs landlock_restrict_self connect socket execve kill
    clock_gettime fchmodat
""")
# Calls by which it answers for what a bot has open.
OURS_ABOUT_OPEN = names("pidfd_getfd newfstatat getsockname")

LAST = 451
"""The last call that this code knows (cachestat). A toolchain does not get newer ones: each may be a new form of one
that is refused, as fchmodat2 is of chmod."""

# What a build must not do among the host's files and processes, and Landlock does not forbid. Compilers do without.
REFUSED_AMONG_OTHERS = {
    **dict.fromkeys(names("setxattr lsetxattr removexattr lremovexattr"), errno.EOPNOTSUPP),
    **dict.fromkeys(names("chown lchown fchownat utime utimes futimesat truncate"), errno.EPERM),
    **dict.fromkeys(names("openat2"), errno.ENOSYS),  # how it opens is in memory, where it could change
    **dict.fromkeys(names("inotify_init inotify_init1 fanotify_init"), errno.EMFILE),
    **dict.fromkeys(names("rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal pidfd_getfd kcmp"), errno.EPERM),
    **dict.fromkeys(names("setpriority ioprio_set sched_setaffinity sched_setscheduler sched_setparam"), errno.EPERM),
    **dict.fromkeys(names("sched_setattr process_madvise process_mrelease migrate_pages move_pages"), errno.EPERM),
    **dict.fromkeys(names("shmctl msgctl semctl semtimedop mq_unlink"), errno.EPERM),
}
F_SETOWN, F_SETSIG, F_SETOWN_EX, FIOSETOWN, SIOCSPGRP = 8, 10, 15, 0x8901, 0x8902
"""What makes the kernel send a signal to others when a file is ready."""

# Memory that belongs to no process, so that only a control group sees all of it.
NOBODYS = {
    "memfd_create": errno.ENOSYS, "memfd_secret": errno.ENOSYS, "shmget": errno.ENOSYS, "shmat": errno.ENOSYS,
    "msgget": errno.ENOSYS, "msgsnd": errno.ENOSYS, "semget": errno.ENOSYS, "mq_open": errno.ENOSYS,
}  # fmt: skip
