"""How a command was called, and what its worker processes share."""

from __future__ import annotations

import os
import signal
import sys


def program() -> str:
    """How the command line was called: as a zip application, as the installed command, or as a module."""
    name = os.path.basename(sys.argv[0])
    if name.endswith(".pyz"):
        return f"python3 {sys.argv[0]}"
    return "kibitz" if name == "kibitz" else "python3 -m games"


def end_when_interrupted() -> None:
    """Let Ctrl-C end a worker at once, without a trace."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
