"""Whether this process runs a command that somebody started, such as a migration: those may take as long as they need.

The time-outs of the database are for processes that others wait for: the web server, workers and the portal's servers.
"""

import sys
from pathlib import Path

SERVERS = ("botserver", "casualserver", "worker")
"""Commands of manage.py that the portal starts itself."""


def runs_command(arguments: list[str] | None = None) -> bool:
    """Whether this is manage.py with a command that is not one of the portal's servers."""
    words = sys.argv if arguments is None else arguments
    return len(words) > 1 and Path(words[0]).name == "manage.py" and words[1] not in SERVERS


def restores() -> bool:
    """Whether this is `./run restore`, which brings a portal's secrets and must not make any before."""
    return runs_command() and sys.argv[1] == "restore"
