"""Look for secrets.

expect: exit 0

landlock: exit 0
prints: ['HOME', 'LC_ALL', 'OPENBLAS_NUM_THREADS', 'PATH', 'TZ'] 1000 False False False
"""

import os

print(sorted(os.environ), os.getuid(), os.path.exists("/etc/passwd"), os.path.exists("/home"), os.path.exists("/proc"))
