"""What `kibitz` remembers: portals with their tokens, the chosen contest, uploads without an answer.

Tokens are in one file that only its owner can read.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from games.portal.trouble import Trouble

FOLDER_FILE = ".kibitz"
"""Beside a bot's source: the contest, and the portal, that commands in this folder are about."""
KEPT_KEY = 86_400.0
"""Seconds for which a portal knows the key of a request."""


def cache_folder() -> Path:
    return _folder("XDG_CACHE_HOME", ".cache")


def _folder(variable: str, default: str) -> Path:
    named = os.environ.get(variable, "")
    base = Path(named) if named and Path(named).is_absolute() else Path.home() / default
    return base / "kibitz"


def tokens_file() -> Path:
    return _folder("XDG_CONFIG_HOME", ".config") / "portals.json"


class Store:
    """The portals that somebody has logged in to."""

    def __init__(self) -> None:
        self.path = tokens_file()
        self.data: dict[str, Any] = {"current": "", "portals": {}}
        with suppress(FileNotFoundError):
            text = self.path.read_text(encoding="utf-8")
            if os.name == "posix" and self.path.stat().st_mode & 0o077:
                print(f"kibitz: others could read {self.path}; it is private again", file=sys.stderr)
                self.path.chmod(0o600)
            try:
                found = json.loads(text)
                self.data = {"current": str(found["current"]), "portals": dict(found["portals"])}
            except (ValueError, KeyError, TypeError):
                hint = f"Delete {self.path} and log in again."
                raise Trouble(f"{self.path} cannot be read: it is damaged.", hint, code="damaged") from None

    @property
    def current(self) -> str:
        return str(self.data["current"])

    @property
    def portals(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = self.data["portals"]
        return found

    def find(self, name: str) -> str | None:
        """The address of a portal that is named by it or by a part of it. Raises Trouble if several are."""
        if name in self.portals:
            return name
        found = [address for address in self.portals if name and name in address]
        if len(found) > 1:
            raise Trouble(f"“{name}” may be {' or '.join(found)}.", "Write more of its address.", code="ambiguous")
        return found[0] if found else None

    def remember(self, address: str, **values: Any) -> None:
        """Store values of a portal and make it the current one."""
        self.data["portals"] = self.portals | {address: {**self.portals.get(address, {}), **values}}
        self.data["current"] = address
        self.save()

    def forget(self, address: str) -> None:
        self.portals.pop(address, None)
        if self.current == address:
            self.data["current"] = next(iter(self.portals), "")
        self.save()

    def save(self) -> None:
        write_private(self.path, json.dumps(self.data, indent=2, ensure_ascii=False) + "\n")


def write_private(path: Path, text: str) -> None:
    """Replace a file in one step. Only its owner can read it, from its first byte on."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # with mode 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


# The folder of a bot --------------------------------------------------------------------------------------------------


def folder_settings() -> dict[str, str]:
    """`contest` and `portal` from the nearest `.kibitz`, in the folder or one above it."""
    here = Path.cwd().resolve()
    for folder in (here, *here.parents):
        path = folder / FOLDER_FILE
        if path.is_file():
            return _settings(path)
        if folder == Path.home():
            break
    return {}


def _settings(path: Path) -> dict[str, str]:
    found = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        name, equals, value = line.partition("#")[0].partition("=") if "=" in line else (line, "", "")
        if equals:
            found[name.strip().lower()] = value.strip()
    if unknown := found.keys() - {"contest", "portal"}:
        hint = "It has lines such as “contest = spring-cup” and “portal = https://portal.example”."
        raise Trouble(f"{path} has an unknown setting “{sorted(unknown)[0]}”.", hint, code="bad_file")
    return found


def write_folder_settings(**values: str) -> Path:
    path = Path.cwd() / FOLDER_FILE
    path.write_text("".join(f"{name} = {value}\n" for name, value in values.items() if value), encoding="utf-8")
    return path


# What may be lost -----------------------------------------------------------------------------------------------------


def remembered(name: str, fresh: float) -> Any:
    """A value from the cache, or None if it is older than this many seconds or not there."""
    path = cache_folder() / f"{name}.json"
    try:
        if time.time() - path.stat().st_mtime <= fresh:
            return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        pass
    return None


def keep(name: str, value: Any) -> None:
    """Put a value into the cache. None takes it out. A cache that cannot be written is none."""
    path = cache_folder() / f"{name}.json"
    with suppress(OSError):
        if value is None:
            path.unlink(missing_ok=True)
        else:
            write_private(path, json.dumps(value))
