"""Which records are kept, what is said of the others, and where the bytes lie, with a real server that speaks S3."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from contest.kept import OutOfReach
from contest.models import Act, Contest
from submissions.models import pack
from tests.ports import free_port
from tests.tournaments.stagecraft import Hall, finish, void
from tournaments.exports.archive import archive
from tournaments.models import Match, Note, PrunedRecord, Record, Stage, stores
from tournaments.organising import stages
from tournaments.playing import audit, pruning, sweeping
from tournaments.playing.pruning import Rule
from tournaments.results import replay
from tournaments.view_models.records import RECORDS

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    """A Swiss of four rounds is over; each match finished an hour after the one before."""
    hall = Hall(8)
    stages.start(stages.create(hall.contest, hall.ada, stages.Wish("Swiss", "swiss", {"rounds": 4})), hall.ada)
    while match := Match.objects.filter(state="queued").order_by("pk").first():
        finish(match)
    now = timezone.now()
    for hours, match in enumerate(Match.objects.order_by("-pk")):
        Match.objects.filter(pk=match.pk).update(finished_at=now - timedelta(hours=hours + 1))
    return hall


def kept() -> set[int]:
    return set(Record.objects.values_list("match", flat=True))


def linked(page: str) -> set[int]:
    """The matches whose replays a page links to."""
    return set(map(int, re.findall(r'href="/m/(\d+)/1/"', page)))


def ids() -> list[int]:
    return list(Match.objects.order_by("finished_at").values_list("pk", flat=True))


def standing(hall: Hall) -> list[Any]:
    """Everything that counts, to the last bit; not whether a list has a link to the replay."""
    ratings = hall.contest.ratings.order_by("team").values_list("team", "mu", "sigma", "matches")
    pages = [Client().get(reverse(name, args=[hall.contest.slug])).text for name in ("standings", "matches")]
    replay = re.compile(r'<a href="/m/\d+/1/"[^>]*>Replay</a>|<span class="small muted">kept no longer</span>')
    return [repr(list(ratings)), [replay.sub("", page) for page in pages]]


def last_round() -> set[int]:
    last = Match.objects.order_by("-table__round").values_list("table__round", flat=True)[0]
    return set(Match.objects.filter(table__round=last).values_list("pk", flat=True))


class TestRules:
    def test_what_decided_something_is_kept_and_results_stay_bit_for_bit(self, hall: Hall) -> None:
        before = standing(hall)
        all_of_them, finals = ids(), last_round()
        noted = Match.objects.get(pk=all_of_them[0])
        Note.objects.create(contest=hall.contest, match=noted, ply=1, where="Trick 1", author=hall.ada, text="why?")
        foreseen = pruning.preview(hall.contest, Rule(latest=1))
        assert pruning.prune() == 0, "without a rule, everything is kept"
        pruning.set_rule(hall.contest, Rule(latest=1))
        deleted = pruning.prune()
        assert kept() == finals | {noted.pk, all_of_them[-1]}
        assert deleted == foreseen.deleted == len(all_of_them) - len(kept())
        assert foreseen.spared == len(kept() - {all_of_them[-1]})
        assert set(PrunedRecord.objects.values_list("match", flat=True)) == set(all_of_them) - kept()
        assert standing(hall) == before
        call_command("rerate", stdout=StringIO())
        assert standing(hall)[0] == before[0]
        assert list(replay.differences(hall.contest)) == []
        assert list(audit.problems(hall.contest)) == []

    def test_days_and_numbers_keep_what_either_of_them_keeps(self, hall: Hall) -> None:
        matches, finals = ids(), last_round()
        Match.objects.filter(pk__in=matches[:3]).update(finished_at=timezone.now() - timedelta(days=9))
        pruning.set_rule(hall.contest, Rule(latest=2, days=5))
        pruning.prune()
        assert kept() == set(matches[3:]) | finals
        pruning.set_rule(hall.contest, Rule(latest=len(matches) - 1, days=1))
        assert pruning.prune() == 0
        pruning.set_rule(hall.contest, Rule(latest=2))
        pruning.prune()
        assert kept() == set(matches[-2:]) | finals
        pruning.set_rule(hall.contest, None)
        assert pruning.rule_of(hall.contest) == Rule()

    def test_nothing_is_deleted_while_results_are_hidden(self, hall: Hall) -> None:
        """Strangers could count hidden results by what these push out of the latest ones."""
        pruning.set_rule(hall.contest, Rule(latest=1))
        Contest.objects.update(frozen_from=timezone.now() - timedelta(minutes=1))
        assert pruning.prune() == 0
        Contest.objects.update(frozen_from=None)
        Stage.objects.update(release=Stage.Release.ROUNDS, released=3)
        assert pruning.prune() == 0
        Stage.objects.update(released=4)
        assert pruning.prune() > 0

    def test_void_matches_are_kept_and_the_portal_has_a_rule(self, hall: Hall, settings: Any) -> None:
        first = Match.objects.get(pk=ids()[0])
        void(first, "the power failed")
        settings.RECORDS_KEEP_LATEST = 1
        assert pruning.prune() > 0
        assert first.pk in kept()
        assert pruning.prune() == 0

    def test_what_was_looked_at_is_not_looked_at_again(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
    ) -> None:
        monkeypatch.setattr(pruning, "AT_ONCE", 1)
        pruning.set_rule(hall.contest, Rule(latest=1))
        counts = [pruning.prune() for _ in range(len(ids()) + 1)]
        assert counts == sorted(counts, reverse=True)
        assert sum(counts) == PrunedRecord.objects.count() > 1
        with django_assert_max_num_queries(6):
            assert pruning.prune() == 0


class TestPages:
    def test_lists_have_no_link_to_a_replay_that_is_gone_and_ask_once(self, hall: Hall) -> None:
        pruning.set_rule(hall.contest, Rule(latest=3))
        pruning.prune()
        here = hall.contest.slug
        with CaptureQueriesContext(connection) as asked:
            everything = Client().get(reverse("matches", args=[here])).text
        assert sum('FROM "tournaments_record"' in each["sql"] for each in asked) == 1, "however many matches"
        assert linked(everything) == kept()
        assert everything.count("kept no longer") == Match.objects.done().count() - len(kept()) > 0
        for team in hall.ids:
            own = Client().get(reverse("team", args=[here, team])).text
            assert linked(own) <= kept()
            assert "kept no longer" in own

    def test_every_page_says_that_it_is_kept_no_longer_and_why(self, hall: Hall) -> None:
        match, client = Match.objects.get(pk=ids()[0]), Client()
        digest, game_log = match.record.sha256, hall.contest.game.log_name
        pruning.set_rule(hall.contest, Rule(latest=3))
        pruning.prune()
        why = "This contest keeps the records of its 3 latest matches, and of those that decided something."
        page = client.get(match.get_absolute_url())
        assert page.status_code == 200
        assert why in page.text
        gone = [
            reverse("replay", args=[match.pk, 1]),
            reverse("replay", args=[match.pk, 1]) + "?film=all",
            reverse("replay", args=[match.pk, 2]),
            reverse("embed", args=[match.pk, 1]),
            reverse("record", args=[match.pk]),
            reverse("match-zip", args=[match.pk]),
            reverse("game-log", args=[match.pk, 1, game_log]),
            reverse("api-record", args=[match.pk]),
            reverse("api-game-log", args=[match.pk, 1]),
        ]
        for address in gone:
            answer = client.get(address)
            assert (address, answer.status_code) == (address, 410)
            assert why in answer.text, address
        assert client.get(reverse("api-record", args=[match.pk])).json()["code"] == "gone"
        told = client.get(reverse("api-match", args=[match.pk])).json()
        assert (told["record"], told["record_gone"], told["record_sha256"]) == (None, why, "")
        assert client.get(reverse("match-picture", args=[match.pk])).status_code == 200
        data = b"".join(archive(hall.contest, hall.ada))
        with zipfile.ZipFile(io.BytesIO(data)) as files:
            (missing,) = [name for name in files.namelist() if name.endswith("missing.csv")]
            assert len(files.read(missing).splitlines()) == 1, "its first line names the columns"
            (name,) = [name for name in files.namelist() if name.endswith("pruned.csv")]
            assert digest in files.read(name).decode()
        other = Match.objects.get(pk=ids()[-1])
        assert client.get(reverse("record", args=[other.pk])).status_code == 200
        assert client.get(reverse("api-match", args=[other.pk])).json()["record_gone"] == ""


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of a server that speaks S3, with a bucket."""
    import boto3
    from moto.server import ThreadedMotoServer  # a second to import

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        address = "http://{}:{}".format(*server.get_host_and_port())
        with closing(boto3.client("s3", endpoint_url=address, region_name="us-east-1", **KEYS)) as client:
            client.create_bucket(Bucket="cards")
        yield address
    finally:
        server.stop()


