"""The page of a match in which a clock ran out, and of games that can be won in several ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.test import Client

from games import get
from games.engine import Action, Fault, FaultKind
from games.format import USED_UP
from games.players import Decision, HousePlayer
from games.record import games
from tests.cast import make_contest
from tests.tournaments import scenes
from tournaments.models import Match

pytestmark = pytest.mark.django_db


class Away(HousePlayer):
    """Nobody is connected."""

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        raise Fault(FaultKind.TIMEOUT, USED_UP)


def played(away: bool) -> Match:
    contest = make_contest(game="barracuda", preset="open", options={"games_to_win": 12, "target": 2})
    scenes.enter(contest, 2)
    house = get("barracuda").house[0]
    bots: Callable[..., object] = lambda seat: (Away if away and seat.index else HousePlayer)(house)  # noqa: E731
    return scenes.play_match(scenes.stage_of(contest).matches.get(), bots)  # type: ignore[arg-type]


def test_an_absence_is_a_fault_of_every_game_and_not_of_every_decision(client: Client) -> None:
    match = played(away=True)
    record = match.record.loaded()
    count = len(games(record))
    assert sum(event["event"] == "fault" for event in record["events"]) > 2 * count
    there, away = match.seats.order_by("index")
    assert (there.faults, away.faults) == (0, count)
    [group] = client.get(match.get_absolute_url()).context["faulty"]
    assert (group["name"], group["count"]) == (away.name, count)
    assert len(client.get(f"{match.get_absolute_url()}1/").context["replay"].faults) == 1


def test_every_game_says_who_won_it_and_how(client: Client) -> None:
    match = played(away=False)
    page = client.get(match.get_absolute_url()).text
    split = games(match.record.loaded())
    by_challenge = [
        number for number, events in enumerate(split, 1) if get("barracuda").ending(events) == "by challenge"
    ]
    assert 0 < len(by_challenge) < len(split)
    assert page.count("won by challenge</span>") == len(by_challenge)
    assert page.count("won by points</span>") == len(split) - len(by_challenge)
