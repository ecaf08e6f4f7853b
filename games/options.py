"""The options of games, as an organiser sees and changes them: what they are called, and what they may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """One of them: a number of `unit` between two limits, or where there is none, true or false.

    `default` is of one that presets leave out: it holds where options do not say it, and then records do not, either.
    """

    label: str
    help: str = ""
    least: float | None = None
    most: float | None = None
    unit: str = ""
    whole: bool = True
    default: float | None = None

    def objection(self, value: object) -> str:
        """What it must be instead of that value, in words that follow its name; blank when the value is allowed."""
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


DISQUALIFY = Option("Any fault disqualifies", "Otherwise the house decides in the bot's place, and it plays on.")
