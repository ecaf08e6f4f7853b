"""Shared by the tests of the games: every source is built once per run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def build_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builds")


@pytest.fixture(scope="module", autouse=True)
def builds_are_kept(build_cache: Path) -> Iterator[None]:
    """Builds are keyed by their sources, so tests do not interfere. Nothing is left in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(build_cache))
        yield
