"""Cards on a page: every notation of the games (record.md) as a card face, a hand, or a few words.

A face is small on purpose: `<i class="card d">9</i>`, its suit is drawn by replay.css. A replay page shows thousands of
them. Faces by themselves say nothing to a screen reader; whoever draws some gives the group one label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

Notation = str | int

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SHOWN = "shcd"  # the order in which hands are shown: colours alternate
RANKS = {"t": "10", "j": "J", "q": "Q", "k": "K", "a": "A"}
WORDS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
ORDER = {rank: value for value, rank in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"))}

BACK = '<i class="card back"></i>'

SUIT_FIRST = re.compile(r"([cdhs])([2-9tjqka])")  # tricky_eights: "d9"
RANK_FIRST = re.compile(r"(10|[2-9JQKA])([cdhsCDHS])")  # even_steven: "10c"; hearts: "QS"


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on a card. `suit` is one of "c" "d" "h" "s", or empty for the games whose cards are numbers."""

    rank: str
    suit: str = ""

    @property
    def words(self) -> str:
        return f"{WORDS.get(self.rank, self.rank)} of {SUITS[self.suit]}" if self.suit else self.rank


@lru_cache(maxsize=1024)
def face(card: Notation) -> Face:
    """Read a card in the notation of any game. What is not a card is shown as it stands."""
    text = str(card)
    if match := SUIT_FIRST.fullmatch(text):
        return Face(RANKS.get(match[2], match[2]), match[1])
    if match := RANK_FIRST.fullmatch(text):
        return Face(match[1], match[2].lower())
    return Face(text)


@lru_cache(maxsize=4096)
def _face(card: Notation, classes: str) -> str:
    shown = face(card)
    names = " ".join(filter(None, ("card", shown.suit, "ten" if shown.rank == "10" else "", classes)))
    return str(format_html('<i class="{}">{}</i>', names, shown.rank))


@register.simple_tag
def card(card: Notation, classes: str = "") -> SafeString:
    """One card with its name for screen readers. `classes` as in replay.css: "wins", "leads", "small" …"""
    shown = face(card)
    names = " ".join(filter(None, ("card", shown.suit, classes)))
    return format_html('<i class="{}" role="img" aria-label="{}">{}</i>', names, shown.words, shown.rank)


@register.simple_tag
def bare_card(card: Notation, classes: str = "") -> SafeString:
    """One card without a name, for places whose text says it already."""
    return mark_safe(_face(card, classes))


@register.filter
def card_words(card: Notation) -> str:
    return face(card).words


@register.filter
def is_card(text: str) -> bool:
    """Whether a bot's answer is a card with a suit, in the notation of any game."""
    return bool(face(text.strip()).suit)


def by_suit(cards: Iterable[Notation]) -> list[list[Notation]]:
    """Cards as people hold them: suits together, the highest first."""
    suits: dict[str, list[Notation]] = {suit: [] for suit in (*SHOWN, "")}
    for each in cards:
        suits[face(each).suit].append(each)
    for suit, group in suits.items():
        group.sort(key=lambda each: ORDER[face(each).rank] if suit else int(each), reverse=True)
    return [group for group in suits.values() if group]


def spoken(cards: Sequence[Notation]) -> str:
    """A hand for the ear: `spades A 10, hearts K`."""
    groups = by_suit(cards)
    return ", ".join(
        f"{SUITS.get(face(group[0]).suit, '')} {' '.join(face(each).rank for each in group)}".strip()
        for group in groups
    )


@register.simple_tag
def hand(
    cards: Sequence[Notation],
    label: str,
    *,
    hidden: int = 0,
    legal: Sequence[Notation] | None = None,
    taken: Sequence[Notation] = (),
    now: Notation | None = None,
) -> SafeString:
    """A hand, sorted by suit, with `hidden` card backs after it, as one picture with one label.

    `legal` lifts the cards that may be played now (None: nobody is asked), `taken` marks those that everybody has seen
    being taken, `now` is the card that has just come in.
    """
    may, seen = frozenset(legal or ()), frozenset(taken)

    def drawn(each: Notation) -> str:
        marks = (("legal", each in may), ("seen", each in seen), ("now", each == now))
        return _face(each, " ".join(mark for mark, holds in marks if holds))

    groups = "".join(f"<b>{''.join(map(drawn, group))}</b>" for group in by_suit(cards))
    backs = f"<b>{BACK * hidden}</b>" if hidden else ""
    parts = [spoken(cards)] if cards else []
    parts += [f"{hidden} hidden card{'' if hidden == 1 else 's'}"] if hidden else []
    words = f"{label}: {', '.join(parts) or 'no cards'}"
    return format_html('<div class="hand" role="img" aria-label="{}">{}</div>', words, mark_safe(groups + backs))


@register.filter
def at(values: Sequence[Any], index: int) -> Any:
    """`{{ table.points|at:chair.index }}`: the entry of a list per seat."""
    return values[index]


@register.filter
def without(cards: Iterable[Notation], others: Iterable[Notation]) -> list[Notation]:
    gone = frozenset(others)
    return [each for each in cards if each not in gone]


@register.filter
def minus(number: int, cards: Sequence[Notation]) -> int:
    """`{{ count|minus:known }}`: how many cards of a hand remain unknown."""
    return number - len(cards)


@register.simple_tag
def small_card(card: Notation, played: Iterable[Iterable[Notation]]) -> SafeString:
    """A card in a line of text, struck out once it has been played by anybody."""
    shown = face(card)
    gone = any(card in cards for cards in played)
    names = " ".join(filter(None, ("card", shown.suit, "small", "gone" if gone else "")))
    words = f"{shown.words}{', played' if gone else ''}"
    return format_html('<i class="{}" role="img" aria-label="{}">{}</i>', names, words, shown.rank)


@register.simple_tag
def suit_mark(suit: str) -> SafeString:
    return format_html('<i class="suit {}" role="img" aria-label="{}"></i>', suit, SUITS[suit])


@register.filter
def milliseconds(value: float | None) -> str:
    """A thinking time in the unit in which it can be read: `0.21 ms`, `340 ms`, `3.2 s`."""
    if value is None:
        return "–"
    if value >= 1000:
        return f"{value / 1000:.3g} s" if value < 100_000 else f"{value / 1000:.0f} s"
    return f"{value:.0f} ms" if value >= 100 else f"{value:.2g} ms" if value < 10 else f"{value:.1f} ms"


@register.filter
def short_ms(value: float | None) -> str:
    """The same in milliseconds without the unit, for narrow places: `0.2`, `12`, `3200`."""
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


@register.filter
def percent(share: float | None) -> str:
    """`0.5 %`, and never a rounded zero for something that took time."""
    if not share:
        return "" if share is None else "0 %"
    if share < 0.0005:
        return "under 0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.1f} %"
