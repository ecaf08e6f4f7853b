"""What the player is told of the end of a game, and evensteven.log."""

from __future__ import annotations

from games import get
from games.record import game_events, log, positions
from tests.games.even_steven.test_rules import sample_record

GAME = get("even_steven")


def test_the_player_is_not_told_in_words_what_it_is_not_told_in_lines() -> None:
    captions = [position.caption for position in positions(sample_record(), 1, 0)]
    assert captions[0] == "Game 1: four cards."
    assert captions[-1] == "YOU LOSE."


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
