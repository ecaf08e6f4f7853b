"""Live pages at the real web server: they wait for news and do not ask every few seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.contest.server import served
from tests.tournaments import scenes
from tests.tournaments.scenes import play_match
from tests.waiting import wait_for


@pytest.fixture
def server(portal_env: dict[str, str], tmp_path: Path) -> Iterator[served.Server]:
    with served.started(tmp_path / "log", "-w", "1", environment=portal_env | {"DEBUG": "1"}) as server:
        yield server


def test_live_pages_wait_for_news_but_never_with_all_connections_of_a_browser(
    page: Page, server: served.Server
) -> None:
    """A browser has six connections to a server. Windows beyond the third ask every few seconds, as all used to."""
    contest = scenes.small_contest(name="Autumn Cup", target=10)
    scenes.enter(contest, 8)
    stage = scenes.stage_of(contest)
    windows = [page, *(page.context.new_page() for _ in range(3))]
    asked: list[list[str]] = [[] for _ in windows]
    for window, own in zip(windows, asked, strict=True):
        window.on("request", lambda request, own=own: own.append(request.url) if "rev=" in request.url else None)
        window.goto(f"http://localhost:{server.port}{stage.get_absolute_url()}")
    polling = lambda: [own for own in asked if own and "wait=" not in own[0]]  # noqa: E731
    wait_for(lambda: page.title() and all(asked) and len(polling()[0]) > 1, lambda: asked)
    assert sorted(len(own) for own in asked)[:3] == [1, 1, 1]
    assert sum("wait=" in own[0] for own in asked) == 3
    expect(page.get_by_text("First of semi-final 1")).not_to_have_count(0)
    play_match(stage.matches.filter(state="queued")[0])
    for window in windows:
        expect(window.get_by_text("First of semi-final 1")).to_have_count(0)
    for window in windows:
        window.close()
