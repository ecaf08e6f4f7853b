"""Which records are kept, what is said of the others, and where the bytes lie."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.kept import OutOfReach
from contest.models import Contest
from tests.tournaments.stagecraft import Hall, finish
from tournaments.models import Match, Note, PrunedRecord, Record, Stage, stores
from tournaments.organising import stages
from tournaments.playing import audit, pruning
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


@pytest.fixture
def store(settings: Any, tmp_path: Path) -> str:
    """Where records are moved, configured as the settings do it."""
    files = settings.STORAGES["files"]
    settings.RECORDS_FOLDER = tmp_path / "records"
    changed = {**files, "OPTIONS": {**files["OPTIONS"], "location": tmp_path / "records"}}
    settings.STORAGES = {**settings.STORAGES, "files": changed}
    settings.RECORDS_STORE = stores.FILES
    RECORDS.clear()
    return str(stores.FILES)


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
        files = [Path(folder, name) for folder, _, names in os.walk(storages[store].location) for name in names]
        assert len(files) == len(texts)
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        call_command("records", "move", "--to", "row", stdout=StringIO())
        assert {row.match_id: row.text() for row in Record.objects.all()} == texts
        assert not any(storages[store].exists(row.name) for row in Record.objects.all())

    def test_changed_bytes_are_noticed(self, hall: Hall, store: str) -> None:
        row, other = Record.objects.order_by("pk")[:2]
        row.move_to(store)
        other.move_to(store)
        stolen = stores.read(store, other.name)
        stores.delete(store, row.name)
        stores.write(store, row.name, stolen)
        with pytest.raises(OutOfReach, match="changed"):
            Record.objects.get(pk=row.pk).text()
