"""Reads a film as static/js/film.js does, so that many can be compared with what the templates draw."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from contest.replay.dom import Element, Nodes


def film_addresses(page: str, part: str = "film") -> dict[str, str]:
    """By view, as a page of a replay gives them."""
    found = re.search(rf'data-{part}="([^"]*)"', page)
    assert found
    return json.loads(unescape(found[1]))  # type: ignore[no-any-return]


def numbers(column: int | str) -> Iterator[int]:
    if isinstance(column, int):
        while True:
            yield column
    if column.startswith("!"):
        yield from recent(numbers(column[1:]))
        return
    high = 0
    for letter in column:
        value = ord(letter) - (36 if ord(letter) > 92 else 35)
        if value < 60:
            yield 60 * high + value
        high = value - 60 if value >= 60 else 0


def recent(places: Iterator[int]) -> Iterator[int]:
    order: list[int] = []
    for place in places:
        order.extend(range(len(order), place + 1))
        order.insert(0, order.pop(place))
        yield order[0]


class Reader:
    """Applies the changes of one part of a film, one after the other, to trees of `nodes`."""

    def __init__(self, film: dict[str, Any], part: str, nodes: Nodes) -> None:
        self.film, self.nodes = film, nodes
        track = film["tracks"][part]
        self.patterns = track["patterns"]
        self.order = numbers(track["order"])
        self.columns = [[numbers(column) for column in columns] for columns in track["operands"]]
        self.tree = nodes.number(Element("div", (), ()))

    def next(self) -> int:
        """The number of the tree of the next position."""
        pattern = next(self.order)
        operands = [next(column) for column in self.columns[pattern]]
        self.steps, self.operands = iter(self.patterns[pattern]), iter(operands)
        self.tree = self.changed(self.tree)
        assert next(self.steps, None) is None
        assert next(self.operands, None) is None
        return self.tree

    def take(self) -> int:
        return next(self.operands)

    def changed(self, number: int) -> int:
        node = self.nodes[number]
        if isinstance(node, str):
            raise TypeError("a text has no children")
        attributes, children = dict(node.attributes), list(node.children)
        for step in self.steps:
            if step == "u":
                break
            if step in "arp":
                self.attribute(step, attributes)
                continue
            at = self.take()
            if step == "d":
                children[at] = self.changed(children[at])
            elif step == "t":
                children[at] = self.nodes.number(" ".join(self.words()))
            else:
                count = self.take()
                children[at : at + count] = self.list()
        return self.nodes.number(Element(node.tag, tuple(sorted(attributes.items())), tuple(children)))

    def attribute(self, step: str, attributes: dict[str, str]) -> None:
        name, value = self.film["pairs"][self.take()]
        if step == "r":
            del attributes[name]
        elif step == "a":
            attributes[name] = value
        else:
            start, drop, word = self.take(), self.take(), self.film["words"][self.take()]
            attributes[name] = attributes[name][:start] + word + attributes[name][start + drop :]

    def words(self) -> list[str]:
        return [self.film["words"][self.take()] for _ in iter(lambda: next(self.steps), "e")]

    def list(self) -> list[int]:
        found = []
        for step in self.steps:
            if step == "e":
                break
            if step == "l":
                leaf = self.film["leaves"][self.take()]
                found.append(self.nodes.number(leaf) if isinstance(leaf, str) else self.element(*leaf))
            else:
                shape = self.take()
                found.append(self.element(shape, *self.list()))
        return found

    def element(self, shape: int, *children: int | str) -> int:
        tag, *rest = self.film["shapes"][shape]
        inside = tuple(self.nodes.number(child) if isinstance(child, str) else child for child in children)
        return self.nodes.number(Element(tag, tuple(zip(rest[::2], rest[1::2], strict=True)), inside))
