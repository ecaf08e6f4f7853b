"""Fork for ever.

expect: violation clone another process
"""

import os

while True:
    os.fork()
