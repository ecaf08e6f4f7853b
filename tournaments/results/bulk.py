"""Many rows changed by one statement, for SQLite and PostgreSQL.

Django's bulk_update writes a CASE for each column and row. That takes milliseconds for a match and minutes for a
million; these statements take a tenth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection, connections, models

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
    fields = [meta.pk, *(meta.get_field(name.lstrip("=")) for name in columns)]
    table = meta.db_table
    pairs = [(it.column, f"new.column{n}") for n, it in enumerate(fields[1:], start=2)]
    sets = ", ".join(f"{old} = {new}" for name, (old, new) in zip(columns, pairs, strict=True) if name[0] != "=")
    same = [f"{table}.{old} = {new}" for name, (old, new) in zip(columns, pairs, strict=True) if name[0] == "="]
    same += [f"{table}.{meta.get_field(name).column} = %s" for name in where or {}]
    condition = " AND ".join([f"{table}.{meta.pk.column} = new.column1", *same])
    written = 0
    with connection.cursor() as cursor:
        for source, values in _sources(fields, rows):
            update = f"UPDATE {table} SET {sets} FROM ({source}) AS new WHERE {condition}"
            cursor.execute(update, [*values, *(where or {}).values()])
            written += cursor.rowcount
    return written


def _sources(fields: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Iterator[tuple[str, list[Any]]]:
    """Yield queries for the rows, a part at a time, with columns called column1 and so on; and their values.

    PostgreSQL gets an array for each column, because the driver's time grows with the square of the placeholders. It
    names the types: of nothing but NULL or dates it would make text. SQLite would make a number of a date by a cast."""
    prepared, db = [it.get_db_prep_save for it in fields], connections[connection.alias]
    one = "(" + ", ".join(["%s"] * len(fields)) + ")"
    arrays = ", ".join(f"%s::{it.db_type(connection)}[]" for it in fields)
    names = ", ".join(f"column{number}" for number, _ in enumerate(fields, start=1))
    for first in range(0, len(rows), ROWS):
        part = [  # most values are floats, which need nothing
            [it if type(it) is float else to(it, db) for to, it in zip(prepared, row, strict=True)]
            for row in rows[first : first + ROWS]
        ]
        if connection.vendor == "sqlite":
            yield "VALUES " + ", ".join([one] * len(part)), [value for row in part for value in row]
        else:
            yield f"SELECT * FROM unnest({arrays}) AS each({names})", [list(it) for it in zip(*part, strict=True)]


def put(
    model: type[models.Model],
    unique: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    add: bool = False,
) -> None:
    """Insert rows, `(unique value, …, value, …)`, or write the values to those that are found by their unique columns.
    `add`: add them to the numbers there.

    No two of these rows may have the same unique values.
    """
    meta: Any = model._meta
    fields = [meta.get_field(name) for name in (*unique, *columns)]
    names = [it.column for it in fields]
    sets = ", ".join(f"{it} = {f'{meta.db_table}.{it} + ' * add}excluded.{it}" for it in names[len(unique) :])
    conflict = f"ON CONFLICT ({', '.join(names[: len(unique)])}) DO UPDATE SET {sets}"
    with connection.cursor() as cursor:
        for source, values in _sources(fields, rows):
            cursor.execute(f"INSERT INTO {meta.db_table} ({', '.join(names)}) {source} {conflict}", values)
