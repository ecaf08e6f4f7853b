"""`kibitz api`: any address of the API, for what has no command of its own."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from games.portal.session import Session
from games.portal.trouble import DONE, Trouble

CONTEST = "{contest}"


def api(here: Session) -> int:
    """Send a request and print what answers it: always JSON, or the text that is there."""
    asked = here.arguments
    data = _data(here)
    method = asked.method or ("GET" if data is None else "POST")
    path = asked.path if asked.path.startswith("/") else f"/{asked.path}"
    path = path.removeprefix("/api/v1")
    if CONTEST in path:
        path = path.replace(CONTEST, here.contest)
    headers = {}
    if method != "GET":
        headers = {"Content-Type": "application/json", "Idempotency-Key": asked.key or str(uuid.uuid4())}
    body = json.dumps(data or {}).encode() if method != "GET" else None
    answer = here.portal.ask(method, path, None, body, headers)
    if "json" in answer.headers.get("Content-Type", "") and not asked.raw:
        here.screen.text(json.dumps(answer.json(), indent=2, ensure_ascii=False) + "\n")
    else:
        here.screen.text(answer.text)
    return DONE


def _data(here: Session) -> Any:
    """The JSON of `--data` with the fields of `--field`. None if there is neither."""
    asked = here.arguments
    found: Any = None
    if asked.data:
        text = Path(asked.data[1:]).read_text(encoding="utf-8") if asked.data.startswith("@") else asked.data
        try:
            found = json.loads(text)
        except ValueError as error:
            raise Trouble(f"The data is not valid JSON: {error}.", code="usage") from None
    for pair in asked.field or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Trouble(f"“{pair}” is not a field.", "Write NAME=VALUE.", code="usage")
        try:
            found = {**(found or {}), name: json.loads(value)}
        except ValueError:
            found = {**(found or {}), name: value}
    return found
