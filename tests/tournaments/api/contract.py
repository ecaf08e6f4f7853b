"""A client of the API that holds each answer against the API's own description."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.test import Client
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from tests.tournaments.visitors import PARAMETER

LINES = "application/x-ndjson"


@cache
def description() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


def described(address: str, media: str) -> Draft202012Validator:
    """What the description says of the answer to GET."""
    path = "/" + PARAMETER.sub(r"{\1}", resolve(address).route)
    answer = description()["paths"][path]["get"]["responses"]["200"]["content"][media]["schema"]
    whole = {**answer, "components": description()["components"]}
    return Draft202012Validator(whole, format_checker=FormatChecker())


def told(client: Client, address: str) -> Any:
    """The values at an address, which must be as described."""
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.content)
    found = answer.json()
    described(address.partition("?")[0], "application/json").validate(found)
    return found


def everything(client: Client, address: str) -> list[Any]:
    """All pieces of a list, one after another."""
    rows: list[Any] = []
    while address:
        found = told(client, address.removeprefix("http://testserver"))
        rows += found["results"]
        address = found["next"]
    return rows


def lines(client: Client, address: str) -> list[Any]:
    """The lines of a stream."""
    answer = client.get(address, headers={"accept": LINES})
    assert (answer.status_code, answer["Content-Type"]) == (200, LINES)
    found = [json.loads(line) for line in b"".join(answer).splitlines()]
    schema = described(address.partition("?")[0], LINES)
    for each in found:
        schema.validate(each)
    return found
