"""`manage.py prepare` waits for a database that is away; tests/contest/server/test_staying.py takes one away."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, connection

from contest.management.commands import prepare


@pytest.mark.django_db(transaction=True)
def test_a_migration_that_fails_at_its_last_statement_holds_no_transaction() -> None:
    """A connection in a transaction is not opened again, so the start once waited for ever."""

    def fail() -> tuple[bool, bool, object]:
        with pytest.raises(DatabaseError), connection.schema_editor() as editor:
            editor.deferred_sql.append("nonsense")  # Django runs these when everything else is done
        left = connection.in_atomic_block
        prepare.forget_connections()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            found = cursor.fetchone()
        held = connection.in_atomic_block
        connection.close()
        return left, held, found

    with ThreadPoolExecutor(1) as thread:  # which has a connection of its own
        left, held, found = thread.submit(fail).result()
    assert left, "Django ends its transaction: forget_connections is not needed any more"
    assert (held, found) == (False, (1,))
