"""From the queue to ready or rejected, through the real sandbox; our failures are never blamed on the bot."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from html import escape, unescape
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import record as records
from games.kits import zipped
from submissions import check, intake, lifecycle, sandbox
from submissions.intake import Upload
from submissions.models import Artifact, CheckGame, Submission
from submissions.process import process
from submissions.sandbox import walls
from tests.cast import Cast, make_contest, make_team
from tests.submissions import bots
from tests.submissions.test_lifecycle import expire

Uploader = Callable[..., Submission]

pytestmark = pytest.mark.promise
MORE = pytest.mark.long("more")


def run(submission: Submission) -> Submission:
    process(submission.pk)
    submission.refresh_from_db()
    return submission


# Bots that pass -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "name", "toolchain"),
    [
        (bots.GOOD_PYTHON, "bot.py", "Python 3"),
        pytest.param(bots.kit("random.c"), "random.c", "gcc", marks=MORE),
        (bots.kit("random.cpp"), "random.cpp", "g++"),
        pytest.param(bots.kit("random.pas"), "random.pas", "Free Pascal Compiler version 3.", marks=MORE),
        (zipped({"main.py": b"import brain\n", "brain.py": bots.GOOD_PYTHON}), "shark.zip", "Python 3"),
    ],
)
def test_a_working_bot_becomes_ready_and_active(upload: Uploader, source: bytes, name: str, toolchain: str) -> None:
    version = run(upload(source, name))
    assert (version.state, version.verdict) == ("ready", ""), version.build_log
    assert version.is_active
    assert version.toolchain.startswith(toolchain)
    assert version.build_command
    assert version.run_command
    assert version.attempt == 1
    assert version.failures == 0
    assert version.lease_until is None
    assert version.worker == ""
    assert version.uploaded_at <= version.started_at <= version.built_at <= version.finished_at == version.activated_at


def test_the_check_is_a_full_game_in_every_seat_whose_records_hold(upload: Uploader) -> None:
    version = run(upload(bots.python_bot(play="print('thinking about', card, file=sys.stderr)")))
    games = list(version.check_games.all())
    assert [(game.number, game.seat, game.passed) for game in games] == [(n, n - 1, True) for n in (1, 2, 3, 4)]
    for game in games:
        record = game.record_data()
        assert records.verify(record) is None
        assert record["seats"][game.seat] == {"name": "Aces", "bot": "bot.py"}
        assert [seat["bot"].startswith("house:") for seat in record["seats"]].count(True) == 3
        assert [f"House: {name}" for name in game.opponents] == [
            seat["name"] for seat in record["seats"] if seat["name"] != "Aces"
        ]
        assert max(record["result"]["scores"]) >= 30
        assert (game.place, game.score) == (
            record["result"]["places"][game.seat],
            record["result"]["scores"][game.seat],
        )
        assert game.slowest_ms > 0
        place, text = game.stderr_pieces()[0]
        assert record["events"][place]["event"] == "play"
        assert text == f"thinking about {record['events'][place]['card']}\n"
    assert len({game.seed for game in games}) == 4


def test_a_bot_that_thinks_long_does_not_keep_all_others_waiting(
    upload: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "ENOUGH", 0.0)
    monkeypatch.setattr(check, "ENOUGH_ANSWERS", 3)  # every first game is longer
    version = run(upload())
    assert (version.state, version.verdict) == ("ready", "")
    assert "during game 1 of 4 (as North), in round " in version.check_note
    assert "3 answers" in version.check_note
    assert not version.check_games.exists()
    assert version.is_active


def test_what_a_slow_bot_did_before_its_check_was_cut_decides(
    upload: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is up after the first game, in which it made a fault; before that no answers are skipped."""
    monkeypatch.setattr(check, "ENOUGH", 0.0)
    monkeypatch.setattr(check, "ENOUGH_ANSWERS", 10_000)
    whole = run(upload())
    assert (whole.state, whole.check_note, whole.check_games.count()) == ("ready", "", 4)
    monkeypatch.setattr(check, "ENOUGH_ANSWERS", 50)
    version = run(upload(bots.CHEATS))
    assert version.state == "rejected"
    assert version.check_games.first().fault_kind == "illegal"  # type: ignore[union-attr]


