"""`pip install kibitz`: the wheel, with the environments for learning."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.long("more")

ROOT = Path(__file__).resolve().parents[2]
EPISODE = """
import kibitz_rl
env = kibitz_rl.env("hearts", options={"target": 1})
env.reset(seed=1)
for agent in env.agent_iter():
    seen, _, terminated, _, _ = env.last()
    env.step(None if terminated else int(seen["action_mask"].argmax()))
print(kibitz_rl.__file__, env.events[-1]["event"])
"""


def run(*words: object, folder: Path) -> subprocess.CompletedProcess[str]:
    kept = {"PATH": os.environ["PATH"], "HOME": str(folder), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [str(word) for word in words]
    ran = subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = ("-q", "--no-deps", "--no-build-isolation", "-w", folder)  # with the hatchling that is installed
    run(sys.executable, "-m", "pip", "wheel", *options, ROOT, folder=folder)
    (found,) = folder.glob("*.whl")
    return found


def test_it_is_installed_and_plays(built: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "venv", folder=tmp_path)
    run(tmp_path / "venv/bin/python", "-m", "pip", "install", "-q", built, folder=tmp_path)
    kibitz = tmp_path / "venv/bin/kibitz"
    assert "hearts:" in run(kibitz, "list", folder=tmp_path).stdout
    played = run(kibitz, "play", "hearts", *["random"] * 4, "--seed", "7", "--record", "game.json", folder=tmp_path)
    assert "seed 7" in played.stdout
    run(kibitz, "verify", "game.json", folder=tmp_path)
    assert "usage: kibitz" in run(kibitz, "--help", folder=tmp_path).stdout


def test_an_episode_is_played_from_it(built: Path, tmp_path: Path) -> None:
    with ZipFile(built) as archive:
        archive.extractall(tmp_path)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{EPISODE}"
    played = run(sys.executable, "-I", "-c", code, folder=tmp_path)
    assert played.stdout.split() == [str(tmp_path / "kibitz_rl/__init__.py"), "result"]
