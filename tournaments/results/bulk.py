"""Many rows changed by one statement, for SQLite and PostgreSQL.

Django's bulk_update writes a CASE for each column and row. That takes milliseconds for a match and minutes for a
million; these statements take a tenth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection, models

ROWS = 500  # of one statement


def update(
    model: type[models.Model],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    where: Mapping[str, Any] | None = None,
) -> int:
    """Write rows of values by primary key: `(pk, value, …)` in the order of `columns`. Returns how many were written.

    `where`: column values that a row must have; a column can also be matched row by row if its name begins with "=".
    """
    meta: Any = model._meta
    fields = [meta.get_field(name.lstrip("=")) for name in columns]
    numbered = list(enumerate(zip(columns, fields, strict=True), start=2))
    table, key = meta.db_table, meta.pk.column
    sets = ", ".join(f"{it.column} = {_cast(it, n)}" for n, (name, it) in numbered if not name.startswith("="))
    same = [f"{table}.{it.column} = {_cast(it, n)}" for n, (name, it) in numbered if name.startswith("=")]
    same += [f"{table}.{meta.get_field(name).column} = %s" for name in where or {}]
    head = f"UPDATE {table} SET {sets} FROM (VALUES "
    tail = ") AS new WHERE " + " AND ".join([f"{table}.{key} = new.column1", *same])
    prepared = [it.get_db_prep_save for it in fields]
    one = "(" + ", ".join(["%s"] * (len(columns) + 1)) + ")"
    written = 0
    with connection.cursor() as cursor:
        for first in range(0, len(rows), ROWS):
            batch = rows[first : first + ROWS]
            values = [
                value
                for pk, *each in batch
                for value in (pk, *(to(it, connection) for to, it in zip(prepared, each, strict=True)))
            ]
            cursor.execute(head + ", ".join([one] * len(batch)) + tail, [*values, *(where or {}).values()])
            written += cursor.rowcount
    return written


def _cast(field: Any, number: int) -> str:
    """A value of the list, with its type for PostgreSQL, which takes a column of nothing but NULL or dates for text.
    SQLite would make a number of a date."""
    if connection.vendor == "sqlite":
        return f"new.column{number}"
    return f"CAST(new.column{number} AS {field.db_type(connection)})"


def add(
    model: type[models.Model], unique: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Add numbers to rows that are found by their unique columns, or insert them: `(unique value, …, number, …)`.

    No two of these rows may have the same unique values.
    """
    meta: Any = model._meta
    table = meta.db_table
    names = [meta.get_field(name).column for name in (*unique, *columns)]
    sums = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in names[len(unique) :])
    one = "(" + ", ".join(["%s"] * len(names)) + ")"
    with connection.cursor() as cursor:
        for first in range(0, len(rows), ROWS):
            batch = rows[first : first + ROWS]
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(names)}) VALUES {', '.join([one] * len(batch))}"
                f" ON CONFLICT ({', '.join(names[: len(unique)])}) DO UPDATE SET {sums}",
                [value for row in batch for value in row],
            )
