"""Every bad upload is refused with a clear sentence and loses nothing; every good one is stored unchanged."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from contest.models import Team
from games.build import program_of
from games.engine import OptionError
from submissions import intake
from submissions.intake import Receipt, Upload, UploadRefused, safe_name
from submissions.models import Submission
from tests.cast import Cast, open_until
from tests.submissions.bots import GOOD_PYTHON, kit

SOURCE = b"int main() { return 0; }\n"


def receive(cast: Cast, *sources: Upload, strategy: Upload | None = None, **options: Any) -> Receipt:
    options.setdefault("team", cast.aces)
    team = options.pop("team")
    return intake.receive(team, cast.alice, sources or [Upload("bot.cpp", SOURCE)], strategy, **options)


def refusal(cast: Cast, *sources: Upload, **options: Any) -> UploadRefused:
    before = Submission.objects.count()
    with pytest.raises(UploadRefused) as caught:
        receive(cast, *sources, **options)
    assert Submission.objects.count() == before, "a refused upload must not be stored"
    return caught.value


def problem(cast: Cast, name: str, data: bytes, **options: Any) -> str:
    return refusal(cast, Upload(name, data), **options).problems["source"]


# Accepted uploads -----------------------------------------------------------------------------------------------------


def test_an_upload_is_stored_byte_for_byte_and_queued(cast: Cast) -> None:
    source = b"\xef\xbb\xbf// caf\xc3\xa9\r\nint main() {}\r\n"
    text = Upload("plan.txt", "High cards first. Größe zählt.".encode())
    receipt = receive(cast, Upload("shark.cpp", source), strategy=text)
    version = Submission.objects.get(pk=receipt.submission.pk)
    assert (version.team, version.number, version.uploaded_by) == (cast.aces, 1, cast.alice)
    assert (version.filename, version.language, version.state) == ("shark.cpp", "cpp", "queued")
    assert bytes(version.source) == source
    assert version.size == len(source)
    assert (version.strategy_filename, version.strategy) == ("plan.txt", "High cards first. Größe zählt.")
    assert version.activate_when_ready
    assert not receipt.notices


def test_pasted_text_needs_a_language_or_a_name(cast: Cast) -> None:
    assert "Choose the language" in refusal(cast, Upload("", SOURCE, pasted=True)).problems["language"]
    named = receive(cast, Upload("mine.pas", b"begin end.", pasted=True)).submission
    chosen = receive(cast, Upload("", SOURCE, pasted=True), language="cpp").submission
    half = receive(cast, Upload("shark", SOURCE + b"//", pasted=True), language="c").submission
    assert [(it.filename, it.language) for it in (named, chosen, half)] == [
        ("mine.pas", "pascal"),
        ("bot.cpp", "cpp"),
        ("shark.c", "c"),
    ]


@pytest.mark.parametrize(
    ("came", "kept"),
    [
        ("C:\\Users\\me\\shark.cpp", "shark.cpp"),
        ("/etc/../shark.cpp", "shark.cpp"),
        ("-rf.cpp", "rf.cpp"),
        ("my  shark (3).cpp", "my_shark_3_.cpp"),
        ("große Haie.cpp", "große_Haie.cpp"),
        ("акула.cpp", "акула.cpp"),
        ("a\u202eppc.cpp", "a_ppc.cpp"),
        ("a\n\x00b.cpp", "a_b.cpp"),
        ("x" * 300 + ".cpp", "x" * 96 + ".cpp"),
        ("..", "bot"),
        ("🦈.py", "bot.py"),
        ("", "bot"),
    ],
)
def test_odd_file_names_become_plain_ones(came: str, kept: str) -> None:
    assert safe_name(came) == kept


def test_another_name_is_told(cast: Cast) -> None:
    told = [receive(cast, Upload(name, SOURCE + name.encode())) for name in ("C:\\me\\shark.cpp", "my shark (3).cpp")]
    assert [bool(it.notices) for it in told] == [False, True]
    assert "my_shark_3_.cpp" in told[1].notices[0]


def test_the_kits_own_files_are_ignored_and_this_is_said(cast: Cast) -> None:
    receipt = receive(cast, Upload("shark.cpp", SOURCE), Upload("ACM98.H", b"x"), Upload("acm98.cpp", b"y"))
    assert bytes(receipt.submission.source) == SOURCE
    assert receipt.notices == [
        "ACM98.H and acm98.cpp are part of the kit and were ignored: every bot is built with our own copy."
    ]
    alone = problem(cast, "acm98.cpp", b"int x;")
    assert alone.startswith("acm98.cpp is part of the kit and was ignored")
    assert "your own code" in alone


def test_a_text_dropped_along_with_the_source_is_the_strategy(cast: Cast) -> None:
    receipt = receive(cast, Upload("plan.txt", b"plan.txt: 8!"), Upload("bot.cpp", SOURCE))
    version = receipt.submission
    assert (version.filename, version.strategy_filename, version.strategy) == ("bot.cpp", "plan.txt", "plan.txt: 8!")
    assert receipt.notices == ["plan.txt was taken as the strategy text."]
    reads = receive(cast, Upload("table.txt", b"1 2"), Upload("bot.cpp", SOURCE + b'// "table.txt"')).submission
    assert (reads.strategy, set(reads.all_files())) == ("", {"bot.cpp", "table.txt"})


# Refused uploads ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "bot.cpp is empty."),
        (b" \r\n\t\n", "bot.cpp is empty."),
        (b"\x7fELF\x02\x01\x01\x00" + bytes(50), "bot.cpp is a compiled program, not a text."),
        (b"MZ\x90\x00\x03", "bot.cpp is a compiled program, not a text."),
        (b"PK\x03\x04rest", "bot.cpp is an archive or an office document, not a text."),
        (b"%PDF-1.4", "bot.cpp is a PDF document, not a text."),
        (b"int a;\nint \xfc;\n", "bot.cpp is not UTF-8 text: line 2 contains the byte 0xFC. Save it as UTF-8"),
        (b"\xff\xfei\x00n\x00t\x00", "bot.cpp is UTF-16 text. Save it as UTF-8"),
        (b"int a;\nint b;\0\n", "bot.cpp is not a text: line 2 contains a NUL character."),
        (b"\x00\x01\xfe\xff\x00", "bot.cpp is a binary file, not a text."),
    ],
)
def test_what_is_no_source_text_is_named(cast: Cast, data: bytes, sentence: str, tmp_path: Path) -> None:
    said = problem(cast, "bot.cpp", data)
    assert said.startswith(sentence)
    (tmp_path / "bot.cpp").write_bytes(data)
    with pytest.raises(OptionError, match=f"^{re.escape(said)}$"):
        program_of(cast.contest.game, str(tmp_path / "bot.cpp"))


def test_too_large_says_how_large_and_how_much_is_allowed(cast: Cast) -> None:
    cast.contest.source_kb = 2
    cast.contest.save()
    team = Team.objects.get(pk=cast.aces.pk)
    assert (
        problem(cast, "bot.cpp", b"/" * 2049, team=team)
        == "bot.cpp is too large: it has 2,049 bytes, and the limit is 2,048."
    )
    assert receive(cast, Upload("bot.cpp", b"/" * 2048), team=team).submission.size == 2048


def test_an_unknown_ending_lists_what_is_allowed(cast: Cast, tmp_path: Path) -> None:
    refused = refusal(cast, Upload("bot.exe", SOURCE))
    assert refused.problems == {
        "language": "No language uses the extension “.exe”. Allowed here: C (.c), C++ (.cpp .cc .cxx), "
        "Pascal (.pas .pp .p .lpr .dpr), Python (.py)."
    }
    assert refused.good["source"] == ("bot.exe", SOURCE.decode())
    assert "a file name without an extension" in refusal(cast, Upload("bot", SOURCE)).problems["language"]
    for name, word in (("bot.tsx", "TypeScript"), ("bot.kts", "Kotlin"), ("bot.c.TXT", r"Call it bot\.c\.")):
        assert re.search(word, refusal(cast, Upload(name, SOURCE)).problems["language"])
        (tmp_path / name).write_bytes(SOURCE)
        with pytest.raises(OptionError, match=word):
            program_of(cast.contest.game, str(tmp_path / name))


def test_a_language_that_cannot_live_in_the_contests_memory(cast: Cast) -> None:
    cast.contest.memory_mb = 4
    cast.contest.save()
    refused = refusal(cast, Upload("bot.py", GOOD_PYTHON), team=Team.objects.get(pk=cast.aces.pk))
    assert "this contest allows 4 MB" in refused.problems["language"]


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (Upload("plan.doc", b"\xd0\xcf\x11\xe0\x00"), "plan.doc is an office document, not a text."),
        (Upload("plan.txt", b"a\x00b"), "plan.txt is not a text: line 1 contains a NUL character."),
        (Upload("plan.txt", b"x" * (256 * 1024 + 1)), "plan.txt is too large"),
        (Upload("plan.txt", b"  "), "plan.txt is empty."),
    ],
)
def test_a_bad_text_about_the_strategy_does_not_cost_the_source(cast: Cast, strategy: Upload, sentence: str) -> None:
    refused = refusal(cast, Upload("bot.cpp", SOURCE), strategy=strategy)
    assert list(refused.problems) == ["strategy"]
    assert refused.problems["strategy"].startswith(sentence)
    assert refused.good == {"source": ("bot.cpp", SOURCE.decode())}


def test_a_bad_source_does_not_cost_the_text_about_the_strategy(cast: Cast) -> None:
    refused = refusal(cast, Upload("bot.cpp", b""), strategy=Upload("plan.txt", b"Eights!"))
    assert refused.problems == {"source": "bot.cpp is empty."}
    assert refused.good == {"strategy": ("plan.txt", "Eights!")}


def test_the_strategy_is_required_only_where_the_contest_says_so(cast: Cast) -> None:
    assert receive(cast).submission.strategy == ""
    cast.contest.needs_strategy = True
    cast.contest.save()
    refused = refusal(cast, Upload("bot.cpp", SOURCE + b"//"), team=Team.objects.get(pk=cast.aces.pk))
    assert list(refused.problems) == ["strategy"]
    assert refused.good["source"][0] == "bot.cpp"
    folder = [Upload(name, SOURCE) for name in ("bot.cpp", "README.md", "hand.h", "strategy.txt")]
    assert receive(cast, *folder, team=Team.objects.get(pk=cast.aces.pk)).submission.strategy_filename == "strategy.txt"


# When and who ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (Team.State.PENDING, "waiting for approval"),
        (Team.State.REFUSED, "Your team cannot upload: refused. Reason: late"),
        (Team.State.WITHDRAWN, "Your team cannot upload: withdrawn."),
        (Team.State.DISQUALIFIED, "Your team cannot upload: disqualified."),
    ],
)
def test_teams_that_do_not_take_part_cannot_upload(cast: Cast, state: str, sentence: str) -> None:
    cast.aces.state, cast.aces.state_reason = state, "late"
    cast.aces.save()
    refused = refusal(cast, team=cast.aces)
    assert sentence in refused.problems[""]
    assert refused.good["source"], "the source is handed back even so"


def test_after_the_deadline_before_the_opening_and_after_the_end(cast: Cast) -> None:
    now = timezone.now()
    contest = open_until(cast.contest, hours=-1)
    team = Team.objects.get(pk=cast.aces.pk)
    assert refusal(cast, team=team).problems[""].startswith("Uploads closed on ")
    open_until(contest, days=7)
    contest.opens_at = now + timedelta(hours=2)
    contest.save()
    team = Team.objects.get(pk=cast.aces.pk)
    assert refusal(cast, team=team).problems[""].startswith("The contest has not opened yet.")
    contest.opens_at, contest.ended_at = now - timedelta(days=2), now - timedelta(hours=1)
    contest.save()
    team = Team.objects.get(pk=cast.aces.pk)
    assert refusal(cast, team=team).problems[""] == "The contest has ended."


def test_the_hourly_limit_says_when_the_next_upload_is_possible(cast: Cast) -> None:
    cast.contest.uploads_per_hour = 2
    cast.contest.save()
    team = Team.objects.get(pk=cast.aces.pk)
    start = timezone.now().replace(second=0, microsecond=0)
    for minute in (0, 10):
        receive(cast, Upload("a.c", b"%d" % minute), team=team, now=start + timedelta(minutes=minute))
    refused = refusal(cast, Upload("a.c", b"x"), team=team, now=start + timedelta(minutes=30))
    at = timezone.localtime(start + timedelta(hours=1))
    assert refused.problems[""] == (
        f"Your team has used its 2 uploads for this hour. You can upload again at {at:%H:%M} {at.tzname()}."
    )
    assert refused.good["source"] == ("a.c", "x")
    assert intake.next_upload_at(team, start + timedelta(minutes=30)) == start + timedelta(hours=1)
    assert receive(cast, Upload("a.c", b"x"), team=team, now=start + timedelta(minutes=60)).submission.number == 3


def test_refused_uploads_do_not_count_against_the_limit(cast: Cast) -> None:
    cast.contest.uploads_per_hour = 1
    cast.contest.save()
    team = Team.objects.get(pk=cast.aces.pk)
    for _ in range(3):
        refusal(cast, Upload("a.c", b""), team=team)
    assert receive(cast, team=team).submission.number == 1


def test_the_same_again_is_not_built_again(cast: Cast) -> None:
    version = receive(cast).submission
    refused = refusal(cast)
    assert refused.problems[""].startswith("This upload is identical to your version 1 (queued)")
    Submission.objects.filter(pk=version.pk).update(state="ready", is_active=True)
    assert "version 1 (active)" in refusal(cast).problems[""]


@pytest.mark.parametrize(
    ("name", "state"),
    [("Shark.cpp", "queued"), ("Shark.cpp", "ready"), ("Shark.cpp", "rejected"), ("shark.cpp", "rejected")],
)
def test_the_same_bytes_are_new_under_another_name_and_after_a_rejection(cast: Cast, name: str, state: str) -> None:
    first = receive(cast, Upload("shark.cpp", SOURCE)).submission
    Submission.objects.filter(pk=first.pk).update(state=state)
    assert receive(cast, Upload(name, SOURCE)).submission.filename == name


def test_the_same_source_with_another_strategy_or_after_another_version_is_new(cast: Cast) -> None:
    receive(cast)
    receive(cast, strategy=Upload("plan.txt", b"new thoughts"))
    receive(cast, Upload("bot.cpp", kit("random.cpp")))
    assert receive(cast).submission.number == 4


def test_everything_that_is_wrong_is_said_at_once(cast: Cast) -> None:
    cast.contest.needs_strategy = True
    open_until(cast.contest, hours=-1)
    cast.contest.save()
    refused = refusal(cast, Upload("bot.xyz", SOURCE), team=Team.objects.get(pk=cast.aces.pk))
    assert set(refused.problems) == {"", "language", "strategy"}
    assert str(refused) == " ".join(refused.problems.values())


@pytest.mark.django_db(transaction=True)
def test_two_uploads_at_once_get_two_numbers_and_respect_the_limit(cast: Cast) -> None:
    cast.contest.uploads_per_hour = 3
    cast.contest.save()
    together = Barrier(6)
    refused: list[str] = []

    def send(number: int) -> None:
        try:
            together.wait()
            receive(cast, Upload("a.c", b"%d" % number), team=Team.objects.get(pk=cast.aces.pk))
        except UploadRefused as refusal:
            refused.append(refusal.problems[""])
        finally:
            connection.close()

    threads = [Thread(target=send, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(cast.aces.submissions.values_list("number", flat=True)) == [1, 2, 3]
    assert len(refused) == 3
    assert all("3 uploads" in sentence for sentence in refused)
