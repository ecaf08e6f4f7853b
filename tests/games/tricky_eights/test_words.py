"""te.log."""

from pathlib import Path

from games.record import loads, log

GOLDEN = Path(__file__).parents[1] / "golden"


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
