"""Uploading from the command line: what comes of it, and that it happens once."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.portal import http, store
from submissions.models import Submission
from submissions.process import process
from tests.cast import Cast, make_cast, open_until
from tests.kibitz.conftest import Kibitz, beside, token
from tests.kibitz.middleman import BUSY, LOSE, THROTTLE, between
from tests.submissions.bots import CRASHES, GOOD_PYTHON
from tests.waiting import wait_for

WRONG = b"def wrong(:\n"


@pytest.fixture
def cast(transactional_db: None, live_server: Any, kibitz: Kibitz, home: Path) -> Cast:
    """Alice has logged in and has a source."""
    cast = make_cast(preset="open", options={"target": 30, "time_limit": 60}, languages=["python"])
    assert kibitz("login", live_server.url, "--token", token(cast.alice, "bot", "team")).status == 0
    (home / "bot.py").write_bytes(GOOD_PYTHON)
    (home / "wrong.py").write_bytes(WRONG)
    (home / "crashes.py").write_bytes(CRASHES)
    return cast


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying again takes no time."""
    monkeypatch.setattr(http, "PAUSES", (0.01,) * 5)


def test_an_upload_is_stored_as_it_is(cast: Cast, kibitz: Kibitz, home: Path) -> None:
    (home / 'odd "name".py').write_bytes(b"# \xc3\xa4\r\nprint()\n")
    (home / "plan.txt").write_text("Counts cards.")
    ran = kibitz("submit", home / 'odd "name".py', "--strategy", "plan.txt", "--no-activate", "--json")
    assert (ran.status, ran.json["number"], ran.json["state"]) == (0, 1, "queued")
    version = Submission.objects.get()
    assert version.source_bytes() == b"# \xc3\xa4\r\nprint()\n"
    assert (version.strategy, version.activate_when_ready) == ("Counts cards.", False)
    assert kibitz("version", 1, "--source").out == "# \xe4\r\nprint()\n"


def test_several_files_a_folder_and_an_archive_are_the_same_program(cast: Cast, kibitz: Kibitz, home: Path) -> None:
    for path, text in {"main.py": "import luck\n", "luck.py": "x = 7\n", ".git/config": "x", "a.pyc": "x"}.items():
        (home / "shark" / path).parent.mkdir(parents=True, exist_ok=True)
        (home / "shark" / path).write_text(text)
    ran = kibitz("submit", "shark/main.py", "shark/luck.py", "--json")
    assert (ran.status, ran.json["filename"], ran.json["file_count"]) == (0, "main.py", 2)
    with zipfile.ZipFile(home / "shark.zip", "w") as archive:
        for path in ("main.py", "luck.py"):
            archive.write(home / "shark" / path, f"shark/{path}")
    for words in (["shark"], ["shark/"], ["shark.zip"], ["shark/luck.py", "shark/main.py"]):
        ran = kibitz("submit", *words)
        assert (ran.status, "identical to your version 1" in ran.err) == (2, True), words
        ran = kibitz("submit", *words, "--if-changed", "--json")
        assert (ran.status, ran.json["number"]) == (0, 1)
    ran = kibitz("submit", "shark", "--entry", "luck.py")
    assert "2 files in Python; luck.py starts the program." in ran.out
    assert ".git/ and a.pyc were left out" in ran.out
    assert Submission.objects.get(number=2).all_files() == {"main.py": b"import luck\n", "luck.py": b"x = 7\n"}
    assert "main.py" in kibitz("version", 1, "--source").out
    assert kibitz("version", 1, "--source", "--file", "luck.py").out == "x = 7\n"
    assert kibitz("version", 1, "--source", "-o", "back.zip").status == 0
    with zipfile.ZipFile(home / "back.zip") as archive:
        assert {name.rsplit("/", 1)[-1] for name in archive.namelist()} == {"main.py", "luck.py"}
    (home / "shark" / "main.py").write_text("print()\n")
    (home / "shark" / "luck.py").write_text("print(1)\n")
    (home / "shark" / "main.py").rename(home / "shark" / "a.py")
    ran = kibitz("submit", "shark")
    assert (ran.status, "Several files could start the program: a.py or luck.py" in ran.err) == (2, True)
    assert ".git/ and a.pyc were left out" in ran.err
    ran = kibitz("submit", "shark/a.py", "nothing.py", "--json")
    assert (ran.status, ran.error["code"]) == (2, "no_file")
    (home / "bad.zip").write_bytes(b"no archive")
    assert "bad.zip" in kibitz("submit", "bad.zip").err


def submitted(name: str, *, json: bool = False) -> tuple[int, str]:
    """Submit and wait, while this process builds and checks what comes. Returns the exit status and the output."""
    known = Submission.objects.count()
    with beside("submit", name, "--wait", *(["--json"] if json else [])) as command:
        wait_for(lambda: Submission.objects.count() > known or command.poll() is not None)
        process(Submission.objects.latest("pk").pk)
        out, err = command.communicate()
    assert "Traceback" not in err
    return command.returncode, out


