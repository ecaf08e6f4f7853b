"""Which records are kept, and what is said of the others."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest
from tests.tournaments.stagecraft import Hall, finish, void
from tournaments.models import Match, Note, PrunedRecord, Record, Stage
from tournaments.organising import stages
from tournaments.playing import audit, pruning
from tournaments.results import replay

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    """A Swiss of four rounds is over; each match finished a day after the one before, the last one an hour ago."""
    hall = Hall(8)
    stages.start(stages.create(hall.contest, hall.ada, stages.Wish("Swiss", "swiss", {"rounds": 4})), hall.ada)
    while match := Match.objects.filter(state="queued").order_by("pk").first():
        finish(match)
    now = timezone.now()
    for days, match in enumerate(Match.objects.order_by("-pk")):
        at = now - timedelta(days=days, hours=1)
        Match.objects.filter(pk=match.pk).update(finished_at=at)
        Record.objects.filter(match=match).update(made_at=at)
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
    def test_what_decided_something_is_kept_and_results_stay_bit_for_bit(self, hall: Hall, settings: Any) -> None:
        before = standing(hall)
        all_of_them, finals = ids(), last_round()
        noted = Match.objects.get(pk=all_of_them[0])
        Note.objects.create(contest=hall.contest, match=noted, ply=1, where="Trick 1", author=hall.ada, text="why?")
        assert pruning.prune() == 0, "everything is kept if nobody says otherwise"
        settings.RECORDS_KEEP_DAYS = 6
        assert pruning.prune() == len(all_of_them) - 7, "the last six days hold two matches of another round"
        assert kept() == finals | {noted.pk, *all_of_them[-6:]}
        assert pruning.prune() == 0
        assert set(PrunedRecord.objects.values_list("match", flat=True)) == set(all_of_them) - kept()
        assert standing(hall) == before
        call_command("rerate", stdout=StringIO())
        assert standing(hall)[0] == before[0]
        assert list(replay.differences(hall.contest)) == []
        assert list(audit.problems(hall.contest)) == []

    def test_nothing_is_deleted_while_results_are_hidden(self, hall: Hall, settings: Any) -> None:
        settings.RECORDS_KEEP_DAYS = 6
        Contest.objects.update(frozen_from=timezone.now() - timedelta(minutes=1))
        assert pruning.prune() == 0
        Contest.objects.update(frozen_from=None)
        Stage.objects.update(release=Stage.Release.ROUNDS, released=3)
        assert pruning.prune() == 0
        Stage.objects.update(released=4)
        assert pruning.prune() > 0

    def test_what_somebody_has_disputed_is_kept(self, hall: Hall, settings: Any) -> None:
        bad = Match.objects.get(pk=ids()[0])
        void(bad)
        settings.RECORDS_KEEP_DAYS = 1
        while pruning.prune():
            pass
        assert bad.pk in kept()
        assert ids()[1] not in kept()

    def test_contests_that_never_end_keep_a_day(self, hall: Hall) -> None:
        Contest.objects.update(endless=True)
        all_of_them = ids()
        pruning.prune()
        assert kept() == last_round() | {all_of_them[-1]}
