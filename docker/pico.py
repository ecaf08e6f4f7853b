"""Writes static/css/pico.css and pico_fields.css, the parts of Pico that our pages use: pico.min.css without
components, directions and old browsers that no page needs, and without variables that nothing reads or that
static/css/kibitz.css sets itself. A replay does without the second part.

    python docker/pico.py           write it again, after docker/vendor.sh or a change of kibitz.css
    python docker/pico.py --check   only say whether the files are what this makes

tests/contest/test_static_files.py does the same as `--check`, and looks for what is left out in templates and scripts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

STATIC = Path(__file__).resolve().parent.parent / "static"
WHOLE, OURS = STATIC / "vendor/pico/2.1.1/pico.min.css", STATIC / "css/kibitz.css"
KEPT = STATIC / "css/pico.css"
KEPT_FIELDS = STATIC / "css/pico_fields.css"

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
    r"breadcrumb": r"breadcrumb\b",
    r"\.modal-|\.close\b|rel=prev": r"modal-is|class=\"close",
    r"\[type=color\]": r"type=\"color",
    r"\[type=(date|month|week|time)\](?!,)": r"type=\"(date|month|week|time)\"",
    r"\bhgroup\b": r"<hgroup",
    r"^(audio|video|canvas|figure|iframe)\b": r"<(audio|video|canvas|figure)\b",
    r"\[dir=rtl\]": r"dir=\"rtl",
    r":host": r"attachShadow",
    r"\[role=button\](?!\))": r"role=\"button",
    r"(^| )\[type=reset\]|,\[type=reset\]\)": r"type=\"reset",
    r"dialog>article>(header|footer)|^@keyframes modal": r"<dialog[^>]*>\s*<article[^>]*>\s*<(header|footer)",
    r"^@keyframes tooltip": r"\bdata-tooltip",
    r":indeterminate(?=$)": r"\.indeterminate",
    r"\[aria-controls\]": r"aria-controls",
    r"\[aria-hidden=false\]": r"aria-hidden=\"false",
    r"^aside ": r"<aside[^>]*>\s*<(nav|ul|ol)",
}
FIELDS = (
    r"^\[role=group\]|aria-invalid|\[type=(file|radio|datetime-local)\](?![,)])|fieldset|legend|progress"
    r"|\[aria-busy=true\](?!\))"
)
"""Selectors of what only forms and pages about work in progress have, which stand in a file of their own."""
OLD = r"-moz-(focus-inner|color-swatch|list-bullet|selection|ui-invalid)|::-ms-|:-moz-focusring"  # browsers
ROOTS = {":root", ":root:not([data-theme=dark])", ":root:not([data-theme])", "[data-theme=light]", "[data-theme=dark]"}
SHEET = re.compile(r"@charset[^;]*;|/\*.*?\*/", re.DOTALL)


def main() -> int:
    made = kept(WHOLE.read_text(), OURS.read_text())
    if "--check" in sys.argv:
        return int(any(file.read_text() != text for file, text in made.items()))
    for file, text in made.items():
        file.write_text(text)
        print(f"{file.name}: {len(text) / 1000:.0f} of {len(WHOLE.read_text()) / 1000:.0f} kB")
    return 0


def kept(sheet: str, ours: str) -> dict[Path, str]:
    """The text of each file."""
    licence = re.search(r"/\*!.*?\*/", sheet, re.DOTALL)
    assert licence
    rules = list(without_unused(SHEET.sub("", sheet)))
    there = set(re.findall(r"(--pico-[\w-]+):", ours.partition("\n}")[0]))
    while True:
        read = set(re.findall(r"var\((--pico-[\w-]+)", "".join(rules) + ours))
        fewer = [pruned for rule in rules if (pruned := without_variables(rule, read, there))]
        if fewer == rules:
            parts = {KEPT: chosen(rules, lambda each: not is_of_fields(each)), KEPT_FIELDS: chosen(rules, is_of_fields)}
            return {file: f"{licence[0]}\n{part}\n" for file, part in parts.items()}
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
        if not head.startswith("@-moz"):
            yield from with_selectors(head, body, is_used)


def with_selectors(head: str, body: str, wanted: Callable[[str], bool]) -> Iterator[str]:
    """A rule with those of its selectors that are wanted; nothing where none is left."""
    if head.startswith(("@media", "@supports")):
        if inside := "".join(rule for each, it in pieces(body) for rule in with_selectors(each, it, wanted)):
            yield f"{head}{{{inside}}}"
    elif left := [each for each in ([head] if head.startswith("@") else selectors(head)) if wanted(each)]:
        yield f"{','.join(left)}{{{body}}}"


def chosen(rules: Iterable[str], wanted: Callable[[str], bool]) -> str:
    return "".join(each for rule in rules for head, body in pieces(rule) for each in with_selectors(head, body, wanted))


def is_of_fields(selector: str) -> bool:
    return bool(re.search(FIELDS, selector))


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
