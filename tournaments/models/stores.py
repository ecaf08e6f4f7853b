"""Where the bytes of a record lie: in its row, in the file system, or in object storage that speaks S3.

This is the one place that knows. Names are made of the match and of the digest of the record, so bytes under a name
never change, and whoever writes them twice writes the same. The stores are Django's storages of settings.STORAGES.
"""

from __future__ import annotations

import re
from datetime import datetime

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from contest.kept import OutOfReach
from contest.server.complaints import complain, content

ROW, FILES, OBJECTS = "row", "files", "objects"
IN_A_FOLDER = 1000
NAME = re.compile(r"\d+-[0-9a-f]{32}\.json\.zst")
AWAY = "This record cannot be reached at the moment: the storage of records does not answer."


def name_of(match_id: int, sha256: str) -> str:
    """A thousand records in a folder, so that a file system can list them."""
    return f"{match_id // IN_A_FOLDER:06}/{match_id}-{sha256[:32]}.json.zst"


def read(store: str, name: str) -> bytes:
    """Raises OutOfReach."""
    try:
        with _storage(store).open(name) as file:
            data: bytes = file.read()
    except Exception as error:  # of the file system, of boto3, or of the network
        raise _away(store, error) from error
    content(f"records in {store}")
    return data


def write(store: str, name: str, data: bytes) -> None:
    """Write, read it back and compare. Raises OutOfReach."""
    storage = _storage(store)
    try:
        if store == FILES and storage.exists(name):  # left by a process that was killed
            storage.delete(name)
        if storage.save(name, ContentFile(data)) != name:
            raise OSError(f"{name} exists already")
    except Exception as error:
        raise _away(store, error) from error
    if read(store, name) != data:
        raise _away(store, OSError(f"{name} came back changed"))


def delete(store: str, name: str) -> None:
    """Delete, whether it is there or not. Raises OutOfReach."""
    try:
        _storage(store).delete(name)
    except Exception as error:
        raise _away(store, error) from error


def folders(store: str) -> list[str]:
    """The folders in which names are. Raises OutOfReach."""
    return [name for name in _listed(store, "")[0] if name.isdecimal()]


def names(store: str, folder: str) -> list[str]:
    """The names in a folder that `name_of` has made. Raises OutOfReach."""
    return [f"{folder}/{name}" for name in _listed(store, folder)[1] if NAME.fullmatch(name)]


def modified(store: str, name: str) -> datetime:
    """Raises OutOfReach."""
    try:
        return _storage(store).get_modified_time(name)
    except Exception as error:
        raise _away(store, error) from error


def _listed(store: str, folder: str) -> tuple[list[str], list[str]]:
    try:
        inside, files = _storage(store).listdir(folder)
    except FileNotFoundError:  # nothing was ever written
        return [], []
    except Exception as error:
        raise _away(store, error) from error
    return inside, files


def wanted() -> str:
    """Where records are to lie, by the settings."""
    return str(settings.RECORDS_STORE)


def check(store: str) -> None:
    """Raises OutOfReach if the settings have no such store."""
    if store != ROW and store not in settings.STORAGES:
        raise OutOfReach("The settings name no bucket: RECORDS_BUCKET.")


def _storage(store: str) -> Storage:
    return storages[store]


def _away(store: str, error: Exception) -> OutOfReach:
    complain(f"records in {store}", f"records in {store} cannot be reached: {type(error).__name__}: {error}")
    return OutOfReach(AWAY)
