"""The properties of this folder, each with many examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

pytestmark = pytest.mark.long("more")

MANY = settings(max_examples=100, deadline=None)
MODULES = (
    "combinations elimination_ranking ladder_pairing leaving rating_systems round_robin series schools"
    " single_elimination swiss"
)


def properties(owner: Any) -> Iterator[tuple[str, Callable[..., None], Callable[[], None]]]:
    """Those of a module and of its classes: name, function, and what calls it."""
    for name, found in vars(owner).items():
        if isinstance(found, type) and name.startswith("Test"):
            for inner, function, _ in properties(found):
                yield f"{name}.{inner}", function, getattr(found(), inner)
        elif name.startswith("test_") and is_hypothesis_test(found):
            yield name, found, found


FOUND = [
    pytest.param(function, call, id=f"{module}: {name}")
    for module in MODULES.split()
    for name, function, call in properties(import_module(f"tests.tournaments.formats.test_{module}"))
]


@pytest.mark.parametrize(("function", "call"), FOUND)
def test_it_holds_for_many(
    function: Callable[..., None], call: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(function, "_hypothesis_internal_use_settings", MANY)
    call()
