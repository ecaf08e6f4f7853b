"""Sources for people: highlighted, with an anchor for every line, and compared with another version."""

from __future__ import annotations

import difflib
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate

from django.utils.safestring import SafeString, mark_safe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

# Longer sources are shown plain: some lexers are slow on generated text.
COLOUR_LIMIT = 300_000
DIFF_LINES = 20_000
# Steps of the matcher, about half a second. Sources with many repeated lines could take minutes.
DIFF_STEPS = 3_000_000
CONTEXT = 3


def coloured(text: str, filename: str) -> SafeString:
    """The source as highlighted HTML, with anchors #L1, #L2 … on the line numbers."""
    formatter = HtmlFormatter(
        cssclass="listing", linenos="inline", lineanchors="L", anchorlinenos=True, wrapcode=True, linespans="line"
    )
    lexer: Lexer = TextLexer(stripnl=False)
    if len(text) <= COLOUR_LIMIT:
        with suppress(ClassNotFound):
            lexer = get_lexer_for_filename(filename, stripnl=False)
    # Pygments writes anchors as L-1; people type #L1.
    html = highlight(text, lexer, formatter).replace('"L-', '"L').replace('"#L-', '"#L')
    return mark_safe(html)  # Pygments escapes what it is given


@dataclass(frozen=True)
class DiffLine:
    """One line of a diff. `kind` is same, added, removed or gap (omitted lines)."""

    kind: str
    old: int | None
    new: int | None
    text: str

    @property
    def sign(self) -> str:
        return {"added": "+", "removed": "−", "same": " ", "gap": "⋯"}[self.kind]


class TooLong(Exception):
    """The texts take too long to compare. The message says why, as the end of a sentence."""


class Budget:
    """What a page may spend on comparing texts: lines that it shows, and steps of the matcher."""

    def __init__(self) -> None:
        self.lines, self.steps = DIFF_LINES, DIFF_STEPS


class _Matcher(difflib.SequenceMatcher[str]):
    """A matcher that raises TooLong when it takes too many steps."""

    def __init__(self, before: list[str], after: list[str], budget: Budget) -> None:
        super().__init__(None, before, after)
        places: dict[str, list[int]] = self.b2j  # type: ignore[attr-defined]  # documented, and not in the stubs
        there = (1 + len(places.get(line, ())) for line in before)
        self._steps = list(accumulate(there, initial=0))  # the cost of a search from the first line to this one
        self._budget = budget

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> difflib.Match:
        self._budget.steps -= self._steps[len(self._steps) - 1 if ahi is None else ahi] - self._steps[alo]
        if self._budget.steps < 0:
            raise TooLong("they differ in too many places, or contain too many repeated lines")
        return super().find_longest_match(alo, ahi, blo, bhi)


def text_of(data: bytes) -> str | None:
    """A file as a text, None if it is something else."""
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def difference(old: str, new: str, budget: Budget | None = None) -> list[DiffLine]:
    """The changed lines with three unchanged ones around them; empty if equal. Raises TooLong."""
    budget = budget or Budget()
    before, after = old.splitlines(), new.splitlines()
    budget.lines -= len(before) + len(after)
    if budget.lines < 0:
        raise TooLong(f"together they have more than {DIFF_LINES:,} lines")
    lines: list[DiffLine] = []
    for number, group in enumerate(_Matcher(before, after, budget).get_grouped_opcodes(CONTEXT)):
        if number or group[0][1] > 0:
            lines.append(DiffLine("gap", None, None, ""))
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [DiffLine("same", i + 1, i - i1 + j1 + 1, before[i]) for i in range(i1, i2)]
                continue
            lines += [DiffLine("removed", i + 1, None, before[i]) for i in range(i1, i2)]
            lines += [DiffLine("added", None, j + 1, after[j]) for j in range(j1, j2)]
    return lines
