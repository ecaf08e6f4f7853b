"""The same by a lock of the other kind, and by a lease.

expect: exit 0
prints: refused refused
"""

import fcntl


def attempt(action) -> str:
    try:
        action()
    except PermissionError:
        return "refused"
    return "LOCKED"


file = open(__file__, "rb")
lock = attempt(lambda: fcntl.lockf(file, fcntl.LOCK_SH))
print(lock, attempt(lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)))
