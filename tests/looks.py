"""What people see of a page."""

from __future__ import annotations

from typing import Any

# What axe looks for depends on the colours, and what overflows on the width: every page is looked at in both schemes
# and at both widths, not in every combination, each of which takes a second.
LOOKS: list[tuple[Any, int]] = [("light", 1280), ("dark", 320)]
