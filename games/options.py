"""The options of games as an organiser sees and changes them: their names, and the values that they accept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One option: a number of `unit` between two limits, or true or false when there are none.

    `default` is for an option that presets leave out. It holds where the options do not name it, and then the record
    does not name it either.
    """

    label: str
    help: str = ""
    least: float | None = None
    most: float | None = None
    unit: str = ""
    whole: bool = True
    default: float | None = None

    def objection(self, value: object) -> str:
        """Say what the value must be instead, in words that follow the option's name; blank when it is allowed."""
        if self.least is None or self.most is None:
            return "" if type(value) is bool else "is true or false"
        kinds = (int,) if self.whole else (int, float)
        if type(value) in kinds and self.least <= value <= self.most:  # type: ignore[operator]  # one of these
            return ""
        return f"is a {'whole ' * self.whole}number of {self.unit}, {self.least} to {self.most}"


def seconds(label: str, help: str, least: float = 0.001, most: float = 3600) -> Option:
    return Option(label, help, least, most, "seconds", whole=False)


def time_limit(help: str) -> Option:
    return seconds("Time limit, in seconds", help)


DISQUALIFY = Option("Any fault disqualifies", "Otherwise the referee chooses for the bot, and it plays on.")


PLACE = re.compile(r"(?:^|(?<=[=:]))(?:HOST|PORT)(?![^:])")


def placed(arguments: Sequence[str], host: str, port: int) -> list[str]:
    """The arguments of a TCP client: with HOST and PORT in their places, as in `--host=HOST`, or else at the end."""
    places = {"HOST": host, "PORT": f"{port}"}
    filled = [PLACE.sub(lambda found: places[found[0]], word) for word in arguments]
    return filled if filled != list(arguments) else [*arguments, *places.values()]


@dataclass(frozen=True, slots=True)
class Server:
    """Where programs that are TCP clients find the contest's server: those that have it written into them, and those
    that are told HOST and PORT, the first of the ports."""

    host: str = ""  # its name in the contest's own documents; blank: none
    ports: tuple[int, ...] = (9999,)
    arguments: str = ""  # of the start command, with HOST and PORT in their places; blank: these two


@dataclass(frozen=True, slots=True)
class Preset:
    """The game's part of a contest as its organisers ran it (docs/contests.md)."""

    name: str  # `rules` of the record, such as "utah-1998"
    title: str
    options: Mapping[str, Any]
    languages: tuple[str, ...]
    memory_mb: int
    startup: float = 5.0  # seconds allowed for starting a process
    server: Server = Server()  # for games whose programs are TCP clients


@dataclass(frozen=True, slots=True)
class Length:
    """How long people at a table want to play: what that changes in the options of a preset."""

    name: str
    title: str
    options: Mapping[str, Any] = field(default_factory=dict)
