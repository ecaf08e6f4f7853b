"""What is kept, where, and for how long: backups (contest/server/backups.py) and the records of matches."""

from pathlib import Path
from typing import Any

from contest.settings.base import VAR_DIR
from contest.settings.environment import flag, number, text, words
from contest.settings.web import STORAGES as OTHER_STORAGES
from contest.settings.work import MORE_CHECKS as OTHER_CHECKS

# Backups --------------------------------------------------------------------------------------------------------------

BACKUP_EVERY = number("BACKUP_EVERY", 0)  # hours; 0: only by hand
BACKUP_FOLDER = Path(text("BACKUP_FOLDER", str(VAR_DIR / "backups")))
BACKUP_KEEP = max(1, number("BACKUP_KEEP", 7))  # how many of the schedule's backups
BACKUP_RECIPIENTS = words("BACKUP_RECIPIENTS", [])  # public keys of age
BACKUP_ENCRYPT = flag("BACKUP_ENCRYPT", bool(BACKUP_RECIPIENTS))  # those of the schedule
if BACKUP_EVERY:
    OTHER_CHECKS.append("contest.server.backups.finding")

# What follows a restored backup: a command that checks records, ratings and ledgers.
RESTORE_CHECKED_BY = ["audit"]

# Records --------------------------------------------------------------------------------------------------------------

# Where the bytes of records are kept (tournaments/models/records.py): "row", "files" or "objects". A record is first
# written with its result, into the database, and moved later, so that no result waits for another store.
RECORDS_STORE = text("RECORDS_STORE", "row")
RECORDS_FOLDER = Path(text("RECORDS_FOLDER", str(VAR_DIR / "records")))
RECORDS_BUCKET = text("RECORDS_BUCKET")
if RECORDS_STORE not in ("row", "files", "objects"):
    raise ValueError(f"RECORDS_STORE must be row, files or objects, not {RECORDS_STORE!r}")
if RECORDS_STORE == "objects" and not RECORDS_BUCKET:
    raise ValueError("RECORDS_STORE=objects needs RECORDS_BUCKET")

STORAGES: dict[str, Any] = OTHER_STORAGES
STORAGES["files"] = {
    "BACKEND": "django.core.files.storage.FileSystemStorage",
    "OPTIONS": {
        "location": RECORDS_FOLDER,
        "file_permissions_mode": 0o600,
        "directory_permissions_mode": 0o700,
    },
}
if RECORDS_BUCKET:
    try:
        from botocore.config import Config
    except ImportError:
        raise ValueError("RECORDS_BUCKET needs more packages: pip install -r docker/requirements-s3.txt") from None
    _endpoint = text("RECORDS_ENDPOINT")
    STORAGES["objects"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": RECORDS_BUCKET,
            "endpoint_url": _endpoint or None,
            "region_name": text("RECORDS_REGION") or None,
            "access_key": text("RECORDS_ACCESS_KEY") or None,  # or what boto3 finds: a role, a profile
            "secret_key": text("RECORDS_SECRET_KEY") or None,
            "location": text("RECORDS_PREFIX", "records"),
            "default_acl": None,
            "querystring_auth": False,
            "file_overwrite": True,
            # A page must not wait for long, and what moves records tries again by itself.
            "client_config": Config(
                connect_timeout=3,
                read_timeout=5,
                retries={"max_attempts": 2},
                signature_version="s3v4",
                s3={"addressing_style": "path" if _endpoint else "auto"},
            ),
        },
    }

# Which records are kept (tournaments/playing/pruning.py), of contests for which nothing else is said; 0: all of them.
RECORDS_KEEP_LATEST = number("RECORDS_KEEP_LATEST", 0)
RECORDS_KEEP_DAYS = number("RECORDS_KEEP_DAYS", 0)
