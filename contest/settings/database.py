"""Where the data is, and how long anybody waits for it.

No process of the portal waits for ever for the database. Commands that somebody starts, such as migrations, take as
long as they need (contest/server/by_hand.py).
"""

from typing import Any

import dj_database_url

from contest.server import by_hand
from contest.settings.base import VAR_DIR
from contest.settings.environment import number, text

SQLITE_OPTIONS = {
    # Take the write lock at BEGIN: a transaction that reads first and writes later would otherwise fail with
    # "database is locked" at once, without waiting for the timeout (seconds).
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}

# PostgreSQL, in seconds; 0: no limit. A process that is stopped in a transaction loses it before those that wait for
# its locks give up, and these give up before the statement as a whole would.
DB_IDLE = number("DB_IDLE", 20)  # in a transaction, without a statement
DB_LOCK = number("DB_LOCK", 30)  # waiting for a lock
DB_STATEMENT = number("DB_STATEMENT", 60)
DB_CONNECT = number("DB_CONNECT", 5)


def postgresql_options() -> dict[str, Any]:
    """Waits are bounded by the server and, if its machine is gone, by the kernel."""
    limits = {
        "statement_timeout": DB_STATEMENT,
        "lock_timeout": DB_LOCK,
        "idle_in_transaction_session_timeout": DB_IDLE,
    }
    options: dict[str, Any] = {
        "connect_timeout": DB_CONNECT,
        # A machine that is gone is noticed within 25 seconds, whether we wait for it or send to it.
        "keepalives": 1,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 25_000,
    }
    if not by_hand.runs_command():
        options["options"] = " ".join(f"-c {name}={1000 * seconds}" for name, seconds in limits.items() if seconds)
    return options


_database = dj_database_url.parse(text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'portal.sqlite3'}"), conn_max_age=60)
_is_sqlite = _database["ENGINE"] == "django.db.backends.sqlite3"
if _is_sqlite:
    _database["OPTIONS"] = {**SQLITE_OPTIONS, **_database.get("OPTIONS", {})}
else:
    _database["OPTIONS"] = {**postgresql_options(), **_database.get("OPTIONS", {})}
    _database["CONN_HEALTH_CHECKS"] = True
DATABASES = {"default": _database}
# Leases are kept by the clock of the server, not by those of the machines (submissions/clock.py).
DATABASE_CLOCK = not _is_sqlite
