"""Who may connect: teams recognised by their address or by their token."""

from __future__ import annotations

import csv
import hmac
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_address
from threading import Lock
from typing import Protocol

from games.engine import OptionError

LARGEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Team:
    """An entrant. `id` is the number that bots are told, and never changes. Each contest counts its own."""

    id: int
    name: str = field(default="", compare=False)
    contest: int = 0


class Roster(Protocol):
    """The teams that a door knows. Asked in the door's own thread."""

    def at(self, address: str) -> Team | None:
        """Return the team registered at that address, or None where there is none, or more than one."""

    def with_token(self, token: str) -> Team | None:
        """Return the team with that token."""


class Everybody:
    """Every address is a team of its own. The first is team 1."""

    def __init__(self) -> None:
        self._teams: dict[str, Team] = {}
        self._lock = Lock()

    def at(self, address: str) -> Team | None:
        with self._lock:
            if address not in self._teams:
                self._teams[address] = Team(len(self._teams) + 1, address)
            return self._teams[address]

    def with_token(self, token: str) -> Team | None:
        return None


class Registered:
    """Teams from a file. An address of several teams, or of none, identifies nobody."""

    def __init__(self, entries: Iterable[tuple[Team, str, str]]) -> None:
        """`entries`: each team with its address and its token, either of which may be blank."""
        entries = list(entries)
        addresses = Counter(address for _, address, _ in entries)
        self.teams = [team for team, _, _ in entries]
        self._by_address = {address: team for team, address, _ in entries if address and addresses[address] == 1}
        self._by_token = [(token.encode(), team) for team, _, token in entries if token]

    def at(self, address: str) -> Team | None:
        return self._by_address.get(address)

    def with_token(self, token: str) -> Team | None:
        found = None
        for known, team in self._by_token:  # all of them, so that the time reveals nothing
            if hmac.compare_digest(known, token.encode("utf-8", "replace")):
                found = team
        return found


def read_teams(lines: Iterable[str]) -> Registered:
    """Read teams from lines `ID, NAME, ADDRESS, TOKEN`. # begins a comment. Raises OptionError, which names the
    line."""
    entries: list[tuple[Team, str, str]] = []
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            entries.append(_entry(line, {team.id for team, _, _ in entries}))
        except ValueError as error:
            raise OptionError(f"line {number} of the teams: {error}") from None
    tokens = Counter(token for _, _, token in entries if token)
    if shared := [token for token, teams in tokens.items() if teams > 1]:
        raise OptionError(f"{len(shared)} tokens belong to more than one team")
    return Registered(entries)


def _entry(line: str, taken: set[int]) -> tuple[Team, str, str]:
    (cells,) = csv.reader([line], skipinitialspace=True)
    cells = [cell.strip() for cell in cells]
    if not 2 <= len(cells) <= 4:
        raise ValueError("write a team as ID, NAME, ADDRESS, TOKEN")
    number, name, address, token = [*cells, "", ""][:4]
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= LARGEST:
        raise ValueError(f"{number!r} is not a number from 1 up")
    if int(number) in taken:
        raise ValueError(f"there is another team {number}")
    if not name:
        raise ValueError("a team must have a name")
    return Team(int(number), name), str(ip_address(address)) if address else "", token
