"""Charts as numbers."""

from __future__ import annotations

import pytest

import games
from contest.charts import HEIGHT, RIGHT, TOP, WIDTH, LineChart, drawn
from contest.drawing import draw


def chart(lines: list[tuple[str, list[float]]], target: float | None = None) -> LineChart:
    points = len(lines[0][1])
    numbers = list(range(points))
    return LineChart(
        "Scores", "In words.", lines, [str(n) for n in numbers], [f"?ply={n}" for n in numbers], numbers, target
    )


def test_lines_stay_inside_the_drawing() -> None:
    shown = drawn(chart([("N", [0, 120, 311]), ("E", [0, -40, 12])], target=300))
    for line in shown["lines"]:
        for point in line["points"].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= WIDTH - RIGHT
            assert TOP <= y <= HEIGHT
    assert shown["target_y"] > TOP


@pytest.mark.parametrize("values", [[0], [0, 0], [5, 5, 5], [0, 0.01], [0, 10**6], [-3, -9]])
def test_flat_tiny_and_huge_values_have_a_scale(values: list[float]) -> None:
    shown = drawn(chart([("N", values)]))
    assert 1 <= len(shown["grid"]) <= 8
    assert '"nan"' not in draw(games.get("barracuda"), "charts/_lines.html", **shown)
