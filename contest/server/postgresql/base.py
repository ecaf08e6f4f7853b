"""PostgreSQL whose answers are not awaited for ever.

The server bounds statements, locks and idle transactions itself, and the kernel gives up connections to machines that
are gone (contest/settings/database.py). Neither helps if the server's process is stopped or its machine is frozen: the
kernel there still acknowledges what we send. So this side closes a connection that has not answered for
`answer_seconds`.
"""

from __future__ import annotations

import logging
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg import errors

from contest.server import by_hand

logger = logging.getLogger(__name__)

SETTING = "answer_seconds"  # in OPTIONS


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        params.pop(SETTING, None)
        if by_hand.runs_command():
            params.pop("options", None)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        seconds = self.settings_dict["OPTIONS"].get(SETTING)
        if seconds and not by_hand.runs_command():
            bound(connection, seconds)
        return connection


def bound(connection: psycopg.Connection[Any], seconds: float) -> None:
    """Let every statement of a connection fail that is not answered within so many seconds."""
    wait = connection.wait

    def patient(gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return wait(gen, interval, seconds if timeout is None else timeout)
        except errors._WaitTimeout:
            if timeout is not None:
                raise
            connection.pgconn.finish()  # half an answer may follow, so the connection is of no use any more
            logger.warning("PostgreSQL did not answer for %g seconds: its connection is given up", seconds)
            raise psycopg.OperationalError(f"PostgreSQL did not answer for {seconds:g} seconds") from None

    connection.wait = patient  # type: ignore[method-assign]
