"""The sheets and the transcript of a game say what its replay shows to the same reader, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import record as records
from games.engine import Fault, FaultKind
from tests.cast import Cast, make_cast
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
from tournaments.models import Match, MatchSeat

pytestmark = pytest.mark.django_db

GARBLED = Fault(FaultKind.GARBLED, "answered with something that is not a card", b"<b>h9</b>")


def bots(seat: MatchSeat) -> Scripted:
    return Scripted(GARBLED, at=15) if seat.name == "Clubs" else Scripted()


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(options={"target": 60, "disqualify": False})
    scenes.arm(cast.aces, cast.clubs)
    return cast


@pytest.fixture
def match(cast: Cast) -> Match:
    match: Match = scenes.stage_of(cast.contest, games=2).matches.get()
    scenes.play_match(match, bots)
    match.refresh_from_db()
    return match


def page(client: Client, match: Match, number: int = 1, **query: str) -> Any:
    answer = client.get(reverse("replay", args=[match.pk, number]), query)
    assert answer.status_code == 200
    return answer


def test_every_deal_has_a_sheet_with_its_hands_tricks_and_scores(client: Client, match: Match) -> None:
    events = records.game_events(match.record.loaded(), 1)
    scores = [event for event in events if event["event"] == "score"]
    hands = [event for event in events if event["event"] == "hand"]
    answer = page(client, match, sheets="all")
    assert len(hands) > 2
    assert answer.text.count('<section class="sheet') == len(hands)
    before = ["0"] * 4
    for sheet, hand, score in zip(answer.context["sheets"], hands, scores, strict=True):
        dealt = [sum(len(suit.ranks.split()) for suit in held.suits) for held in sheet.hands]
        assert dealt == [len(cards) for cards in hand["hands"]]
        assert sum(len(suit.ranks.split()) for suit in sheet.piles[0].suits) == len(hand["pool"])
        assert [row.label for row in sheet.rows] == [
            *(f"Takes {number}" for number in range(1, 4)),
            *(f"Trick {number}" for number in range(1, 14)),
        ]
        assert sum(move.leads for row in sheet.rows for cell in row.cells for move in cell) == 13
        assert sum(move.wins for row in sheet.rows for cell in row.cells for move in cell) == 13
        (_, first), (_, _), (_, last) = sheet.scores
        assert first == before
        assert last == [str(points) for points in score["total"]]
        before = list(last)
    assert [bool(sheet.result) for sheet in answer.context["sheets"]] == [*[False] * (len(hands) - 1), True]
    for fact in (match.contest.name, match.stage.name, f"match {match.pk}", "game 1 of 2", "Clubs"):
        assert fact in answer.text


def test_a_view_without_hands_prints_none(client: Client, match: Match) -> None:
    everything = page(client, match, sheets="1").text
    one = page(client, match, sheets="1", view="0")
    none = page(client, match, sheets="1", view="hidden").text
    assert "hidden in this view" not in everything
    assert one.text.count("hidden in this view") == 3
    assert none.count("hidden in this view") == 4
    own = one.context["sheets"][0].hands[0]
    assert own.count == 10
    assert all(held.count is None and not held.suits for held in one.context["sheets"][0].hands[1:])


def test_what_is_typed_is_never_markup(client: Client, match: Match) -> None:
    text = page(client, match, sheets='"><script>', view='"><script>').text
    assert "<script>" not in text
