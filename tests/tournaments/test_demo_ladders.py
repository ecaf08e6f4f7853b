"""Ladders that never end: slow for nobody, quick for newcomers, always behind what matters; and they fill no disk."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from contest import looks
from contest.models import Contest
from submissions.models import Submission
from tests.tournaments.kinds.test_ladder import climb, open_
from tests.tournaments.stagecraft import Hall, finish
from tournaments import demo
from tournaments.kinds import following, pace
from tournaments.models import Match, Record, Stage
from tournaments.playing import pruning
from tournaments.playing.watch import waiting_elsewhere
from tournaments.results import replay

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]
MINUTE = timedelta(minutes=1)


class Clock:
    """Lets time pass, by dating everything back that was played, and brings the stage in line."""

    def after(self, length: timedelta, stage: Stage) -> list[Match]:
        Match.objects.update(created_at=F("created_at") - length, finished_at=F("finished_at") - length)
        following.reconcile(stage)
        return open_(stage)


@pytest.fixture
def clock() -> Clock:
    looks._written.clear()
    cache.clear()
    return Clock()


@pytest.fixture
def hall() -> Hall:
    """A contest that never ends, whose versions are not new."""
    hall = Hall(teams=8)
    Contest.objects.update(endless=True)
    hall.contest.refresh_from_db()
    Submission.objects.update(uploaded_at=timezone.now() - pace.NEW)
    return hall


def played(stage: Stage) -> int:
    return stage.matches.done().count()


class TestPace:
    def test_one_match_at_a_time_and_six_an_hour_while_nobody_looks(self, hall: Hall, clock: Clock) -> None:
        stage = climb(hall)
        (first,) = open_(stage)
        assert clock.after(2 * pace.IDLE, stage) == [first], "it waits for its match, however long that takes"
        finish(first)
        for _ in range(60):
            for match in clock.after(MINUTE, stage):
                finish(match)
        assert played(stage) == 8, "the first, the one that was due after it, and six"


class TestPriority:
    def test_any_other_contest_comes_first(self, hall: Hall) -> None:
        demo_match = open_(climb(hall))[0]
        stage = Hall(teams=4).stage(games=1)
        due = Match.objects.claimable(timezone.now())
        assert waiting_elsewhere() == stage.matches.count() == 1, "practice gives way to it, and only to it"
        assert list(due.taking_turns()) == [stage.matches.get(), demo_match]
        Match.objects.filter(stage=stage).update(state="running", started_at=timezone.now())
        assert waiting_elsewhere() == 0


class TestPruning:
    def test_old_records_go_and_everything_else_stays(
        self, hall: Hall, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pruning, "KEPT", 2)
        stage = climb(hall)
        Contest.objects.update(endless=False)  # plays on at once
        matches = [finish(open_(stage)[0]) for _ in range(5)]
        assert pruning.prune() == 0, "a contest that ends keeps its records"
        Contest.objects.update(endless=True)
        rated = list(hall.contest.ratings.values_list("team", "mu", "sigma"))
        assert pruning.prune() == 3
        assert pruning.prune() == 0
        assert set(Record.objects.values_list("match", flat=True)) == {match.pk for match in matches[3:]}
        assert list(replay.differences(hall.contest)) == []
        call_command("rerate")
        assert list(hall.contest.ratings.values_list("team", "mu", "sigma")) == rated
        old, kept = (client.get(match.get_absolute_url()).content.decode() for match in (matches[0], matches[-1]))
        assert "is no longer kept" in old
        assert "Watch the replay" not in old
        assert 'class="numeric">Place' in old, "the result stays"
        assert "Watch the replay" in kept
        gone = client.get(reverse("replay", args=[matches[0].pk, 1]))
        assert (gone.status_code, "is no longer kept" in gone.content.decode()) == (410, True)
        assert client.get(reverse("record", args=[matches[0].pk])).status_code == 410
        for name in ("contest", "matches", "standings"):
            assert client.get(reverse(name, args=[hall.contest.slug])).status_code == 200


class TestOperators:
    def test_every_game_for_several_has_one(self) -> None:
        ours = [game for slug, game in games.GAMES.items() if games.PACKAGE_OF[slug] in games.HERE]
        wanted = {game.slug for game in ours if game.seats[1] > 1}
        assert {each.game for each in demo.LADDERS} == wanted
