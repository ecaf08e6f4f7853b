"""What changes between two trees, in a form that packs well and that a browser applies without knowing what it shows.

A change is a *pattern* and its *operands*. The pattern is a string of steps, and each step takes its operands from a
list in order; changes of the same kind (somebody plays a card) have the same pattern, so only numbers differ:

    d  go down to a child: its index          u  go up again
    a  set an attribute: its pair             r  remove one: its pair
    p  change the middle of an attribute: its pair, where to start, how many characters to drop, what to put there
    s  put nodes in place of children: the first, how many, then the nodes until e
    t  put another text in place of a child: its index, then words (w each) until e
    l  a leaf, that is a text or an element without elements below it: its number
    n  an element: its shape, then its nodes until e

Words, leaves, shapes (a tag with its attributes) and pairs (an attribute with its value) are in tables, in the order
in which they first occurred.
"""

from __future__ import annotations

from typing import Any

from contest.replay.dom import Element, Nodes

LONG = 16  # characters; shorter values of attributes are sent as a whole


class Table:
    """Things that occurred, each with its number."""

    def __init__(self) -> None:
        self.found: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, thing: Any) -> int:
        number = self._numbers.get(thing)
        if number is None:
            number = self._numbers[thing] = len(self.found)
            self.found.append(thing)
        return number


class Change:
    """One change: the pattern as a list of steps, and the operands."""

    __slots__ = ("operands", "steps")

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.operands: list[int] = []

    @property
    def pattern(self) -> str:
        return "".join(self.steps)


def same_ends(old: Any, new: Any) -> tuple[int, int]:
    """How much of two sequences is equal at the start, and of the rest at the end."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


class Changes:
    """Finds changes between trees of the same nodes, and keeps the tables."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes, self._found = nodes, nodes.found
        self.words, self.leaves, self.shapes, self.pairs = Table(), Table(), Table(), Table()
        self._leaf: dict[int, int | None] = {}

    def between(self, old: int, new: int) -> Change:
        """The change from one element to another of the same tag."""
        change = Change()
        if old != new:
            self._element(self._as_element(old), self._as_element(new), change)
        return change

    def _as_element(self, number: int) -> Element:
        node = self._found[number]
        assert isinstance(node, Element)
        return node

    def _element(self, old: Element, new: Element, change: Change) -> None:
        if old.attributes != new.attributes:
            self._attributes(dict(old.attributes), dict(new.attributes), change)
        if old.children != new.children:
            self._children(old.children, new.children, change)

    def _attributes(self, old: dict[str, str], new: dict[str, str], change: Change) -> None:
        for name, value in new.items():
            before = old.get(name)
            if before == value:
                continue
            if before is None or len(value) < LONG:
                change.steps.append("a")
                change.operands.append(self.pairs.number((name, value)))
                continue
            start, end = same_ends(before, value)
            middle = self.words.number(value[start : len(value) - end])
            change.steps.append("p")
            change.operands += (self.pairs.number((name, "")), start, len(before) - end - start, middle)
        for name in old.keys() - new.keys():
            change.steps.append("r")
            change.operands.append(self.pairs.number((name, "")))

    def _children(self, old: tuple[int, ...], new: tuple[int, ...], change: Change) -> None:
        start, end = same_ends(old, new)
        there, here = old[start : len(old) - end], new[start : len(new) - end]
        if len(there) != len(here):
            self._put(start, len(there), here, change)
            return
        for index, (before, after) in enumerate(zip(there, here, strict=True), start):
            if before != after:
                self._child(index, before, after, change)

    def _child(self, index: int, before: int, after: int, change: Change) -> None:
        old, new = self._found[before], self._found[after]
        if isinstance(old, str) and isinstance(new, str):
            words = new.split(" ")
            change.steps.append("t")
            change.operands.append(index)
            for word in words:
                change.steps.append("w")
                change.operands.append(self.words.number(word))
            change.steps.append("e")
        elif isinstance(old, str) or isinstance(new, str) or old.tag != new.tag or self._is_short(old, new, after):
            self._put(index, 1, (after,), change)
        else:
            change.steps.append("d")
            change.operands.append(index)
            self._element(old, new, change)
            change.steps.append("u")

    def _is_short(self, old: Element, new: Element, number: int) -> bool:
        """Whether an element is as easily put in place of another as changed: a leaf, but for sentences."""
        if self.leaf(number) is None:
            return False
        return old.attributes != new.attributes or not new.children or " " not in self._found[new.children[0]]

    def _put(self, at: int, count: int, nodes: tuple[int, ...], change: Change) -> None:
        change.steps.append("s")
        change.operands += (at, count)
        for number in nodes:
            self._node(number, change)
        change.steps.append("e")

    def _node(self, number: int, change: Change) -> None:
        leaf = self.leaf(number)
        if leaf is not None:
            change.steps.append("l")
            change.operands.append(leaf)
            return
        node = self._as_element(number)
        change.steps.append("n")
        change.operands.append(self._shape(node))
        for child in node.children:
            self._node(child, change)
        change.steps.append("e")

    def _shape(self, node: Element) -> int:
        return self.shapes.number((node.tag, *(part for pair in node.attributes for part in pair)))

    def leaf(self, number: int) -> int | None:
        """The number of a leaf; None of an element with elements below it."""
        if number in self._leaf:
            return self._leaf[number]
        node = self._found[number]
        leaf = None
        if isinstance(node, str):
            leaf = self.leaves.number(node)
        elif not node.children:
            leaf = self.leaves.number((self._shape(node),))
        elif len(node.children) == 1 and isinstance(text := self._found[node.children[0]], str):
            leaf = self.leaves.number((self._shape(node), text))
        self._leaf[number] = leaf
        return leaf
