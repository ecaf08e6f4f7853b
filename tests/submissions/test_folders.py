"""Programs of several files from the upload to the export: on the page, by the API, for those who may see them."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from contest.models import Act, Team
from games.folders import digest
from games.kits import zipped
from submissions import intake
from submissions.intake import UploadRefused
from submissions.models import Submission
from submissions.uploads import Upload
from tests.cast import Cast
from tests.games.test_archives import tarred
from tests.programs import ALL, post, program
from tests.tournaments.visitors import visitor

MAIN = '#include "board.h"\nint main(void) { return board(); }\n'
FILES = {
    "src/main.c": MAIN.encode(),
    "src/board.c": b'#include "board.h"\nint board(void) { return 7; }\n',
    "include/board.h": b"int board(void);\n",
    "data/weights.bin": bytes(range(256)),
    "README.md": b"# Shark\n",
}
ZIP = zipped({f"shark/{path}": data for path, data in FILES.items()})
VERSIONS = "/api/v1/contests/spring-cup/versions"


def file(name: str = "shark.zip", data: bytes = ZIP) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def send(cast: Cast, **fields: Any) -> Any:
    """Send the upload form as Alice."""
    own = {"origin": "http://testserver"}
    return visitor(cast.alice).post(reverse("my-team", args=[cast.contest.slug]), fields, headers=own)


def receive(cast: Cast, *uploads: Upload, **options: Any) -> Submission:
    return intake.receive(cast.aces, cast.alice, uploads or [Upload("shark.zip", ZIP)], **options).submission


def refusal(cast: Cast, *uploads: Upload, **options: Any) -> UploadRefused:
    with pytest.raises(UploadRefused) as caught:
        receive(cast, *uploads, **options)
    assert not Submission.objects.exists()
    return caught.value


def text(response: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def targz() -> bytes:
    return gzip.compress(tarred(*((f"shark/{path}", data) for path, data in FILES.items())))


# What is understood ---------------------------------------------------------------------------------------------------


def test_every_way_to_send_a_folder_gives_the_same_version(cast: Cast) -> None:
    ways = [
        [Upload("shark.zip", ZIP)],
        [Upload("shark.tar.gz", targz())],
        [Upload(f"shark/{path}", data) for path, data in FILES.items()],
        [Upload(path, data) for path, data in FILES.items()],
    ]
    for uploads in ways:
        version = receive(cast, *uploads)
        assert (version.filename, version.language, version.is_folder) == ("src/main.c", "c", True)
        assert version.source_bytes() == MAIN.encode()
        assert version.size == sum(map(len, FILES.values()))
        assert version.sha256 == digest(FILES, "src/main.c")
        kept = Submission.objects.get(pk=version.pk)
        assert kept.all_files() == FILES
        assert [it["path"] for it in kept.listed_files()] == sorted(FILES)
        version.delete()


def test_the_same_folder_twice_and_another_entry(cast: Cast) -> None:
    files = {**FILES, "src/other.c": b"int main(void) { return 1; }\n"}
    packed = Upload("a.zip", zipped(files))
    receive(cast, packed)
    with pytest.raises(UploadRefused, match="identical to your version 1"):
        receive(cast, packed)
    assert receive(cast, packed, entry="src/other.c").filename == "src/other.c"
    moved = {path.replace("data/", "more/"): data for path, data in files.items()}
    assert receive(cast, Upload("a.zip", zipped(moved)), entry="other.c").number == 3


@pytest.mark.parametrize(
    ("files", "field", "words"),
    [
        ({"a.c": b"int main() {}", "b.c": b"int main() {}"}, "entry", "Several files could start the program: a.c or"),
        ({"a.txt": b"x", "b.txt": b"y"}, "source", "None of the files is a source"),
        ({"src/bot.ts": b"x", "jest.config.js": b"1"}, "source", "Send the JavaScript"),
        ({"main.rs": b"fn main() {}", "b.rs": b""}, "language", "Rust is not allowed in this contest. Allowed here: C"),
        ({"main.c": MAIN.encode(), "b.c": b"gr\xfc"}, "source", "b.c is not UTF-8 text: line 1"),
        ({"main.c": MAIN.encode(), "x.dat": Random(1).randbytes(262_200)}, "source", "The largest is “x.dat”"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said_in_a_sentence(
    cast: Cast, files: dict[str, bytes], field: str, words: str
) -> None:
    refused = refusal(cast, Upload("a.zip", zipped(files)))
    assert words in refused.problems[field], refused.problems


def test_a_contest_that_takes_one_file(cast: Cast) -> None:
    cast.contest.one_file = True
    cast.contest.save()
    team = Team.objects.select_related("contest").get(pk=cast.aces.pk)
    with pytest.raises(UploadRefused) as caught:
        intake.receive(team, cast.alice, [Upload("shark.zip", ZIP)])
    assert caught.value.problems["source"].startswith("This contest takes exactly one source file, not several: ")
    packed = zipped({"bot.c": MAIN.encode() + b"// plan.txt", "acm98.c": b"", "plan.txt": b"Eights first."})
    version = intake.receive(team, cast.alice, [Upload("shark.zip", packed)]).submission
    assert (version.filename, version.strategy, version.is_folder) == ("bot.c", "Eights first.", False)
    page = send(cast, source=file())
    assert page.status_code == 422
    assert "exactly one source file" in text(page)
    assert "several, a folder, or an archive" not in text(page)
    told = program(cast.alice, "bot").post(VERSIONS, {"source": file()})
    assert (told.status_code, told.json()["errors"][0]["field"]) == (422, "source")
    assert program().get("/api/v1/contests/spring-cup").json()["one_file"] is True
    assert "exactly one file" in text(visitor(None).get(reverse("rules", args=["spring-cup"])))


# The page -------------------------------------------------------------------------------------------------------------


def test_without_a_script_what_was_understood_is_shown_first(cast: Cast) -> None:
    shown = send(cast, source=file(), activate="on")
    assert (shown.status_code, Submission.objects.count()) == (200, 0)
    said = text(shown)
    assert "A C program of 5 files" in said
    assert "It starts with src/main.c : it is called main.c." in said
    assert "Nothing is uploaded yet." in said
    form = shown.context["form"]
    again = send(cast, kept=form["kept"].value(), entry="src/main.c", activate="on")
    assert again.status_code == 302
    assert cast.aces.submissions.get().all_files() == FILES


def test_what_is_open_can_be_chosen_and_nothing_is_lost(cast: Cast) -> None:
    packed = file(data=zipped({"a.c": b"int main() {}\n", "b.c": b"int main() { return 1; }\n"}))
    shown = send(cast, source=packed, strategy_text="Eights.")
    assert shown.status_code == 422
    assert "Choose the file that starts the program" in text(shown)
    form = shown.context["form"]
    again = send(cast, kept=form["kept"].value(), entry="b.c", strategy_text="Eights.")
    assert again.status_code == 302, text(again)
    assert cast.aces.submissions.get().filename == "b.c"
    other = send(cast, kept=form["kept"].value(), entry="b.c", source=file())
    assert (other.status_code, cast.aces.submissions.count()) == (200, 1), "new files are looked at first"
    assert send(cast, kept="no base64 at all", entry="b.c").status_code == 422


def test_a_script_asks_what_files_would_be(cast: Cast) -> None:
    looked = send(cast, look="1", source=file())
    assert "A C program of 5 files" in text(looked)
    assert "<html" not in looked.content.decode()
    assert 'name="entry"' in looked.content.decode()
    assert "bot.py is a Python program" in text(send(cast, look="1", source=file("bot.py", b"print()")))
    assert "a damaged one" in text(send(cast, look="1", source=file(data=ZIP[:-200])))
    assert "No language uses" in text(send(cast, look="1", source=file("bot.xyz", b"print()")))
    paths = '["shark/main.c", "shark/lib/b.h"]'
    dropped = [file("main.c", MAIN.encode()), file("b.h", b"int b;")]
    assert "lib/" in text(send(cast, look="1", source=dropped, paths=paths))
    assert not Submission.objects.exists()
    assert send(cast, source=dropped, paths=paths, entry="main.c").status_code == 302
    assert set(cast.aces.submissions.get().all_files()) == {"main.c", "lib/b.h"}
    desk = reverse("desk-team-upload", args=["spring-cup", cast.aces.pk])
    assert "A C program of 5 files" in text(visitor(cast.olga).post(desk, {"look": "1", "source": file()}))
    assert visitor(cast.olga).post(desk, {"source": file(), "entry": "src/main.c"}).status_code == 302
    assert Act.objects.filter(verb="upload version for team").exists()


def test_an_archive_is_judged_without_what_is_left_out(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """However large it is, up to a limit that is named."""
    large = zipped({**FILES, ".git/objects/pack": Random(1).randbytes(9 << 20)})
    said = text(send(cast, look="1", source=file(data=large)))
    assert "A C program of 5 files" in said
    assert ".git/ was left out" in said
    assert program(cast.alice, *ALL).post(VERSIONS, {"source": file(data=large)}).status_code == 202
    for where in ("games.archives", "submissions.forms"):
        monkeypatch.setattr(f"{where}.MOST_PACKED", 8 << 20)
    assert "an archive may have 8 MB" in text(send(cast, look="1", source=file(data=large)))
    plan = file("plan.tgz", gzip.compress(b"Eights!"))
    assert "an archive, not a text" in text(send(cast, source=file(), entry="src/main.c", strategy=plan))


def test_a_dropped_folder_may_hold_more_than_is_sent(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page sends an empty file for each folder that is left out, and of too many files only the paths."""
    sent = [file("main.py", b"import b\n"), file("pyvenv.cfg", b""), file("b.py", b"B = 1\n")]
    paths = ["shark/main.py", "shark/.venv/pyvenv.cfg", "shark/b.py"]
    said = text(send(cast, look="1", source=sent, paths=json.dumps(paths)))
    assert "A Python program of 2 files" in said
    assert ".venv/ was left out" in said
    loose = [file("main.py", b"x = 1\n"), *(file(f"{number}.txt", b"x") for number in range(150))]
    assert "A Python program of 151 files" in text(send(cast, look="1", source=loose))
    many = json.dumps([*paths, *(f"shark/data/{number}.txt" for number in range(300))])
    said = text(send(cast, look="1", source=sent, paths=many))
    assert "The upload has 302 files, 300 of them in data/" in said
    assert "Not all files were sent" in text(
        send(cast, look="1", source=sent, paths=json.dumps([*paths, "shark/c.py"]))
    )
    monkeypatch.setattr("submissions.uploads.READ_LIMIT", 100)
    large = [file("lib.jar", bytes(200)), file("main.py", b"import b\n"), file("b.py", b"B = 1\n")]
    names = json.dumps([f"shark/{name}" for name in ("lib.jar", "main.py", "b.py")])
    assert "lib.jar was left out" in text(send(cast, look="1", source=large, paths=names))
    large[0] = file("table.bin", bytes(200))
    assert "table.bin is too large" in text(
        send(cast, look="1", source=large, paths=names.replace("lib.jar", "table.bin"))
    )


