"""What a check tells people about a fault. test_process.py has real checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from contest.replay import FAULTS
from games import explaining
from games.engine import FaultKind
from submissions import check, verdict
from submissions.models import CheckGame, Submission
from tests.cast import Cast

Uploader = Callable[..., Submission]


def fault(kind: str, detail: str, **more: Any) -> dict[str, Any]:
    return {"event": "fault", "seat": 0, "kind": kind, "detail": detail, **more}


@pytest.mark.parametrize(
    ("event", "said", "sentence"),
    [
        (
            fault("timeout", "did not end its line in time", answer="d7"),
            "",
            "Your bot did not end its line in time: the limit was 4 s; it wrote “d7”",
        ),
        (
            fault("crash", "exited with status 1 without an answer"),
            "Traceback (most recent call last):\n  File \"/box/bot.py\", line 3, in <module>\nKeyError: 'd5'\n\n",
            "Your bot exited with status 1 without an answer: KeyError: 'd5' (shark.py, line 3)",
        ),
        (
            fault("crash", "exited with status 1 without an answer"),
            "thinking\nI give up\n\n",
            "Your bot exited with status 1 without an answer; its standard error ends with “thinking / I give up”",
        ),
        (fault("garbled", "wrote no card", answer="hello"), "x", "Your bot wrote no card; it wrote “hello”"),
    ],
)
def test_a_fault_in_a_sentence(event: dict[str, Any], said: str, sentence: str) -> None:
    found = explaining.ended(event["detail"], "python", said, {"bot.py": "shark.py"})
    assert verdict.sentence(event, found, "4 s", 6) == sentence


def games(*failed: int) -> list[CheckGame]:
    return [
        CheckGame(
            number=seat + 1,
            seat=seat,
            passed=seat not in failed,
            fault_kind="timeout" if seat in failed else "",
            faults=int(seat in failed),
            fault_detail="Your bot did not answer in time" if seat in failed else "",
            fault_place="round 2, trick 5" if seat in failed else "",
        )
        for seat in range(4)
    ]


NAMES = ("north", "east", "south", "west")


def test_the_verdict_names_the_first_fault_its_place_its_rule_and_how_many() -> None:
    rule = FAULTS[FaultKind.TIMEOUT][1]
    assert verdict.verdict(games(), NAMES) == ""
    assert verdict.verdict(games(2), NAMES) == (
        f"Your bot did not answer in time (round 2, trick 5 of check game 3 as South). {rule}"
    )
    assert verdict.verdict(games(1, 3), NAMES) == (
        f"Your bot did not answer in time (round 2, trick 5 of check game 2 as East). {rule} "
        "There were faults in 2 of 4 games."
    )


def test_the_deals_of_a_check_are_the_same_when_it_is_repeated(upload: Uploader) -> None:
    first, second = upload(b"a = 1\n"), upload(b"a = 2\n")
    seeds = [check.seed_of(version, seat) for version in (first, second) for seat in range(4)]
    assert len(set(seeds)) == 8
    assert [check.seed_of(first, seat) for seat in range(4)] == seeds[:4]
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_every_strength_of_house_bot_is_met_in_a_check(cast: Cast, upload: Uploader) -> None:
    version = upload()
    met = [check.opponents(version, seat) for seat in range(4)]
    assert all(len(table) == 3 for table in met)
    assert {it.name for table in met for it in table} == {it.name for it in cast.contest.game.house}
