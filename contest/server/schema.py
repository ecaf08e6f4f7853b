"""Whether the database has the shape that this code expects, and how old code and new data tell each other apart.

The shape is the set of applied migrations of the portal's own apps. Its fingerprint is short enough to read aloud.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

Migration = tuple[str, str]
"""App and name."""

ENTRANCE = "6030adb2"
"""The last commit that still had the migrations that the present ones replace."""


@dataclass(frozen=True, slots=True)
class Schema:
    """`to_apply`: migrations that this code has and the database lacks. `unknown`: the other way round."""

    fingerprint: str
    to_apply: tuple[Migration, ...]
    unknown: tuple[Migration, ...]

    @property
    def fits(self) -> bool:
        return not self.to_apply and not self.unknown

    def trouble(self, release: str) -> str:
        """What is wrong and what to do, for the operator of a worker with this release. Empty if nothing is."""
        if self.to_apply and self.unknown:
            return (
                f"This code (release {release}) and the database come from different branches: the database lacks "
                f"{_named(self.to_apply)} and has {_named(self.unknown)}. Check out the portal's own release here."
            )
        if self.to_apply:
            return (
                f"This code (release {release}) is newer than the portal's database, which lacks "
                f"{_named(self.to_apply)}. Upgrade the portal first, or check out its release here."
            )
        if self.unknown:
            return (
                f"This code (release {release}) is older than the portal's database, which already has "
                f"{_named(self.unknown)}. Check out the portal's release here."
            )
        return ""


def _named(migrations: tuple[Migration, ...]) -> str:
    first = ".".join(migrations[0])
    return first if len(migrations) == 1 else f"{first} and {len(migrations) - 1} more"


def own_apps() -> set[str]:
    """The labels of the portal's own apps. Django's and other people's do not decide whether a worker fits."""
    return {name for name in settings.INSTALLED_APPS if "." not in name and (settings.BASE_DIR / name).is_dir()}


def expected() -> set[Migration]:
    """The migrations of this code."""
    return {key for key in MigrationLoader(None).disk_migrations if key[0] in own_apps()}


def replaced() -> set[Migration]:
    """The migrations of commit `ENTRANCE`. A database that has all of them needs none of those in their place."""
    return {key for migration in MigrationLoader(None).disk_migrations.values() for key in migration.replaces}


def is_too_old(applied: Collection[Migration]) -> bool:
    """Whether a database with these migrations is older than commit `ENTRANCE`, so that this code cannot upgrade it.

    An empty database whose first upgrade was interrupted is not."""
    disk = MigrationLoader(None).disk_migrations.values()
    return any(0 < len({*applied} & {*each.replaces}) < len(each.replaces) for each in disk)


def fingerprint(migrations: Iterable[Migration]) -> str:
    """Twelve letters and digits, the same for the same migrations."""
    text = "\n".join(sorted(".".join(each) for each in migrations))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def compare() -> Schema:
    """This code and the database. Raises DatabaseError if the database does not answer."""
    loader = MigrationLoader(connection)
    ours = {key for key in loader.disk_migrations or () if key[0] in own_apps()}
    # A migration that replaces others counts as applied when all of them are.
    applied = {key for key in loader.applied_migrations or () if key[0] in own_apps()} - replaced()
    return Schema(fingerprint(applied), tuple(sorted(ours - applied)), tuple(sorted(applied - ours)))