def test_what_was_left_out_is_said_everywhere(cast: Cast) -> None:
    files = {**FILES, ".git/config": b"", "lib/gson.jar": b"PK", "Anna’s notes.txt": b"x", "plan.docx": b"PK"}
    files |= {"resource.h": b"\xff\xfe#\0", "plot.py": b"gr\xfc"}
    packed = zipped({f"shark/{path}": data for path, data in files.items()})
    left = (".git/ was", "lib/gson.jar was", "Anna’s notes.txt was", "plan.docx was", "plot.py is not UTF-8 text")
    shown = send(cast, source=file(data=packed), activate="on")
    assert all(one in text(shown) for one in left), "on the page"
    client = program(cast.alice, "bot")
    answer = client.post(VERSIONS, {"source": file(data=packed)})
    assert all(one in " ".join(answer.json()["notices"]) for one in left), "by the API"
    refused = client.post(
        VERSIONS, {"source": file(data=zipped({**files, "x.c": MAIN.encode(), "src/main.c": b"\xff"}))}
    )
    assert all(one in refused.json()["detail"] for one in left), "with a refusal"
    again = send(cast, kept=shown.context["form"]["kept"].value(), entry="src/main.c", activate="on", follow=True)
    assert "identical to your version 1" in text(again)
    assert all(one in text(again) for one in left), "and when it was kept by the page"


