"""What the tests of the games share: every source is built once for the whole run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def build_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builds")


@pytest.fixture(scope="module", autouse=True)
def builds_are_kept(build_cache: Path) -> Iterator[None]:
    """Builds go by the content of their sources, so no test can find another's. Nothing is left in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(build_cache))
        yield
