"""A game with a bidding phase, in a folder outside the tree, goes from the upload to the replay.

The portal only gets its folder (tests/sixth_game/oh_hell) and the name of its package.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

import games
from contest import presets
from contest.models import Contest, Team
from games import record as records
from games.engine import Game
from games.kits import kit_zip
from submissions.process import process
from tests.cast import make_contest, make_team
from tournaments.models import Match, Stage
from tournaments.organising import stages
from tournaments.playing import play

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = "oh_hell"
BID = re.compile(r"bids (\d)")


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The game, as KIBITZ_GAMES brings it when the portal starts."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    loaded = games.load(PACKAGE)
    yield loaded
    del games.GAMES[loaded.slug], games.PACKAGE_OF[loaded.slug]


def upload(client: Client, contest: Contest, team: Team, source: bytes) -> None:
    client.force_login(team.people()[0].user)
    page = reverse("my-team", args=[contest.slug])
    assert client.get(page).status_code == 200
    sent = client.post(page, {"source": SimpleUploadedFile("random_player.py", source), "activate": "on"})
    assert sent.status_code == 302, sent.text


def ready_teams(client: Client, game: Game, contest: Contest) -> list[Team]:
    """Four teams that have uploaded the kit's random player, which has passed its check.

    Each draws the same numbers in every run: otherwise two of them are level once in ten runs, and play off."""
    source = (game.folder / "kit" / "random_player.py").read_bytes()
    assert source.count(b"import random\n") == 1
    teams = [make_team(contest, name=f"Team {number}") for number in range(4)]
    for number, team in enumerate(teams):
        seed = b"import random\n\nrandom.seed(%d)\n" % number
        upload(client, contest, team, source.replace(b"import random\n", seed))
        version = team.submissions.get()
        process(version.pk)
        version.refresh_from_db()
        assert version.state == "ready", version.verdict or version.last_error
        assert version.is_active
        assert client.get(version.get_absolute_url()).status_code == 200
        for played in version.check_games.all():
            assert records.verify(played.record_data()) is None
    return teams


@pytest.mark.long("more")
@pytest.mark.django_db
def test_from_the_upload_to_the_replay(game: Game, client: Client) -> None:
    assert (game, game.presets[0]) in presets.choices()
    contest = make_contest(game=game.slug, preset=game.presets[0].name)
    ready_teams(client, game, contest)
    stage = stages.create(contest, None, stages.Wish("Cup", options={"table_size": 4, "advance": 1, "games": 4}))
    stages.start(stage, None)
    while match := play.play_next():
        assert match.state == Match.State.DONE, match.last_error
    stage.refresh_from_db()
    assert stage.state == Stage.State.DONE
    match = stage.matches.get()
    places = sorted(seat.place for seat in match.seats.all())
    assert places[0] == 1

    client.logout()
    for name in ("rules", "standings", "matches"):
        assert client.get(reverse(name, args=[contest.slug])).status_code == 200
    page = client.get(match.get_absolute_url())
    assert all(f"Team {number}" in page.text for number in range(4))

    record = records.loads(client.get(reverse("record", args=[match.pk])).content)
    assert records.verify(record) is None
    assert records.loads(records.dumps(record)) == record
    look_at_the_bids(client, match, records.game_events(record, 1))
    assert "bids" in client.get(reverse("game-log", args=[match.pk, 1, game.log_name])).text


def look_at_the_bids(client: Client, match: Match, events: list[games.engine.Event]) -> None:
    """Every bid of the first hand is drawn at the table, described in words, listed among the moves, and timed."""
    replay = reverse("replay", args=[match.pk, 1])
    bids = [(ply, event) for ply, event in enumerate(events) if event["event"] == "bid"][:4]
    assert len(bids) == 4
    for done, (ply, event) in enumerate(bids, 1):
        shown = client.get(replay, {"ply": ply})
        assert shown.status_code == 200
        step = shown.context["step"]
        assert step.table["bids"][event["seat"]] == event["bid"]
        felt = shown.text[shown.text.index('<div class="felt oh-hell">') : shown.text.index('class="centre"')]
        assert len(BID.findall(felt)) == done
        assert f"bids {event['bid']} trick" in step.caption
        assert step.time is not None
        assert step.chosen_from == 6
        assert step.where.endswith("the bid")
    (line,) = [line for line in shown.context["moves"].lines if line.label == "Bids"]
    assert [(move.ply, move.choice) for move in line.moves] == [(ply, str(event["bid"])) for ply, event in bids]
    assert f"bid {bids[0][1]['bid']}" in shown.text
    assert "games/oh_hell/table.css" in shown.text
    assert finders.find("games/oh_hell/table.css")
    for view in ("hidden", "0"):
        assert client.get(replay, {"ply": bids[-1][0], "view": view}).status_code == 200


def run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


@pytest.mark.long("more")
def test_its_name_in_the_environment_is_enough(tmp_path: Path) -> None:
    path = os.pathsep.join(map(str, (ROOT, Path(__file__).parent)))
    command = [sys.executable, "-m", "games"]
    shown = run([*command, "list"], tmp_path, PYTHONPATH=path, KIBITZ_GAMES=PACKAGE)
    assert "oh_hell: Oh Hell, 4 players" in shown.stdout, shown.stderr
    bots = ["house:counter", "house:random", "house:random", "house:random"]
    played = run(
        [*command, "play", "oh_hell", *bots, "--seed", "3", "--record", "game.json"],
        tmp_path, PYTHONPATH=path, KIBITZ_GAMES=PACKAGE,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    told = run([*command, "show", "game.json"], tmp_path, PYTHONPATH=path, KIBITZ_GAMES=PACKAGE)
    assert re.search(r"^  bid: east \d, south \d, west \d, north \d$", told.stdout, re.MULTILINE), told.stdout
    without = run([*command, "list"], tmp_path, PYTHONPATH=path, KIBITZ_GAMES="")
    assert "oh_hell" not in without.stdout


def test_two_games_cannot_share_a_slug(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, game.slug, games.GAMES["hearts"])
    with pytest.raises(ValueError, match="there is another game 'oh_hell'"):
        games.load(PACKAGE)


def test_its_kit_plays_it(game: Game, tmp_path: Path) -> None:
    with zipfile.ZipFile(BytesIO(kit_zip(game, "python"))) as kit:
        kit.extractall(tmp_path)
    folder = tmp_path / "oh_hell-python"
    assert (folder / "README.md").is_file()
    bots = ["random_player.py", "house:counter", "house:random", "house:random"]
    command = [sys.executable, "kibitz.pyz", "play", "oh_hell", *bots, "--record", "game.json"]
    played = run(command, folder, KIBITZ_GAMES="", PYTHONPATH="", XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert played.returncode == 0, played.stderr
    record = json.loads((folder / "game.json").read_text())
    assert {"bid", "play"} <= {event["event"] for event in record["events"]}
