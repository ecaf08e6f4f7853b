"""Django's system checks: whether others can read what the portal keeps to itself. `manage.py doctor` reports them too.

The second one is part of `check --deploy` only, since it is about portals that strangers reach.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from games.toolchains import RECIPES

SYSTEM = "/usr"  # builds always see it, and bots at the sandbox level landlock


@register(Tags.security, "private")
def private(**_: Any) -> list[CheckMessage]:
    """Passwords, sessions and sources are readable by the portal's own user alone.

    If the worker is root, bots are other users, and the permissions of files keep them out. Otherwise they are the
    worker's own user: what is in a folder that they see is theirs to read, so nothing starts."""
    found: list[CheckMessage] = []
    for path, others, change in ((settings.VAR_DIR, 0o077, "go="), (settings.BASE_DIR / ".env", 0o007, "o=")):
        if path.exists() and (mode := stat.S_IMODE(path.stat().st_mode)) & others:
            found.append(Warning(f"{path} is open to other users (mode {mode:04o}): chmod {change} {path}"))
    if os.geteuid() == 0:
        return found
    shown = [Path(path).resolve() for path in (SYSTEM, *_tools())]
    for path in _secrets():
        folder = next((folder for folder in shown if path.is_relative_to(folder)), None)
        if folder is not None:
            found.append(
                Error(
                    f"{path} is below {folder}, which builds and bots can read, and they run as this user: passwords "
                    "and sources would be theirs. Move the installation to /srv, or set VAR_DIR to a folder there"
                )
            )
    return found


def _secrets() -> Iterator[Path]:
    yield Path(settings.VAR_DIR).resolve()
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        yield Path(database["NAME"]).resolve()


def _tools() -> list[str]:
    """Folders of this machine that some language shows to builds or bots."""
    seen = {path for recipe in RECIPES.values() for path in (*recipe.jailed.mounts, *recipe.jailed.tools)}
    return sorted(path for path in seen if not path.startswith(("/proc", "/dev")))


@register(Tags.security, deploy=True)
def address(**_: Any) -> list[CheckMessage]:
    """Strangers reach the portal through HTTPS, under its own name, and no page shows settings."""
    public, found = urlsplit(settings.PORTAL_URL), []
    if public.scheme == "http" and public.hostname not in ("localhost", "127.0.0.1", "::1"):
        found.append(f"{settings.PORTAL_URL} has no encryption: put a proxy with HTTPS in front, and set HTTPS=1")
    if public.scheme == "https" and not settings.HTTPS:
        found.append("PORTAL_URL is https, but HTTPS=1 is not set: cookies are not secure")
    if settings.DEBUG:
        found.append("DEBUG is on: errors show settings and sources to visitors")
    if "*" in settings.ALLOWED_HOSTS:
        found.append("ALLOWED_HOSTS has *: links in mails can be forged; name the portal's hosts")
    return [Warning(each) for each in found]
