"""Values as people read them: durations, numbers in words, thinking times. Pages and sentences in Python share them."""

from __future__ import annotations

from datetime import timedelta

UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))
CARDINALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def duration(distance: timedelta) -> str:
    """ "3 days", "1 hour 20 minutes", "less than a minute": as exact as people need it. The sign does not matter."""
    seconds = int(abs(distance.total_seconds()))
    for index, (unit, size) in enumerate(UNITS):
        count, rest = divmod(seconds, size)
        if not count:
            continue
        count += count > 1 and rest >= size / 2  # to the nearest: 6 days 23 hours are 7 days
        text = f"{count} {unit}{'s' if count > 1 else ''}"
        if count == 1 and index + 1 < len(UNITS):  # "1 day 5 hours", but "3 days"
            smaller, size = UNITS[index + 1]
            more = rest // size
            text += f" {more} {smaller}{'s' if more > 1 else ''}" if more else ""
        return text
    return "less than a minute"


def about(distance: timedelta) -> str:
    """The duration of something estimated: "about 3 days", but "less than a minute"."""
    text = duration(distance)
    return text if text.startswith("less") else f"about {text}"


def cardinal(number: int) -> str:
    """ "no", "one" to "ten", then "11"."""
    return CARDINALS[number] if 0 <= number < len(CARDINALS) else str(number)


def ordinal(number: int) -> str:
    """ "first" to "tenth", then "11th", "22nd", "103rd"."""
    if 1 <= number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def milliseconds(value: float | None) -> str:
    """A thinking time: "0.2 ms", "340.0 ms", "3.2 s", always with one decimal; a dash where there is none."""
    if value is None:
        return "–"
    if value >= 1000:
        return f"{value / 1000:,.1f} s"
    return f"{value:.1f} ms" if value >= 0.05 or not value else "< 0.1 ms"
