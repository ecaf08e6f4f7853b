"""Writes static/css/pico.css, the part of Pico that our pages use: pico.min.css without components, directions and old
browsers that no page needs, and without variables that nothing reads or that static/css/kibitz.css sets itself.

    python docker/pico.py           write it again, after docker/vendor.sh or a change of kibitz.css
    python docker/pico.py --check   only say whether the file is what this makes

tests/contest/test_static_files.py does the same as `--check`, and looks for what is left out in templates and scripts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent / "static"
WHOLE, OURS = STATIC / "vendor/pico/2.1.1/pico.min.css", STATIC / "css/kibitz.css"
KEPT = STATIC / "css/pico.css"

UNUSED = {
    # what a selector has: what a page or script would have to have for it
    r"\.dropdown": r"\bdropdown\b",
    r"\[data-(tooltip|placement)": r"\bdata-tooltip",
    r"\.grid\b": r"<(div|main|section|form|fieldset)[^>]* class=\"([^\"]* )?grid[ \"]",
    r"\.container-fluid": r"container-fluid",
    r"\.overflow-auto": r"overflow-auto",
    r"\.contrast\b": r"class=\"([^\"]* )?contrast[ \"]",
    r"\.outline\b": r"class=\"([^\"]* )?outline[ \"]",
    r"\.striped": r"class=\"([^\"]* )?striped[ \"]",
    r"\[role=switch\](?!\))": r"role=\"switch",
    r"aria-invalid=false": r"aria-invalid=\"false",
    r"breadcrumb": r"breadcrumb",
    r"\.modal-|\.close\b|rel=prev": r"modal-is|class=\"close",
    r"\[type=color\]": r"type=\"color",
    r"\[type=(date|month|week|time)\](?!,)": r"type=\"(date|month|week|time)\"",
    r"\bhgroup\b": r"<hgroup",
    r"^(audio|video|canvas|figure|iframe)\b": r"<(audio|video|canvas|figure)\b",
    r"\[dir=rtl\]": r"dir=\"rtl",
    r":host": r"attachShadow",
}
OLD = r"-moz-(focus-inner|color-swatch|list-bullet|selection|ui-invalid)|::-ms-|:-moz-focusring"  # browsers
ROOTS = {":root", ":root:not([data-theme=dark])", ":root:not([data-theme])", "[data-theme=light]", "[data-theme=dark]"}
SHEET = re.compile(r"@charset[^;]*;|/\*.*?\*/", re.DOTALL)


def main() -> int:
    made = kept(WHOLE.read_text(), OURS.read_text())
    if "--check" in sys.argv:
        return int(made != KEPT.read_text())
    KEPT.write_text(made)
    print(f"{KEPT.name}: {len(made) / 1000:.0f} of {len(WHOLE.read_text()) / 1000:.0f} kB")
    return 0


def kept(sheet: str, ours: str) -> str:
    licence = re.search(r"/\*!.*?\*/", sheet, re.DOTALL)
    assert licence
    rules = list(without_unused(SHEET.sub("", sheet)))
    there = set(re.findall(r"(--pico-[\w-]+):", ours.partition("\n}")[0]))
    while True:
        read = set(re.findall(r"var\((--pico-[\w-]+)", "".join(rules) + ours))
        fewer = [pruned for rule in rules if (pruned := without_variables(rule, read, there))]
        if fewer == rules:
            return licence[0] + "\n" + "".join(rules) + "\n"
        rules = fewer


def pieces(sheet: str) -> Iterator[tuple[str, str]]:
    """The rules of a sheet: what stands before the braces, and what in them."""
    depth, start, opened = 0, 0, 0
    for at, letter in enumerate(sheet):
        if letter == "{":
            depth += 1
            opened = at if depth == 1 else opened
        elif letter == "}":
            depth -= 1
            if not depth:
                yield sheet[start:opened], sheet[opened + 1 : at]
                start = at + 1


def without_unused(sheet: str) -> Iterator[str]:
    for head, body in pieces(sheet):
        if head.startswith(("@media", "@supports")):
            if inside := "".join(without_unused(body)):
                yield f"{head}{{{inside}}}"
        elif head.startswith("@keyframes"):
            yield f"{head}{{{body}}}"
        elif not head.startswith("@-moz") and (left := [each for each in selectors(head) if is_used(each)]):
            yield f"{','.join(left)}{{{body}}}"


def selectors(head: str) -> list[str]:
    """Split at the commas outside of parentheses."""
    return re.findall(r"(?:[^,()\[]|\[[^\]]*\]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+", head)


def is_used(selector: str) -> bool:
    return not any(re.search(each, selector) for each in (*UNUSED, OLD))


def without_variables(rule: str, read: set[str], ours: set[str]) -> str:
    """A rule without variables that nobody reads or, at the root, that our own style sheet sets as well."""
    head, _, body = rule.partition("{")
    body = body[:-1]
    if head.startswith(("@media", "@supports")):
        inside = "".join(without_variables(f"{each}{{{it}}}", read, ours) for each, it in pieces(body))
        return f"{head}{{{inside}}}" if inside else ""
    if head.startswith("@keyframes"):
        return rule
    gone = ours if set(selectors(head)) <= ROOTS else set()
    left = [each for each in declarations(body) if is_kept(each.partition(":")[0], read, gone)]
    return f"{head}{{{';'.join(left)}}}" if left else ""


def declarations(body: str) -> list[str]:
    """Split at the semicolons outside of quotes."""
    return re.findall(r"(?:[^;\"']|\"[^\"]*\"|'[^']*')+", body)


def is_kept(name: str, read: set[str], gone: set[str]) -> bool:
    return not name.startswith("--pico-") or (name in read and name not in gone)


if __name__ == "__main__":
    sys.exit(main())
