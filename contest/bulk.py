"""Many rows written by one statement, for SQLite and PostgreSQL.

Django's bulk_update writes a CASE for each column and row. That takes milliseconds for a match and minutes for a
million; these statements take a tenth.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from django.db import connection, connections, models

ROWS = 500  # of one statement of SQLite


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


def insert(objects: Sequence[models.Model]) -> None:
    """Insert new rows of one model, without asking for their ids."""
    if objects:
        meta = objects[0]._meta
        fields = [it for it in meta.concrete_fields if it is not meta.auto_field]
        rows = [[getattr(each, it.attname) for it in fields] for each in objects]
        put(type(objects[0]), (), [it.name for it in fields], rows)


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
    conflict = f"ON CONFLICT ({', '.join(names[: len(unique)])}) DO UPDATE SET {sets}" if unique else ""
    with connection.cursor() as cursor:
        for source, values in _sources(fields, rows):
            cursor.execute(f"INSERT INTO {meta.db_table} ({', '.join(names)}) {source} {conflict}", values)


def _sources(fields: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Iterator[tuple[str, list[Any]]]:
    """Yield queries for the rows, a part at a time, with columns called column1 and so on; and their values.

    PostgreSQL gets JSON: the driver's time grows with the square of the placeholders, and arrays take it long, too.
    SQLite would not read every bit of a float from JSON."""
    if connection.vendor == "sqlite":
        prepared, db = [it.get_db_prep_save for it in fields], connections[connection.alias]
        one = "(" + ", ".join(["%s"] * len(fields)) + ")"
        for first in range(0, len(rows), ROWS):
            part = rows[first : first + ROWS]
            yield (
                "VALUES " + ", ".join([one] * len(part)),
                [  # most values are numbers, which need nothing
                    it if type(it) in (float, int) else to(it, db)
                    for row in part
                    for to, it in zip(prepared, row, strict=True)
                ],
            )
    elif rows:
        names, types = _columns(*fields)
        values = json.dumps([dict(zip(names, row, strict=True)) for row in rows], default=_text)
        yield f"SELECT * FROM json_to_recordset(%s) AS each({types})", [values]


@cache
def _columns(*fields: Any) -> tuple[list[str], str]:
    """The names of columns of rows for PostgreSQL, and the same with types."""
    names = [f"column{number}" for number, _ in enumerate(fields, start=1)]
    return names, ", ".join(f"{name} {it.db_type(connection)}" for name, it in zip(names, fields, strict=True))


def _text(value: object) -> str:
    """A value that JSON has no form for, as PostgreSQL reads it."""
    return "\\x" + value.hex() if isinstance(value, bytes) else str(value)
