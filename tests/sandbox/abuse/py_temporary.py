"""Keep notes in /tmp.

expect: violation openat /tmp/notes
"""

import os

os.open("/tmp/notes", os.O_CREAT | os.O_RDWR)
