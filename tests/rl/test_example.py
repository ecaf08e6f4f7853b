"""The example of docs/rl.md: it learns, and what it exports plays like what was learned."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.rl.learning import example, learned
from tests.rl.playing import make, numbers

pytestmark = pytest.mark.long("more")

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, *words: str) -> str:
    kept = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder)}
    command = [sys.executable, *words]
    ran = subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The record of a match of the exported player against random ones."""
    folder = tmp_path_factory.mktemp("learned")
    (folder / "learned.py").write_text(learned()[1], encoding="utf-8")
    bots = ["learned.py", *["house:random"] * 3]
    run(folder, "-m", "games", "play", "tricky_eights", *bots, "--games", "4", "--seed", "5", "--record", "match.json")
    return json.loads((folder / "match.json").read_text(encoding="utf-8"))


def test_it_beats_the_random_player_in_every_game(played: dict[str, Any]) -> None:
    games: list[list[dict[str, Any]]] = []
    for event in played["events"]:
        if event["event"] == "game":
            games.append([])
        games[-1].append(event)
    assert len(games) == 4
    assert [events[0]["seating"][events[-1]["winner"]] for events in games] == [0, 0, 0, 0]
    mine, *others = played["result"]["scores"]
    assert mine > 2 * max(others)


def test_the_exported_file_decides_as_the_policy_does(played: dict[str, Any]) -> None:
    env = make("tricky_eights", options=played["options"])
    weights, _ = learned()
    seat, compared = -1, 0
    for event in played["events"]:
        if event["event"] == "game":
            env.reset(seed=None if event["number"] > 1 else played["seed"])
            seat = event["seating"].index(0)
        elif event["event"] in ("take", "play"):
            (card,) = numbers(env, event)
            if event["seat"] == seat:
                assert example().best(env.observe(f"player_{seat}"), weights) == card
                compared += 1
            env.step(card)
    assert compared > 100


def test_the_exported_file_needs_the_kit_and_the_standard_library_alone() -> None:
    tree = ast.parse(learned()[1])
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in imported] == ["from acm98 import *"]
