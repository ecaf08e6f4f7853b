"""Fork for ever.

expect: violation clone
"""

import os

while True:
    os.fork()
