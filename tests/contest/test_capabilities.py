"""What a contest needs and workers lack, according to their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse

import games
from contest import languages, workers
from contest.languages import lacking
from contest.workers import Confinement
from tests.cast import Cast, make_contest
from tests.contest.test_views import text_of
from tests.tournaments.visitors import visitor

EVERYTHING = tuple(languages.table())
SOCKETS = next(game for game in games.GAMES.values() if game.protocol == "socket")
LINES = next(game for game in games.GAMES.values() if game.protocol == "lines")

Appear = Callable[..., None]


@pytest.fixture
def appear(db: None) -> Iterator[Appear]:
    """A worker's heartbeat, with a description of its machine."""

    def appear(name: str, *, level: str = "full", reasons: tuple[str, ...] = (), **said: Any) -> None:
        said = {"languages": EVERYTHING, **said}
        workers.confines(Confinement(level, f"the title of {level}", level != "none", reasons, **said))
        workers.sign_of_life(name, ("builds", "matches"))

    yield appear
    workers.confines(None)


def test_nobody_is_there(db: None) -> None:
    (said,) = lacking(LINES, ["c"])
    assert "No worker" in said


def test_nobody_can_confine_a_bot(appear: Appear) -> None:
    appear("one", level="none", reasons=("no Landlock", "no bubblewrap"))
    appear("two", level="none", reasons=("no Landlock",))
    (said,) = lacking(LINES, ["c"])
    assert "no Landlock; no bubblewrap" in said, "each reason once"
    appear("three")
    assert lacking(LINES, ["c"]) == [], "the others leave it to that one"


def test_clients_without_a_port(appear: Appear) -> None:
    appear("one", no_port="no loopback")
    assert lacking(LINES, ["c"]) == [], "only a server of its own needs one"
    (said,) = lacking(SOCKETS, ["c"])
    assert "no worker" in said
    assert "no loopback" in said
    appear("two")
    (said,) = lacking(SOCKETS, ["c"])
    assert "the sandbox of one" in said


def test_languages_that_are_missing_everywhere_or_somewhere(appear: Appear) -> None:
    appear("one", languages=("c", "cpp"))
    appear("two", languages=("c",))
    assert lacking(LINES, ["c"]) == []
    names = {slug: language.name for slug, language in languages.table().items()}
    nowhere = [slug for slug in names if slug in ("java", "go")]
    partly, fully = lacking(LINES, ["c", "cpp", *nowhere])
    assert partly.startswith(f"{names['cpp']} is not installed for two")
    assert fully.startswith("No worker")
    assert " and ".join(names[slug] for slug in nowhere) in fully


def test_it_stands_above_the_form_of_a_new_contest_and_of_one_that_is_changed(appear: Appear, cast: Cast) -> None:
    appear("one", no_port="no <loopback>", languages=EVERYTHING)
    said = "are TCP clients, and no worker can give them a port: no &lt;loopback&gt;."
    new = visitor(cast.root).get(reverse("contest-new"), {"preset": f"{SOCKETS.slug}:{SOCKETS.presets[0].name}"})
    assert said in text_of(new)
    assert "TCP clients, and" not in text_of(visitor(cast.root).get(reverse("contest-new")))
    contest = make_contest(cast.olga, game=SOCKETS.slug, preset=SOCKETS.presets[0].name)
    assert said in text_of(visitor(cast.olga).get(reverse("desk-settings", args=[contest.slug])))
    assert "no port for TCP clients: no &lt;loopback&gt;" in text_of(visitor(cast.root).get(contest_desk(contest.slug)))


def contest_desk(slug: str) -> str:
    return reverse("desk", args=[slug])
