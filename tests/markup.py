"""What a page means, however its markup is written: tags, tables, and what a browser sends of its forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

Values = dict[str, list[str]]


class _Tags(HTMLParser):
    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted = wanted
        self.found: list[dict[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == self.wanted:
            self.found.append({name: value or "" for name, value in attrs})


def tags(html: str, name: str) -> list[dict[str, str]]:
    """The attributes of every such tag, in the order of the page."""
    parser = _Tags(name)
    parser.feed(html)
    return parser.found


@dataclass
class Form:
    action: str
    method: str
    values: Values = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # and values, including unticked boxes and buttons
    text: str = ""

    def filled(self, changes: dict[str, Any]) -> Values:
        """Its values with the changes. None removes a field, a list gives several values."""
        unknown = changes.keys() - self.names.keys()
        assert not unknown, f"no field {unknown}: there are {sorted(self.names)}"
        values = dict(self.values)
        for name, value in changes.items():
            values.pop(name, None)
            if value is not None:
                values[name] = [str(one) for one in value] if isinstance(value, list) else [str(value)]
        return values


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.open: Form | None = None
        self.select = self.textarea = ""
        self.chosen: list[str] = []
        self.first: str | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.open = Form(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self.open)
        if self.open is None or "disabled" in given:
            return
        name = given.get("name", "")
        if tag in ("input", "button", "select", "textarea") and name:
            self.open.names[name] = given.get("value", "")
        if tag == "input" and name:
            self._input(self.open, name, given)
        elif tag == "select":
            self.select, self.chosen, self.first = name, [], None
        elif tag == "option" and self.select:
            self.first = self.first if self.first is not None else given.get("value", "")
            if "selected" in given:
                self.chosen.append(given.get("value", ""))
        elif tag == "textarea":
            self.textarea = name
            self.open.values[name] = [""]

    @staticmethod
    def _input(form: Form, name: str, given: dict[str, str]) -> None:
        kind = given.get("type", "text")
        if kind in ("submit", "button", "file", "image", "reset"):
            return
        if kind in ("checkbox", "radio"):
            if "checked" in given:
                form.values.setdefault(name, []).append(given.get("value", "on"))
            return
        form.values.setdefault(name, []).append(given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None
        elif tag == "textarea":
            self.textarea = ""
        elif tag == "select" and self.open is not None and self.select:
            chosen = self.chosen or ([self.first] if self.first is not None else [])
            self.open.values[self.select] = chosen
            self.select = ""

    def handle_data(self, data: str) -> None:
        if self.open is None:
            return
        if self.textarea:
            self.open.values[self.textarea][0] += data.removeprefix("\n")
        else:
            self.open.text += data


def forms(page: str) -> list[Form]:
    reader = _Reader()
    reader.feed(page)
    return reader.forms


def submitted(page: str) -> Values:
    """What a browser would send of the largest form of a page if nothing was touched."""
    return max((form.values for form in forms(page) if form.method == "post"), key=len)


class _Rows(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.cell = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self.cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.cell = False

    def handle_data(self, data: str) -> None:
        if self.cell:
            self.rows[-1][-1] += data


def table_rows(page: str) -> Iterator[list[str]]:
    """The cells of every row of every table, with blanks collapsed."""
    reader = _Rows()
    reader.feed(page)
    for row in reader.rows:
        yield [" ".join(cell.split()) for cell in row]
