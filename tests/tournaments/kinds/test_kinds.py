"""The kinds of stage and their pages: a new kind must add all of them."""

from tournaments import formats, kinds
from tournaments.desk.panels import DESK
from tournaments.pages.stages import PAGES


def test_every_kind_has_a_page_and_a_desk() -> None:
    assert list(kinds.KINDS) == list(PAGES) == list(DESK)


def test_every_format_is_of_a_kind_and_every_kind_has_a_format() -> None:
    assert {format.kind for format in formats.FORMATS.values()} == set(kinds.KINDS)
