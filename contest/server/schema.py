"""Whether the database has the shape that this code expects."""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from contest.version import RELEASE

Migration = tuple[str, str]
"""App and name."""

ENTRANCE = "6030adb2"
"""The last commit that still had the migrations that the present ones replace."""


def trouble() -> str:
    """What is wrong and what to do. Blank if nothing is. Raises DatabaseError if the database does not answer."""
    loader = MigrationLoader(connection)
    apps = {name for name in settings.INSTALLED_APPS if "." not in name and (settings.BASE_DIR / name).is_dir()}
    known, applied = set(loader.disk_migrations or ()), set(loader.applied_migrations or ()) - replaced()
    if unknown := sorted(key for key in applied - known if key[0] in apps):  # other packages may join old ones
        return (
            f"This code (release {RELEASE}) is older than the portal's database, which has {'.'.join(unknown[0])}. "
            "Check out the portal's release here."
        )
    if missing := sorted(known - applied):
        return (
            f"This code (release {RELEASE}) is newer than the portal's database, which lacks {'.'.join(missing[0])}. "
            "Upgrade the portal by starting ./run, or check out its release here."
        )
    return ""


def replaced() -> set[Migration]:
    """The migrations of commit `ENTRANCE`. A database that has all of them needs none of those in their place."""
    return {key for migration in MigrationLoader(None).disk_migrations.values() for key in migration.replaces}


def is_too_old(applied: Collection[Migration]) -> bool:
    """Whether a database with these migrations is older than commit `ENTRANCE`, so that this code cannot upgrade it.

    An empty database whose first upgrade was interrupted is not."""
    disk = MigrationLoader(None).disk_migrations.values()
    return any(0 < len({*applied} & {*each.replaces}) < len(each.replaces) for each in disk)
