"""Programs of several files in six languages, as their authors wrote them, from the page of the upload to the export.

Each lies in a folder of `authors/`. They know the contest server by the name `cuda.contest`, and nothing of Kibitz.
"""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from contest.models import Team
from games import record as records
from submissions.models import Submission
from submissions.process import process
from tests.cast import make_contest, make_team
from tests.sandbox.sandboxes import needs, needs_jail
from tests.tournaments.visitors import visitor
from tournaments.clock import periodic
from tournaments.exports.archive import archive
from tournaments.models import Match, Stage
from tournaments.organising import stages
from tournaments.playing import play

pytestmark = [pytest.mark.long("kits"), needs_jail, pytest.mark.django_db]

AUTHORS = Path(__file__).parent / "authors"
ENTRIES = {
    "flounder": ("c", "src/main.c"),
    "marlin": ("cpp", "client.cpp"),
    "herring": ("python", "main.py"),
    "carp": ("java", "src/carp/Carp.java"),
    "pike": ("perl", "pike.pl"),
    "sardine": ("javascript", "main.js"),
}
"""By the name of the program: its language, and the entry that the portal has to find."""
LITTER = {".git/config": b"", ".vscode/tasks.json": b"{}", "a.out": b"\x7fELF", ".DS_Store": b""}
"""What lies in the folders of those who pack them."""


def files_of(name: str) -> dict[str, bytes]:
    folder = AUTHORS / name
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def uploads_of(name: str) -> list[tuple[str, bytes]]:
    """An archive as people make it, with a folder around everything; the pike's author drops the folder itself."""
    files, data = files_of(name), io.BytesIO()
    if name == "pike":
        return [(f"{name}/{path}", content) for path, content in files.items()]
    if name == "flounder":
        with tarfile.open(fileobj=data, mode="w:gz") as tar:
            tar.add(AUTHORS / name, arcname=f"{name}-1.0")
        return [(f"{name}-1.0.tar.gz", data.getvalue())]
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, content in (files | LITTER).items():
            packed.writestr(f"{name}/{path}", content)
    return [(f"{name}.zip", data.getvalue())]


def entered(team: Team) -> Submission:
    name = team.name.lower()
    language, entry = ENTRIES[name]
    page, client = reverse("my-team", args=[team.contest.slug]), visitor(team.people()[0].user)
    paths, files = zip(*uploads_of(name), strict=True)
    sent = [SimpleUploadedFile(path.rpartition("/")[2], data) for path, data in zip(paths, files, strict=True)]
    shown = client.post(page, {"source": sent, "paths": json.dumps(paths)}).context["form"]
    assert (shown.reading.program.language.slug, shown.reading.program.entry) == (language, entry)
    assert client.post(page, {"kept": shown["kept"].value(), "entry": entry, "activate": "on"}).status_code == 302
    version = team.submissions.get()
    process(version.pk)
    version.refresh_from_db()
    assert version.state == "ready", (version.verdict, version.build_log)
    assert {game.faults for game in version.check_games.all()} == {0}
    return version


def test_six_authors_from_the_upload_to_the_export() -> None:
    for language, _ in ENTRIES.values():
        needs(language)
    contest = make_contest(game="barracuda", preset="barracuda-2014")
    versions = [entered(make_team(contest, name=name.capitalize())) for name in ENTRIES]
    stage = stages.create(contest, None, stages.Wish("Ladder", "ladder", {"games": 1}))
    stages.start(stage, None)
    _play(stage, matches=len(versions))
    met = set()
    for match in stage.matches.filter(state=Match.State.DONE):
        record = records.loads(match.record.text())
        assert records.verify(record) is None
        assert not record["result"]["disqualified"]
        assert not [event for event in record["events"] if event["event"] == "fault"]
        met |= {seat.submission_id for seat in match.seats.all()}
    assert met == {version.pk for version in versions}
    kept = zipfile.ZipFile(io.BytesIO(b"".join(archive(contest, contest.roles.get().user))))
    for version in versions:
        name = version.team.name.lower()
        stored = {path: kept.read(path) for path in kept.namelist() if f"{name}" in path.lower() and "sources/" in path}
        for path, content in files_of(name).items():
            assert [data for at, data in stored.items() if at.endswith(f"/{path}")] == [content], path


def _play(stage: Stage, matches: int) -> None:
    """A ladder ends when it is told to: play so many matches of it."""
    for _ in range(matches):
        match = play.play_next()
        if match is None:
            periodic.tick()
            match = play.play_next()
        assert match is not None, "the ladder has stopped"
        assert (match.stage_id, match.state) == (stage.pk, Match.State.DONE), match.last_error
