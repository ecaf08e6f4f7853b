"""What strangers, and other users of this machine, could reach: findings for `manage.py doctor`."""

from __future__ import annotations

import ipaddress
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings

from contest.server import privacy
from contest.server.health import Finding

OLD_KEY = 2 * 365 * 86_400.0  # seconds
SHOWN = 3  # paths in one line
WEAK = {"", "kibitz", "postgres", "redis", "password", "secret", "changeme"}


def findings() -> Iterator[Finding]:
    """All of them, which need no running portal."""
    yield files()
    yield address()
    yield switches()
    yield key()
    yield from services()


def files() -> Finding:
    """Whether other users of this machine can read what the portal has written, or its settings."""
    faults = privacy.faults(settings.VAR_DIR)
    secret = privacy.open_secret(settings.BASE_DIR / ".env")
    if faults or secret:
        more = f" and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        told = [*faults[:SHOWN], *([secret] if secret else [])]
        return Finding("private", False, f"{'; '.join(told)}{more}. Starting the portal closes {settings.VAR_DIR}")
    note = settings.VAR_DIR / privacy.NOTE
    if note.exists():
        return Finding("private", True, f"was readable by other users once: see {note}", doubtful=True)
    return Finding("private", True, f"nobody else can read {settings.VAR_DIR}")


def address() -> Finding:
    """Whether passwords travel over a network without encryption."""
    with suppress(OSError):
        told = (settings.VAR_DIR / "run" / "address").read_text(encoding="utf-8").strip()
        if exposed := unprotected(told):
            return Finding("address", True, exposed, doubtful=True)
    public = urlsplit(settings.PORTAL_URL)
    if public.hostname and public.scheme != "https" and not _is_here(public.hostname):
        detail = f"{settings.PORTAL_URL} has no encryption: put a proxy with HTTPS in front, and set HTTPS=1"
        return Finding("address", True, detail, doubtful=True)
    if public.scheme == "https" and not settings.HTTPS:
        return Finding("address", True, "PORTAL_URL is https, but HTTPS=1 is not set: cookies are not secure", True)
    return Finding("address", True, "behind HTTPS" if settings.HTTPS else "for this machine alone")


def unprotected(host: str) -> str:
    """Why listening on this address is unsafe, without a full stop. Blank: it is not."""
    if settings.DEBUG and not _is_here(host):
        return f"it listens on {host}, and DEBUG shows settings and sources to every visitor: set DEBUG=0"
    if settings.HTTPS and not _is_here(host):
        return f"it listens on {host}, so visitors can go past the proxy: use --host 127.0.0.1, or a firewall"
    if not _is_here(host):
        return f"it listens on {host} without HTTPS, so the network can read passwords: put a proxy with HTTPS in front"
    return ""


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def switches() -> Finding:
    found = []
    if settings.DEBUG:
        found.append("DEBUG is on: errors show settings and sources to visitors")
    if "*" in settings.ALLOWED_HOSTS:
        found.append("ALLOWED_HOSTS has *: links in mails can be forged; name the portal's hosts")
    return Finding("settings", True, "; ".join(found) or "nothing that is for development only", doubtful=bool(found))


def key() -> Finding:
    """The file of the secret key. Its mode is `files`' concern."""
    file = settings.VAR_DIR / "secret_key"
    if not file.is_file():
        return Finding("key", True, "SECRET_KEY is set")
    age = time.time() - file.stat().st_mtime
    if age > OLD_KEY:
        years = age / (365 * 86_400)
        detail = f"{file} is {years:.0f} years old: delete it and start again for a new one; everybody is logged out"
        return Finding("key", True, detail, doubtful=True)
    return Finding("key", True, f"{file}")


def services() -> Iterator[Finding]:
    """Databases that other users of this machine, or of the network, can reach."""
    if reason := open_database(settings.DATABASES["default"]):
        yield Finding("database", True, reason, doubtful=True)
    for url in dict.fromkeys(filter(None, (settings.REDIS_URL, settings.CACHE_URL))):
        if reason := _open_server(url):
            yield Finding("broker", True, reason, doubtful=True)
    if not settings.REDIS_URL:
        folder = settings.BROKER_SOCKET.parent
        if folder.exists() and stat.S_IMODE(folder.stat().st_mode) & privacy.OTHERS:
            yield Finding("broker", False, f"{folder} is open to others: chmod 700 {folder}")


def open_database(database: Mapping[str, Any]) -> str:
    """Why others can use a PostgreSQL server with these settings. Blank: they cannot, as far as these tell."""
    host, password = str(database.get("HOST") or ""), str(database.get("PASSWORD") or "")
    if not database["ENGINE"].endswith("postgresql") or not host or host.startswith("/"):
        return ""
    if password.lower() in WEAK | {str(database.get("USER")).lower()}:
        what = "a weak" if password else "no"
        return f"PostgreSQL at {host} has {what} password: whoever reaches its port reads everything"
    return ""


def _open_server(url: str) -> str:
    """Why a Redis server can be used by others. Blank: it cannot, as far as its address tells."""
    parts = urlsplit(url)
    if parts.scheme in ("unix", "redis+socket"):
        file = Path(unquote(parts.path))
        with suppress(OSError):
            if stat.S_IMODE(file.stat().st_mode) & 0o007 and privacy.is_reachable(file.parent):
                return f"{file} can be used by every user of this machine: chmod o= {file}"
        return ""
    if (parts.password or "").lower() in WEAK:
        what = "a weak" if parts.password else "no"
        return f"Redis at {parts.hostname} has {what} password: whoever reaches its port can run code as the portal"
    return ""
