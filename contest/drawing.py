"""The templates that draw positions: the table of each game, and what stands beside it; and long lists of pages.

They are Jinja2 templates, because a replay has thousands of positions and Django's engine takes four times as long. A
game's own are in its folder, as `games/<slug>/<name>.html`; the others are in `templates/`. Each game has an
environment of its own, in which `card`, `hand` and `small_card` draw its cards. What is missing counts as none.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from typing import Any

from django.conf import settings
from django.template import Engine
from django.template.defaultfilters import pluralize
from django.urls import reverse
from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, TemplateNotFound, Undefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup

from contest import cards
from contest.formatting import milliseconds, percent, short_ms, signed
from contest.static_files import folder
from games.engine import Game

CARDS = ("card", "hand", "small_card", "suit_mark", "url")
OF_A_GAME = re.compile(r"games/(\w+)/(\w+\.html)")
FILTERS = ("contest_tags", "scores", "stage_tags", "result_tags")  # libraries of Django's templates


class GameLoader(BaseLoader):
    """Loads `games/<slug>/<name>.html` from the folder of that game."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Any]:
        found = OF_A_GAME.fullmatch(template)
        place = folder(found[1]) if found else None
        if not found or not place or not (place / found[2]).is_file():
            raise TemplateNotFound(template)
        path = place / found[2]
        changed = path.stat().st_mtime
        return path.read_text(encoding="utf-8"), str(path), lambda: path.stat().st_mtime == changed


class Inline(CodeGenerator):
    """Writes out what templates of positions do hundreds of times for each: look into dictionaries, lists and objects,
    and call the functions that draw cards. Whatever is not there, and all else, goes the usual way."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # Jinja's name
        held, found = self.temporary_identifier(), self.temporary_identifier()
        self.write(f"({held}[{node.attr!r}] if type({held} := ")
        self.visit(node.node, frame)
        self.write(f") is dict and {node.attr!r} in {held} else {found} if ({found} := getattr(")
        self.write(f"{held}, {node.attr!r}, missing)) is not missing else environment.getattr({held}, {node.attr!r}))")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        if isinstance(node.arg, nodes.Slice):
            super().visit_Getitem(node, frame)
            return
        held, index = self.temporary_identifier(), self.temporary_identifier()
        self.write(f"({held}[{index}] if type({index} := ")
        self.visit(node.arg, frame)
        self.write(f") and type({held} := ")
        self.visit(node.node, frame)
        self.write(f") is list and type({index}) is int and 0 <= {index} < len({held})")
        self.write(f" else environment.getitem({held}, {index}))")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        called = node.node
        if forward_caller or node.dyn_args or node.dyn_kwargs or getattr(called, "name", None) not in CARDS:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(called, frame)
        self.write("(")
        for each in (*node.args, *node.kwargs):
            self.visit(each, frame)
            self.write(", ")
        self.write(")")


def without(cards: Any, others: Any) -> list[Any]:
    gone = frozenset(others)
    return [each for each in cards if each not in gone]


@cache
def environment(game: Game | None) -> Environment:
    made = Environment(
        loader=ChoiceLoader([GameLoader(), FileSystemLoader(settings.BASE_DIR / "templates")]),
        autoescape=True,
        auto_reload=settings.DEBUG,
    )
    made.code_generator_class = Inline
    made.globals |= {name: partial(getattr(cards, name), game) for name in ("card", "hand", "small_card")}
    made.globals |= {"suit_mark": cards.suit_mark, "game": game}
    made.filters |= {each.__name__: each for each in (milliseconds, percent, short_ms, signed, without, pluralize)}
    made.filters["minus"] = lambda number, cards: number - len(cards)
    known = Engine.get_default().template_libraries
    for name in FILTERS:
        made.filters |= known[name].filters
    made.globals["url"] = lru_cache(maxsize=10_000)(lambda name, *args: reverse(name, args=args))
    made.tests["none"] = lambda value: value is None or isinstance(value, Undefined)
    return made


def draw(game: Game, template: str, **context: Any) -> Markup:
    """A template of one game, or one that all of them share."""
    return Markup(environment(game).get_template(template).render(context))
