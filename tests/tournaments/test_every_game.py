"""Every game goes the whole way through the portal: upload, build, check, bracket, match, replay, downloads.

The bots are the random players of the kits, in the sandbox. No game is mentioned here.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client

import games
from contest.models import Contest, Team
from games import record as records
from games.engine import Game
from submissions import intake
from submissions.intake import Upload
from submissions.models import Submission
from submissions.process import process
from tests.cast import make_contest, make_team

pytestmark = pytest.mark.django_db

FIRST = "barracuda"
EVERY = [
    pytest.param(game, id=game.slug, marks=[pytest.mark.long("kits")] if game.slug != FIRST else [])
    for game in games.GAMES.values()
]


def entered(game: Game, teams: int) -> tuple[Contest, list[Team]]:
    """A contest with the game's preset for any language, whose teams use the kit's random player in Python."""
    contest = make_contest(game=game.slug, preset=game.presets[-1].name)
    source = (game.folder / "kit" / "random_player.py").read_bytes()
    entries = [make_team(contest, name=f"{game.title} team {number}") for number in range(1, teams + 1)]
    for number, team in enumerate(entries):
        captain = team.people()[0].user
        changed = source + b"# " + str(number).encode() + b"\n"
        process(intake.receive(team, captain, [Upload("random_player.py", changed)]).submission.pk)
    return contest, entries


def version_of(team: Team) -> Submission:
    return team.submissions.get()


def links(html: str, prefix: str) -> list[str]:
    found = re.findall(rf'href="({prefix}[^"#]*)"', html)
    return [link.replace("&amp;", "&") for link in dict.fromkeys(found)]


@pytest.mark.parametrize("game", EVERY)
def test_the_random_player_of_the_kit_is_built_and_checked(game: Game, client: Client) -> None:
    _, (team,) = entered(game, 1)
    version = version_of(team)
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
