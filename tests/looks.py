"""What people see of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

# What axe looks for depends on the colours, and what overflows on the width: every page is looked at in both schemes
# and at both widths, not in every combination, each of which takes a second.
LOOKS: list[tuple[Any, int]] = [("light", 1280), ("dark", 320)]


def each_look(page: Page) -> Iterator[tuple[str, int]]:
    """Show the page in each look, without loading it again. Gives the colour scheme and the width."""
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # colours change at once
        page.set_viewport_size({"width": width, "height": 800})
        yield scheme, width
