"""The sentence about a failed build, and when two builds are the same. test_process.py has real builds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.engine import MachineryError
from submissions import build, languages
from submissions.languages import LANGUAGES
from submissions.models import Artifact, Submission
from tests.cast import Cast
from tests.submissions import bots

Uploader = Callable[..., Submission]


def told(reason: str, log: str) -> str:
    return build.why(reason, log, LANGUAGES["cpp"], {"shark.cpp": "shark.cpp"})


def test_the_first_complaint_of_the_compiler_is_told_with_its_place_and_advice() -> None:
    log = "shark.cpp:3:1: warning: odd\nshark.cpp:12:5: error: ‘vector’ was not declared in this scope\n"
    said = "‘vector’ was not declared in this scope (shark.cpp, line 12). Write std::vector, and include its header."
    assert told("It does not compile.", log) == f"It does not compile: {said}"


def test_without_a_complaint_the_sandbox_says_how_the_build_ended() -> None:
    reason = "The compiler was not done after 60 s."
    assert told(reason, "") == reason
    assert told(reason, "collecting things\n") == reason


def test_an_endless_complaint_is_cut() -> None:
    assert len(told("It does not compile.", "x.c:1:1: error: " + "x" * 10_000)) < 400


def test_an_endless_log_keeps_its_beginning_and_its_end() -> None:
    log = "start" + "x" * 300_000 + "end"
    kept = build.cut(log)
    assert kept.startswith("start")
    assert kept.endswith("end")
    assert f"[… {len(log) - build.LOG_LIMIT} characters cut …]" in kept
    assert build.cut("short") == "short"


def test_a_build_is_known_by_all_that_goes_into_it(
    cast: Cast, upload: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    version, game = upload(b"int x;", "a.cpp"), cast.contest.game
    keys = [build.key_of(version, LANGUAGES["cpp"], game)]
    assert build.key_of(version, LANGUAGES["cpp"], game) == keys[0]
    keys.append(build.key_of(version, LANGUAGES["c"], game))
    version.source = b"int y;"
    keys.append(build.key_of(version, LANGUAGES["cpp"], game))
    version.filename = "b.cpp"
    keys.append(build.key_of(version, LANGUAGES["cpp"], game))
    monkeypatch.setattr(languages, "_first_line", lambda command, packages: "g++ 99")
    keys.append(build.key_of(version, LANGUAGES["cpp"], game))
    assert len(set(keys)) == len(keys)


def test_parts_of_a_key_do_not_run_into_each_other() -> None:
    assert Artifact.key_of("ab", "c") != Artifact.key_of("a", "bc")
    assert Artifact.key_of("ab") == Artifact.key_of(b"ab")


def test_a_worker_without_the_language_is_not_the_bots_fault(upload: Uploader, monkeypatch: pytest.MonkeyPatch) -> None:
    version = upload(bots.kit("random.c"), "a.c")
    monkeypatch.setattr(languages, "SYSTEM_PATH", "/nonexistent")
    with pytest.raises(MachineryError, match="c is not installed on this worker"):
        build.build(version)
