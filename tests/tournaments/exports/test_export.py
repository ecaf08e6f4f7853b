"""Downloads for organisers: complete, true to what was played, without secrets, and streamed."""

import csv
import io
import json
import zipfile
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests, questions
from contest.models import Contest, Role
from games import record as records
from tests.cast import make_user
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.exports.archive import ABOUT, archive
from tournaments.models import BotLog, Match, MatchSeat, Record
from tournaments.models import Client as Program

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    """A played stage, a void match, and some of everything else."""
    hall = Hall(teams=5)
    play_out(hall.stage(), Random(1))
    hall.stage(start=False)
    first = Match.objects.first()
    Match.objects.filter(pk=first.pk).update(state="void")
    hall.teams[0].name = "=SUM(A1)"
    hall.teams[0].save()
    BotLog.of(MatchSeat.objects.exclude(team=None).first(), [(3, "thinking ♥")]).save()
    contests.announce(hall.contest, hall.ada, "Lunch")
    questions.ask(hall.teams[1], hall.teams[1].people().get().user, "Ties", "Who wins one?")
    contests.renew_spectator_link(hall.contest, hall.ada)
    Program.objects.create(team=hall.teams[2])
    hall.contest.refresh_from_db()
    return hall


def get(hall: Hall, name: str, *args: object, user: Any = None) -> Any:
    client = Client()
    client.force_login(user or hall.ada)
    return client.get(reverse(name, args=[hall.contest.slug, *args]))


def file(hall: Hall, name: str) -> str:
    return get(hall, "desk-data-file", name).getvalue().decode()


def unpacked(hall: Hall) -> dict[str, bytes]:
    response = get(hall, "desk-data-all")
    assert response.streaming
    with zipfile.ZipFile(io.BytesIO(response.getvalue())) as found:
        assert found.testzip() is None
        root = f"{hall.contest.slug}/"
        assert all(name.startswith(root) for name in found.namelist())
        return {name.removeprefix(root): found.read(name) for name in found.namelist()}


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_the_table_of_matches_has_a_line_for_every_player(hall: Hall) -> None:
    lines = table(file(hall, "matches.csv"))
    assert len(lines) == MatchSeat.objects.filter(match__contest=hall.contest).count()
    seat = MatchSeat.objects.filter(match__state="done").exclude(team=None).select_related("match", "team").last()
    line = next(it for it in lines if (it["match"], it["seat"]) == (str(seat.match_id), str(seat.index)))
    assert line["player"] == seat.team.name
    assert (float(line["points"]), int(line["place"])) == (seat.score, seat.place)
    assert (line["version"], line["house"]) == ("1", "")
    assert int(line["seed"]) == seat.match.seed
    assert float(line["mu_after"]) == pytest.approx(seat.mu_after)
    assert {"'=SUM(A1)"} >= {it["player"] for it in lines if "SUM" in it["player"]} != set()
    assert "void" in {it["state"] for it in lines}


def test_the_matches_as_json_agree_with_the_records(hall: Hall) -> None:
    matches = json.loads(file(hall, "matches.json"))
    assert [it["match"] for it in matches] == list(Match.objects.order_by("pk").values_list("pk", flat=True))
    for told in matches:
        record = Record.objects.get(match=told["match"]).loaded()
        assert [it["points"] for it in told["players"]] == record["result"]["scores"]
        assert told["seed"] == record["seed"]
        assert told["options"]["target"] == 10


def test_everything_is_in_the_archive_and_explained(hall: Hall) -> None:
    files = unpacked(hall)
    said = files["README.txt"].decode()
    for name in set(files) - {"README.txt"}:
        told = next((it for it in ABOUT if name == it or name.startswith(it)), name)
        assert told.removesuffix(".json").removesuffix(".csv") in said, name
    assert all(any(name.startswith(it) for name in files) for it in ABOUT)
    for record in Record.objects.all():
        text = files[f"records/{record.match_id}.json"].decode()
        assert text == record.text()
        assert not records.verify(records.loads(text))
    log = next(json.loads(data) for name, data in files.items() if name.startswith("logs/"))
    assert log["pieces"] == [[3, "thinking ♥"]]
    assert files[f"sources/{hall.teams[1].pk}-{hall.teams[1].name.lower().replace(' ', '-')}/1-bot.py"] == b"pass\n"
    for name, data in files.items():
        if name.endswith(".json"):
            json.loads(data)
    assert json.loads(files["questions.json"])[0]["subject"] == "Ties"
    assert json.loads(files["announcements.json"])[0]["title"] == "Lunch"
    assert json.loads(files["contest.json"])["roles"][0]["user"] == hall.ada.username
    assert {it["name"] for it in json.loads(files["stages.json"])} == {"Cup"}
    assert len(table(files["versions.csv"].decode())) == 5
    assert f"standings.csv?stage={hall.contest.stages.earliest('pk').pk}" in get(hall, "desk-data").text, "what decides"


def test_the_archive_comes_in_pieces_and_its_download_is_in_the_audit_log(hall: Hall) -> None:
    pieces = archive(hall.contest, hall.ada)
    assert b"README.txt" in next(pieces), "the first bytes do not wait for the last"
    assert len(list(pieces)) > len(ABOUT)
    unpacked(hall)
    assert hall.contest.acts.get(verb="export everything").user == hall.ada


@pytest.mark.promise
def test_it_is_for_those_with_a_role(hall: Hall) -> None:
    judy, zoe = make_user(), make_user()
    contests.give_role(hall.contest, hall.ada, judy, Role.Kind.JUDGE)
    member = hall.teams[0].people().get().user
    for args in (("desk-data",), ("desk-data-all",), ("desk-data-file", "matches.csv")):
        assert [get(hall, *args, user=user).status_code for user in (judy, zoe, member)] == [200, 403, 403]
        assert Client().get(reverse(args[0], args=[hall.contest.slug, *args[1:]])).status_code == 302
    assert get(hall, "desk-data-file", "passwords.csv").status_code == 404
    Contest.objects.update(visibility="private")
    assert get(hall, "desk-data-all", user=zoe).status_code == 404


@pytest.mark.long("more")
def test_many_matches_cost_few_queries(hall: Hall, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(90):  # the plan of every stage is read for the seat statuses
        unpacked(hall)
