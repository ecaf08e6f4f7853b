"""Measure how long transactions wait for their first lock, and count statements that fail, in every process.

The first lock is BEGIN IMMEDIATE on SQLite, which takes the one write lock, and SELECT … FOR UPDATE on PostgreSQL:
every transaction that changes a contest begins by locking its row (contest/ledger.py, `hold`).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from django.db import Error
from django.db.backends.base.base import BaseDatabaseWrapper

from contest import counting

Execute = Callable[[str, Any, bool, dict[str, Any]], Any]


def measured(execute: Execute, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """A wrapper of Django for every statement."""
    if not isinstance(sql, str) or not (sql.startswith("BEGIN") or sql.endswith("UPDATE")):
        try:
            return execute(sql, params, many, context)
        except Error as error:
            counting.count("database_errors", error=type(error).__name__)
            raise
    began = perf_counter()
    try:
        return execute(sql, params, many, context)
    except Error as error:
        counting.count("database_errors", error=type(error).__name__)
        raise
    finally:
        counting.observe("lock_wait", perf_counter() - began)


def measure(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Called for every new connection."""
    if measured not in connection.execute_wrappers:
        connection.execute_wrappers.append(measured)
