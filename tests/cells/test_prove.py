"""`manage.py prove`: what it keeps, what it prints, and what workers need not do again."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from contest.models import Proof
from submissions import prover, proving
from submissions.management.commands import prove as command
from submissions.proving import Outcome
from submissions.sandbox import probe
from tests.sandbox.sandboxes import LEVEL, needs, needs_jail
from tests.waiting import wait_for

pytestmark = [needs_jail, pytest.mark.django_db]


def prove(*words: str) -> str:
    out = StringIO()
    call_command("prove", *words, stdout=out)
    return out.getvalue()


def test_a_proof_is_kept_and_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    said = prove("intensity", "C")
    assert "Intensity in C: proven in " in said
    assert "1 of 1 proven." in said
    proof = Proof.objects.exclude(game_slug="").get()
    assert (proof.game_slug, proof.language, proof.problem, proof.level) == ("intensity", "c", "", probe().name)
    assert proof.toolchain.startswith("gcc ")
    monkeypatch.setattr(proving, "prove", lambda cell: pytest.fail("there is a current proof"))
    assert "1 of 1 proven." in prove("--missing", "intensity", "c")


def test_what_fails_is_kept_with_its_reason_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "prove", lambda cell: Outcome({"kit": "It does not build: no."}, 0.1))
    with pytest.raises(CommandError, match="not proven: Intensity in C"):
        prove("intensity", "c")
    assert Proof.objects.exclude(game_slug="").get().problem == "The kit: It does not build: no."
    monkeypatch.setattr(proving, "prove", lambda cell: Outcome({}, 0.1))
    prove("--missing", "intensity", "c")
    assert Proof.objects.exclude(game_slug="").get().problem == ""


def test_nothing_changes_if_it_shall_not_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "prove", lambda cell: Outcome({}, 0.1))
    assert "1 of 1 proven." in prove("--unkept", "intensity", "c")
    assert not Proof.objects.exists()
    prove("intensity", "c")
    monkeypatch.setattr("submissions.languages.SYSTEM_PATH", "/nonexistent")
    prove("--unkept", "intensity", "c")
    assert Proof.objects.exists()


def test_languages_of_presets_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Organisers who start from a preset wait for them. The table keeps its order."""
    needs("pascal")
    tried: list[str] = []

    def note(cell: proving.Cell) -> Outcome:
        tried.append(str(cell))
        return Outcome({}, 0.1)

    monkeypatch.setattr(proving, "prove", note)
    rows = prove("even_steven", "c", "python", "pascal").splitlines()
    assert tried == ["Even Steven in C", "Even Steven in Python", "Even Steven in Pascal"]
    assert [row.split()[0] for row in rows if row.endswith("  proven")] == ["C", "Pascal", "Python"]


def test_what_is_no_longer_installed_is_no_longer_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "prove", lambda cell: Outcome({}, 0.1))
    prove("hearts", "c", "python")
    assert Proof.objects.exclude(game_slug="").count() == 2
    monkeypatch.setattr("submissions.languages.SYSTEM_PATH", "/nonexistent")
    said = prove("hearts", "c")
    assert "not installed" in said
    assert Proof.objects.count() == 0


def test_one_process_of_a_portal_proves_at_a_time() -> None:
    """Workers leave it to the other one, and people are told that they wait."""
    said: list[str] = []

    def wait() -> None:
        with command._alone(wait=True, say=said.append):
            said.append("it is my turn")

    waiting = Thread(target=wait)
    with command._alone(wait=False, say=said.append) as first:
        assert first
        with pytest.raises(CommandError) as error:
            prove("--missing", "intensity", "c")
        assert error.value.returncode == proving.BUSY
        waiting.start()
        wait_for(lambda: said)
    waiting.join(60)
    assert said == ["Waiting: a worker of this portal is proving languages right now.", "it is my turn"]
    assert not Proof.objects.exists()


@pytest.mark.parametrize(("pause", "code"), [("PAUSE", proving.BUSY), ("AGAIN", 1)], ids=["busy", "failed"])
def test_a_worker_tries_again_until_all_is_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pause: str, code: int
) -> None:
    """And once more when packages have changed or half a day has passed, but not otherwise."""
    monkeypatch.setattr(prover, pause, 0.0)
    monkeypatch.setattr("games.libraries.PACKAGES", str(tmp_path / "status"))
    (tmp_path / "status").write_text("")
    runs = tmp_path / "runs"
    twice = f'echo >> {runs}; [ "$(wc -l < {runs})" -gt 2 ] || exit {code}'
    worker = prover.Prover(["sh", "-c", twice])

    def runs_until_it_rests() -> int:
        def rests() -> bool:
            worker.look()
            return worker._process is None

        wait_for(rests)
        return len(runs.read_text().splitlines())

    assert runs_until_it_rests() == 3
    assert runs_until_it_rests() == 3
    (tmp_path / "status").write_text("changed")
    assert runs_until_it_rests() == 4
    worker._started -= prover.SIGN
    assert runs_until_it_rests() == 5, "a sign that the machine is still here"


def test_what_organisers_wait_for_is_proven_first() -> None:
    in_turn = sorted(proving.cells(), key=proving.turn)
    names = [(cell.game.slug, cell.language.slug) for cell in in_turn]
    assert {game for game, _ in names[:5]} == {"barracuda", "even_steven", "hearts", "intensity", "tricky_eights"}
    assert {language for _, language in names[:5]} == {"c"}
    assert names.index(("hearts", "python")) < names.index(("barracuda", "scala")) < names.index(("hearts", "java"))


def test_names_that_are_neither_game_nor_language() -> None:
    with pytest.raises(CommandError, match="no game and no language 'cobol'"):
        prove("hearts", "cobol")


@pytest.mark.long("kits")
@pytest.mark.django_db(transaction=True)
def test_a_worker_proves_by_itself(celery_worker_process: Any) -> None:
    """Beside its work, with the least weight; the process ends with the worker."""
    worker = celery_worker_process("builds", PROOFS_REQUIRED="1")
    wait_for(Proof.objects.exclude(game_slug="").exists, worker.output, 300)
    assert Proof.objects.get(language="c", game_slug="").problem == "", "hello bots come first"
    assert Proof.objects.get(language="c", game_slug=proving.cells()[0].game.slug).problem == ""
    running = wait_for(provers, worker.output)
    assert set(running.values()) == {19}
    worker.kill()
    wait_for(lambda: not set(running) & set(provers()))


def provers() -> dict[int, int]:
    """The processes that prove for the portal of this test, and how nice they are. Each is read at once: it may end at
    any moment, and so may what it starts."""
    found = {}
    for path in Path("/proc").iterdir():
        words, variables, stat = (read(path / name) for name in ("cmdline", "environ", "stat"))
        if b"prove\0--missing" in words and os.environ["VAR_DIR"].encode() in variables and stat:
            found[int(path.name)] = int(stat.rpartition(b")")[2].split()[16])
    return found


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@pytest.mark.long("kits")
@pytest.mark.skipif(LEVEL.name == "landlock", reason="landlock is the only level here")
def test_a_sample_is_proven_at_the_weakest_level_too(capfd: pytest.CaptureFixture[str]) -> None:
    """All cells at all levels: ./run languages --prove --levels."""
    needs("c")
    assert "landlock" in list(command._weaker())
    assert command.Command()._below("landlock", ["even_steven", "c"])
    assert "1 of 1 proven." in capfd.readouterr().out
