"""Adding a language takes one entry in the table: here awk is added while the test runs, and everything else
follows."""

from __future__ import annotations

import pytest

from games import installed
from games.recipe import Jailed, Recipe
from games.toolchains import MEGABYTE, RECIPES
from submissions import intake, languages
from submissions.intake import Upload, UploadRefused
from submissions.languages import LANGUAGES, Language, recognise
from submissions.models import Submission
from submissions.process import process
from tests.cast import Cast, make_cast
from tests.sandbox.circumstances import circumstances_of, greet
from tests.sandbox.sandboxes import artifact, needs_jail
from tests.submissions.conftest import SHORT
from tests.submissions.test_views import page

AWK = Recipe(
    "awk",
    "Awk",
    (".awk",),
    build=(),
    run=("mawk", "-W", "interactive", "-f", "{source}"),
    programs=("mawk",),
    packages="mawk",
    version=("mawk", "-W", "version"),
    shebangs=("awk", "mawk"),
    jailed=Jailed(
        product="bot.awk",
        command=("mawk", "-W", "interactive", "-f", "{box}/bot.awk"),
        policy="script",
        memory_floor=4 * MEGABYTE,
        mounts=("/usr",),
    ),
)
HELLO = """#!/usr/bin/awk -f
$1 == "starthand" {
    hand = pool = ""
    for (i = 3; i <= NF; i++) if (i <= 12) hand = hand " " $i; else pool = pool " " $i
    next
}
$1 == "take" || $1 == "aftertake" {
    for (i = 3; i <= NF; i += 2) sub(" " $i, "", pool)
    if ($1 == "take") { hand = hand substr(pool, 1, 3); say(substr(pool, 2, 2)); pool = substr(pool, 4) }
    next
}
$1 == "play" {
    card = substr(hand, 2, 2)
    for (i = 2; NF > 2 && i < length(hand); i += 3)
        if (substr(hand, i, 1) == substr($3, 1, 1)) card = substr(hand, i, 2)
    sub(" " card, "", hand)
    say(card)
    next
}
$1 != "result" && $1 != "endround" { say("got " $0) }
function say(words) { print words; fflush() }
"""


@pytest.fixture
def awk(monkeypatch: pytest.MonkeyPatch) -> Language:
    monkeypatch.setitem(RECIPES, "awk", AWK)
    monkeypatch.setitem(LANGUAGES, "awk", Language(AWK))
    if not LANGUAGES["awk"].installed():
        pytest.skip("mawk is not installed")
    return LANGUAGES["awk"]


@pytest.fixture
def cast(awk: Language, db: None) -> Cast:
    return make_cast(preset="open", options=SHORT, languages=["awk", "python"])


@needs_jail
@pytest.mark.long("sandbox")
def test_its_hello_bot_runs_in_all_circumstances(awk: Language) -> None:
    for circumstance in circumstances_of(awk):
        greet(artifact("awk", HELLO), awk, circumstance)


@needs_jail
@pytest.mark.parametrize("filename", ["mybot.awk", pytest.param("mybot", marks=pytest.mark.long("more"))])
def test_an_entry_is_recognised_checked_and_ready(cast: Cast, filename: str) -> None:
    version = intake.receive(cast.aces, cast.alice, [Upload(filename, HELLO.encode())]).submission
    assert version.language == "awk"
    process(version.pk)
    version.refresh_from_db()
    assert (version.state, version.verdict) == (Submission.State.READY, "")
    assert "mawk" in version.toolchain
    assert version.build_command == "mawk -W interactive -f bot.awk"
    shown = page(cast.alice, "my-team", cast.contest.slug).content.decode()
    assert "Awk" in shown
    assert "not installed here" not in shown


def test_where_it_is_not_installed_everybody_is_told_so(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(languages, "SYSTEM_PATH", "/nonexistent")
    shown = page(cast.alice, "my-team", cast.contest.slug).content.decode()
    assert shown.count("not installed here") >= 2, "in the list of languages, and in the form"
    with pytest.raises(UploadRefused) as refused:
        intake.receive(cast.aces, cast.alice, [Upload("mybot.awk", HELLO.encode())])
    said = str(refused.value.problems["language"])
    assert "Awk is allowed in this contest" in said
    assert "not installed on this portal" in said
    assert installed.main(["awk"], "/nonexistent") == 0
    assert capsys.readouterr().out == "mawk\n"
    assert "awk         Awk         not installed  mawk" in installed.table("/nonexistent")


def test_it_is_recognised_by_its_ending_and_by_its_first_line(awk: Language) -> None:
    assert recognise("x.awk") is recognise("x", b"#!/usr/bin/mawk -f\n") is awk