def test_waiting_tells_ready_from_rejected(cast: Cast, kibitz: Kibitz) -> None:
    status, out = submitted("bot.py")
    assert (status, "ready and active" in out) == (0, True)
    status, out = submitted("wrong.py")
    assert status == 1
    assert "SyntaxError" in out
    assert "def wrong(" in out  # the build log
    status, out = submitted("crashes.py")
    assert status == 1
    assert "RuntimeError" in out or "crash" in out
    assert out.count("There were faults in") == 1, "what went wrong is said once"
    listed = kibitz("versions", "--json").json
    assert [(it["number"], it["state"], it["is_active"]) for it in listed] == [
        (3, "rejected", False),
        (2, "rejected", False),
        (1, "ready", True),
    ]
    assert "bot.py" in kibitz("versions").out
    for number, expected in ((1, 0), (2, 1), (3, 1)):
        assert kibitz("version", number, "--wait").status == expected
        assert kibitz("version", number, "--json").json["number"] == number
    assert kibitz("version").out.startswith("Version 3")
    assert "SyntaxError" in kibitz("version", 2, "--build-log").out
    ran = kibitz("activate", 2)
    assert (ran.status, ran.out) == (2, "")
    assert kibitz("withdraw", "--json").json == {"active": None}
    assert kibitz("activate", 1, "--json").json["is_active"]


def test_an_interrupted_wait_leaves_the_upload(cast: Cast) -> None:
    with beside("submit", "bot.py", "--wait") as command:
        wait_for(Submission.objects.exists)
        assert command.stdout is not None
        assert "Version 1" in command.stdout.readline()
        command.send_signal(2)
        _, err = command.communicate()
    assert (command.returncode, "Traceback" in err) == (130, False)
    assert Submission.objects.get().state == "queued"


def test_waiting_ends_when_it_was_asked_to(cast: Cast, kibitz: Kibitz) -> None:
    ran = kibitz("submit", "bot.py", "--wait", "--timeout", "0.01")
    assert (ran.status, "kibitz version 1 --wait" in ran.err) == (4, True)


# Answers that are lost ------------------------------------------------------------------------------------------------


@pytest.mark.promise
@pytest.mark.parametrize(
    "mishaps",
    [[LOSE], [LOSE, BUSY, LOSE], *(pytest.param([it], marks=pytest.mark.long("more")) for it in (BUSY, THROTTLE))],
)
def test_whatever_happens_on_the_way_it_is_uploaded_once(
    cast: Cast, kibitz: Kibitz, live_server: Any, impatient: None, mishaps: list[str]
) -> None:
    with between(live_server.url) as server:
        kibitz("login", server.url, "--token", token(cast.alice, "bot"))
        kibitz("use", "spring-cup")
        server.mishaps = list(mishaps)
        ran = kibitz("submit", "bot.py", "--json")
    assert (ran.status, ran.json["number"]) == (0, 1)
    assert Submission.objects.count() == 1
    assert len([1 for method, *_ in server.asked if method == "POST"]) == len(mishaps) + 1


@pytest.mark.promise
def test_the_next_run_finds_the_upload_whose_answer_was_lost(
    cast: Cast, kibitz: Kibitz, live_server: Any, monkeypatch: pytest.MonkeyPatch, impatient: None
) -> None:
    with between(live_server.url) as server:
        kibitz("login", server.url, "--token", token(cast.alice, "bot"))
        kibitz("use", "spring-cup")
        monkeypatch.setattr(http, "PAUSES", ())
        server.mishaps = [LOSE]
        ran = kibitz("submit", "bot.py")
        assert (ran.status, Submission.objects.count()) == (4, 1)
        assert kibitz("submit", "bot.py", "--json").json["number"] == 1
        assert kibitz("submit", "crashes.py", "--json").json["number"] == 2
        assert kibitz("submit", "bot.py", "--json").json["number"] == 3  # on purpose, so it is a new one
    assert not list(store.cache_folder().glob("upload-*"))


def test_what_is_there_already_is_not_uploaded_again(cast: Cast, kibitz: Kibitz) -> None:
    assert kibitz("submit", "bot.py", "--if-changed", "--json").json["number"] == 1
    ran = kibitz("submit", "bot.py")
    assert (ran.status, ran.out) == (2, "")
    ran = kibitz("submit", "bot.py", "--if-changed", "--json")
    assert (ran.status, ran.json["number"]) == (0, 1)
    assert "Version 1" in kibitz("submit", "bot.py", "--if-changed").out
    Submission.objects.update(state="rejected")
    assert kibitz("submit", "bot.py", "--if-changed", "--wait").status == 1
    assert kibitz("submit", "crashes.py", "--if-changed", "--json").json["number"] == 2


@pytest.mark.promise
def test_a_key_names_an_upload(cast: Cast, kibitz: Kibitz) -> None:
    for _ in range(2):
        assert kibitz("submit", "bot.py", "--key", "commit-1", "--json").json["number"] == 1
    ran = kibitz("submit", "crashes.py", "--key", "commit-1", "--json")
    assert (ran.status, ran.error["code"]) == (2, "key_used")


# Refusals -------------------------------------------------------------------------------------------------------------


def close(cast: Cast) -> None:
    open_until(cast.contest, hours=-1)


@pytest.mark.parametrize(
    ("words", "circumstance", "code"),
    [
        (["submit", "bot.py"], close, "refused"),
        (["submit", "nothing.py"], None, "no_file"),
        (["submit", "bot.py", "--language", "klingon"], None, "invalid"),
        (["version", "7"], None, "not_found"),
        (["version"], None, "not_found"),
        (["activate", "7"], None, "not_found"),
        (["join", "WRONG"], None, "refused"),
        (["enter", "Second Aces"], None, "refused"),
        (["version", "1", "-c", "nowhere"], None, "not_found"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_refusal_is_a_sentence(
    cast: Cast, kibitz: Kibitz, words: list[str], circumstance: Callable[[Cast], None] | None, code: str
) -> None:
    if circumstance:
        circumstance(cast)
    ran = kibitz(*words, "--json")
    assert (ran.status, ran.out, ran.error["code"]) == (2, "", code)
    ran = kibitz(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("kibitz: ")
    assert len(ran.err.splitlines()) == 1
