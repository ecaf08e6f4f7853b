"""Sources as pages show them."""

from __future__ import annotations

import pytest

from submissions import listing

PYTHON = 'def f(x):\n    return "<a>" + x  # ok\n'


def test_colours_come_as_classes_and_markup_is_escaped() -> None:
    html = listing.coloured(PYTHON, "bot.py")
    assert 'class="k"' in html
    assert "&lt;a&gt;" in html
    assert "<a>" not in html
    assert "style=" not in html


def test_a_difference_shows_what_changed_with_its_surroundings() -> None:
    old = [f"line {number}" for number in range(1, 41)]
    new = [*old[:19], "new", *old[20:], "last"]
    lines = listing.difference("\n".join(old), "\n".join(new))
    assert [(it.kind, it.old, it.new) for it in lines] == [
        ("gap", None, None),
        *(("same", n, n) for n in (17, 18, 19)),
        ("removed", 20, None),
        ("added", None, 20),
        *(("same", n, n) for n in (21, 22, 23)),
        ("gap", None, None),
        *(("same", n, n) for n in (38, 39, 40)),
        ("added", None, 41),
    ]
    assert [it.text for it in lines if it.kind in ("added", "removed")] == ["line 20", "new", "last"]
    assert {it.sign for it in lines} == {"⋯", " ", "−", "+"}


def numbered(count: int, step: int, kinds: int) -> list[str]:
    return [str(number * step % kinds) for number in range(count)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (numbered(10_000, 1, 110), numbered(10_000, -7, 110)),  # each line occurs 90 times, too rarely to be ignored
        pytest.param(
            numbered(10_000, 1, 10_000),
            [f"{number}{number % 2 * 'x'}" for number in range(10_000)],
            marks=pytest.mark.long("more"),
        ),
    ],
    ids=["the same lines again and again", "a change in every other line"],
)
def test_what_takes_the_matcher_minutes_is_given_up(old: list[str], new: list[str]) -> None:
    with pytest.raises(listing.TooLong, match="too many places"):
        listing.difference("\n".join(old), "\n".join(new))


def test_long_sources_with_few_changes_are_compared() -> None:
    """Frequent lines, such as empty ones and closing braces, do not prevent it."""
    old = [line for number in range(3_000) for line in (f"if (x == {number}) {{", "    y();", "}")]
    new = [*old[:900], "y();", *old[900:5_000], *old[5_003:], "end"]
    lines = listing.difference("\n".join(old), "\n".join(new))
    assert [it.text for it in lines if it.kind == "added"] == ["y();", "end"]
    assert len([it for it in lines if it.kind == "removed"]) == 3
