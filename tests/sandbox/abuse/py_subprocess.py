"""Run a command.

expect: violation vfork
"""

import subprocess

subprocess.run(["/usr/bin/id"])
