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
