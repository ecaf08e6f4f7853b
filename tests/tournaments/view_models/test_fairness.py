"""The page of a match shows that it was fair: versions, seed, seats, reason, the same deals, and how to replay it at
home."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from games.__main__ import main
from tests.tournaments import scenes
from tests.tournaments.pages.test_rounds import text_of
from tests.tournaments.stagecraft import Hall, finish
from tournaments.models import Match, MatchSeat

pytestmark = pytest.mark.django_db


def page(client: Client, match: Match) -> str:
    answer = client.get(match.get_absolute_url())
    assert answer.status_code == 200
    return answer.text


def test_versions_seats_and_why(client: Client) -> None:
    hall = Hall(teams=4)
    match = hall.stage(games=4).matches.get()
    MatchSeat.objects.filter(match=match, team=hall.teams[1]).update(submission=None, client="10.0.0.7")
    match = finish(match)
    words = text_of(page(client, match))
    assert words.count("version 1 bot.py") == 3
    assert "own program" in words
    assert "10.0.0.7" not in words
    assert f"Why these players {match.why}" in words
    assert "Seats rotate: every player sits once in every seat." in words
    seats = hall.contest.game.seat_names
    assert ", ".join(seats) in words
    said = ", ".join(f"{seat}: player {number}" for number, seat in enumerate(seats, 1))
    assert f'aria-label="{said}"' in page(client, match)
    client.force_login(hall.teams[1].memberships.get().user)
    assert "connected from 10.0.0.7" in text_of(page(client, match))


def test_matches_on_the_same_deals_stand_together_with_their_sums(client: Client) -> None:
    hall = Hall(teams=4)
    stage = scenes.stage_of(hall.contest, format="swiss", games=1, duplicate=True, rounds=1)
    first, second, *others = stage.matches.order_by("number")
    assert len(others) == 2
    first, second = finish(first), finish(second)
    html = page(client, first)
    words = text_of(html)
    assert "The same deals from every seat" in words
    assert f'href="{others[0].get_absolute_url()}"' in html
    assert "So far" in words
    for team in hall.teams:
        total = sum(seat.counted for seat in MatchSeat.objects.filter(match__in=(first, second), team=team))
        assert f'<td class="numeric"><b>{total:,.12g}</b></td>' in html
    for match in others:
        finish(match)
    assert "Total" in text_of(page(client, first))


@pytest.mark.long("more")
def test_the_commands_work_as_they_are_printed(
    client: Client, tmp_path: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hall = Hall(teams=4)
    stage = scenes.stage_of(hall.contest, format="swiss", games=2, duplicate=True, rounds=1)
    match = [finish(each) for each in stage.matches.order_by("number")][1]
    client.force_login(hall.teams[2].memberships.get().user)
    html = page(client, match)
    commands = re.findall(r"python3 kibitz\.pyz ([^<]*)</pre>", html)
    assert [command.split()[0] for command in commands] == ["verify", "again"]
    monkeypatch.chdir(str(tmp_path))
    with open(f"match-{match.pk}.json", "wb") as file:
        file.write(client.get(reverse("record", args=[match.pk])).getvalue())
    assert main(commands[0].split()) == 0
    seat = match.seats.get(team=hall.teams[2]).index + 1
    assert f"--seat {seat} mine.cpp" in commands[1]
    assert main([*commands[1].replace("mine.cpp", "house:memoryless").split(), "--record", "new.json"]) == 0
    assert "The same deals" in capsys.readouterr().out
    with open("new.json", "rb") as file:
        new = json.load(file)
    assert [event["deal"] for event in new["events"] if event["event"] == "game"] == [1, 2]
