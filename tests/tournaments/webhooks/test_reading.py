"""What webhooks are told: the same entries as the feed of the same reader, no sooner and no later."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest import followers
from contest.models import Kind, LedgerEntry, Scope, User
from tests.database import count_on_from
from tests.programs import program
from tests.tournaments.api.contract import lines
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import ROUNDS, freeze, staged
from tests.tournaments.visitors import seen
from tests.tournaments.webhooks.receiver import Receiver
from tests.tournaments.worlds import Told, differing, in_both, play_on
from tournaments.models import Delivery
from tournaments.organising import releases, reviews, stages
from tournaments.webhooks import changes, reading, sending

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}


class Following:
    """A webhook of the first team and one of the desk, and the feeds that their readers see."""

    def __init__(self, hall: Hall, receiver: Receiver) -> None:
        self.hall, self.receiver = hall, receiver
        self.member: User = hall.teams[0].people()[0].user
        self.team = changes.create(hall.contest, hall.teams[0], self.member, f"{receiver.url}/team", [])
        self.desk = changes.create(hall.contest, None, hall.ada, f"{receiver.url}/desk", [])
        self.feed_of = {"/hook/team": program(self.member, *Scope.values), "/hook/desk": program(hall.ada, Scope.DESK)}

    def got(self, path: str) -> list[Any]:
        return [it.json["data"] for it in self.receiver.got if it.path == path]

    def step(self) -> None:
        """The workers have followed. Whatever has been sent stands in the feed of its reader now, word for word; and
        all of the feed has been sent, once."""
        followers.catch_up()
        sending.send_due()
        for path, client in self.feed_of.items():
            feed = lines(client, f"/api/v1/contests/{self.hall.contest.slug}/ledger")
            now = Counter(_said(entry) for entry in feed)
            told = Counter(_said(entry) for entry in self.got(path))
            assert not now - told, f"{path}: not told"
            assert set(told.values()) <= {1}, f"{path}: told twice"
            self.new = [entry for entry in self.got(path) if _said(entry) not in now]
            assert self.new == [], f"{path}: nobody may know of this"


def _said(entry: dict[str, Any]) -> str:
    return json.dumps({name: value for name, value in entry.items() if name != "cursor"}, sort_keys=True)


@pytest.fixture
def following(hall: Hall, receiver: Receiver) -> Following:
    return Following(hall, receiver)


def kinds(told: list[Any]) -> list[str]:
    return [entry["kind"] for entry in told]


class TestSameAsTheFeed:
    def test_in_a_freeze_only_announcements_come_and_afterwards_everything(
        self, hall: Hall, following: Following
    ) -> None:
        stage = staged(hall, options=TWOS)
        play_on(stage, most=1)
        freeze(hall)
        following.step()
        before = len(following.got("/hook/team"))
        play_on(stage, most=1)
        following.step()
        assert len(following.got("/hook/team")) == before
        stages.pause(stage, hall.ada)
        following.step()
        assert kinds(following.got("/hook/team"))[-2:] == [Kind.FREEZE_SET, Kind.STAGE_PAUSED]
        stages.resume(stage, hall.ada)
        play_on(stage)
        releases.lift(hall.contest, hall.ada)
        following.step()
        late = kinds(following.got("/hook/team"))[before:]
        assert Kind.MATCH_RESULT in late
        assert late[-1] == Kind.FREEZE_LIFTED, "hidden entries come in their own order"
        numbers = [entry["number"] for entry in following.got("/hook/desk")]
        assert numbers == sorted(numbers)

    def test_a_review_is_for_the_desk_until_it_is_applied(self, hall: Hall, following: Following) -> None:
        stage = staged(hall, options=TWOS)
        play_on(stage)
        review = reviews.start(stage, hall.ada, "A power cut.", [stage.matches.done().order_by("pk")[0].pk])
        play_on(stage, of=review.matches.get())
        following.step()
        reviews.apply(review, hall.ada)
        following.step()
        assert kinds(following.got("/hook/team"))[-1:] != []

    def test_a_planned_freeze_is_told_when_it_begins_and_once(
        self, hall: Hall, following: Following, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stage = staged(hall, options=TWOS)
        releases.freeze(hall.contest, hall.ada, timezone.now() + timedelta(hours=1))
        following.step()
        then = timezone.now() + timedelta(hours=2)
        monkeypatch.setattr(timezone, "now", lambda: then)
        sending.run(timezone.now())
        following.step()
        assert kinds(following.got("/hook/team"))[-1] == Kind.FREEZE_SET
        play_on(stage, most=1)
        following.step()
        releases.lift(hall.contest, hall.ada)
        following.step()
        assert kinds(following.got("/hook/team"))[-2:] == [Kind.MATCH_RESULT, Kind.FREEZE_LIFTED]


class TestTwoWorlds:
    @pytest.fixture
    def worlds(self, hall: Hall, receiver: Receiver) -> Any:
        """Call it with two stories: what the team's receiver gets, and what a member reads on the pages about it."""
        following = Following(hall, receiver)
        changes.delete(following.desk, hall.ada)
        here = f"/c/{hall.contest.slug}/my/webhooks/"

        def look() -> Told:
            receiver.got.clear()
            count_on_from(Delivery)  # what happened in the other world does not count
            followers.catch_up()
            sending.run(timezone.now())
            sending.send_due()
            bytes_told = {"bytes": (len(receiver.got), repr([(it.headers, it.body) for it in receiver.got]))}
            rows = Delivery.objects.filter(webhook__team__isnull=False).order_by("pk")
            Delivery.objects.update(duration_ms=1)  # the clock on the wall is that of this machine
            pages = [
                here,
                f"{here}{following.team.pk}/",
                *(f"{here}{following.team.pk}/deliveries/{it.pk}/" for it in rows),
            ]
            pages += [
                f"/api/v1{page[2:-1]}".replace("/my/", "/team/").replace("/api/v1/", "/api/v1/contests/")
                for page in pages
            ]
            return {**bytes_told, **seen(pages, following.member)}

        return lambda *stories: in_both(stories, look)

    def test_a_freeze(self, hall: Hall, worlds: Any) -> None:
        stage = staged(hall, options=TWOS)
        play_on(stage, most=1)
        freeze(hall)
        found = worlds(lambda: None, lambda: play_on(stage), lambda: play_on(stage, weak=True, disqualify=True))
        assert differing(found) == []
        assert found[0]["bytes"][0] >= 4
        assert all(status == 200 for address, (status, _) in found[0].items() if address != "bytes")

    @pytest.mark.long("worlds")
    def test_rounds_that_are_not_released(self, hall: Hall, worlds: Any) -> None:
        stage = staged(hall, options=TWOS, release=ROUNDS)
        play_on(stage, most=2)
        releases.release(stage, hall.ada, 1)
        found = worlds(lambda: None, lambda: play_on(stage), lambda: play_on(stage, weak=True))
        assert differing(found) == []
        assert found[0]["bytes"][0] >= 4


class TestCost:
    def cost(self, hall: Hall) -> int:
        LedgerEntry.objects.filter(contest=hall.contest).first()
        with CaptureQueriesContext(connection) as queries:
            reading.read(hall.contest.pk)
        return len(queries)

    def test_it_does_not_grow_with_webhooks_or_entries(self, hall: Hall, receiver: Receiver) -> None:
        stage = staged(hall, options=TWOS)
        following = Following(hall, receiver)
        play_on(stage, most=1)
        few = self.cost(hall)
        for team in hall.teams[1:]:
            changes.create(hall.contest, team, team.people()[0].user, receiver.url, [])
        play_on(stage, most=3)
        assert self.cost(hall) == few
        assert Delivery.objects.filter(webhook=following.team).count() > 3
