"""Which portal and contest a command is about, with which token, and where it writes; and `kibitz api`."""

from __future__ import annotations

import json
import os
import re
import uuid
from argparse import Namespace
from functools import cached_property
from pathlib import Path
from typing import Any

from games.portal import store
from games.portal.http import Portal, address_of
from games.portal.screen import Screen
from games.portal.trouble import NO_ACCESS, Trouble

SLUG = re.compile(r"[\w-]+")
"""Names of contests. Anything else would be another address of the portal: `x/desk/end?`."""
TOKEN, PORTAL, CONTEST = "KIBITZ_TOKEN", "KIBITZ_PORTAL", "KIBITZ_CONTEST"


class Session:
    """One command: its arguments, its portal, its contest, its screen."""

    def __init__(self, arguments: Namespace) -> None:
        self.arguments = arguments
        self.screen = Screen(bool(getattr(arguments, "json", False)))

    @cached_property
    def store(self) -> store.Store:
        return store.Store()

    @cached_property
    def folder(self) -> dict[str, str]:
        return store.folder_settings()

    @cached_property
    def portal(self) -> Portal:
        address = self._address()
        return Portal(address, self._token(address), note=self.screen.note)

    def _address(self) -> str:
        """From `--portal`, the environment, the folder, or the portal of the last log-in."""
        named = getattr(self.arguments, "portal", None) or os.environ.get(PORTAL)
        if not named and not os.environ.get(TOKEN):  # a token of the environment goes where the environment says
            named = self.folder.get("portal")
        if named:
            return self.store.find(named) or address_of(named)
        if os.environ.get(TOKEN):
            raise Trouble(
                f"{TOKEN} is set, but {PORTAL} is not.", f"Set {PORTAL} to the address of the portal.", code="usage"
            )
        if not self.store.current:
            hint = "Make a token on your account page of the portal and log in: kibitz login https://PORTAL"
            raise Trouble("You have not logged in to a portal.", hint, status=NO_ACCESS, code="not_logged_in")
        return self.store.current

    def _token(self, address: str) -> str:
        if token := os.environ.get(TOKEN, "").strip():
            return token
        return str(self.store.portals.get(address, {}).get("token", ""))

    @cached_property
    def contest(self) -> str:
        """The slug of the contest: named, chosen, or the only one that the person takes part in. Raises Trouble."""
        chosen = (
            getattr(self.arguments, "contest", None)
            or os.environ.get(CONTEST)
            or self.folder.get("contest")
            or self.store.portals.get(self.portal.address, {}).get("contest")
        )
        if chosen and not SLUG.fullmatch(str(chosen)):
            hint = "`kibitz contests` lists them. Is it from a file .kibitz that somebody else has written?"
            raise Trouble(f"“{chosen}” cannot be the name of a contest.", hint, code="usage")
        if chosen:
            return str(chosen)
        places = [place["contest"] for place in self.portal.get("/me")["places"]] if self.portal.token else []
        if len(places) == 1:
            return str(places[0])
        hint = "Name one with -c CONTEST, or choose one: kibitz use CONTEST"
        if not places:
            raise Trouble(
                "You are in no contest of this portal.", "`kibitz contests` lists them. " + hint, code="usage"
            )
        raise Trouble(f"You are in {len(places)} contests: {', '.join(places)}.", hint, code="ambiguous")

    @property
    def names_contest(self) -> bool:
        """Whether the command has asked which contest it is about."""
        return "contest" in vars(self)

    def in_contest(self, path: str = "") -> str:
        """An address below the contest."""
        return f"/contests/{self.contest}{path}"

    def find_contest(self) -> Any:
        """The contest itself. Raises Trouble if there is none of this name."""
        try:
            return self.portal.get(self.in_contest())
        except Trouble as trouble:
            if trouble.code == "not_found":
                said = f"There is no contest “{self.contest}” on {self.portal.address}, or it is not for you."
                raise Trouble(said, "`kibitz contests` lists them.", code="not_found") from None
            raise

    def team(self) -> Any:
        """The person's team in this contest. Raises Trouble without one."""
        found = self.find_contest()["your_team"]
        if found is None:
            hint = "Enter with `kibitz enter NAME`, or join a team with `kibitz join CODE`."
            raise Trouble("You are not in a team of this contest, or the token has no scope for teams.", hint)
        return found


CHOSEN = "{contest}"


def api(here: Session) -> None:
    """Send a request and print what answers it: always JSON, or the text that is there."""
    asked = here.arguments
    data = _data(here)
    method = asked.method or ("GET" if data is None else "POST")
    path = asked.path if asked.path.startswith("/") else f"/{asked.path}"
    path = path.removeprefix("/api/v1")
    if CHOSEN in path:
        path = path.replace(CHOSEN, here.contest)
    headers = {}
    if method != "GET":
        headers = {"Content-Type": "application/json", "Idempotency-Key": asked.key or str(uuid.uuid4())}
    body = json.dumps(data or {}).encode() if method != "GET" else None
    answer = here.portal.ask(method, path, None, body, headers)
    if "json" in answer.headers.get("Content-Type", "") and not asked.raw:
        here.screen.text(json.dumps(answer.json(), indent=2, ensure_ascii=False) + "\n")
    else:
        here.screen.text(answer.text)


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
