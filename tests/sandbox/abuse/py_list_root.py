"""Look around.

expect: violation openat /
"""

import os

print(os.listdir("/"))
