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
PIECE = re.compile(r"<[^>]*>[^<]*")
LEAF = "|".join(rf"<{tag}(?: [^>]*)?>[^<]*</{tag}>" for tag in ("i", "b", "td", "span", "small"))
GROUP = re.compile(rf"(?:<b(?: [^>]*)?>(?:<i [^>]*>[^<]*</i>)+</b>|{LEAF}|<[^>]*>)[^<]*")  # cards of a suit come again
TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)([^>]*?)/?>", re.DOTALL)
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


class _Opener:
    """A tag that begins an element. It knows the numbers of the elements that began with it, by their children."""

    __slots__ = ("attributes", "made", "tag")

    def __init__(self, tag: str, attributes: Attributes) -> None:
        self.tag, self.attributes = tag, attributes
        self.made: dict[tuple[int, ...], int] = {}


_Step = int | str | _Opener
"""What a line of HTML adds to a tree: the number of a node, an element that begins, or the tag of one that ends."""


Keep = Callable[[str, dict[str, str]], dict[str, str]]
"""Which attributes of an element, given its tag, belong to the tree."""


class Nodes:
    """All nodes that occurred, each once."""

    def __init__(self, keep: Keep = lambda tag, attributes: attributes) -> None:
        self.found: list[Node] = []
        self._numbers: dict[Node, int] = {}
        self._lines: dict[str, list[_Step]] = {}
        self._tokens: dict[str, tuple[_Step, int | None]] = {}
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
        children: list[int] = []
        open_: list[tuple[_Opener, list[int]]] = []  # each with what stands before it in the element around it
        for line in str(html).replace("\n<", "\n\0<").split("\0"):  # Markup would escape what is put there
            for step in self._lines.get(line) or self._line(line):
                if type(step) is int:
                    children.append(step)
                elif type(step) is _Opener:
                    open_.append((step, children))
                    children = []
                else:
                    if not open_ or open_[-1][0].tag != step:
                        raise NotWellFormed(f"</{step}> closes nothing")
                    opener, around = open_.pop()
                    around.append(self._element(opener, tuple(children)))
                    children = around
        if open_:
            raise NotWellFormed(f"<{open_[-1][0].tag}> is never closed")
        return tuple(children)

    def _element(self, opener: _Opener, children: tuple[int, ...]) -> int:
        found = opener.made.get(children)
        if found is None:
            found = opener.made[children] = self.number(Element(opener.tag, opener.attributes, children))
        return found

    def _line(self, html: str) -> list[_Step]:
        """Read as a whole, because most lines come again in the next position."""
        start = html.find("<")
        text = self._text(html if start < 0 else html[:start])
        found = self._read(GROUP.findall(html), [] if text is None else [text])
        self._lines[html] = found
        return found

    def _read(self, pieces: list[str], found: list[_Step]) -> list[_Step]:
        begun: list[int] = []  # where in `found` the elements begin that are open
        for piece in pieces:
            step, text = self._tokens.get(piece) or self._token(piece)
            if type(step) is str and begun:
                step = self._closed(step, found, begun.pop())
            elif type(step) is _Opener:
                begun.append(len(found))
            found.append(step)
            if text is not None:
                found.append(text)
        return found

    def _closed(self, tag: str, found: list[_Step], begun: int) -> int:
        """The number of an element that began in this line. Takes it off what was found."""
        opener, *inside = found[begun:]
        if not isinstance(opener, _Opener) or opener.tag != tag:
            raise NotWellFormed(f"</{tag}> closes something else")
        del found[begun:]
        return self._element(opener, tuple(inside))  # type: ignore[arg-type]  # all are numbers

    def _token(self, piece: str) -> tuple[_Step, int | None]:
        """A tag or a small element, and the text behind it."""
        end = piece.rindex(">") + 1
        if "</" in piece[1:]:
            (step,) = self._read(PIECE.findall(piece[:end]), [])
        else:
            match = TAG.fullmatch(piece[:end])
            if match is None:
                raise NotWellFormed(f"this is no tag: {piece[:60]!r}")
            closes, tag, rest = match.groups()
            step = tag if closes else self._opened(tag, rest)
        found = self._tokens[piece] = (step, self._text(piece[end:]))
        return found

    def _opened(self, tag: str, rest: str) -> int | _Opener:
        attributes = {name.lower(): unescape(value or "") for name, value in ATTRIBUTE.findall(rest)}
        attributes = {name: SPACE.sub(" ", value) for name, value in attributes.items()}
        kept = tuple(sorted(self._keep(tag, attributes).items()))
        return self.number(Element(tag, kept, ())) if tag in VOID else _Opener(tag, kept)

    def _text(self, written: str) -> int | None:
        return self.number(SPACE.sub(" ", unescape(written))) if written else None

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
