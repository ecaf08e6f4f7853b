"""Third-party files are exactly what their authors published, with the licence; nothing is loaded from elsewhere."""

import hashlib
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "static" / "vendor"
MANIFEST = json.loads((VENDOR / "MANIFEST.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", MANIFEST, ids=lambda package: package["name"])
def test_vendored_files_are_what_was_published(package: dict[str, object]) -> None:
    files = package["files"]
    assert isinstance(files, dict)
    folder = VENDOR / str(package["folder"])
    assert {path.name for path in folder.iterdir()} == set(files)
    for name, digest in files.items():
        assert digest == f"sha512:{hashlib.sha512((folder / name).read_bytes()).hexdigest()}", name


@pytest.mark.parametrize("package", MANIFEST, ids=lambda package: package["name"])
def test_every_package_says_what_it_is_and_brings_its_licence(package: dict[str, object]) -> None:
    assert {"name", "version", "licence", "tarball", "integrity", "folder", "files"} == set(package)
    assert any("licen" in name.lower() for name in package["files"])  # type: ignore[attr-defined]
    assert str(package["version"]) in str(package["folder"])
    assert str(package["integrity"]).startswith("sha512-")


def test_nothing_is_vendored_that_the_manifest_does_not_name() -> None:
    named = {VENDOR / package["folder"] / name for package in MANIFEST for name in package["files"]}
    assert {path for path in VENDOR.rglob("*") if path.is_file()} == named | {VENDOR / "MANIFEST.json"}


def test_pages_load_nothing_from_other_sites() -> None:
    ours = [
        path for path in (ROOT / "static").rglob("*") if path.suffix in (".css", ".js") and VENDOR not in path.parents
    ]
    assert ours
    for path in [*ours, *(ROOT / "templates").rglob("*.html")]:
        found = re.findall(
            r"""(?:src|href|url|import)\s*[=(]?\s*["'(]?\s*((?:https?:)?//[\w.-]+)""", path.read_text("utf-8")
        )
        assert not found, path