@pytest.mark.promise
def test_who_sees_the_files(cast: Cast) -> None:
    """As with a source of one file: the team and the desk, and nobody else."""
    receive(cast)
    mine, theirs = "/c/spring-cup/my/1/", f"/c/spring-cup/teams/{cast.aces.pk}/versions/1/"
    below = ("source/?file=src/board.c", "download/?file=src/board.c", "download/")
    team = f"?team={cast.aces.pk}"
    for rest in below:
        for user in (cast.alice, cast.bob):
            assert visitor(user).get(mine + rest).status_code == 200
        for user in (cast.ada, cast.olga, cast.judy, cast.root):
            assert visitor(user).get(theirs + rest).status_code == 200
        for user in (cast.carl, cast.zoe):
            assert visitor(user).get(theirs + rest).status_code == 404
        assert visitor(None).get(theirs + rest).status_code == 302
    for query in ("", "&path=src/board.c"):
        for user in (cast.olga, cast.judy):
            assert program(user, "desk").get(f"{VERSIONS}/1/source{team}{query}").status_code == 200
        for user in (cast.carl, cast.zoe):
            assert program(user, *ALL).get(f"{VERSIONS}/1/source{team}{query}").status_code == 404
        assert program().get(f"{VERSIONS}/1/source{team}{query}").status_code == 401
    assert program(cast.carl, *ALL).get(f"{VERSIONS}/1{team}").status_code == 404


