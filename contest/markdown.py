"""Render people's text as safe HTML: CommonMark with tables, without raw HTML, then sanitised."""

import re
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import NamedTuple

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = {
    *("a", "blockquote", "br", "code", "del", "em", "h2", "h3", "h4", "h5", "hr", "li", "ol", "p", "pre", "strong"),
    *("table", "tbody", "td", "th", "thead", "tr", "ul", "s"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}

_parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"])


class Document(NamedTuple):
    """A long text, and its contents: the address and the title of each of its parts (`##`)."""

    html: SafeString
    contents: list[tuple[str, str]]


@lru_cache(maxsize=100)
def document(text: str, lower: int = 1) -> Document:
    """The same as `render`, with headings that have addresses, which are those of GitHub. Only for our own texts:
    another's could take the address of a part of the page. `lower`: 0 for a text without its title."""
    tokens, contents = _parser.parse(text), []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            title = plain(inline.content)
            token.attrSet("id", re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-"))
            if token.tag == "h2":
                contents.append((str(token.attrs["id"]), title))
    return Document(_html(tokens, ATTRIBUTES | {tag: {"id"} for tag in ("h2", "h3", "h4", "h5")}, lower), contents)


@lru_cache(maxsize=200)
def render(text: str) -> SafeString:
    """Markdown as HTML. Headings start at <h2>, because the page has its own <h1>. Images are dropped."""
    return _html(_parser.parse(text), ATTRIBUTES)


def _html(tokens: list[Token], attributes: dict[str, set[str]], lower: int = 1) -> SafeString:
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(5, int(token.tag[1]) + lower)}"
        if token.type in ("th_open", "td_open"):
            token.attrs.pop("style", None)  # an inline style, which the content security policy forbids
    html = _parser.renderer.render(tokens, _parser.options, {})
    clean = nh3.clean(html, tags=TAGS, attributes=attributes, url_schemes=SCHEMES, link_rel="nofollow noopener")
    return mark_safe(_scrollable(clean))


def plain(text: str) -> str:
    """The text in one line, without markup or HTML."""
    html = _parser.render(text) if "\n" in text else _parser.renderInline(text)  # a title may be "1. Semi-finals"
    return " ".join(unescape(nh3.clean(html, tags=set())).split())


def _scrollable(html: str) -> str:
    """Put wide tables and code into frames that scroll, with the keyboard too."""
    html = html.replace("<table>", '<div class="table-wrap" tabindex="0"><table>').replace("</table>", "</table></div>")
    return html.replace("<pre>", '<pre tabindex="0">')
