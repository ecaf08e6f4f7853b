"""contest.static_files: what browsers load is smaller than what we write, and means the same."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.urls import reverse
from playwright.sync_api import Page, expect
from pygments.lexers import JavascriptLexer
from pygments.token import Comment, Whitespace

from contest.static_files import Collected
from tests.cast import make_cast
from tests.looks import each_look, misplaced_cards
from tests.tournaments import scenes

ROOT = Path(__file__).resolve().parents[2]
SHEETS = sorted([*(ROOT / "static" / "css").glob("*.css"), *(ROOT / "games").glob("*/table.css")])
SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))
HASH = re.compile(r"\.[0-9a-f]{12}(?=\.\w+[\"')])")


def collect(place: Path) -> Collected:
    """Collect our own files, as `manage.py collectstatic` does."""
    storage = Collected(location=str(place), base_url=settings.STATIC_URL)
    sources: dict[str, Any] = {}
    for folder, prefix in ((ROOT / "static", ""), *((each.parent, f"games/{each.parent.name}/") for each in SHEETS)):
        files = folder.rglob("*") if not prefix else ([folder / "table.css"] if "games/" in f"{folder}" else [])
        for file in files:
            if file.is_file():
                name = f"{prefix}{file.relative_to(folder)}"
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, place / name)
                sources[name] = (FileSystemStorage(location=str(folder)), str(file.relative_to(folder)))
    for name, _, processed in storage.post_process(sources):
        assert not isinstance(processed, Exception), (name, processed)
    return storage


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Collected:
    return collect(tmp_path_factory.mktemp("static"))


def text(collected: Collected, file: Path) -> str:
    """A file as it is sent, with the names in it as they are written."""
    name = f"games/{file.parent.name}/{file.name}" if file.name == "table.css" else f"{file.parent.name}/{file.name}"
    name = "css/table.css" if file == ROOT / "static/css/table.css" else name
    found = Path(collected.path(collected.stored_name(name))).read_text("utf-8")
    return HASH.sub("", found)


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_a_script_is_the_same_but_for_comments_and_space(collected: Collected, file: Path) -> None:
    def tokens(script: str) -> Iterator[str]:
        for kind, value in JavascriptLexer().get_tokens(script):
            if kind not in Comment and kind not in Whitespace and value.strip():
                yield from re.findall(r"\w+|\S", value)

    source = file.read_text("utf-8")
    sent = text(collected, file)
    assert list(tokens(sent)) == list(tokens(source))
    assert len(sent) < len(source)


def plain(rule: str) -> str:
    """Values with variables are kept as they were written. Space before a colon is not: `a :is(b)` means something."""
    return re.sub(r"\s*([,{};/])\s*|(?<=[(:])\s+|\s+(?=\))", r"\1", rule)


def test_what_a_page_loads_is_compressed_once_and_named_by_its_content(collected: Collected) -> None:
    place = Path(collected.location)
    script = collected.stored_name("js/replay.js")
    assert re.search(r'from "\./film\.[0-9a-f]{12}\.js"', (place / script).read_text("utf-8"))
    assert re.search(r'import\("\./running\.[0-9a-f]{12}\.js"\)', (place / script).read_text("utf-8"))
    body = (place / script).read_bytes()
    assert gzip.decompress((place / f"{script}.gz").read_bytes()) == body
    assert brotli.decompress((place / f"{script}.br").read_bytes()) == body
    assert not (place / "js/replay.js.gz").exists()
    before = {file: file.stat().st_mtime_ns for file in place.rglob("*.br")}
    again = collect(place)
    assert again.stored_name("js/replay.js") == script
    assert {file: file.stat().st_mtime_ns for file in place.rglob("*.br")} == before


@pytest.mark.long("browser")
@pytest.mark.django_db(transaction=True)
def test_a_replay_works_with_what_was_collected(
    page: Page, collected: Collected, settings: Any, live_server: Any
) -> None:
    cast = make_cast(options={"target": 25})
    scenes.arm(cast.aces, cast.clubs)
    match = scenes.play_match(scenes.stage_of(cast.contest, "Cup").matches.get())
    backend = {"BACKEND": "contest.static_files.Collected", "OPTIONS": {"location": str(collected.location)}}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": backend}
    settings.STATICFILES_DIRS = [collected.location]
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
