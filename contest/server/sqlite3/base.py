"""SQLite whose write lock nobody keeps by being stopped.

SQLite has one writer at a time. A process that is stopped (SIGSTOP, a debugger, a frozen container) in the middle of a
transaction would keep everybody from writing, and with them the tick that rescues the work of lost processes. So
whoever waits looks every `LOOK_EVERY` seconds who holds the lock (contest/server/sqlite3/holders.py).
"""

from __future__ import annotations

import sqlite3
from time import monotonic
from typing import Any

from django.db.backends.sqlite3 import base

from contest.server.sqlite3.holders import Watcher

LOOK_EVERY = 2.5  # seconds


class DatabaseWrapper(base.DatabaseWrapper):
    patience = 0.0

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        self.patience = params.get("timeout", 5.0)
        return params | {"timeout": min(self.patience, LOOK_EVERY)}

    def create_cursor(self, name: str | None = None) -> Any:
        cursor = self.connection.cursor(factory=PatientCursor)
        cursor.patience = self.patience
        cursor.database = str(self.settings_dict["NAME"])
        return cursor


class PatientCursor(base.SQLiteCursorWrapper):
    """Waits `patience` seconds for the write lock, and looks every `LOOK_EVERY` seconds who holds it."""

    patience: float
    database: str

    def execute(self, query: str, params: Any = None) -> Any:
        try:
            return super().execute(query, params)
        except sqlite3.OperationalError as error:
            if not self._waits(error):
                raise
        return self._wait(query, params)

    def _waits(self, error: sqlite3.OperationalError) -> bool:
        """Whether another process has the lock. A statement outside of a transaction can then be tried again."""
        busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        return busy and not self.connection.in_transaction

    def _wait(self, query: str, params: Any) -> Any:
        began = monotonic() - LOOK_EVERY
        watcher = Watcher(self.database)
        while True:
            watcher.look()
            try:
                return super().execute(query, params)
            except sqlite3.OperationalError as error:
                if not self._waits(error) or monotonic() - began > self.patience:
                    raise
