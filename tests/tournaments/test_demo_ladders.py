"""Ladders that never end: slow for nobody, quick for newcomers, always behind what matters; and they fill no disk."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import games
from contest import looks
from contest.models import Contest, User
from submissions.models import Submission
from tests.cast import make_team
from tests.tournaments.kinds.test_ladder import climb, line_up, open_
from tests.tournaments.stagecraft import Hall, finish, give_bot
from tournaments import demo
from tournaments.kinds import following, pace
from tournaments.models import Match, MatchSeat, Record, Stage
from tournaments.organising import stages
from tournaments.playing import leisure, play, pruning
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

    def test_faster_while_somebody_looks(self, hall: Hall, clock: Clock, client: Client) -> None:
        stage = climb(hall)
        finish(open_(stage)[0])
        assert not clock.after(MINUTE, stage)
        client.get(reverse("contest", args=[hall.contest.slug]))
        assert looks.is_looked_at(hall.contest)
        assert len(clock.after(MINUTE, stage)) == 1

    def test_looking_at_another_contest_means_nothing(self, hall: Hall, clock: Clock, client: Client) -> None:
        Contest.objects.update(endless=False)
        client.get(reverse("contest", args=[hall.contest.slug]))
        assert not looks.is_looked_at(hall.contest)

    def test_a_newcomer_plays_its_first_matches_at_once(self, hall: Hall, clock: Clock) -> None:
        stage = climb(hall)
        finish(open_(stage)[0])
        newcomer = make_team(hall.contest, name="Nova")
        version = give_bot(newcomer)
        (match,) = clock.after(timedelta(seconds=10), stage)
        assert newcomer.pk in line_up(match)
        assert "Nova had not played yet" in match.why
        for number in range(1, pace.FIRST + 1):
            assert newcomer.pk in line_up(match)
            finish(match)  # which makes the next one
            assert len(open_(stage)) == (number < pace.FIRST), number
            match = (open_(stage) or [match])[0]
        assert not pace.newcomers(stage, timezone.now())
        assert MatchSeat.objects.filter(submission=version).count() == pace.FIRST

    def test_a_new_version_is_new_too(self, hall: Hall, clock: Clock) -> None:
        stage = climb(hall)
        match = finish(open_(stage)[0])
        team = match.players[0].team
        give_bot(team, number=2)
        (match,) = clock.after(timedelta(seconds=10), stage)
        assert team.pk in line_up(match)
        assert f"{team} has a new version" in match.why

    def test_it_can_be_switched_off(self, hall: Hall, clock: Clock, settings: Any) -> None:
        settings.DEMO_LADDERS = False
        stage = climb(hall)
        give_bot(make_team(hall.contest, name="Nova"))
        assert not clock.after(pace.IDLE, stage)

    def test_without_a_cache_it_plays_as_if_nobody_looked(
        self, hall: Hall, clock: Clock, client: Client, settings: Any
    ) -> None:
        settings.CACHES = {
            "default": {**settings.CACHES["default"], "LOCATION": "unix:///nonexistent/redis.sock"},
        }
        stage = climb(hall)
        finish(open_(stage)[0])
        assert client.get(reverse("contest", args=[hall.contest.slug])).status_code == 200
        assert not clock.after(MINUTE, stage)
        assert clock.after(pace.IDLE, stage)


class TestPriority:
    def test_any_other_contest_comes_first(self, hall: Hall) -> None:
        demo_match = open_(climb(hall))[0]
        stage = Hall(teams=4).stage(games=1)
        due = Match.objects.claimable(timezone.now())
        assert waiting_elsewhere() == stage.matches.count() == 1, "practice gives way to it, and only to it"
        assert list(due.taking_turns()) == [stage.matches.get(), demo_match]
        Match.objects.filter(stage=stage).update(state="running", started_at=timezone.now())
        assert waiting_elsewhere() == 0


class TestLeisure:
    """A match that somebody may follow is slowed down, but only while nothing waits."""

    @pytest.fixture
    def slept(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        slept: list[float] = []
        monkeypatch.setattr(leisure, "sleep", slept.append)
        monkeypatch.setattr(leisure, "LOOK", 0.0)
        looks._written.clear()
        cache.clear()
        return slept

    def start(self, hall: Hall) -> leisure.Leisure:
        claimed = play.claim(open_(climb(hall))[0].pk, "tester")
        assert claimed is not None
        return leisure.Leisure(claimed)

    def test_only_while_somebody_looks_and_nothing_waits(self, hall: Hall, slept: list[float]) -> None:
        pauses = self.start(hall)
        pauses.pause()
        assert slept == [], "nobody looks"
        looks.note(hall.contest)
        pauses.pause()
        assert slept == [leisure.PAUSE]
        Hall(teams=4).stage(games=1)
        pauses.pause()
        assert slept == [leisure.PAUSE], "a match waits"

    def test_not_for_ever(self, hall: Hall, slept: list[float]) -> None:
        pauses = self.start(hall)
        looks.note(hall.contest)
        for _ in range(1000):
            pauses.pause()
        assert sum(slept) <= leisure.LONGEST

    def test_not_for_newcomers(self, hall: Hall, slept: list[float]) -> None:
        Submission.objects.update(uploaded_at=timezone.now())
        looks.note(hall.contest)
        self.start(hall).pause()
        assert slept == []

    def test_not_while_a_newcomer_waits_for_the_end_of_the_match(self, hall: Hall, slept: list[float]) -> None:
        pauses = self.start(hall)
        looks.note(hall.contest)
        pauses.pause()
        assert slept == [leisure.PAUSE]
        seated = pauses.claimed.seats.filter(team__isnull=False).values("team")
        assert Submission.objects.exclude(team__in=seated).update(uploaded_at=timezone.now()) > 0
        pauses.pause()
        assert slept == [leisure.PAUSE]


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


def play_a_match(slug: str) -> None:
    """Start a ladder with the versions of its teams, and play one match."""
    contest = Contest.objects.get(slug=slug)
    Submission.objects.filter(team__contest=contest).update(state="ready", is_active=True)
    stages.start(contest.stages.get(), None)
    finish(open_(contest.stages.get())[0])


class TestOperators:
    def test_reset_makes_them_anew_but_not_with_other_peoples_teams(self) -> None:
        call_command("demo")
        old = set(Contest.objects.filter(endless=True).values_list("pk", flat=True))
        assert len(old) == len(demo.LADDERS)
        play_a_match(demo.LADDERS[0].slug)
        call_command("demo", "--reset-ladders", verbosity=0)
        new = Contest.objects.filter(endless=True)
        assert new.count() == len(demo.LADDERS)
        assert old.isdisjoint(new.values_list("pk", flat=True))
        make_team(new[0], captain=User.objects.create(username="grace"), name="Nova")
        with pytest.raises(CommandError, match="1 team of other people is on these ladders"):
            call_command("demo", "--reset-ladders", verbosity=0)
        call_command("demo", "--reset-ladders", "--with-teams", verbosity=0)
        assert not Contest.objects.filter(teams__name="Nova").exists()
        assert Contest.objects.filter(endless=False).count() == len(demo.FINISHED)

    def test_every_game_for_several_has_one(self) -> None:
        ours = [game for slug, game in games.GAMES.items() if games.PACKAGE_OF[slug] in games.HERE]
        wanted = {game.slug for game in ours if game.seats[1] > 1}
        assert {each.game for each in demo.LADDERS} == wanted
