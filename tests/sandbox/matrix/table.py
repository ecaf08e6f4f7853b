"""The results of a matrix as text: language × place with counts, then what did not hold and what cannot exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from submissions.languages import LANGUAGES
from tests.sandbox.matrix.cell import BREACHED, HELD, IMPOSSIBLE, RAW, UNEXPECTED, Cell
from tests.sandbox.matrix.run import Key, Matrix


def summary(matrix: Matrix, results: Mapping[Key, Cell], *, details: bool = False) -> str:
    """Everything worth knowing about a run."""
    counts: dict[tuple[str, object], Counter[str]] = {}
    for (place, _, slug), cell in results.items():
        counts.setdefault((slug, place), Counter())[cell.result] += 1
    lines = ["held (b breached, u unexpected, – cannot exist), by language and place", ""]
    lines.append(f"{'':<12}" + "".join(f"{place!s:>20}" for place in matrix.places))
    for slug in matrix.languages:
        row = [counts.get((slug, place), Counter()) for place in matrix.places]
        if any(row):
            lines.append(f"{LANGUAGES[slug].name:<12}" + "".join(f"{_figures(count):>20}" for count in row))
    lines += ["", *_failures(results, details), *_impossible(matrix, results), *_totals(results)]
    return "\n".join(lines)


def _figures(count: Counter[str]) -> str:
    text = f"{count[HELD]}"
    for letter, result in (("b", BREACHED), ("u", UNEXPECTED), ("–", IMPOSSIBLE)):
        if count[result]:
            text += f" {count[result]}{letter}"
    return text


def _failures(results: Mapping[Key, Cell], details: bool) -> list[str]:
    grouped: dict[tuple[str, str], list[str]] = {}
    for (place, attack, slug), cell in results.items():
        if cell.result in (BREACHED, UNEXPECTED):
            grouped.setdefault((cell.result, attack), []).append(f"{slug} at {place}: {cell.detail}")
    lines = []
    for (result, attack), cells in grouped.items():
        lines.append(f"{result}: {attack}, in {len(cells)} cells")
        lines += [f"    {cell}" for cell in (cells if details else cells[:2])]
    return [*lines, ""] if lines else []


def _impossible(matrix: Matrix, results: Mapping[Key, Cell]) -> list[str]:
    lines = ["cannot exist:"]
    lines += [f"    {place}: {why}" for place, why in matrix.impossible.items()]
    reasons = Counter(cell.detail for cell in results.values() if cell.result == IMPOSSIBLE)
    lines += [f"    {count} cells: {why}" for why, count in reasons.most_common()]
    raw = ", ".join(LANGUAGES[slug].name for slug in matrix.languages if slug not in RAW)
    if raw:
        lines.append(f"    raw system calls by {raw}: their libraries have none, so they try the nearest equivalent")
    for slug in matrix.without:
        lines.append(f"    {LANGUAGES[slug].name}: runs on the machine of another language, and is tried there")
    if matrix.missing:
        names = ", ".join(LANGUAGES[slug].name for slug in matrix.missing)
        lines += ["", f"not proven, because not installed here: {names} (./run languages NAME)"]
    return [*lines, ""]


def _totals(results: Mapping[Key, Cell]) -> list[str]:
    count = Counter(cell.result for cell in results.values())
    tried = len(results) - count[IMPOSSIBLE]
    return [
        f"{tried} cells tried: {count[HELD]} held, {count[BREACHED]} breached, {count[UNEXPECTED]} unexpected;"
        f" {count[IMPOSSIBLE]} cannot exist"
    ]
