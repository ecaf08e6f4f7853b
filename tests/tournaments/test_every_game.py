"""Every game goes the whole way through the portal: upload, build, check, bracket, match, replay, downloads.

The bots are the random players of the kits, in the sandbox. No game is mentioned here.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

import games
from contest.models import Contest, Team
from contest.replay.dom import Nodes
from games import record as records
from games.engine import Game
from submissions import intake
from submissions.intake import Upload
from submissions.models import Submission
from submissions.process import process
from tests.cast import make_contest, make_team
from tests.film_reader import Reader, film_addresses
from tournaments.models import Match, Stage
from tournaments.organising import stages
from tournaments.playing import play

pytestmark = pytest.mark.django_db

FIRST = "barracuda"
EVERY = [
    pytest.param(game, id=game.slug, marks=[pytest.mark.long("kits")] if game.slug != FIRST else [])
    for game in games.GAMES.values()
]
AGAINST_OTHERS = [each for each in EVERY if each.values[0].seats[1] > 1]  # type: ignore[attr-defined]


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


@pytest.mark.long("kits")
@pytest.mark.parametrize("game", AGAINST_OTHERS)
def test_a_bracket_is_played_to_its_end_and_can_be_replayed(game: Game, client: Client) -> None:
    contest, _ = entered(game, 3)
    options = {"games": 3} if game.decides else {}
    stage = stages.create(contest, None, stages.Wish("Cup", options=options))
    stages.start(stage, None)
    while match := play.play_next():
        assert match.state == Match.State.DONE, match.last_error
    stage.refresh_from_db()
    assert stage.state == Stage.State.DONE
    for match in stage.matches.all():
        text = match.record.text()
        record = records.loads(text)
        assert records.verify(record) is None
        assert [seat.name for seat in match.seats.all()] == [
            seat["name"] if not game.introduction else it.name
            for seat, it in zip(record["seats"], match.seats.all(), strict=True)
        ]
        _look_at(client, game, match)
    for name in ("bracket", "standings", "matches", "rules"):
        args = [contest.slug, stage.pk] if name == "bracket" else [contest.slug]
        assert client.get(reverse(name, args=args)).status_code == 200


def _look_at(client: Client, game: Game, match: Match) -> None:
    page = client.get(match.get_absolute_url())
    assert page.status_code == 200
    for player in match.seats.all():
        assert player.name in page.text
    for number in range(1, match.games + 1):
        assert client.get(reverse("game-log", args=[match.pk, number, game.log_name])).text.strip()
        replay = reverse("replay", args=[match.pk, number])
        for view in ("table", "hidden", "0", f"{game.seats[1] - 1}"):
            shown = client.get(replay, {"view": view})
            assert shown.status_code == 200
            last = shown.context["replay"].last
            for ply in {0, 1, last // 3, last - 1, last}:
                assert client.get(replay, {"view": view, "ply": ply}).status_code == 200
            film = client.get(film_addresses(shown.text)[view]).json()
            whole = Reader(film, "position", Nodes())
            assert len({whole.next() for _ in range(last + 1)}) > 1
