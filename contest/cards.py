"""Cards as a page shows them: a single face, a whole hand, or a few words; a game defines its faces (`Game.face`).

A face is deliberately small, `<i class="card d">9</i>`, with the suit drawn by cards.css, because a replay has
thousands of them. A bare face says nothing to a screen reader, so each group of faces needs one label.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from django.utils.html import escape
from markupsafe import Markup

from games.engine import Card, Face, Game

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
SHOWN = "shcd"  # the order of suits in a hand: colours alternate

BACK = '<i class="card back"></i>'


@lru_cache(maxsize=4096)
def face(game: Game, card: Card) -> Face:
    """The face of a card of a game. Anything that is not a card is shown as it is."""
    return game.face(card) or Face(str(card), words=str(card))


def faces(game: Game) -> list[dict[str, str]]:
    """Every different card of a game, for a script that draws the cards itself."""
    found = ((card, face(game, card)) for card in dict.fromkeys(game.pack))
    return [{"card": card, "rank": it.rank, "suit": it.suit, "words": it.words} for card, it in found]


def is_card_of(text: str, game: Game) -> bool:
    """Whether a bot's answer is a card of that game."""
    return game.face(text.strip()) is not None


def _names(*names: str) -> str:
    return " ".join(filter(None, ("card", *names)))


@lru_cache(maxsize=8192)
def _face(game: Game, card: Card, classes: str) -> str:
    shown = face(game, card)
    names = _names(shown.suit, "ten" if shown.rank == "10" else "", classes)
    return f'<i class="{names}">{escape(shown.rank)}</i>'


@lru_cache(maxsize=8192)
def card(game: Game, card: Card, classes: str = "") -> Markup:
    """One card with its name for screen readers. `classes` as in cards.css: "wins", "leads", "small" …"""
    return _named(face(game, card), classes)


def _named(shown: Face, classes: str, more: str = "") -> Markup:
    label, rank = escape(shown.words + more), escape(shown.rank)
    return Markup(f'<i class="{_names(shown.suit, classes)}" role="img" aria-label="{label}">{rank}</i>')


def small_card(game: Game, card: Card, played: Iterable[Iterable[Card]]) -> Markup:
    """A card in a line of text, struck out once anybody has played it."""
    return _small(game, card, any(card in cards for cards in played))


@lru_cache(maxsize=4096)
def _small(game: Game, card: Card, gone: bool) -> Markup:
    return _named(face(game, card), "small gone" if gone else "small", ", played" if gone else "")


def suit_mark(suit: str) -> Markup:
    return Markup(f'<i class="suit {suit}" role="img" aria-label="{SUITS[suit]}"></i>')


def by_suit(game: Game, cards: Iterable[Card]) -> list[list[Card]]:
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


def spoken(game: Game, cards: Sequence[Card]) -> str:
    """A hand for screen readers: `spades A 10, hearts K`. Cards that are not held in groups are listed one by one."""
    said = []
    for group in by_suit(game, cards):
        name = face(game, group[0]).group
        ranks = " ".join(face(game, each).rank for each in group)
        said.append(f"{name} {ranks}" if name else ", ".join(face(game, each).words for each in group))
    return ", ".join(said)


def hand(
    game: Game,
    cards: Sequence[Card],
    label: str,
    *,
    hidden: int = 0,
    legal: Iterable[Card] | None = None,
    taken: Iterable[Card] = (),
    now: Card | None = None,
) -> Markup:
    """A hand, sorted by suit, with `hidden` card backs after it, as one picture with one label.

    `legal` lifts the cards that may be played now (None: it is not this player's turn). `taken` marks cards that
    everybody has seen being taken. `now` is the card that has just been received.
    """
    just = now if isinstance(now, str | int) and now in cards else None
    return _hand(game, tuple(cards), label, hidden, frozenset(legal or ()), frozenset(taken), just)


@lru_cache(maxsize=8192)
def _hand(
    game: Game,
    cards: Sequence[Card],
    label: str,
    hidden: int,
    legal: frozenset[Card],
    taken: frozenset[Card],
    now: Card | None,
) -> Markup:
    groups = by_suit(game, cards)
    all_legal = bool(cards) and legal.issuperset(cards)

    def drawn(group: list[Card]) -> str:
        """A group that is legal as a whole says so once: a replay sends fewer changes."""
        whole = not all_legal and legal.issuperset(group)
        single = frozenset() if whole or all_legal else legal
        faces = []
        for each in group:
            marks = (("legal", each in single), ("seen", each in taken), ("now", each == now))
            faces.append(_face(game, each, " ".join(mark for mark, holds in marks if holds)))
        return ('<b class="legal">' if whole else "<b>") + "".join(faces) + "</b>"

    backs = f"<b>{BACK * hidden}</b>" if hidden else ""
    parts = [spoken(game, cards)] if cards else []
    parts += [f"{hidden} hidden card{'' if hidden == 1 else 's'}"] if hidden else []
    words = escape(f"{label}: {', '.join(parts) or 'no cards'}")
    inside = "".join(map(drawn, groups)) + backs
    names = "hand legal" if all_legal else "hand"
    return Markup(f'<div class="{names}" role="img" aria-label="{words}">{inside}</div>')
