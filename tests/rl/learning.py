"""The example of docs/rl.md, trained for a moment."""

from __future__ import annotations

import math
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).resolve().parents[2] / "docs/examples/train_tricky_eights.py"
HANDS = 120


@cache
def example() -> Any:
    """The script as a module."""
    spec = spec_from_file_location("train_tricky_eights", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def learned() -> tuple[list[float], str]:
    """The weights after so many hands, which take a second or two, and the source of a player with them."""
    weights = example().train(seed=1, seconds=math.inf, hands=HANDS)
    return [round(weight, 4) for weight in weights], example().export(weights)
