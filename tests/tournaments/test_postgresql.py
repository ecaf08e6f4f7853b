"""What only PostgreSQL can show, on one server of our own: races, and the ledger played back after every kind of act.

Skipped with a message if PostgreSQL is missing. `./run test --postgresql` runs any other test there.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests import postgresql

pytestmark = pytest.mark.long("postgresql")

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RACES = [HERE / "races.py", HERE / "races_of_organisers.py", ROOT / "tests/contest/server/points_in_time.py"]
REPLAY = f"{HERE / 'results/test_replay.py'}::test_what_is_forgotten_comes_back"
ALSO = [
    f"{REPLAY}[a_bracket_with_matches_that_were_restored]",
    f"{REPLAY}[a_stage_that_was_reset_and_one_that_was_abandoned]",
    f"{REPLAY}[a_swiss_that_was_shortened]",
    f"{HERE / 'results/test_tallies.py'}::TestAddingUp::test_fractions_add_up_alike_in_any_order[]",
    f"{ROOT / 'tests/contest/server/test_backups.py'}::test_a_backup_made_while_matches_are_played_is_whole_elsewhere",
    f"{ROOT / 'tests/submissions/test_clock.py'}::test_the_clock_of_the_database_decides",
    f"{HERE / 'test_two_worlds_acts.py'}::TestRestore::test_before_a_freeze_it_is_as_if_nothing_had_happened",
]


def names() -> list[str]:
    found = sorted({test.rpartition("::")[2].partition("[")[0] for test in ALSO})
    for path in RACES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [it.name for it in tree.body if isinstance(it, ast.FunctionDef) and it.name.startswith("test_")]
    return found


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """By test: the complaint of each of its runs, "" for none."""
    folder = postgresql.programs()
    if folder is None:
        pytest.skip(postgresql.MISSING)
    report = tmp_path_factory.mktemp("races") / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", *map(str, RACES), *ALSO, f"--junitxml={report}"]
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
def test_on_postgresql(outcomes, name):
    assert outcomes.get(name), f"{name} was not run"
    assert not any(outcomes[name]), "\n".join(outcomes[name])
