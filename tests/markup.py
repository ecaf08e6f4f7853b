"""What the markup of a page means, however it is written: the attributes of its tags."""

from __future__ import annotations

from html.parser import HTMLParser


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


class _Form(HTMLParser):
    """Collects what a browser would send of the forms with method post."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, list[str]]] = []
        self.select = self.text = ""
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = told.get("method", "get").lower() == "post"
            self.forms += [{}] if self.inside else []
        if not self.inside or "disabled" in told:
            return
        name, kind = told.get("name", ""), told.get("type", "text")
        if tag == "input" and name and kind not in ("submit", "file", "button"):
            if kind not in ("checkbox", "radio") or "checked" in told:
                self._add(name, told.get("value", "on" if kind == "checkbox" else ""))
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and "selected" in told:
            self._add(self.select, told.get("value", ""))
        elif tag == "textarea":
            self.text = name
            self._add(name, "")

    def handle_data(self, data: str) -> None:
        if self.text:
            self.forms[-1][self.text][-1] += data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "select":
            self.select = ""
        elif tag == "textarea":
            self.text = ""

    def _add(self, name: str, value: str) -> None:
        self.forms[-1].setdefault(name, []).append(value)


def submitted(html: str) -> dict[str, list[str]]:
    """What a browser would send of the largest form of a page if nothing was touched."""
    parser = _Form()
    parser.feed(html)
    return max(parser.forms, key=len)
