"""The templates that draw positions: the table of each game, and what stands beside it.

They are Jinja2 templates, because a replay has thousands of positions and Django's engine takes four times as long. A
game's own are in its folder, as `games/<slug>/<name>.html`; the others are in `templates/`. Each game has an
environment of its own, in which `card`, `hand` and `small_card` draw its cards. What is missing counts as none.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Any

from django.conf import settings
from django.template.defaultfilters import pluralize
from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, TemplateNotFound, Undefined
from markupsafe import Markup

from contest import cards
from contest.formatting import milliseconds, percent, short_ms, signed
from contest.game_files import folder
from games.engine import Game

OF_A_GAME = re.compile(r"games/(\w+)/(\w+\.html)")
COUNTS = {"minus": lambda number, cards: number - len(cards)}


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


class Quick(Environment):
    """Looks into dictionaries first: nearly all that these templates ask for is there, 200 times for each position."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def without(cards: Any, others: Any) -> list[Any]:
    gone = frozenset(others)
    return [each for each in cards if each not in gone]


@cache
def environment(game: Game) -> Environment:
    made = Quick(
        loader=ChoiceLoader([GameLoader(), FileSystemLoader(settings.BASE_DIR / "templates")]),
        autoescape=True,
        auto_reload=settings.DEBUG,
    )
    made.globals |= {name: partial(getattr(cards, name), game) for name in ("card", "hand", "small_card")}
    made.globals |= {"suit_mark": cards.suit_mark, "game": game}
    made.filters |= {each.__name__: each for each in (milliseconds, percent, short_ms, signed, without, pluralize)}
    made.filters |= COUNTS
    made.tests["none"] = lambda value: value is None or isinstance(value, Undefined)
    return made


def draw(game: Game, template: str, **context: Any) -> Markup:
    """A template of one game, or one that all of them share."""
    return Markup(environment(game).get_template(template).render(context))
