"""`kibitz compare`, run as people run it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from games import get
from games.__main__ import main
from games.pairs import Measure, reach_of, seats_of, worth
from games.record import loads, verify
from games.trial import Decision, Design, steps
from tests.games.cast import BOT

INTENSITY = ("--game", "intensity", "--seed", "3")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compared(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main(["compare", *words, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_a_better_version(capsys: pytest.CaptureFixture[str]) -> None:
    status, result = compared(capsys, "house:card_counter", "house:random", *INTENSITY, "--bounds", "0", "4")
    assert status == 0
    assert result["decision"] == "better"
    assert result["log_likelihood_ratio"] >= result["limit"]
    assert result["lower"] >= 0
    assert result["better"] + result["worse"] + result["equal"] == result["pairs"]
    assert result["first_differences"][0]["pair"] == 1
    assert abs(result["decided_by"][0]["share"]) >= abs(result["decided_by"][-1]["share"])


def test_a_worse_version(capsys: pytest.CaptureFixture[str]) -> None:
    status, result = compared(capsys, "house:random", "house:card_counter", *INTENSITY, "--measure", "wins")
    assert (status, result["decision"]) == (1, "not_better")
    assert result["upper"] <= 0.1


def test_the_records_tell_the_same_decision(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("house:avoider", "house:random", "--game", "tricky_eights", "--option", "target=30", "--seed", "7")
    words = tuple(word.replace("avoider", "card_counter") for word in words)
    _, result = compared(capsys, *words, "--records", "kept")
    game, differences = get("tricky_eights"), []
    for number in range(1, result["pairs"] + 1):
        new, old = (loads((here / f"kept/{number:04}-{side}.json").read_bytes()) for side in ("new", "old"))
        player = seats_of(number, 4).index(0)
        assert verify(new) is None
        assert verify(old) is None
        assert new["seats"][player]["bot"] == "house:card_counter"
        assert old["seats"][player]["bot"] == "house:random"
        differences.append(worth(game, new, player, Measure.POINTS, 1) - worth(game, old, player, Measure.POINTS, 1))
    *_, last = steps(Design(*result["bounds"], result["cap"], reach_of(game, Measure.POINTS, 1)), differences)
    assert (last.decision, last.pairs, last.ratio) == (
        Decision(result["decision"]),
        result["pairs"],
        result["log_likelihood_ratio"],
    )


@pytest.mark.long("more")
def test_one_pair_can_be_looked_at_again(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "house:card_counter", "house:random", *INTENSITY, "--option", "fine=7", "--games", "2"]
    main([*words, "--records", "kept"])
    kept_report = capsys.readouterr().out
    main(words)
    for report in (kept_report, capsys.readouterr().out):
        proposed = report.splitlines()[-1].split("python3 -m games ")[-1]  # "To look at one: …"
        assert main(shlex.split(proposed)) == 0
        assert capsys.readouterr().out
    assert main([*words, "--pair", "2", "--records", "again"]) == 0
    kept, played = (json.loads((here / folder / "0002-new.json").read_text()) for folder in ("kept", "again"))
    assert timeless(kept) == timeless(played)
    assert loads((here / "FOLDER" / "0001-new.json").read_bytes())["options"] == kept["options"]
    assert kept["options"]["fine"] == 7


def timeless(record: Any) -> Any:
    return [{key: value for key, value in event.items() if key != "ms"} for event in record["events"]]


@pytest.mark.long("more")
def test_a_program_with_a_fault(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = BOT.read_text()
    for name, habit in (("new.py", "good"), ("old.py", "illegal")):
        (here / name).write_text(source.replace("main(sys.argv[1], int(sys.argv[2]))", f"main({habit!r}, 3)"))
    words = ("new.py", "old.py", "--game", "tricky_eights", "--option", "target=10", "--seed", "1")
    status, result = compared(capsys, *words, "--opponents", "house:random", "--cap", "12")
    assert result["disqualified"] == {"new": 0, "old": result["pairs"]}
    assert status in (0, 3)


@pytest.mark.parametrize(
    "words",
    [
        ("house:random", "house:nobody", *INTENSITY),
        ("missing.c", "house:random", *INTENSITY),
        ("house:random", "house:avoider", "--game", "poker"),
        ("house:random", "house:avoider", *INTENSITY, "--bounds", "1", "0"),
        ("house:random", "house:avoider", *INTENSITY, "--opponents", "house:random", "house:random"),
        ("house:random", "house:avoider", "--game", "even_steven", "--opponents", "house:random"),
    ],
)
def test_refused_before_anything_is_played(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
