"""Where the data is, and how long anybody waits for it.

No process of the portal waits for ever. Commands that somebody starts, such as migrations, take as long as they need
(contest/server/by_hand.py).
"""

from typing import Any

import dj_database_url

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
DB_ANSWER = DB_STATEMENT and DB_STATEMENT + 10  # for a server that does not even say that a limit was reached

ENGINES = {"sqlite3": "contest.server.sqlite3", "postgresql": "contest.server.postgresql"}


def postgresql_options() -> dict[str, Any]:
    """Every wait for the server is bounded: by the server, by the kernel and, if the server is stopped, by us."""
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
        "answer_seconds": DB_ANSWER,
    }
    if said := " ".join(f"-c {name}={1000 * seconds}" for name, seconds in limits.items() if seconds):
        options["options"] = said
    return options


_database = dj_database_url.parse(text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'portal.sqlite3'}"), conn_max_age=60)
_kind = _database["ENGINE"].rpartition(".")[2]
_database["ENGINE"] = ENGINES.get(_kind, _database["ENGINE"])
if _kind == "sqlite3":
    _database["OPTIONS"] = {**SQLITE_OPTIONS, **_database.get("OPTIONS", {})}
else:
    _database["OPTIONS"] = {**postgresql_options(), **_database.get("OPTIONS", {})}
    _database["CONN_HEALTH_CHECKS"] = True
DATABASES = {"default": _database}
# Leases are kept by the clock of the server, not by those of the machines (submissions/clock.py).
DATABASE_CLOCK = _kind == "postgresql"
