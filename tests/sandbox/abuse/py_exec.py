"""Become another program.

expect: violation execve /usr/bin/id
"""

import os

os.execv("/usr/bin/id", ["id"])
