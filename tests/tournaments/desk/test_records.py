"""The desk's page about the records of matches: what it foretells is what is deleted, and nothing else changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Role
from tests.cast import make_contest, make_user
from tests.tournaments.stagecraft import Hall, finish, void
from tests.tournaments.visitors import visitor
from tournaments.models import Match, Note, PrunedRecord, Record, Retention, Stage
from tournaments.organising import stages
from tournaments.playing import pruning
from tournaments.playing.pruning import Rule

pytestmark = pytest.mark.django_db

OWN = {"kind": "own"}


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


def address(hall: Hall) -> str:
    return reverse("desk-records", args=[hall.contest.slug])


def shown(client: Client, hall: Hall, **rule: Any) -> str:
    answer = client.get(address(hall), rule)
    assert answer.status_code == 200
    return plain(answer.text)


def plain(page: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split()))


def put_in_force(client: Client, hall: Hall, **rule: Any) -> Any:
    """As a person does: preview, then press the button, which sends the hidden fields."""
    page = client.get(address(hall), rule).text.partition("<main")[2]
    form = page.partition('<form method="post"')[2].partition("</form>")[0]
    sent = dict(re.findall(r'name="(kind|latest|days|deleted)" value="([^"]*)"', form))
    assert sent, page
    return client.post(address(hall), sent)


def ids() -> list[int]:
    return list(Match.objects.order_by("finished_at").values_list("pk", flat=True))


def pages_of(hall: Hall) -> list[bytes]:
    names = ("standings", "matches-csv")
    return [Client().get(reverse(name, args=[hall.contest.slug])).getvalue() for name in names]


def rules(random: Random, matches: int) -> Iterator[dict[str, int]]:
    """Three different ones."""
    possible = [(latest, days) for latest in range(matches) for days in (0, 1, 2)]
    for latest, days in random.sample(possible[1:], 3):
        yield {"latest": latest, "days": days}


class TestPreview:
    @pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long("more")) for seed in (1, 2))])
    def test_it_says_what_is_deleted_then(self, hall: Hall, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """One rule after the other, in a contest in which anything may have decided something."""
        monkeypatch.setattr(pruning, "AT_ONCE", 3)
        random, client = Random(seed), visitor(hall.ada)
        for match in Match.objects.all():
            if random.random() < 0.3:
                finished = timezone.now() - timedelta(hours=random.randint(1, 70), minutes=5)
                Match.objects.filter(pk=match.pk).update(finished_at=finished)
        noted, bad, *_ = random.sample(list(Match.objects.all()), 2)
        Note.objects.create(contest=hall.contest, match=noted, ply=1, where="Trick 1", author=hall.ada, text="why?")
        void(bad)
        before, deleted_in_all = pages_of(hall), 0
        for rule in rules(random, len(ids())):
            client.get(address(hall), OWN | rule)
            kept = dict(Record.objects.values_list("match", "size"))
            context = client.get(address(hall), OWN | rule).context
            told, first, last = context["preview"], context["first"], context["last"]
            finished = dict(Match.objects.values_list("pk", "finished_at"))
            put_in_force(client, hall, **OWN, **rule)
            deleted = 0
            while count := pruning.prune():
                deleted += count
            gone = sorted(set(kept) - set(Record.objects.values_list("match", flat=True)), key=lambda it: finished[it])
            assert (told.records, told.deleted, deleted) == (len(kept), len(gone), len(gone))
            assert told.deleted_bytes == sum(kept[it] for it in gone)
            if gone:
                assert (told.oldest, told.newest) == (finished[gone[0]], finished[gone[-1]])
                examples = [it.pk for it in [*first, *last]]
                assert set(examples) <= set(gone)
                assert {gone[0], gone[-1]} <= set(examples)
                assert context["between"] == len(gone) - len(examples)
            assert client.get(address(hall), OWN | rule).context["preview"].deleted == 0
            deleted_in_all += deleted
        assert deleted_in_all == PrunedRecord.objects.count()
        assert pages_of(hall) == before


class TestRule:
    @pytest.mark.parametrize("deleted", ["", "no", "1"])
    def test_nothing_is_put_in_force_that_nobody_has_seen(
        self, hall: Hall, deleted: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tournaments.desk.records.LEEWAY", 1)
        assert pruning.preview(hall.contest, Rule(1)).deleted > 2
        answer = visitor(hall.ada).post(address(hall), OWN | {"latest": 1, "deleted": deleted})
        assert answer.status_code == 422
        assert "Nothing has changed yet. Please check" in plain(answer.text)
        assert not Retention.objects.exists()


class TestStates:
    def test_nothing_is_deleted_while_results_are_hidden(self, hall: Hall) -> None:
        client = visitor(hall.ada)
        Contest.objects.update(frozen_from=timezone.now() - timedelta(minutes=1))
        assert "Results are frozen, so nothing is deleted" in shown(client, hall)
        put_in_force(client, hall, **OWN, latest=1)
        assert "when all results are public" in shown(client, hall)
        assert pruning.prune() == 0
        Contest.objects.update(frozen_from=None)
        Stage.objects.update(release=Stage.Release.ROUNDS, released=3)
        assert "Some rounds are not released yet, so nothing" in shown(client, hall)
        Stage.objects.update(released=4)
        assert "nothing is deleted for now" not in shown(client, hall)
        assert pruning.prune() > 0


class TestWhoMayLook:
    @pytest.mark.parametrize(
        ("role", "status"), [(Role.Kind.JUDGE, 403), (Role.Kind.ORGANISER, 200), (Role.Kind.OWNER, 200), (None, 403)]
    )
    def test_organisers_of_this_contest(self, hall: Hall, role: str | None, status: int) -> None:
        person = make_user("olga")
        elsewhere = make_contest(person, "Winter Cup")  # which the person owns
        if role:
            Role.objects.create(contest=hall.contest, user=person, role=role)
        client = visitor(person)
        assert client.get(address(hall)).status_code == status
        assert client.get(reverse("desk-records", args=[elsewhere.slug])).status_code == 200
        settings_page = client.get(reverse("desk-settings", args=[hall.contest.slug]))
        assert (address(hall) in settings_page.text) == (status == 200)
        sent = OWN | {"latest": 1, "deleted": 99}
        assert client.post(address(hall), sent).status_code == (302 if status == 200 else 403)
        assert Retention.objects.filter(contest=hall.contest).exists() == (status == 200)
