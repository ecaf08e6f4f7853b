"""Line charts as numbers for an SVG template. `{% line_chart %}` (templatetags/contest_tags.py) draws them.

Lines differ in their dashes and carry their names at the end, so nobody needs colour to tell them apart. The page also
shows every chart's numbers in a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 44, 128, 12, 24
LABEL = 14  # least distance between two names at the right end


@dataclass(frozen=True, slots=True)
class LineChart:
    """`lines` are (name, values) over the points named by `ticks`. Each point has a link."""

    title: str
    description: str
    lines: Sequence[tuple[str, Sequence[float]]]
    ticks: Sequence[str]
    links: Sequence[str]
    keys: Sequence[int]  # `data-ply` of the links
    target: float | None = None  # a level to reach
    unit: str = "round"  # what a tick is
    won: int | None = None  # the line that won, if its end does not show it
    from_zero: bool = True  # the scale starts at zero


def drawn(chart: LineChart) -> dict[str, Any]:
    """The context of `templates/charts/_lines.html`. Lengths are in units of the drawing, rounded to a tenth."""
    points = len(chart.ticks)
    values = [value for _, line in chart.lines for value in line]
    if chart.target is not None:
        values.append(chart.target)
    low, high = (min([0, *values]), max([1, *values])) if chart.from_zero else (min(values) - 1, max(values) + 1)
    step = (WIDTH - LEFT - RIGHT) / max(points - 1, 1)

    xs = [round(LEFT + index * step, 1) for index in range(points)]

    def y(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low), 1)

    lines: list[dict[str, Any]] = [
        {
            "name": name,
            "number": number,
            "points": " ".join(f"{x},{y(value)}" for x, value in zip(xs, line, strict=False)),
            "end": (xs[len(line) - 1], y(line[-1])),
            "value": line[-1],
            "won": number == chart.won,
        }
        for number, (name, line) in enumerate(chart.lines)
    ]
    for line, place in zip(lines, _apart([line["end"][1] for line in lines]), strict=True):
        line["label_y"] = place
    every = max(1, -(-points // 16))
    return {
        "chart": chart,
        "width": WIDTH,
        "height": HEIGHT,
        "lines": lines,
        "grid": [(y(value), f"{value:g}") for value in _round_values(low, high)],
        "ticks": [(xs[index], label) for index, label in enumerate(chart.ticks) if index % every == 0],
        "columns": [
            {"x": round(xs[index] - step / 2, 1), "href": href, "label": chart.ticks[index], "key": key}
            for index, (href, key) in enumerate(zip(chart.links, chart.keys, strict=True))
        ],
        "column_width": round(step, 1),
        "target_y": None if chart.target is None else y(chart.target),
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "label_x": WIDTH - RIGHT + 8,
        "bottom": HEIGHT - BOTTOM,
        "plot_height": HEIGHT - TOP - BOTTOM,
        "top": TOP,
    }


def _apart(places: Sequence[float]) -> list[float]:
    """These heights, moved so that no two are closer than a line of text and all stay inside the chart."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    found = list(places)
    for before, index in zip([None, *order], order, strict=False):
        if before is not None:
            found[index] = max(found[index], found[before] + LABEL)
    limit = HEIGHT - 8.0
    for index in reversed(order):
        found[index] = min(found[index], limit)
        limit = found[index] - LABEL
    return [round(place, 1) for place in found]


def _round_values(low: float, high: float) -> list[float]:
    """Four to eight round numbers between two values."""
    size = 1.0
    steps = (1, 2, 2.5, 5)
    while True:
        for factor in steps:
            if (high - low) / (size * factor) <= 6:
                step = size * factor
                first = -(-low // step)
                return [step * (first + index) for index in range(int((high - first * step) // step) + 1)]
        size *= 10