def test_a_check_that_was_cut_tells_the_faults_until_then(
    cast: Cast, upload: Uploader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a fault costs the bot nothing in the game, it plays on until the check is cut."""
    monkeypatch.setattr(check, "ENOUGH", 0.0)
    cast.contest.options = {**cast.contest.options, "disqualify": False, "target": 1000}
    cast.contest.save()
    version = run(upload(bots.CHEATS))
    assert (version.state, version.check_games.count()) == ("ready", 0)
    assert "was cut" in version.check_note
    assert "ca, which it does not hold" in version.check_note


@pytest.mark.parametrize(
    "words",
    [
        r"print('d\0\0q')",
        pytest.param(r"sys.stderr.write('no\0card \x1b[31m'); sys.stderr.flush(); sys.exit(1)", marks=MORE),
        pytest.param(r"sys.stdout.buffer.write(b'\xff\x00\n')", marks=MORE),
    ],
)
def test_bytes_that_no_database_takes_are_told_by_their_numbers(upload: Uploader, words: str) -> None:
    version = run(upload(bots.python_bot(play=words)))
    assert (version.state, version.failures) == ("rejected", 0)
    game = version.check_games.first()
    assert game is not None
    for text in (version.verdict, game.fault_detail):
        assert r"\x00" in text
        assert text.isprintable()


# Bots that do not pass ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "name", "sentence"),
    [
        (bots.DOES_NOT_COMPILE, "shark.cpp", "It does not compile: cannot declare ‘::main’ to be a global variable ("),
        pytest.param(
            b"int x = ;\n",
            "shark.c",
            "It does not compile: expected expression before ‘;’ token (shark.c, line 1)",
            marks=MORE,
        ),
        pytest.param(
            b"begin writeln('a' end.\n",
            "shark.pas",
            'It does not compile: Syntax error, ")" expected but "END" found (',
            marks=MORE,
        ),
        (b"x = 1\nprint(\n", "bot.py", "It does not compile: SyntaxError: '(' was never closed (bot.py, line 2)"),
        pytest.param(
            b"int helper() { return 1; }\n", "bot.cpp", "It does not compile: undefined reference to `", marks=MORE
        ),
    ],
)
def test_what_does_not_compile_is_rejected_with_the_compilers_words(
    upload: Uploader, source: bytes, name: str, sentence: str
) -> None:
    version = run(upload(source, name))
    assert version.state == "rejected"
    assert version.failed_to_build
    assert version.verdict.startswith(sentence), (version.verdict, version.build_log)
    assert version.build_log
    assert version.build_command
    assert version.toolchain
    assert version.finished_at
    assert not version.is_active
    assert not version.check_games.exists()


@pytest.mark.parametrize(
    ("source", "kind", "said"),
    [
        (bots.CRASHES, "crash", "RuntimeError: no more ideas"),
        (bots.SLEEPS, "timeout", "did not answer in time"),
        (bots.CHEATS, "illegal", "ca"),
        pytest.param(bots.BABBLES, "garbled", "hello", marks=MORE),
        (bots.WRITES, "violation", "Your bot made a forbidden system call: openat /tmp/notes"),
        pytest.param(bots.python_bot(take="print('x' * 100_000)"), "output", "wrote more than", marks=MORE),
        pytest.param(b"import sys; sys.exit(3)\n", "crash", "exited with status 3", marks=MORE),
        # at its start, which has its own time: touching 256 MB takes a busy machine longer than the limit of a decision
        (bots.python_bot(first="a = [bytes(1 << 20) + b'x' for _ in range(2000)]"), "memory", "memory limit"),
    ],
)
def test_a_fault_in_the_check_is_rejected_with_the_rule_and_the_place(
    upload: Uploader, source: bytes, kind: str, said: str
) -> None:
    version = run(upload(source))
    assert version.state == "rejected"
    assert not version.failed_to_build
    assert version.built_at
    game = version.check_games.first()
    assert game is not None
    assert not game.passed
    assert game.fault_kind == kind
    assert said in game.fault_detail
    event = game.record_data()["events"][game.fault_ply]
    assert (event["event"], event["seat"], event["kind"]) == ("fault", 0, kind)
    assert version.verdict.startswith("Your bot ")
    assert said in version.verdict
    assert "(round 1" in version.verdict
    assert "of check game 1 as North)." in version.verdict
    assert version.verdict.endswith("There were faults in 4 of 4 games.")
    assert game.place == 4


def test_a_rejected_version_leaves_the_active_one_alone(cast: Cast, upload: Uploader) -> None:
    good = run(upload())
    bad = run(upload(bots.DOES_NOT_COMPILE, "bot.cpp"))
    assert bad.state == "rejected"
    assert list(cast.aces.submissions.active()) == [good]


# Which version plays --------------------------------------------------------------------------------------------------


def test_the_newest_ready_version_takes_over(cast: Cast, upload: Uploader) -> None:
    first, second = run(upload()), upload(bots.GOOD_PYTHON + b"# 2\n")
    assert list(cast.aces.submissions.active()) == [first]
    run(second)
    assert list(cast.aces.submissions.active()) == [second]


def test_an_older_version_that_is_ready_later_does_not(cast: Cast, upload: Uploader) -> None:
    first, second = upload(), upload(bots.GOOD_PYTHON + b"# 2\n")
    run(second)
    lifecycle.recheck(first, cast.olga, "They want to practise with it.")
    run(first)
    assert first.state == "ready"
    assert list(cast.aces.submissions.active()) == [second]


def test_withdrawing_while_it_builds_keeps_it_from_playing(cast: Cast, upload: Uploader) -> None:
    version = upload()
    lifecycle.withdraw(cast.aces, cast.alice)
    run(version)
    assert version.state == "ready"
    assert not cast.aces.submissions.active().exists()


# Builds are shared ----------------------------------------------------------------------------------------------------


def test_the_same_source_is_built_once_for_all_teams(cast: Cast, upload: Uploader) -> None:
    source = bots.kit("random.c") + b'\n#warning "seen once"\n'
    first = run(upload(source, "a.c"))
    second = run(upload(source, "a.c", team=cast.clubs, user=cast.carl))
    assert first.artifact == second.artifact
    assert Artifact.objects.count() == 1
    assert second.build_log == first.build_log
    assert "seen once" in second.build_log
    run(upload(source + b"//", "a.c", team=cast.clubs, user=cast.carl))
    assert Artifact.objects.count() == 2


# Our failures ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine where jails can no longer be built, although they could when the worker started."""
    sandbox.probe()
    monkeypatch.setattr(walls, "are", lambda: walls.Walls.NAMESPACES)
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_sandbox_that_does_not_start_puts_the_version_back(upload: Uploader) -> None:
    version = run(upload())
    assert (version.state, version.failures, version.verdict) == ("queued", 1, "")
    assert "bubblewrap" in version.last_error
    assert version.due_at > timezone.now()
    assert not version.check_games.exists()


@pytest.mark.usefixtures("no_bubblewrap")
def test_failures_are_counted_and_the_pauses_grow(upload: Uploader) -> None:
    version = upload()
    for seconds in (10, 20, 40):
        Submission.objects.filter(pk=version.pk).update(due_at=timezone.now())
        pause, before = timedelta(seconds=seconds), timezone.now()
        run(version)
        assert before + pause <= version.due_at <= timezone.now() + pause
    assert version.failures == 3


def test_after_a_failure_it_is_built_as_if_nothing_had_been(upload: Uploader) -> None:
    version = upload()
    with pytest.MonkeyPatch.context() as patch:
        sandbox.probe()
        patch.setenv("PATH", "/nonexistent")
        patch.setattr(walls, "are", lambda: walls.Walls.NAMESPACES)
        run(version)
    assert process(version.pk) is None, "not before its pause is over"
    Submission.objects.filter(pk=version.pk).update(due_at=timezone.now())
    assert run(version).state == "ready"
    assert (version.attempt, version.failures, version.last_error) == (2, 1, "")


# Exactly once ---------------------------------------------------------------------------------------------------------


def test_a_second_delivery_finds_nothing_to_do(upload: Uploader) -> None:
    version = run(upload())
    games = set(CheckGame.objects.values_list("pk", flat=True))
    assert process(version.pk) is None
    version.refresh_from_db()
    assert version.attempt == 1
    assert set(CheckGame.objects.values_list("pk", flat=True)) == games


def test_a_delivery_while_somebody_works_on_it_finds_nothing_to_do(upload: Uploader) -> None:
    version = upload()
    assert lifecycle.claim(version.pk, "somebody")
    assert process(version.pk) is None
    version.refresh_from_db()
    assert (version.state, version.worker, version.attempt) == ("building", "somebody", 1)


def test_a_late_worker_changes_nothing(upload: Uploader) -> None:
    """Its lease expired, and another worker has finished in the meantime."""
    version = upload()
    late = lifecycle.claim(version.pk, "late")
    assert late is not None
    assert expire(version) == 1
    run(version)
    assert (version.state, version.attempt) == ("ready", 2)
    before = Submission.objects.filter(pk=version.pk).values().get()
    games = list(version.check_games.values())
    with pytest.raises(lifecycle.LeaseLost):
        lifecycle.reject(late, "too late")
    with pytest.raises(lifecycle.LeaseLost):
        lifecycle.ready(late)
    with pytest.raises(lifecycle.LeaseLost):
        lifecycle.put_back(late, "too late")
    with pytest.raises(lifecycle.LeaseLost):
        lifecycle.checked_game(late, CheckGame(submission=late, number=9, seat=0, passed=False, record=b""))
    assert Submission.objects.filter(pk=version.pk).values().get() == before
    assert list(version.check_games.values()) == games


def test_a_version_that_is_taken_again_forgets_the_games_of_the_attempt_before(upload: Uploader) -> None:
    version = upload()
    first = lifecycle.claim(version.pk, "first")
    assert first is not None
    lifecycle.checked_game(first, CheckGame(submission=first, number=1, seat=0, passed=False, record=b""))
    expire(version)
    run(version)
    assert [game.passed for game in version.check_games.all()] == [True] * 4


# Further trials -------------------------------------------------------------------------------------------------------


OUT_OF_BOUNDS = b"""#include <stdio.h>
int main(void) {
    int question, cards[10], most = 0;
    scanf("%d", &question);
    for (int i = 0; i <= 10; i++)
        if (cards[i] > most) most = cards[i];
    printf("%d\\n", most);
}
"""


@MORE
def test_memory_errors_are_told_with_file_and_line_where_the_contest_asks(db: None) -> None:
    for asks in (True, False):
        contest = make_contest(game="intensity", preset="comp1511-2018", sanitize=asks)
        team = make_team(contest)
        captain = team.people()[0].user
        version = run(intake.receive(team, captain, [Upload("player.c", OUT_OF_BOUNDS)]).submission)
        assert not version.failures, version.last_error
        told = [it for it in version.findings if "sanitizers" in it["title"]]
        assert len(told) == asks
        assert all(it["bad"] and "player.c line 6" in it["text"] for it in told)


def test_the_page_leads_to_the_fault_and_its_command_repeats_it(upload: Uploader, tmp_path: Path) -> None:
    """From the team's page: the reason, the position in the replay, and a command that fails so at home."""
    source = bots.python_bot(play="print('h1')")
    version = run(upload(source, "shark.py"))
    assert version.state == "rejected"
    alice = Client()
    alice.force_login(version.uploaded_by)
    page = alice.get(base := reverse("my-team", args=[version.contest.slug])).content.decode()
    assert escape(version.verdict.split(":")[0]) in page
    fault, record = re.findall(rf'href="({base}1/check/[^"]*)"', page)[:2]
    detail = version.check_games.filter(passed=False).first().fault_detail
    assert escape(detail) in alice.get(unescape(fault)).content.decode()
    (tmp_path / "record.json").write_bytes(alice.get(record).content)
    (tmp_path / "shark.py").write_bytes(source)
    command = shlex.split(unescape(re.findall(r'<code class="command">(.*?)</code>', page)[0]))
    assert command[:2] == ["python3", "kibitz.pyz"]
    at_home = [sys.executable, "-m", "games", *command[2:]]
    told = subprocess.run(
        at_home, cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.getcwd()}, capture_output=True, text=True, check=False
    )
    assert "h1" in told.stdout + told.stderr


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
