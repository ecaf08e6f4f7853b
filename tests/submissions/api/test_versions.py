"""Versions of bots for programs: who may read and change them, and that an upload is the one of the page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import encode_multipart
from django.utils import timezone

from contest import teams
from contest.models import Act, Contest
from submissions import intake
from submissions.models import CheckGame, Submission, pack
from submissions.process import process
from tests.cast import Cast, open_until
from tests.programs import ALL, caller, count_queries, post, program
from tests.submissions import bots
from tests.tournaments.visitors import visitor

Uploader = Callable[..., Submission]
API = "/api/v1/contests/spring-cup"
VERSIONS = f"{API}/versions"
SOURCE = "print('aces')\n"


@pytest.fixture
def version(upload: Uploader) -> Submission:
    """A version of Aces that is in the queue."""
    return upload(b"SECRET = 'alice in chains'\n", "shark.py", strategy=intake.Upload("plan.txt", b"Eights!"))


def put(version: Submission, **values: Any) -> Submission:
    Submission.objects.filter(pk=version.pk).update(**values)
    version.refresh_from_db()
    return version


def check_game(version: Submission, number: int) -> CheckGame:
    return CheckGame.objects.create(submission=version, number=number, seat=0, passed=True, record=pack("{}"))


# Rights ---------------------------------------------------------------------------------------------------------------

# Person, scopes of the token (None: logged in to the portal), and the status of: reading and activating version 1 of
# the own team; reading version 1 of Aces by its number, activating it, having it checked again.
RIGHTS = [
    ("", "", 401, 401, 401, 401, 401),
    ("zoe", ALL, 403, 403, 404, 404, 404),
    ("zoe", None, 403, 403, 404, 404, 404),
    ("alice", None, 200, 200, 200, 200, 403),
    ("alice", ("bot",), 200, 200, 200, 200, 403),
    ("bob", ("bot",), 200, 200, 200, 200, 403),
    ("alice", ("team",), 403, 403, 403, 403, 403),
    ("alice", ("desk",), 403, 403, 404, 404, 404),
    ("alice", (), 403, 403, 403, 403, 403),
    ("carl", ("bot",), 404, 404, 403, 403, 403),
    ("carl", ALL, 404, 404, 404, 404, 404),
    ("carl", None, 404, 404, 404, 404, 404),
    ("judy", ("bot", "team"), 403, 403, 403, 403, 403),
    ("judy", ("desk",), 403, 403, 200, 403, 403),
    ("judy", None, 403, 403, 200, 403, 403),
    ("olga", ("desk",), 403, 403, 200, 200, 200),
    ("ada", ("desk",), 403, 403, 200, 200, 200),
    ("root", ("desk",), 403, 403, 200, 200, 200),
    ("root", ("bot",), 403, 403, 403, 403, 403),
]


@pytest.mark.promise
@pytest.mark.parametrize("row", RIGHTS, ids=lambda row: f"{row[0] or 'nobody'} {row[1]}")
def test_only_the_team_and_the_desk_know_a_version(cast: Cast, version: Submission, row: Any) -> None:
    who, scopes, *expected = row
    client = caller(getattr(cast, who, None), None if scopes is None else " ".join(scopes))
    team, because = f"?team={cast.aces.pk}", {"reason": "They asked"}
    got = [client.get(f"{VERSIONS}/1").status_code]
    put(version, state="ready")
    got.append(post(client, f"{VERSIONS}/1/activate", because).status_code)
    got.append(client.get(f"{VERSIONS}/1{team}").status_code)
    put(version, is_active=False)
    got.append(post(client, f"{VERSIONS}/1/activate{team}", because).status_code)
    put(version, state="rejected", is_active=False)
    got.append(post(client, f"{VERSIONS}/1/recheck{team}", because).status_code)
    assert got == expected


@pytest.mark.promise
def test_every_address_of_a_version_is_private(cast: Cast, version: Submission) -> None:
    check_game(version, 1)
    below = ("", "/source", "/strategy", "/checks/1/record", "/checks/1/stderr")
    team = f"?team={cast.aces.pk}"
    for rest in below[:4]:
        assert program(cast.alice, "bot").get(f"{VERSIONS}/1{rest}").status_code == 200, rest
    for client in (program(cast.carl, *ALL), visitor(cast.zoe)):
        for rest in (*below, "/checks/1/log"):
            assert client.get(f"{VERSIONS}/1{rest}{team}").status_code == 404, rest
        assert client.get(f"{VERSIONS}{team}").status_code == 404
        assert client.get(f"{API}/bot{team}").status_code == 404


@pytest.mark.promise
def test_a_role_in_one_contest_opens_nothing_in_another(cast: Cast, version: Submission) -> None:
    now = timezone.now() + timedelta(days=1)
    Contest.objects.create(
        slug="other", name="Other", game_slug="tricky_eights", preset="open", entry_deadline=now, upload_deadline=now
    )
    address = f"/api/v1/contests/other/versions/1?team={cast.aces.pk}"
    assert program(cast.olga, "desk").get(address).status_code == 404
    assert program(cast.root, "desk").get(address).status_code == 404


@pytest.mark.promise
def test_a_token_for_bots_has_none_of_an_organisers_rights(cast: Cast, version: Submission) -> None:
    teams.join(cast.contest, cast.olga, cast.aces.code)
    put(version, state="ready")
    open_until(cast.contest, hours=-1)
    assert post(program(cast.olga, "bot"), f"{VERSIONS}/1/activate").status_code == 409
    assert post(program(cast.olga, "bot", "desk"), f"{VERSIONS}/1/activate").status_code == 200
    assert post(program(cast.olga, "bot"), f"{VERSIONS}/withdraw").status_code == 409
    assert post(program(cast.olga, "bot", "desk"), f"{VERSIONS}/withdraw").status_code == 204
    put(version, state="rejected")
    assert post(program(cast.olga, "bot"), f"{VERSIONS}/1/recheck", {"reason": "x"}).status_code == 403


# Reading --------------------------------------------------------------------------------------------------------------


def test_a_version_that_was_really_checked(cast: Cast, upload: Uploader) -> None:
    version = upload(bots.TALKS, "talker.py")
    process(version.pk)
    version.refresh_from_db()
    assert version.is_active, version.verdict
    client = program(cast.alice, "bot")
    told = client.get(f"{VERSIONS}/1").json()
    assert (told["state"], told["is_active"], told["in_progress"]) == ("ready", True, False)
    assert told["toolchain"].startswith("Python")
    assert told["advice"]["tone"] in ("ok", "warn")
    assert [step["title"] for step in told["timeline"] if step["state"] == "done"][-1] == "Active"
    assert len(told["games"]) == told["games_planned"] == told["games_played"]
    game = told["games"][0]
    assert (game["number"], game["passed"], game["faults"]) == (1, True, 0)
    played = version.check_games.get(number=1)
    assert game["opponents"] == played.opponents
    assert client.get(game["record"]).json() == played.record_data()
    assert client.get(game["log"])["Content-Type"].startswith("text/plain")
    assert client.get(f"{game['log']}?game=99").status_code == 404
    assert "thinking about" in client.get(game["stderr"]).json()[0]["text"]
    assert visitor(cast.alice).get(game["page"]).status_code == 200
    assert visitor(cast.alice).get(told["page"]).status_code == 200
    assert client.get(f"{VERSIONS}/1/source").content == bots.TALKS
    judge = program(cast.judy, "desk")
    seen = judge.get(f"{VERSIONS}/1?team={cast.aces.pk}").json()
    assert {**seen, "page": "", "games": [], "may_change": True} == {**told, "page": "", "games": []}
    assert seen["may_change"] is False
    assert judge.get(seen["games"][0]["record"]).json() == played.record_data()
    assert visitor(cast.judy).get(seen["page"]).status_code == 200


def test_as_many_queries_for_many_as_for_few(cast: Cast, upload: Uploader, version: Submission) -> None:
    client = program(cast.alice, "bot")
    addresses = [VERSIONS, f"{API}/bot", f"{VERSIONS}/1"]
    check_game(version, 1)

    client.get(VERSIONS)  # which writes the last use of the token
    few = [count_queries(client, address) for address in addresses]
    for number in range(2, 8):
        upload(f"x = {number}\n".encode())
        check_game(version, number)
    addresses[2] = f"{VERSIONS}/7"  # version 1 does not wait any more
    assert [count_queries(client, address) for address in addresses] == few
    assert max(few) <= 12
    assert len(client.get(f"{VERSIONS}?limit=5").json()["results"]) == 5
    assert [it["number"] for it in client.get(VERSIONS).json()["results"]] == [7, 6, 5, 4, 3, 2, 1]


# Uploading ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [SOURCE, "print('one')\r\nprint('two')\r\n", "print('Grüße')"])
def test_an_upload_as_json_stores_exactly_what_was_sent(cast: Cast, source: str) -> None:
    answer = post(program(cast.alice, "bot"), VERSIONS, {"source": source, "filename": "aces.py", "strategy": "Win."})
    assert answer.status_code == 202, answer.content
    version = cast.aces.submissions.get()
    assert (version.source_bytes(), version.filename, version.language) == (source.encode(), "aces.py", "python")
    assert (version.strategy, version.uploaded_by, version.activate_when_ready) == ("Win.", cast.alice, True)
    told = answer.json()
    assert (told["number"], told["state"], told["sha256"]) == (1, "queued", version.sha256)
    assert answer["Location"] == f"{VERSIONS}/1"
    assert not Act.objects.filter(verb="upload version for team").exists()


def test_an_upload_of_files(cast: Cast) -> None:
    files = {
        "source": SimpleUploadedFile("aces.py", b"print(1)\r\n"),
        "strategy": SimpleUploadedFile("plan.md", b"Win."),
        "activate": "false",
    }
    answer = program(cast.bob, "bot").post(VERSIONS, files)
    assert answer.status_code == 202, answer.content
    version = cast.aces.submissions.get()
    assert (version.source_bytes(), version.filename) == (b"print(1)\r\n", "aces.py")
    assert (version.strategy, version.strategy_filename) == ("Win.", "plan.md")
    assert version.activate_when_ready is False


@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ({}, {"source"}),
        ({"source": " "}, {"source"}),
        ({"source": SOURCE}, {"language"}),
        ({"source": SOURCE, "filename": "aces.rs"}, {"language"}),
        ({"source": SOURCE, "filename": "aces.py", "language": "cobol"}, {"language"}),
        ({"source": SOURCE, "filename": "aces.py", "language": "c"}, {"language"}),
        ({"source": ["a", "b"], "filename": {"a": 1}}, {"filename"}),
        ({"source": 17, "filename": "a.py"}, {"source"}),
        ({"source": "a\0b", "filename": "a.py"}, {"source"}),
        ({"source": "x" * 300_000, "filename": "a.py"}, {"source"}),
        ({"source": SOURCE, "filename": "a.py", "strategy": "x" * 300_000}, {"strategy"}),
    ],
)
def test_what_is_wrong_with_an_upload_is_said_field_by_field(cast: Cast, sent: Any, fields: set[str]) -> None:
    answer = post(program(cast.alice, "bot"), VERSIONS, sent)
    assert answer.status_code == 422, answer.content
    assert {error["field"] for error in answer.json()["errors"]} == fields
    assert not Submission.objects.exists()


@pytest.mark.promise
def test_an_upload_that_is_sent_twice_with_its_key_is_one_version(cast: Cast) -> None:
    client, key = program(cast.alice, "bot"), {"Idempotency-Key": "build-17"}
    wanted = {"source": SOURCE, "filename": "a.py"}
    first, second = (post(client, VERSIONS, wanted, **key) for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json() == second.json()
    assert second["Location"] == f"{VERSIONS}/1"
    answers = []
    for boundary in ("first", "second"):  # clients choose them at random
        sent = encode_multipart(boundary, {"source": SimpleUploadedFile("b.py", b"print(2)\n")})
        kind, headers = f"multipart/form-data; boundary={boundary}", {"Idempotency-Key": "build-18"}
        answers.append(client.generic("POST", VERSIONS, sent, kind, headers=headers))
    assert [it.status_code for it in answers] == [202, 202]
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert cast.aces.submissions.count() == 2


def test_an_organiser_uploads_for_a_team_after_the_deadline(cast: Cast) -> None:
    open_until(cast.contest, hours=1)
    Contest.objects.update(upload_deadline=timezone.now() - timedelta(minutes=1))
    wanted, address = {"source": SOURCE, "filename": "a.py"}, f"{VERSIONS}?team={cast.clubs.pk}"
    assert post(program(cast.judy, "desk"), address, wanted).status_code == 403
    assert post(program(cast.carl, "bot"), address, wanted).status_code == 409
    answer = post(program(cast.olga, "desk"), address, wanted)
    assert answer.status_code == 202, answer.content
    assert program(cast.olga, "desk").get(answer["Location"]).json()["uploaded_by"] == "olga"
    assert Act.objects.get(verb="upload version for team").user == cast.olga


# Choosing -------------------------------------------------------------------------------------------------------------


def test_activate_and_withdraw(cast: Cast, upload: Uploader) -> None:
    client = program(cast.alice, "bot")
    for number in (1, 2):
        put(upload(f"x = {number}\n".encode()), state="ready")
    upload(b"x = 3\n")
    assert post(client, f"{VERSIONS}/3/activate").json()["code"] == "refused"
    for number in (1, 2):
        assert post(client, f"{VERSIONS}/{number}/activate").json()["is_active"] is True
    assert cast.aces.submissions.active().get().number == 2
    assert post(client, f"{VERSIONS}/2/activate").status_code == 409
    assert post(client, f"{VERSIONS}/withdraw").status_code == 204
    assert not cast.aces.submissions.active().exists()
    assert post(client, f"{VERSIONS}/withdraw").status_code == 409
    assert not Act.objects.filter(verb__in=("activate version", "withdraw bot")).exists()


def test_the_queue_is_told_and_organisers_change_it(cast: Cast, upload: Uploader, version: Submission) -> None:
    other = upload(team=cast.clubs, user=cast.carl)
    mine = program(cast.carl, "bot")
    place = mine.get(f"{VERSIONS}/1").json()["queue"]
    assert (place["position"], place["waiting"]) == (2, 2)
    assert 0 <= place["soonest"] <= place["latest"]
    team, because = f"?team={cast.clubs.pk}", {"reason": "They asked"}
    for refused in (mine, program(cast.judy, "desk"), program(cast.olga, "bot")):
        for action, body in (("move-up", None), ("cancel", because)):
            assert post(refused, f"{VERSIONS}/1/{action}{team}", body).status_code in (403, 404)
    assert post(mine, f"{VERSIONS}/1/cancel", because).status_code == 403
    desk = program(cast.olga, "desk")
    assert post(desk, f"{VERSIONS}/1/move-up{team}").json()["queue"]["position"] == 1
    assert post(desk, f"{VERSIONS}/1/cancel{team}").status_code == 409, "without a reason"
    told = post(desk, f"{VERSIONS}/1/cancel{team}", because).json()
    assert (told["state"], told["in_progress"], told["queue"]) == ("cancelled", False, None)
    assert told["verdict"] == "An organiser cancelled the build: They asked"
    assert post(desk, f"{VERSIONS}/1/move-up{team}").status_code == 409
    upload(b"x = 2\n")
    assert mine.get(f"{VERSIONS}/1").json()["superseded_by"] is None
    told = program(cast.alice, "bot").get(f"{VERSIONS}/1").json()
    assert (told["state"], told["superseded_by"], told["in_progress"]) == ("superseded", 2, False)
    assert other.number == 1