KEYS = {"aws_access_key_id": "x", "aws_secret_access_key": "x"}


@pytest.fixture(params=[stores.FILES, pytest.param(stores.OBJECTS, marks=pytest.mark.long("more"))])
def store(request: pytest.FixtureRequest, settings: Any, tmp_path: Path) -> str:
    """Where records are moved, configured as the settings do it."""
    files = settings.STORAGES["files"]
    settings.RECORDS_FOLDER = tmp_path / "records"
    changed = {"files": {**files, "OPTIONS": {**files["OPTIONS"], "location": tmp_path / "records"}}}
    if request.param == stores.OBJECTS:
        from botocore.config import Config

        config = Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"})
        given = {"bucket_name": "cards", "region_name": "us-east-1", "access_key": "x", "secret_key": "x",
                 "location": tmp_path.name, "file_overwrite": True, "client_config": config,
                 "endpoint_url": request.getfixturevalue("s3")}  # fmt: skip
        changed["objects"] = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": given}
    settings.STORAGES = {**settings.STORAGES, **changed}
    settings.RECORDS_STORE = request.param
    RECORDS.clear()
    return str(request.param)


class TestStores:
    def test_records_read_the_same_wherever_they_lie(self, hall: Hall, store: str) -> None:
        texts = {row.match_id: row.text() for row in Record.objects.all()}
        before = standing(hall)
        call_command("records", "move", "--to", store, stdout=StringIO())
        assert set(Record.objects.values_list("store", flat=True)) == {store}
        assert {bytes(row.data) for row in Record.objects.all()} == {b""}
        assert {row.match_id: row.text() for row in Record.objects.all()} == texts
        match = Match.objects.get(pk=ids()[0])
        assert Client().get(reverse("record", args=[match.pk])).text == texts[match.pk]
        assert Client().get(reverse("replay", args=[match.pk, 1])).status_code == 200
        assert list(audit.problems(hall.contest)) == []
        assert standing(hall) == before
        if store == stores.FILES:
            files = [Path(folder, name) for folder, _, names in os.walk(storages[store].location) for name in names]
            assert len(files) == len(texts)
            assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        call_command("records", "move", "--to", "row", stdout=StringIO())
        assert {row.match_id: row.text() for row in Record.objects.all()} == texts
        assert not any(storages[store].exists(row.name) for row in Record.objects.all())

    def test_the_tick_moves_what_has_rested_and_clears_what_is_kept_no_longer(self, hall: Hall, store: str) -> None:
        now = timezone.now()
        assert not pruning.has_work(now), "records stay in their rows for a while"
        Record.objects.update(made_at=now - timedelta(hours=1))
        assert pruning.has_work(now)
        call_command("records", "keep")
        assert set(Record.objects.values_list("store", flat=True)) == {store}
        assert not pruning.has_work(now)
        pruning.set_rule(hall.contest, Rule(latest=1))
        pruning.prune()
        left = [stores.name_of(row.match_id, row.sha256) for row in PrunedRecord.objects.all()]
        assert all(storages[store].exists(name) for name in left)
        assert pruning.has_work(now)
        call_command("records", "keep")
        assert not any(storages[store].exists(name) for name in left)
        assert all(storages[store].exists(row.name) for row in Record.objects.all())
        assert not pruning.has_work(now)

    @pytest.mark.long("more")
    def test_a_store_that_does_not_answer_takes_only_the_replay(self, hall: Hall, store: str, settings: Any) -> None:
        match, client = Match.objects.get(pk=ids()[0]), Client()
        text = Record.objects.exclude(match=match).earliest("pk").text()
        call_command("records", "move", "--to", store, stdout=StringIO())
        if store == stores.OBJECTS:
            options = settings.STORAGES[store]["OPTIONS"] | {"endpoint_url": f"http://127.0.0.1:{free_port()}"}
        else:
            options = settings.STORAGES[store]["OPTIONS"] | {"location": "/proc/nowhere"}
        settings.STORAGES = {**settings.STORAGES, store: {**settings.STORAGES[store], "OPTIONS": options}}
        RECORDS.clear()
        page = client.get(match.get_absolute_url())
        assert page.status_code == 200
        assert stores.AWAY in page.text
        for name, *more in (("replay", 1), ("embed", 1), ("record",), ("match-zip",), ("api-record",)):
            answer = client.get(reverse(name, args=[match.pk, *more]))
            assert (name, answer.status_code) == (name, 503)
        assert client.get(reverse("api-match", args=[match.pk])).json()["record"] is None
        assert client.get("/").status_code == 200
        row = match.record
        with pytest.raises(OutOfReach):
            row.move_to(stores.ROW)
        there = Record.objects.exclude(pk=row.pk).earliest("pk")
        Record.objects.filter(pk=there.pk).update(store=stores.ROW, data=pack(text))
        with zipfile.ZipFile(io.BytesIO(b"".join(archive(hall.contest, hall.ada)))) as files:
            held = {name.partition("/")[2]: files.read(name).decode() for name in files.namelist()}
        assert held[f"records/{there.match_id}.json"] == text
        assert sum(name.startswith("records/") for name in held) == 1
        told = held["missing.csv"].splitlines()
        assert len(told) == Record.objects.count(), "all but one, and the line of the columns"
        assert any(line.startswith(f"{match.pk},{row.sha256},This record cannot be reached") for line in told)
        assert Record.objects.get(pk=row.pk).store == store

    @pytest.mark.long("more")
    def test_bytes_of_matches_that_are_gone_are_swept_by_hand(
        self, hall: Hall, store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing that a row names, nothing that is new, and nothing of others."""
        call_command("records", "move", "--to", store, stdout=StringIO())
        stores.write(store, "000000/notes.txt", b"somebody's")
        gone, pruned = Record.objects.order_by("pk")[:2]
        names = {row.name for row in Record.objects.all()}
        Record.objects.filter(pk=gone.pk).delete()  # as the database does it when a contest is deleted
        pruning._delete([pruned.match_id], "old")
        assert set(sweeping.forgotten(store, timezone.now())) == set(), "it may be on its way"
        later = timezone.now() + 2 * sweeping.RESTS
        assert set(sweeping.forgotten(store, later)) == {gone.name}
        out = StringIO()
        monkeypatch.setattr(sweeping, "RESTS", -sweeping.RESTS)
        call_command("records", "sweep", stdout=out)
        assert storages[store].exists(gone.name), "it is only counted"
        call_command("records", "sweep", "--delete", stdout=out)
        where = Record.Store(store).label
        assert f"1 {where} belong to no match" in out.getvalue()
        assert f"1 {where} deleted" in out.getvalue()
        assert {name for name in names if storages[store].exists(name)} == names - {gone.name}
        assert stores.read(store, "000000/notes.txt") == b"somebody's"

    def test_changed_bytes_are_noticed(self, hall: Hall, store: str) -> None:
        row, other = Record.objects.order_by("pk")[:2]
        row.move_to(store)
        other.move_to(store)
        stolen = stores.read(store, other.name)
        stores.delete(store, row.name)
        stores.write(store, row.name, stolen)
        with pytest.raises(OutOfReach, match="changed"):
            Record.objects.get(pk=row.pk).text()


@pytest.mark.django_db(transaction=True)
def test_a_rule_is_set_by_hand_together_with_its_audit_entry():
    contest = Hall(teams=3).contest
    call_command("records", "rule", contest.slug, "--latest", "5", stdout=StringIO())
    contest.refresh_from_db()
    assert pruning.rule_of(contest) == pruning.Rule(5, 0)
    assert Act.objects.filter(contest=contest, verb="set which records are kept").count() == 1


@pytest.mark.long("more")
@pytest.mark.django_db(transaction=True)
def test_a_rule_of_more_days_than_the_calendar_has_stops_no_pruning(settings: Any):
    contest = Hall(teams=3).contest
    with pytest.raises(CommandError, match="36,500 days"):
        call_command("records", "rule", contest.slug, "--days", "1000000", stdout=StringIO())
    settings.RECORDS_KEEP_DAYS = 10**9
    assert pruning.prune() == 0
