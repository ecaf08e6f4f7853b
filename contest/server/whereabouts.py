"""Whether bots and builds could read what the portal keeps to itself, because of where it is installed."""

import os
from pathlib import Path

from django.conf import settings

from games.toolchains import RECIPES

SYSTEM = "/usr"  # builds always see it, and bots at the sandbox level landlock


def exposed() -> str:
    """What is wrong and what to do, in one line for the operator. Empty if nothing is.

    If the worker is root, bots are other users, and the permissions of files keep them out. Otherwise they are the
    worker's own user: what is in a folder that they see is theirs to read."""
    if os.geteuid() == 0:
        return ""
    shown = [Path(SYSTEM).resolve(), *(Path(path).resolve() for path in _tools())]
    for path in secrets():
        for folder in shown:
            if path.is_relative_to(folder):
                return (
                    f"{path} is below {folder}, which builds and bots can read, and they run as this user: passwords "
                    "and sources would be theirs. Move the installation to /srv, or set VAR_DIR to a folder there"
                )
    return ""


def secrets() -> list[Path]:
    """Where passwords, sessions and sources are."""
    found = [Path(settings.VAR_DIR)]
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        found.append(Path(database["NAME"]))
    return [path.resolve() for path in found]


def _tools() -> set[str]:
    """Folders of this machine that some language shows to builds or bots."""
    seen = {path for recipe in RECIPES.values() for path in (*recipe.jailed.mounts, *recipe.jailed.tools)}
    return {path for path in seen if not path.startswith(("/proc", "/dev"))}
