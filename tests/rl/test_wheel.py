"""The environments in the wheel: an extra that the command does without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from games import wheel

pytestmark = pytest.mark.long("more")

EPISODE = """
import kibitz_rl
env = kibitz_rl.env("hearts", options={"target": 1})
env.reset(seed=1)
for agent in env.agent_iter():
    seen, _, terminated, _, _ = env.last()
    env.step(None if terminated else int(seen["action_mask"].argmax()))
print(kibitz_rl.__file__, env.events[-1]["event"])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The contents of the wheel, as pip would put them beside other packages."""
    folder = tmp_path_factory.mktemp("wheel")
    with ZipFile(folder / wheel.build_wheel(str(folder))) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, *options: str, code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", *options, "-c", f"import sys; sys.path.insert(0, {str(installed)!r})\n{code}"]
    return subprocess.run(command, cwd=installed, capture_output=True, text=True, check=False)


def test_an_episode_is_played_from_the_wheel(installed: Path) -> None:
    played = run(installed, code=EPISODE)
    assert played.returncode == 0, played.stderr
    assert played.stdout.split() == [str(installed / "kibitz_rl/__init__.py"), "result"]