# The API and the export -----------------------------------------------------------------------------------------------


def test_the_api_takes_and_tells_several_files(cast: Cast) -> None:
    client = program(cast.alice, "bot")
    answer = client.post(VERSIONS, {"source": file()})
    assert answer.status_code == 202, answer.content
    told = answer.json()
    assert (told["filename"], told["language"], told["file_count"]) == ("src/main.c", "c", 5)
    assert [it["path"] for it in told["files"]] == sorted(FILES)
    assert told["files"][0] == {"path": "README.md", "size": 8, "sha256": told["files"][0]["sha256"]}
    loose = [file("main.c", b"int main() {}\n"), file("b.c", b"int b;\n"), file("c.c", b"int main() { return 3; }\n")]
    assert client.post(VERSIONS, {"source": loose, "entry": "c.c"}).json()["filename"] == "c.c"
    open_question = [file("a.c", b"int main() {}\n"), file("b.c", b"int main() { return 1; }\n")]
    refused = client.post(VERSIONS, {"source": open_question})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "entry")
    assert "a.c or b.c" in refused.json()["detail"]
    listed = client.get(VERSIONS).json()["results"]
    assert [it["file_count"] for it in listed] == [3, 5]
    assert "files" not in listed[0]
    whole = client.get(f"{VERSIONS}/1/source")
    assert whole["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(whole.content)) as archive:
        assert len(archive.namelist()) == 5
    assert client.get(f"{VERSIONS}/1/source?path=src/board.c").content == FILES["src/board.c"]
    assert client.get(f"{VERSIONS}/1/source?path=nothing").status_code == 404
    single = post(client, VERSIONS, {"source": "print()\n", "filename": "bot.py"}).json()
    assert single["files"] == [{"path": "bot.py", "size": 8, "sha256": single["sha256"]}]
