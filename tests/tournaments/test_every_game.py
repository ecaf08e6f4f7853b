"""Every game goes from the upload to the pages of its check. No game is mentioned here.

The bots are the random players of the kits, in the sandbox.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client

import games
from games import record as records
from games.engine import Game
from submissions import intake
from submissions.intake import Upload
from submissions.process import process
from tests.cast import make_contest, make_team

pytestmark = pytest.mark.django_db

FIRST = "barracuda"
EVERY = [
    pytest.param(game, id=game.slug, marks=[pytest.mark.long("kits")] if game.slug != FIRST else [])
    for game in games.GAMES.values()
]


def links(html: str, prefix: str) -> list[str]:
    found = re.findall(rf'href="({prefix}[^"#]*)"', html)
    return [link.replace("&amp;", "&") for link in dict.fromkeys(found)]


@pytest.mark.parametrize("game", EVERY)
def test_the_random_player_of_the_kit_is_built_and_checked(game: Game, client: Client) -> None:
    contest = make_contest(game=game.slug, preset=game.presets[-1].name)
    team = make_team(contest)
    source = (game.folder / "kit" / "random_player.py").read_bytes()
    version = intake.receive(team, team.people()[0].user, [Upload("random_player.py", source)]).submission
    process(version.pk)
    version.refresh_from_db()
    assert not version.failures, version.last_error
    assert version.state in ("ready", "rejected")
    if not game.sample:  # a random player may well be judged wrong
        assert version.state == "ready", version.verdict
    assert version.check_games.count() == (1 if game.sample else game.seats[1])
    for played in version.check_games.all():
        assert records.verify(played.record_data()) is None
        assert played.faults == 0
    client.force_login(team.people()[0].user)
    page = client.get(version.get_absolute_url())
    assert page.status_code == 200
    for link in links(page.text, re.escape(f"{version.get_absolute_url()}check/")):
        answer = client.get(link)
        assert answer.status_code == 200
        for further in links(answer.text, re.escape(f"{version.get_absolute_url()}check/"))[::7]:
            assert client.get(further).status_code == 200, further
