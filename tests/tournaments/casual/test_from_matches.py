"""Playing on from matches of a contest: only where the reader may see them, from every game and seat."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from contest.models import Contest
from games.record import game_events, seating_of
from tests.cast import make_cast
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
from tournaments.casual import moves
from tournaments.models import CasualGame, Match, Record

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    cast = make_cast(game="hearts", options={"target": 20}, team_size=3)
    scenes.arm(cast.aces, cast.clubs)
    match = scenes.stage_of(cast.contest, games=3).matches.get()
    scenes.play_match(match, lambda seat: Scripted())
    match.refresh_from_db()
    return match


def take(client: Client, match: Match, game: int, **data: Any) -> str:
    at = reverse("replay", args=[match.pk, game])
    answer = client.post(reverse("casual-from"), {"at": at, **data})
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.mark.parametrize("number", [1, 3])
def test_every_game_of_a_match_can_be_played_on_by_anybody_who_sees_it(match: Match, number: int) -> None:
    record = Record.objects.get(match=match).loaded()
    events, seating = game_events(record, number), seating_of(record, game_events(record, number))
    where = take(Client(), match, number, ply="40", seat="2", name="Eve")
    game = CasualGame.objects.get()
    assert (where, game.private) == (f"/play/{game.pk}/", False)
    assert [seat.name for seat in game.seats.all()][2] == "Eve"
    now = moves.stand(game)
    kept = [{k: v for k, v in each.items() if k not in ("number", "seating")} for each in now.events[:41]]
    assert kept == [{k: v for k, v in each.items() if k not in ("number", "seating")} for each in events[:41]]
    assert (now.seating, game.source["game"]) == ([0, 1, 2, 3], number)
    assert seating != [0, 1, 2, 3] or number == 1


def test_from_a_private_contest_it_goes_on_in_private_and_without_versions_of_other_teams(match: Match) -> None:
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    zoe = Client()
    zoe.force_login(Contest.objects.get().roles.first().user)
    take(zoe, match, 1, ply="40", seat="0")
    game = CasualGame.objects.get()
    assert (game.private, {seat.kind for seat in game.seats.all()}) == (True, {"person", "house"})


def test_what_a_freeze_hides_cannot_be_played_on(match: Match) -> None:
    Contest.objects.update(frozen_number=0)
    answer = Client().post(reverse("casual-from"), {"at": reverse("replay", args=[match.pk, 1]), "ply": "40"})
    assert answer.status_code == 404
    assert not CasualGame.objects.exists()
