"""Signal to another bot that was built from the same source, by a lock on the file of both.

expect: violation flock
"""

import fcntl

fcntl.flock(open(__file__), fcntl.LOCK_EX)
