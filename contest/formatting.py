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
    return ORDINALS[number - 1] if 1 <= number <= len(ORDINALS) else nth(number)


def nth(number: int) -> str:
    """ "1st", "12th", "103rd": an ordinal for narrow places."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def milliseconds(value: float | None) -> str:
    """A thinking time: "0.2 ms", "340.0 ms", "3.2 s", always with one decimal; a dash where there is none."""
    if value is None:
        return "–"
    if value >= 1000:
        return f"{value / 1000:,.1f} s"
    return f"{value:.1f} ms" if value >= 0.05 or not value else "< 0.1 ms"


def short_ms(value: float | None) -> str:
    """Milliseconds without the unit, for narrow places: `0.2`, `12.0`, `3200.5`."""
    return "" if value is None else f"{value:.1f}"


def percent(share: float | None) -> str:
    """`0.5 %`. A share above zero is never rounded to zero."""
    if not share:
        return "" if share is None else "0 %"
    if share < 0.0005:
        return "under 0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.1f} %"


def signed(points: float) -> str:
    """`+3`, `-26`: a change of a score."""
    return f"{points:+g}"
