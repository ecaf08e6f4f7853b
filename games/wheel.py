"""The wheel `kibitz`: the package `games` with the command `kibitz`, and `kibitz_rl`, for `pip install`.

These are the hooks of PEP 517, so pip and build find here what they call. They need nothing but the standard library:
the wheel can be built without a network. What the wheel is called and needs is in `pyproject.toml`. The same tree gives
the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.kits import walk, zipped

ROOT = Path(__file__).resolve().parent.parent
TAG = "py3-none-any"
Settings = Mapping[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return []


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    return []


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    project = _project()
    info = f"{_stem(project)}.dist-info"
    contents = {
        **{path: data for package in _packages() for path, data in _package(package).items()},
        f"{info}/METADATA": _metadata(project).encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: kibitz\nRoot-Is-Purelib: true\nTag: {TAG}\n".encode(),
        f"{info}/entry_points.txt": _entry_points(project).encode(),
    }
    record = "".join(f"{path},sha256={_digest(contents[path])},{len(contents[path])}\n" for path in sorted(contents))
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{_stem(project)}-{TAG}.whl"
    (Path(wheel_directory) / name).write_bytes(zipped(contents))
    return name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """The packages with `pyproject.toml`: what a wheel is built from."""
    project = _project()
    contents = {path: data for package in _packages() for path, data in _package(package).items()}
    contents["pyproject.toml"] = (ROOT / "pyproject.toml").read_bytes()
    contents["PKG-INFO"] = _metadata(project).encode()
    name = f"{_stem(project)}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(contents):
            member = tarfile.TarInfo(f"{_stem(project)}/{path}")
            member.size, member.mode = len(contents[path]), 0o644
            archive.addfile(member, io.BytesIO(contents[path]))
    return name


def _settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _project() -> dict[str, Any]:
    found: dict[str, Any] = _settings()["project"]
    return found


def _packages() -> list[str]:
    found: list[str] = _settings()["tool"]["kibitz"]["packages"]
    return found


def _package(name: str) -> dict[str, bytes]:
    return {f"{name}/{path}": data for path, data in walk(ROOT / name)}


def _stem(project: Mapping[str, Any]) -> str:
    return f"{re.sub('[-_.]+', '_', project['name'])}-{project['version']}"


def _metadata(project: Mapping[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {need}" for need in project.get("dependencies", [])),
    ]
    for extra, needs in project.get("optional-dependencies", {}).items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {need} ; extra == "{extra}"' for need in needs)]
    return "\n".join(lines) + "\n"


def _entry_points(project: Mapping[str, Any]) -> str:
    return "[console_scripts]\n" + "".join(f"{name} = {place}\n" for name, place in project["scripts"].items())


def _digest(data: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
