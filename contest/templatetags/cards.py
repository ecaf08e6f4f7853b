"""Cards on a page: a single face, a whole hand, or a few words, as each game defines its faces (`Game.face`).

A face is deliberately small, `<i class="card d">9</i>`, with the suit drawn by cards.css, because a replay page has
thousands of them. A bare face says nothing to a screen reader, so each group of faces needs one label. `game` in the
page's context decides whose cards they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from contest.formatting import milliseconds, percent, short_ms, signed
from games.engine import Card, Face, Game

register = template.Library()
for each in (milliseconds, percent, short_ms, signed):
    register.filter(each)

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SHOWN = "shcd"  # the order of suits in a hand: colours alternate

BACK = '<i class="card back"></i>'


@lru_cache(maxsize=4096)
def face(game: Game | None, card: Card) -> Face:
    """The face of a card of a game. Anything that is not a card is shown as it is."""
    found = game.face(card) if game is not None else None
    return found or Face(str(card), words=str(card))


def _classes(shown: Face, more: str) -> str:
    return " ".join(filter(None, ("card", shown.suit, "ten" if shown.rank == "10" else "", more)))


@lru_cache(maxsize=8192)
def _face(game: Game | None, card: Card, classes: str) -> str:
    shown = face(game, card)
    return str(format_html('<i class="{}">{}</i>', _classes(shown, classes), shown.rank))


@register.simple_tag(takes_context=True)
def card(context: Any, card: Card, classes: str = "") -> SafeString:
    """One card with its name for screen readers. `classes` as in cards.css: "wins", "leads", "small" …"""
    shown = face(context.get("game"), card)
    names = " ".join(filter(None, ("card", shown.suit, classes)))
    return format_html('<i class="{}" role="img" aria-label="{}">{}</i>', names, shown.words, shown.rank)


@register.filter
def is_card_of(text: str, game: Game) -> bool:
    """Whether a bot's answer is a card of that game."""
    return game.face(text.strip()) is not None


def by_suit(game: Game | None, cards: Iterable[Card]) -> list[list[Card]]:
    """Cards as people hold them: grouped by suit, highest first."""
    groups: dict[str, list[Card]] = {}
    for each in cards:
        groups.setdefault(face(game, each).group, []).append(each)
    for group in groups.values():
        group.sort(key=lambda each: face(game, each).strength, reverse=True)

    def place(group: list[Card]) -> tuple[int, int]:
        highest = face(game, group[0])
        return SHOWN.find(highest.suit), -highest.strength

    return sorted(groups.values(), key=place)


def spoken(game: Game | None, cards: Sequence[Card]) -> str:
    """A hand for screen readers: `spades A 10, hearts K`. Cards that are not held in groups are listed one by one."""
    said = []
    for group in by_suit(game, cards):
        name = face(game, group[0]).group
        ranks = " ".join(face(game, each).rank for each in group)
        said.append(f"{name} {ranks}" if name else ", ".join(face(game, each).words for each in group))
    return ", ".join(said)


@register.simple_tag(takes_context=True)
def hand(
    context: Any,
    cards: Sequence[Card],
    label: str,
    *,
    hidden: int = 0,
    legal: Sequence[Card] | None = None,
    taken: Sequence[Card] = (),
    now: Card | None = None,
) -> SafeString:
    """A hand, sorted by suit, with `hidden` card backs after it, as one picture with one label.

    `legal` lifts the cards that may be played now (None: it is not this player's turn). `taken` marks cards that
    everybody has seen being taken. `now` is the card that has just been received.
    """
    game = context.get("game")
    may, seen = frozenset(legal or ()), frozenset(taken)

    def drawn(each: Card) -> str:
        marks = (("legal", each in may), ("seen", each in seen), ("now", each == now))
        return _face(game, each, " ".join(mark for mark, holds in marks if holds))

    groups = "".join(f"<b>{''.join(map(drawn, group))}</b>" for group in by_suit(game, cards))
    backs = f"<b>{BACK * hidden}</b>" if hidden else ""
    parts = [spoken(game, cards)] if cards else []
    parts += [f"{hidden} hidden card{'' if hidden == 1 else 's'}"] if hidden else []
    words = f"{label}: {', '.join(parts) or 'no cards'}"
    return format_html('<div class="hand" role="img" aria-label="{}">{}</div>', words, mark_safe(groups + backs))


@register.simple_tag
def game_styles(game: Game) -> SafeString:
    """The game's own style sheet for its table, if it has one."""
    path = f"games/{game.slug}/table.css"
    return format_html('<link rel="stylesheet" href="{}">', static(path)) if _exists(path) else mark_safe("")


@lru_cache(maxsize=64)
def _exists(path: str) -> bool:
    return finders.find(path) is not None


@register.filter
def at(values: Sequence[Any], index: int) -> Any:
    """`{{ table.points|at:seat.index }}`: the entry of a list per seat."""
    return values[index]


@register.filter
def without(cards: Iterable[Card], others: Iterable[Card]) -> list[Card]:
    gone = frozenset(others)
    return [each for each in cards if each not in gone]


@register.filter
def minus(number: int, cards: Sequence[Card]) -> int:
    """`{{ count|minus:known }}`: how many cards of a hand remain unknown."""
    return number - len(cards)


@register.simple_tag(takes_context=True)
def small_card(context: Any, card: Card, played: Iterable[Iterable[Card]]) -> SafeString:
    """A card in a line of text, struck out once anybody has played it."""
    shown = face(context.get("game"), card)
    gone = any(card in cards for cards in played)
    names = " ".join(filter(None, ("card", shown.suit, "small", "gone" if gone else "")))
    words = f"{shown.words}{', played' if gone else ''}"
    return format_html('<i class="{}" role="img" aria-label="{}">{}</i>', names, words, shown.rank)


@register.simple_tag
def suit_mark(suit: str) -> SafeString:
    return format_html('<i class="suit {}" role="img" aria-label="{}"></i>', suit, SUITS[suit])
