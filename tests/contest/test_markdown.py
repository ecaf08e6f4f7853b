"""Strangers' text as HTML: what it can express, and what it cannot do."""

from html.parser import HTMLParser

import pytest

from contest.markdown import plain, render

pytestmark = pytest.mark.promise


class Seen(HTMLParser):
    """The text as parsed by a browser."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**bold** and *soft*", "<p><strong>bold</strong> and <em>soft</em></p>"),
        ("# One\n## Two", "<h2>One</h2>\n<h3>Two</h3>"),
        ("###### Six", "<h5>Six</h5>"),
        ("~~no~~", "<p><s>no</s></p>"),
        ("3. three", '<ol start="3">\n<li>three</li>\n</ol>'),
        ("[x](https://a.example/)", '<p><a href="https://a.example/" rel="nofollow noopener">x</a></p>'),
        ("[x](/c/cup/)", '<p><a href="/c/cup/" rel="nofollow noopener">x</a></p>'),
        ("", ""),
    ],
)
def test_what_it_can_say(text: str, html: str) -> None:
    assert render(text).strip() == html


def test_tables_and_code_scroll_by_the_keyboard_and_have_no_inline_style() -> None:
    table = render("|a|b|\n|:-|-:|\n|1|2|")
    assert '<div class="table-wrap" tabindex="0"><table>' in table
    assert table.count("</table></div>") == 1
    assert "style" not in table
    assert '<pre tabindex="0"><code>' in render("```c\nint x;\n```")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://evil.example/pixel.png)",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "<a href='javascript:alert(1)'>x</a>",
        "<div style='position:fixed'>x</div>",
        "<iframe src=//evil.example></iframe>",
        "[x](https://a.example \"' onmouseover='alert(1)\")",
    ],
)
def test_what_it_cannot_do(text: str) -> None:
    parser = Seen()
    parser.feed(render(text))
    assert {tag for tag, _ in parser.tags} <= {"p", "a", "strong"}
    for _, attributes in parser.tags:
        assert set(attributes) <= {"href", "title", "rel"}
        assert attributes.get("href", "https:").startswith("https:")


def test_in_a_title_or_a_table_there_are_words_alone() -> None:
    assert plain("1. **Finals**") == "1. Finals"
    assert plain("**No** `pass`\n\n* 1 < 2 & [see](https://example.org)\n* <b>") == "No pass 1 < 2 & see <b>"
