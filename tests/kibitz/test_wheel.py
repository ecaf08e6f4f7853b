"""`pip install kibitz`: the wheel, built and installed without a network."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from games import wheel

pytestmark = pytest.mark.long("more")

ROOT = Path(__file__).resolve().parents[2]


def run(*words: object, folder: Path) -> subprocess.CompletedProcess[str]:
    kept = {"PATH": os.environ["PATH"], "HOME": str(folder), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [str(word) for word in words]
    ran = subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, folder=folder)
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


def test_it_holds_the_games_and_needs_nothing(built: Path) -> None:
    with ZipFile(built) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
    info = f"{built.name.rpartition('-py3')[0]}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"games", "kibitz_rl", info}
    assert {"games/__main__.py", "games/hearts/rules.md", "games/portal/http.py"} <= set(names)
    assert "Name: kibitz" in metadata
    assert [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra" not in line] == []


def test_the_same_tree_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    name = wheel.build_wheel(str(tmp_path))
    assert (name, (tmp_path / name).read_bytes()) == (built.name, built.read_bytes())


def test_the_source_archive_builds_the_same_wheel(built: Path, tmp_path: Path) -> None:
    name = wheel.build_sdist(str(tmp_path))
    with tarfile.open(tmp_path / name) as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / name.removesuffix(".tar.gz")
    code = "from games import wheel; wheel.build_wheel('.')"
    run(sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.'); {code}", folder=folder)
    assert (folder / built.name).read_bytes() == built.read_bytes()
