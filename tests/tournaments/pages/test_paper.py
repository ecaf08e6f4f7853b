"""The sheets and the transcript of a game say what its replay shows to the same reader, and nothing else."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from contest.replay.sheets import chosen
from games import record as records
from games.engine import Fault, FaultKind
from tests.cast import Cast, make_cast
from tests.tournaments import scenes
from tests.tournaments.records import Scripted
from tournaments.models import Match, MatchSeat

pytestmark = pytest.mark.django_db

GARBLED = Fault(FaultKind.GARBLED, "answered with something that is not a card", b"<b>h9</b>")
CARD = re.compile(r'<i class="card[^"]*"')


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


def test_readers_choose_the_deals(client: Client, match: Match) -> None:
    answer = page(client, match, sheets="2")
    assert [sheet.round.number for sheet in answer.context["sheets"]] == [2]
    assert answer.context["wanted"] == "2"
    assert client.get(reverse("replay", args=[match.pk, 9]), {"sheets": "1"}).status_code == 404
    replay = page(client, match).text
    assert f"{reverse('replay', args=[match.pk, 1])}?sheets=1" in replay


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ("3", [3]),
        ("1-3, 7", [1, 2, 3, 7]),
        ("40-99", list(range(40, 46))),
        ("all", list(range(1, 46))),
        ("-1; drop", list(range(1, 46))),
        ("99999-999999999", list(range(1, 46))),
    ],
)
def test_deals_are_chosen_by_numbers_and_spans(wanted: str, numbers: list[int]) -> None:
    rounds: Any = [SimpleNamespace(number=number) for number in range(1, 46)]
    assert [each.number for each in chosen(wanted, rounds)] == numbers


def test_the_transcript_has_every_sentence_of_the_replay(client: Client, match: Match) -> None:
    record = match.record.loaded()
    for number in (1, 2):
        for view, seat in (("table", "table"), ("0", 0), ("hidden", None)):
            answer = page(client, match, number, transcript="1", view=view)
            chapters = answer.context["chapters"]
            told = [line.text for chapter in chapters for line in chapter.lines]
            drawn = [position.caption for position in records.positions(record, number, seat)]  # type: ignore[arg-type]
            assert len(told) == len([caption for caption in drawn if caption])
            assert records.captions(record, number, seat) == drawn  # type: ignore[arg-type]
            assert sum(len(chapter.lines) for chapter in chapters) > 100
            assert answer.text.count("<li") >= len(told)
    assert any(
        line.is_fault for chapter in page(client, match, transcript="1").context["chapters"] for line in chapter.lines
    )


def test_a_match_is_one_file_with_all_that_it_takes_to_play_it_again(
    client: Client, match: Match, tmp_path: Path
) -> None:
    assert reverse("match-zip", args=[match.pk]) in client.get(match.get_absolute_url()).text
    answer = client.get(reverse("match-zip", args=[match.pk]))
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(BytesIO(answer.content)) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / f"match-{match.pk}"
    assert sorted(each.name for each in folder.iterdir()) == [
        "README.txt", f"match-{match.pk}.json", "te-1.log", "te-2.log",
    ]  # fmt: skip
    text = (folder / f"match-{match.pk}.json").read_text("utf-8")
    assert text == match.record.text()
    assert records.verify(records.loads(text)) is None
    about = (folder / "README.txt").read_text("utf-8")
    versions = [seat.submission for seat in match.seats.all() if seat.submission]
    assert len(versions) == 2
    assert all(version.sha256 in about for version in versions)
    assert f"Seed      {match.seed}" in about
    assert match.record.sha256 in about


def test_what_is_typed_is_never_markup(client: Client, match: Match) -> None:
    text = page(client, match, sheets='"><script>', view='"><script>').text
    assert "<script>" not in text
