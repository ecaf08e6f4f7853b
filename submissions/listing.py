"""Sources as people read them: coloured, with an address for every line, and compared with an earlier version."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

# Beyond this a source is shown plain: lexers of some languages are slow on what nobody has written by hand.
COLOUR_LIMIT = 300_000
DIFF_LINES = 20_000
CONTEXT = 3


def coloured(text: str, filename: str) -> SafeString:
    """HTML in Pygments' classes, with the anchors #L1, #L2 … on the numbers of the lines."""
    formatter = HtmlFormatter(
        cssclass="listing", linenos="inline", lineanchors="L", anchorlinenos=True, wrapcode=True, linespans="line"
    )
    # Pygments writes anchors as L-1; people type #L1.
    html = highlight(text, _lexer(text, filename), formatter).replace('"L-', '"L').replace('"#L-', '"#L')
    return mark_safe(html)  # Pygments escapes what it is given


def _lexer(text: str, filename: str) -> Lexer:
    if len(text) > COLOUR_LIMIT:
        return TextLexer(stripnl=False)
    try:
        return get_lexer_for_filename(filename, stripnl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False)


@dataclass(frozen=True)
class DiffLine:
    """One line of a comparison. `kind` is same, added, removed or gap (lines that are left out)."""

    kind: str
    old: int | None
    new: int | None
    text: str

    @property
    def sign(self) -> str:
        return {"added": "+", "removed": "−", "same": " ", "gap": "⋯"}[self.kind]


def difference(old: str, new: str) -> list[DiffLine] | None:
    """The changed lines, each with three unchanged ones around it; empty when equal, None when too long to compare."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > DIFF_LINES:
        return None
    lines: list[DiffLine] = []
    groups = difflib.SequenceMatcher(None, before, after).get_grouped_opcodes(CONTEXT)
    for number, group in enumerate(groups):
        if number or group[0][1] > 0:
            lines.append(DiffLine("gap", None, None, ""))
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [DiffLine("same", i + 1, i - i1 + j1 + 1, before[i]) for i in range(i1, i2)]
                continue
            lines += [DiffLine("removed", i + 1, None, before[i]) for i in range(i1, i2)]
            lines += [DiffLine("added", None, j + 1, after[j]) for j in range(j1, j2)]
    return lines
