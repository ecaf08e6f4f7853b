"""How the environment is read: each variable may also stand in `.env`, or in a file that NAME_FILE names."""

import os
import secrets
from pathlib import Path


def read_dotenv(path: Path) -> None:
    """Load NAME=VALUE lines of a file into the environment, without overriding it."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        name, equals, value = line.strip().partition("=")
        if equals and not name.startswith("#"):
            os.environ.setdefault(name.strip(), value.strip().strip("\"'"))


def text(name: str, default: str = "") -> str:
    """NAME, or the content of the file NAME_FILE, or the default. Blank counts as not set."""
    path = os.environ.get(f"{name}_FILE")
    value = Path(path).read_text(encoding="utf-8") if path else os.environ.get(name, "")
    return value.strip() or default


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value in ("", "0", "1", "false", "true", "no", "yes", "off", "on"):
        return value in ("1", "true", "yes", "on") if value else default
    raise ValueError(f"{name} must be 1 or 0, not {value!r}")


def number(name: str, default: int) -> int:
    value = text(name)
    try:
        return int(value) if value else default
    except ValueError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None


def words(name: str, default: list[str]) -> list[str]:
    """Comma-separated values."""
    return [word.strip() for word in text(name).split(",") if word.strip()] or default


def kept_secret(path: Path, make: bool = True) -> str:
    """The secret in a private file, created on first use. Safe if two processes start at once. Unless it is to `make`
    the file, a process has a secret of its own where there is none."""
    if not make and not path.exists():
        return secrets.token_urlsafe(50)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(50))
    return path.read_text(encoding="utf-8")
