"""Find bytes in the stores of records that no row names: of matches that were deleted together with their contest.

The database deletes rows by cascade and knows of no store. Nothing here deletes by itself, because two portals may
share a bucket by mistake, and a database restored from an old backup does not name the newest records.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from tournaments.models import PrunedRecord, Record, stores
from tournaments.models.stores import IN_A_FOLDER

RESTS = timedelta(hours=1)  # a record that is being moved is in its store before its row says so


def forgotten(store: str, now: datetime) -> Iterator[str]:
    """Names in a store that no row has, and that are not new. Raises OutOfReach."""
    for folder in stores.folders(store):
        found = stores.names(store, folder)  # before the rows are read, so every name has its row if it has one at all
        known = named(store, int(folder))
        yield from (name for name in found if name not in known and stores.modified(store, name) < now - RESTS)


def named(store: str, folder: int) -> set[str]:
    """The names in a folder that rows have."""
    first = folder * IN_A_FOLDER
    within = {"match__gte": first, "match__lt": first + IN_A_FOLDER}
    kept = Record.objects.filter(**within, store=store).values_list("match", "sha256")
    left = PrunedRecord.objects.filter(**within, left=store).values_list("match", "sha256")
    return {stores.name_of(match, sha256) for match, sha256 in kept.union(left)}
