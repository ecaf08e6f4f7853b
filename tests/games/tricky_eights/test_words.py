"""Captions and te.log, word for word."""

from pathlib import Path
from typing import Any

from games.record import loads, log
from games.tricky_eights.view import View
from games.tricky_eights.words import caption
from tests.games.tricky_eights import commented_game as commented

GOLDEN = Path(__file__).parents[1] / "golden"


def commented_captions() -> list[str]:
    view, captions = View(None), []
    events: list[dict[str, Any]] = [
        {"event": "hand", "number": 1, "dealer": 0, "hands": commented.hands(), "pool": commented.POOL}
    ]
    for line in commented.TAKES:
        events += [{"event": "take", "seat": seat, "card": card} for seat, card in commented.pairs(line)]
    for line, winner, points in zip(commented.TRICKS, commented.WINNERS, commented.POINTS, strict=True):
        events += [{"event": "play", "seat": seat, "card": card} for seat, card in commented.pairs(line)]
        events.append({"event": "trick", "winner": "nesw".index(winner), "points": points})
    events.append({"event": "score", "hand": commented.SCORE, "total": commented.SCORE})
    events.append({"event": "result", "scores": commented.SCORE, "winner": 2})
    for event in events:
        captions.append(caption(event, view))
        view.tell(event)
    return captions


def test_the_commented_game_in_our_words() -> None:
    captions = commented_captions()
    assert captions[0] == "Round 1: North deals ten cards to everybody and puts twelve in the pool."
    assert captions[1] == "North takes the two of spades from the pool."
    assert captions[13:18] == [
        "North leads the nine of diamonds.",
        "East follows with the three of diamonds.",
        "South follows with the king of diamonds.",
        "West follows with the jack of diamonds.",
        "South takes the trick with the king of diamonds: 3 points for the first trick.",
    ]
    assert captions[22] == (
        "North takes the trick with the queen of hearts: 3 points, 1 for the trick and 2 for the eight of hearts."
    )
    assert "South cannot follow suit and plays the eight of spades." in captions
    assert captions[-3:] == [
        "South takes the trick with the ace of hearts: 3 points for the last trick.",
        "Round 1 is over: North 6, East 3, South 11 and West 5. The score is now North 6, East 3, South 11 and West 5.",
        "South wins the game: North 6, East 3, South 11 and West 5.",
    ]


# te.log


def test_the_log_has_comments_routes_and_the_protocols_lines() -> None:
    record = loads((GOLDEN / "tricky_eights-random.json").read_bytes())
    lines = log(record, 1).splitlines()
    assert lines[0] == "# Tricky Eights, seed 1211, rules utah-1998"
    assert lines[1] == "# n = north: Random (house:random)"
    assert all(line.startswith(("# ", "n> ", "e> ", "s> ", "w> ", "n< ", "e< ", "s< ", "w< ")) for line in lines)
    answers = [(line[0], line[3:]) for line in lines if line[1:3] == "< "]
    decisions = [("nesw"[event["seat"]], event["card"]) for event in record["events"] if "card" in event]
    assert answers == decisions
    for number, line in enumerate(lines):
        if line[1:3] == "< ":
            assert lines[number - 1].startswith((f"{line[0]}> take ", f"{line[0]}> play "))
            assert lines[number - 1].endswith(f" {line[0]}")
    rounds = sum(event["event"] == "hand" for event in record["events"])
    for letter in "nesw":
        assert sum(line.startswith(f"{letter}> starthand {letter} ") for line in lines) == rounds
        assert sum(line == f"{letter}> endround" for line in lines) == rounds


def test_the_log_shows_what_could_not_be_read() -> None:
    record = loads((GOLDEN / "tricky_eights-pardoned.json").read_bytes())
    lines = log(record, 1).splitlines()
    at = lines.index("n< DK")
    assert lines[at - 1].startswith("n> play ")
    assert lines[at + 1].startswith("# North gives an answer that cannot be read")
    assert any(line.startswith("n> play ") for line in lines[at + 2 :]), "it was not disqualified"
