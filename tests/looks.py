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


_BEYOND = """() => {
    const box = (it) => it.getBoundingClientRect();
    const felt = box(document.querySelector(".felt"));
    const others = [...document.querySelectorAll(".trick .card, .log")].map(box);
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const beyond = (a) => a.left < felt.left || a.right > felt.right || a.top < felt.top || a.bottom > felt.bottom;
    return [...document.querySelectorAll(".felt .hand .card")]
        .filter((card) => beyond(box(card)) || others.some((other) => meet(box(card), other)))
        .map((card) => `${card.textContent.trim()} of ${card.closest(".hand").parentElement.className}`);
}"""


def misplaced_cards(page: Page) -> list[str]:
    """Cards of hands that stick out of the felt, or lie over the trick or the moves."""
    return list(page.evaluate(_BEYOND))
