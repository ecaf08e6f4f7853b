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
