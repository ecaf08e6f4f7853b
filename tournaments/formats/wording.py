"""Numbers and lists as people write them."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def points_text(points: float) -> str:
    """`1`, `2½`; what is no half is written with two decimals at most."""
    whole, half = divmod(points, 1)
    if half == 0.5:
        return f"{int(whole) or ''}½"
    return f"{points:.2f}".rstrip("0").rstrip(".")
