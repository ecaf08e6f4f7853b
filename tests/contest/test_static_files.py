"""contest.static_files: what `manage.py collectstatic` gives to browsers."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.cast import make_cast
from tests.looks import each_look, misplaced_cards
from tests.tournaments import scenes


@pytest.fixture
def collected(settings: Any, tmp_path: Path) -> Path:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "contest.static_files.Collected"}}
    call_command("collectstatic", verbosity=0, interactive=False)
    return tmp_path


def test_a_file_is_named_by_its_content_and_compressed(collected: Path) -> None:
    script = staticfiles_storage.stored_name("js/replay.js")  # type: ignore[attr-defined]
    body = (collected / script).read_bytes()
    assert re.search(rb'from "\./film\.[0-9a-f]{12}\.js"', body)
    assert re.search(rb'import\("\./running\.[0-9a-f]{12}\.js"\)', body)
    assert gzip.decompress((collected / f"{script}.gz").read_bytes()) == body


@pytest.mark.long("browser")
@pytest.mark.django_db(transaction=True)
def test_a_replay_works_with_what_was_collected(page: Page, collected: Path, settings: Any, live_server: Any) -> None:
    cast = make_cast(options={"target": 25})
    scenes.arm(cast.aces, cast.clubs)
    match = scenes.play_match(scenes.stage_of(cast.contest, "Cup").matches.get())
    settings.STATICFILES_DIRS = [collected]
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.on("response", lambda answer: answer.status >= 400 and failed.append(answer.url))
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{live_server.url}{reverse('replay', args=[match.pk, 1])}")
    page.wait_for_selector("#replay.ready")
    ply = int(page.locator("#replay").get_attribute("data-ply") or 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay")).to_have_attribute("data-ply", str(ply + 1))
    expect(page.locator(".felt")).to_have_css("display", "grid")
    for _, _width in each_look(page):
        assert page.locator(".felt .hand .card").count() > 40
        assert misplaced_cards(page) == []
    assert not failed
    assert any(re.search(r"/js/film\.[0-9a-f]{12}\.js", url) for url in loaded)
    assert not [url for url in loaded if "running" in url], "nothing is live"
