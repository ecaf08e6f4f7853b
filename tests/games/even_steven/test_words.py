"""Captions and evensteven.log, word for word."""

from __future__ import annotations

from typing import Any

import pytest

from games import get
from games.even_steven.rules import View
from games.even_steven.words import caption
from games.record import game_events, log, positions
from tests.games.even_steven.test_rules import sample_record

GAME = get("even_steven")


def test_the_sample_in_our_words() -> None:
    record = sample_record()
    assert [position.caption for position in positions(record, 1, "table")] == [
        "Game 1: four cards, seed 876390176.",
        "The player is dealt a hand of four cards.",
        "The dealer lays the eight of clubs.",
        "The player covers it with the jack of clubs.",
        "The dealer lays the queen of clubs.",
        "The player covers it with the queen of spades.",
        "The dealer lays the nine of spades.",
        "The player plays the two of diamonds, which is too low: nothing in its hand covers the card.",
        "YOU LOSE NECESSARILY: all four cards to cover are six or higher, and only two of the hand are.",
    ]
    won = [position.caption for position in positions(record, 2, "table")]
    assert won[-1] == "YOU WIN: all four cards are covered."
    assert won[-3] == "The dealer lays the last card, the five of clubs."


def test_the_player_is_not_told_in_words_what_it_is_not_told_in_lines() -> None:
    captions = [position.caption for position in positions(sample_record(), 1, 0)]
    assert captions[0] == "Game 1: four cards."
    assert captions[-1] == "YOU LOSE."


def ending(hand: str, stock: str, plays: str, verdict: str) -> str:
    view = View(None)
    view.tell({"event": "hand", "number": 1, "hands": [hand.split()], "stock": stock.split()})
    for card, play in zip(stock.split(), plays.split(), strict=False):
        view.tell({"event": "deal", "card": card})
        view.tell({"event": "play", "seat": 0, "card": play})
    return caption({"event": "result", "scores": [0], "winner": None, "verdict": verdict}, view)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            {"event": "result", "scores": [0], "verdict": "program crashed"},
            "The dealer stops: program crashed.",
        ),
        (
            {"event": "fault", "seat": 0, "kind": "garbled", "detail": "answered with an empty line", "answer": ""},
            "The player gives an answer that cannot be read: it answered with an empty line "
            "(an answer is one line with one card, such as 10c).",
        ),
        (
            {"event": "fault", "seat": 0, "kind": "illegal", "detail": "played 2c, which was not in its hand"},
            "The player breaks the rules of the game: it played 2c, which was not in its hand.",
        ),
    ],
)
def test_faults_in_words(event: dict[str, Any], words: str) -> None:
    assert caption(event, View(None)) == words


def test_the_log_of_the_sample() -> None:
    record = sample_record()
    record["seats"] = [{"name": "Ace Team", "bot": "steven.c"}]
    lines = log(record, 1).splitlines()
    assert lines[:2] == [
        "# Even Steven, seed 1, rules bospre-2009: Ace Team (steven.c)",
        "# > line sent, < answer, # comment",
    ]
    assert [line for line in lines if not line.startswith("#")] == [
        "> 4 4h 2d Qs Jc",
        "> 8c",
        "< Jc",
        "> Qc",
        "< Qs",
        "> 9s",
        "< 2d",
        "> YOU LOSE",
    ]
    assert GAME.log_name == "evensteven.log"
    assert len(game_events(record, 1)) == len([line for line in lines[2:] if line.startswith("#")])


def test_the_log_shows_an_answer_that_cannot_be_read() -> None:
    record = sample_record()
    events = [
        {"event": "game", "number": 1, "seed": 876390176, "cards": 4},
        {"event": "fault", "seat": 0, "kind": "garbled", "detail": "…", "answer": "\x07Kd"},
    ]
    assert GAME.log(record, events).splitlines()[-1] == r"< '\x07Kd'"


def test_every_card_and_number_has_its_words() -> None:
    for card in GAME.pack:
        face = GAME.face(card)
        assert face is not None
        assert face.words.endswith({"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}[card[-1]])
        assert face.rank == card[:-1]
    assert GAME.face("c2") is None
    assert GAME.face(47) is None
    strengths = [GAME.face(card).strength for card in ("2c", "2s", "9h", "Ac")]  # type: ignore[union-attr]
    assert strengths == sorted(strengths)
