"""What templates draw, as trees whose equal parts are one: so positions can be compared without looking at all of them.

A node has a number. Two nodes with the same number are equal, with everything below them. White space between words
counts as one space, which is how a browser shows it. The parser reads what our own templates write: every element is
closed, and `<`, `>` and `&` in text and attributes are escaped. Anything else is an error, not a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape, unescape
from typing import NamedTuple

VOID = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "path", "use", "wbr"))
LEAVES = "|".join(rf"<{tag}(?: [^>]*)?>[^<]*</{tag}>" for tag in ("i", "b", "td", "span", "small"))
PICTURE = rf'<div [^>]*role="img"[^>]*>.*?</div>|{LEAVES}'  # has none of its own kind inside
TOKEN = re.compile(rf"(?:{PICTURE}|<[^>]*>)[^<]*", re.DOTALL)
PICTURE_TOKEN = re.compile(rf"({PICTURE})([^<]*)", re.DOTALL)
TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)([^>]*?)/?>([^<]*)", re.DOTALL)
ATTRIBUTE = re.compile(r'([^\s="]+)(?:="([^"]*)")?')
SPACE = re.compile(r"[ \t\r\n\f]+")

Attributes = tuple[tuple[str, str], ...]


class Element(NamedTuple):
    """An element; its children are numbers of nodes."""

    tag: str
    attributes: Attributes
    children: tuple[int, ...]


Node = Element | str  # a string: text


class NotWellFormed(ValueError):
    """A template wrote something that is no tree."""


class _Token(NamedTuple):
    """A tag, or a picture or another small element with all that is in it, and the text behind it."""

    opens: bool
    tag: str
    attributes: Attributes
    node: int | None  # of a picture, or of an element that never has anything inside
    text: int | None


Keep = Callable[[str, dict[str, str]], dict[str, str]]
"""Which attributes of an element, given its tag, belong to the tree."""


class Nodes:
    """All nodes that occurred, each once."""

    def __init__(self, keep: Keep = lambda tag, attributes: attributes) -> None:
        self.found: list[Node] = []
        self._numbers: dict[Node, int] = {}
        self._tokens: dict[str, _Token] = {}
        self._keep = keep

    def __getitem__(self, number: int) -> Node:
        return self.found[number]

    def number(self, node: Node) -> int:
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self.found)
            self.found.append(node)
        return number

    def parse(self, html: str) -> tuple[int, ...]:
        """The numbers of the nodes side by side in a piece of HTML. Raises NotWellFormed."""
        start = html.find("<")
        children: list[int] = []
        if (text := self._number_of(html if start < 0 else html[:start])) is not None:
            children.append(text)
        open_: list[tuple[_Token, list[int]]] = []
        tokens, number = self._tokens, self.number
        for piece in TOKEN.findall(html):
            token = tokens.get(piece) or self._token(piece)
            if token.node is not None:
                children.append(token.node)
            elif token.opens:
                open_.append((token, children))
                children = []
            else:
                if not open_ or open_[-1][0].tag != token.tag:
                    raise NotWellFormed(f"</{token.tag}> closes nothing: {piece[:60]!r}")
                opener, around = open_.pop()
                around.append(number(Element(token.tag, opener.attributes, tuple(children))))
                children = around
            if token.text is not None:
                children.append(token.text)
        if open_:
            raise NotWellFormed(f"<{open_[-1][0].tag}> is never closed")
        return tuple(children)

    def _token(self, piece: str) -> _Token:
        if picture := PICTURE_TOKEN.fullmatch(piece):
            token = self._picture(*picture.groups())
        else:
            token = self._tag(piece)
        self._tokens[piece] = token
        return token

    def _picture(self, html: str, behind: str) -> _Token:
        """Read as a whole, because most of them come again."""
        start, end = html.index(">") + 1, html.rindex("<")
        opener = self._tag(html[:start])
        node = self.number(Element(opener.tag, opener.attributes, self.parse(html[start:end])))
        return _Token(True, opener.tag, (), node, self._number_of(behind))

    def _tag(self, piece: str) -> _Token:
        match = TAG.fullmatch(piece)
        if match is None:
            raise NotWellFormed(f"this is no tag: {piece[:60]!r}")
        closes, tag, rest, behind = match.groups()
        attributes = {name.lower(): unescape(value or "") for name, value in ATTRIBUTE.findall(rest)}
        attributes = {name: SPACE.sub(" ", value) for name, value in attributes.items()}
        kept = tuple(sorted(self._keep(tag, attributes).items()))
        node = self.number(Element(tag, kept, ())) if tag in VOID and not closes else None
        return _Token(not closes, tag, kept, node, self._number_of(behind))

    def _number_of(self, written: str) -> int | None:
        text = self._text(written)
        return self.number(text) if text else None

    @staticmethod
    def _text(written: str) -> str:
        return SPACE.sub(" ", unescape(written)) if written else ""

    def html(self, number: int) -> str:
        """A node as HTML again."""
        node = self.found[number]
        if isinstance(node, str):
            return escape(node, quote=False)
        given = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes)
        inside = "".join(map(self.html, node.children))
        return f"<{node.tag}{given}>" if node.tag in VOID else f"<{node.tag}{given}>{inside}</{node.tag}>"

    def below(self, number: int) -> Iterator[int]:
        """A node and all below it, those below first."""
        node = self.found[number]
        for child in node.children if isinstance(node, Element) else ():
            yield from self.below(child)
        yield number
