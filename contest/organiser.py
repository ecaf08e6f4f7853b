"""The first organiser: a superuser that is created while the portal has none."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.hashers import check_password
from django.db.models import Q

from contest.models import User

NAME = "organiser"


COMMON = ("organiser", "admin", "administrator", "password", "kibitz", "changeme", "secret", "demo", "test", "12345678")
"""Passwords that installers and demonstrations like to set."""


@dataclass(frozen=True, slots=True)
class Account:
    """The account to show at the start. `password` is set only if it was just generated."""

    name: str
    password: str | None
    kept_in: Path | None  # holds the generated password, while it is still valid

    def __str__(self) -> str:
        if self.password:
            return f"{self.name}   password: {self.password}   (kept in {self.kept_in})"
        return f"{self.name}   password: see {self.kept_in}" if self.kept_in else self.name


def ensure(file: Path) -> Account:
    """Create the first organiser if there is no superuser. Its generated password is kept in this file."""
    user = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if user is not None:
        kept = file.read_text(encoding="utf-8").split() if file.is_file() else []
        still_right = len(kept) == 4 and user.username == kept[1] and user.check_password(kept[3])
        return Account(user.username, None, file if still_right else None)
    password = secrets.token_urlsafe(12)
    name = NAME if not User.objects.filter(username=NAME).exists() else f"{NAME}-{secrets.token_hex(3)}"
    # Written first: losing the password would lock everyone out.
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(f"user: {name}\npassword: {password}\n")
    User.objects.create_superuser(name, password=password)
    return Account(name, password, file)


def with_weak_passwords() -> list[str]:
    """Names of active administrators and staff whose password is common or their own name."""
    people = User.objects.filter(Q(is_superuser=True) | Q(is_staff=True), is_active=True).order_by("pk")[:10]
    return [
        user.username
        for user in people  # `user.check_password` would also write a newer digest
        if user.has_usable_password() and any(check_password(it, user.password) for it in {*COMMON, user.username})
    ]
