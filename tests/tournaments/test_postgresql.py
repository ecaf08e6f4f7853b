"""What only PostgreSQL can show, on its own server: the races of races.py. Skipped with a message if it is missing."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests import postgresql

RACES = Path(__file__).with_name("races.py")
ROOT = RACES.parents[2]


def names() -> list[str]:
    tree = ast.parse(RACES.read_text(encoding="utf-8"))
    return [it.name for it in tree.body if isinstance(it, ast.FunctionDef) and it.name.startswith("test_")]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """By race: the complaint of each of its runs, "" for none."""
    folder = postgresql.programs()
    if folder is None:
        pytest.skip("there is no PostgreSQL server here (apt-get install postgresql)")
    report = tmp_path_factory.mktemp("races") / "report.xml"
    command = [sys.executable, "-m", "pytest", "-p", "no:valkey", "-q", str(RACES), f"--junitxml={report}"]
    with postgresql.server(folder) as url:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        run = subprocess.run(
            command, check=False, cwd=ROOT, env=environment | {"DATABASE_URL": url}, capture_output=True, text=True
        )
    assert report.exists(), run.stdout + run.stderr
    found: dict[str, list[str]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        bad = [it for it in case if it.tag in ("failure", "error", "skipped")]
        name = case.get("name", "").partition("[")[0]
        found.setdefault(name, []).append("\n".join(f"{it.get('message')}\n{it.text}" for it in bad))
    return found


@pytest.mark.parametrize("name", names())
def test_race(outcomes, name):
    assert outcomes.get(name), f"{name} was not run"
    assert not any(outcomes[name]), "\n".join(outcomes[name])
