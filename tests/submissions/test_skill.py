"""The class of a bot, from the games of its check, in every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import games
from submissions import check, skill
from submissions.models import Submission
from tests.cast import Cast

pytestmark = pytest.mark.long("more")

Uploader = Callable[..., Submission]


class Game:
    """The part of a game that the estimate uses."""

    def __init__(self, low_wins: bool = False) -> None:
        self.house = games.get("tricky_eights").house
        self.low_wins = low_wins


def played(**scores: int) -> tuple[dict[str, Any], int]:
    """A record in which the bot `me` played with house players, by name."""
    seats = [{"name": name, "bot": "bot.py" if name == "me" else f"house:{name}"} for name in scores]
    return {"seats": seats, "result": {"scores": list(scores.values())}}, list(scores).index("me")


@pytest.mark.parametrize(
    ("records", "low_wins", "found"),
    [
        ([], False, ""),
        ([played(me=10, random=20, memoryless=30)], False, ""),
        ([played(me=10, random=20, memoryless=30)], True, "memoryless"),
        ([played(random=20, me=20)], False, ""),
        ([played(random=5, me=20, card_counter=25, memoryless=10)], False, "memoryless"),
        # It lost once and won by more: the sum of all games counts.
        ([played(me=10, card_counter=15), played(card_counter=10, me=16)], False, "card counter"),
        ([played(me=10, card_counter=15), played(card_counter=10, me=15)], False, ""),
        # It lost to a weaker one: the strongest that it outscored still decides its class.
        ([played(me=10, random=15, beyond=5)], False, "beyond card counting"),
    ],
)
def test_the_strongest_house_player_outscored_names_the_class(
    records: list[tuple[dict[str, Any], int]], low_wins: bool, found: str
) -> None:
    assert skill.skill_of(Game(low_wins), records) == found  # type: ignore[arg-type]


@pytest.mark.parametrize("cls", ["card counter", ""])
def test_the_team_is_told_and_how_it_was_found(cast: Cast, upload: Uploader, cls: str) -> None:
    version = upload()
    Submission.objects.filter(pk=version.pk).update(state="ready", is_active=True, skill=cls)
    client = Client()
    client.force_login(cast.alice)
    address = reverse("version", args=[cast.contest.slug, 1])
    assert "Plays like" not in client.get(address).content.decode(), "no game was played to its end"
    version.check_games.create(number=1, seat=0, passed=True, record=b"")
    shown = client.get(address).content.decode()
    assert ("Plays like: card counter" in shown) == bool(cls), "nothing is said until the estimate is reliable"
    assert ("estimate" in shown) == bool(cls)
    mine = client.get(reverse("my-team", args=[cast.contest.slug])).content.decode()
    assert ("Plays like: card counter" in mine) == bool(cls)


def test_a_check_estimates_it(upload: Uploader) -> None:
    from submissions.process import process

    version = upload()
    process(version.pk)
    version.refresh_from_db()
    assert version.state == "ready"
    records = [(game.record_data(), game.seat) for game in version.check_games.all()]
    assert version.skill == skill.skill_of(version.contest.game, records)
    assert len(records) == 4
    assert check.ENOUGH == 15 * 60
