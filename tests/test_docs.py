"""Everything that the README, docs/ and the sources refer to exists."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import GAMES

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RULINGS = (ROOT / "docs/rulings.md").read_text(encoding="utf-8")

FOLDERS = (".ci", "benchmarks", "contest", "docker", "docs", "games", "kibitz_rl", "static", "submissions", "templates",
           "tests", "tournaments")  # fmt: skip
TEXTS = {".c", ".cpp", ".css", ".h", ".html", ".in", ".js", ".md", ".pas", ".py", ".sh", ".toml", ".txt", ".yml", ""}
UPLOADED = {"plan.md"}
"""The pages that tests upload as a team would."""


def sources() -> Iterator[tuple[Path, str]]:
    """All our text files, with their paths from the root of the repository."""
    found = [*ROOT.glob("*"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
    for path in sorted(found):
        inside = path.relative_to(ROOT)
        if path.is_file() and path.suffix in TEXTS and not {"vendor", "__pycache__"} & set(inside.parts):
            try:
                yield inside, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def unwrapped(text: str) -> str:
    """A text without line breaks within sentences, and without comment marks."""
    return re.sub(r"\s*\n\s*(?:#\s|//\s|\*\s)?\s*", " ", text)


def anchors(page: Path) -> set[str]:
    """The link targets on a page: its headings as GitHub spells them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8")):
        there = page.parent / target if target else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), f"{target}#{anchor}"


def test_no_source_refers_to_an_issue_or_to_a_document_by_its_number() -> None:
    """Readers do not have these: a comment must say what it means, or name a page in docs/."""
    numbered = re.compile(r"\b(issues? #?[0-9]+|seeds? 00[0-9])\b", re.IGNORECASE)
    found = [f"{path}: {match.group()}" for path, text in sources() for match in numbered.finditer(unwrapped(text))]
    assert not found


def test_pages_that_sources_refer_to_are_in_the_repository() -> None:
    """By their path, except within docs/ and in links to it, and in the README and rules pages, which are beside their
    sources."""
    beside = {"README.md", "rules.md", "kit.md", "kit-c.md", *UPLOADED}
    wrong = []
    for path, text in sources():
        linked = text.replace("'document' '", "docs/")
        for folder, name in re.findall(r"(?<![\w.-])((?:[\w.-]+/)*)([\w-]+\.md)\b", linked):
            rooms = [Path(), path.parent, Path("docs")] if path.parts[0] == "docs" else [Path()]
            if name not in beside and not any((ROOT / room / folder / name).exists() for room in rooms):
                wrong.append(f"{path}: {folder}{name}")
    assert not wrong


def test_sections_that_sources_refer_to_exist() -> None:
    cited = re.compile(r"(docs/[a-z/-]+\.md), [\"“]([^\"”]+)[\"”]")
    found = [(path, *match.groups()) for path, text in sources() for match in cited.finditer(unwrapped(text))]
    assert found
    wrong = [
        f"{path}: {page}, {section}"
        for path, page, section in found
        if f"\n## {section}\n" not in (ROOT / page).read_text(encoding="utf-8")
    ]
    assert not wrong


def test_rulings_that_sources_cite_exist() -> None:
    numbers: dict[str, int] = {}
    for section in RULINGS.split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        numbers[heading] = len(re.findall(r"^[0-9]+\. ", body, re.MULTILINE))
    cited = re.compile(r"docs/rulings\.md, ([A-Z][a-z]+(?: [A-Za-z]+)?)((?:(?:,| and| …)? [0-9]+)*)")
    found = [(path, *match.groups()) for path, text in sources() for match in cited.finditer(unwrapped(text))]
    assert len(found) > 20
    wrong = [
        f"{path}: {section}{rulings}"
        for path, section, rulings in found
        if section not in numbers or not all(1 <= int(it) <= numbers[section] for it in re.findall("[0-9]+", rulings))
    ]
    assert not wrong


def test_every_promise_about_security_names_a_test() -> None:
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    rows = [line for line in text.partition("\n## Tests that prove it\n")[2].splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 5
    for row in rows:
        _, promise, tests, _ = row.split("|")
        named = re.findall(r"`(tests/[\w./]+)`", tests)
        assert promise.strip(), row
        assert named, row
        assert all(re.fullmatch(r".*/test_\w+\.py", name) and (ROOT / name).is_file() for name in named), row


def test_the_readme_shows_commands_of_the_games_that_there_are() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "games", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    _, _, listed = run.stdout.partition("COMMAND\n")
    known = set(re.findall(r"^    (\w+)", listed, re.MULTILINE))
    shown = re.findall(r"^python3 -m games (\w+)(?: (\w+)\b)?", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert {command for command, _ in shown} <= known
    assert {"play", "verify", "dealer", "intensity_referee", "te_dispatch", "serve"} <= {
        command for command, _ in shown
    }
    assert {word for command, word in shown if command in ("play", "serve")} <= set(GAMES)


def test_the_readme_shows_commands_as_they_are_called(tmp_path: Path) -> None:
    """In an empty folder they lack only the files they name. A server would keep running."""
    shown = re.findall(r"^python3 (-m games [^#<\n]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    commands = [shlex.split(line) for line in shown if " serve " not in line]
    assert len(commands) >= 6
    for command in commands:
        run = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not run.returncode or re.search(r"there is no file|No such file", run.stderr), (command, run.stderr)
