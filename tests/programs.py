"""Programs that use the API in somebody's name."""

from __future__ import annotations

import json
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from contest.models import ApiToken, Scope, User
from tests.tournaments.visitors import visitor

ALL = tuple(Scope.values)


def program(user: User | None = None, *scopes: str) -> Client:
    """A client that sends a token of this person, or none."""
    headers = {"authorization": f"Bearer {ApiToken.issue(user, 'test', list(scopes))[1]}"} if user else {}
    return Client(headers=headers)


def caller(user: User | None, scopes: str | None) -> Client:
    """A row of a table of rights: a token with these scopes ("bot team"), or None for somebody who is logged in."""
    return visitor(user) if scopes is None else program(user, *scopes.split())


def post(client: Client, address: str, data: Any = None, **headers: str) -> Any:
    return client.post(address, json.dumps(data or {}), content_type="application/json", headers=headers)


def patch(client: Client, address: str, data: Any) -> Any:
    return client.patch(address, json.dumps(data), content_type="application/json")


def count_queries(client: Client, address: str) -> int:
    """How many queries a GET makes. Ask once before: the first use of a token is written."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)
