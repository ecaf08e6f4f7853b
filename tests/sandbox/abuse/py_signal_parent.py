"""Stop and kill whoever can be found.

expect: exit 0
landlock: violation kill
prints: 0 hit
"""

import os
import signal

hit = 0
for pid in range(3, 40_000):
    try:
        os.kill(pid, signal.SIGSTOP)
        hit += 1
    except ProcessLookupError:
        pass
print(hit, "hit")
