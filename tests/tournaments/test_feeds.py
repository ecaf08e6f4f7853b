"""Following: who may follow what, what becomes news and when, the page, the feeds, and the digest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import contests, followers, teams
from contest.models import Contest, Follower, Membership, User
from tests.cast import make_user
from tests.tournaments.stagecraft import Hall
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import differing, in_both, play_on
from tournaments.feeds import changes, digest, writing
from tournaments.models import FeedPlace, FollowSettings, NewsItem, Stage
from tournaments.organising import releases, stages

pytestmark = pytest.mark.django_db
TWOS = {"table_size": 2, "games": 1}
MONDAY = datetime(2026, 11, 23, 6, 30, tzinfo=UTC)


def titles(contest: Contest) -> list[str]:
    """All news of a contest, the oldest first: the tick has been there."""
    followers.catch_up()
    writing.tell_others(timezone.now())
    return list(NewsItem.objects.filter(contest=contest).order_by("pk").values_list("title", flat=True))


def entries(address: str, client: Client | None = None) -> list[str]:
    response = (client or Client()).get(address)
    assert response["Content-Type"].startswith("application/atom+xml")
    tree = ElementTree.fromstring(response.content)
    return [each.findtext("{*}title") or "" for each in tree.findall("{*}entry")]


class TestNews:
    def test_a_stage_from_its_start_to_its_champion(self) -> None:
        hall = Hall(4, name="Winter Cup")
        play_on(hall.stage(table_size=2, advance=1))
        first, second, *_ = hall.teams
        said = titles(hall.contest)
        assert said[0] == "Cup has begun"
        assert f"{first.name} 30, {second.name} 20" in "\n".join(said)
        assert said[-1] == f"{first.name} won Winter Cup"
        Follower.objects.filter(name="feeds").update(number=0)
        FeedPlace.objects.update(number=0)
        assert titles(hall.contest) == said, "read twice, told once"

    def test_a_team_that_leaves_and_an_announcement(self) -> None:
        hall = Hall(2)
        teams.disqualify(hall.teams[0], hall.ada, "Two accounts.")
        contests.announce(hall.contest, hall.ada, "Lunch", "At noon.")
        assert titles(hall.contest) == [f"{hall.teams[0].name} was disqualified", "Lunch"]
        contests.withdraw_announcement(hall.contest.announcements.get(), hall.ada)
        assert titles(hall.contest) == [f"{hall.teams[0].name} was disqualified"]

    def test_a_freeze_hides_them_until_it_is_lifted(self) -> None:
        hall = Hall(4)
        stage = hall.stage(**TWOS)
        play_on(stage, most=1)
        known = len(titles(hall.contest))
        releases.freeze(hall.contest, hall.ada)
        play_on(stage)
        assert titles(hall.contest)[known:] == ["New results are hidden from now on"]
        hall.contest.refresh_from_db()
        releases.lift(hall.contest, hall.ada)
        said = titles(hall.contest)[known:]
        assert len(said) == 5, "two results, the end of the stage, the freeze and its end"
        assert len(set(said)) == 5

    def test_what_is_hidden_again_is_taken_back(self) -> None:
        hall = Hall(4)
        wish = stages.Wish("Cup", options=TWOS, release=Stage.Release.ROUNDS)
        stage = stages.create(hall.contest, hall.ada, wish)
        stages.start(stage, hall.ada)
        play_on(stage)
        assert [title for title in titles(hall.contest) if " 30" in title] == []
        stage.refresh_from_db()
        releases.release(stage, hall.ada, 1)
        assert len([title for title in titles(hall.contest) if " 30" in title]) == 2
        stage.refresh_from_db()
        releases.take_back(stage, hall.ada, 1)
        assert [title for title in titles(hall.contest) if " 30" in title] == []

    @pytest.mark.parametrize("who", ["contest", "team"])
    def test_hidden_results_leave_no_trace_in_feeds(self, who: str) -> None:
        hall = Hall(4)
        stage = hall.stage(**TWOS)
        play_on(stage, most=1)
        slug, team = hall.contest.slug, hall.teams[0]
        feed = {
            "contest": reverse("contest-feed", args=[slug]),
            "team": reverse("team-feed", args=[slug, team.pk]),
        }[who]
        followers.catch_up()
        releases.freeze(hall.contest, hall.ada)
        member = Membership.objects.get(team=team).user
        changes.follow(member, "contest", hall.contest.pk)
        asked = [feed, reverse("following"), reverse("following-feed", args=[changes.settings_of(member).key])]

        def look() -> dict[str, tuple[int, str]]:
            followers.catch_up()
            writing.tell_others(timezone.now())
            return seen(asked, member)

        worlds = in_both([lambda: None, lambda: play_on(stage), lambda: play_on(stage, weak=True)], look)
        assert differing(worlds) == []
        assert all(status == 200 for status, _ in worlds[0].values())
        assert "hidden from now on" in worlds[0][asked[1]][1]


class TestWho:
    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall(2)
        play_on(hall.stage(**TWOS))
        return hall

    def press(self, user: User, **named: object) -> int:
        return visitor(user).post(reverse("follow"), named).status_code

    def test_nobody_follows_what_they_may_not_see(self, hall: Hall) -> None:
        zoe, member = make_user("zoe"), Membership.objects.get(team=hall.teams[0]).user
        Contest.objects.filter(pk=hall.contest.pk).update(visibility=Contest.Visibility.PRIVATE)
        assert self.press(zoe, contest=hall.contest.pk) == self.press(zoe, team=hall.teams[0].pk) == 404
        assert self.press(zoe, contest="x") == self.press(zoe, contest="9" * 40) == self.press(zoe) == 404
        assert self.press(member, contest=hall.contest.pk) == 302
        assert Client().post(reverse("follow"), {"contest": hall.contest.pk})["Location"].startswith("/accounts/login")
        assert Client().get(reverse("contest-feed", args=[hall.contest.slug])).status_code == 404

    def test_what_becomes_private_is_no_longer_told_or_named(self, hall: Hall) -> None:
        zoe = make_user("zoe")
        self.press(zoe, contest=hall.contest.pk)
        self.press(zoe, team=hall.teams[0].pk)
        followers.catch_up()
        key = changes.settings_of(zoe).key
        feed = reverse("following-feed", args=[key])
        assert entries(feed)
        Contest.objects.filter(pk=hall.contest.pk).update(visibility=Contest.Visibility.PRIVATE, name="Secret Cup")
        assert entries(feed) == []
        text = visitor(zoe).get(reverse("following")).text
        assert "Secret Cup" not in text
        assert hall.teams[0].name not in text
        assert "A contest that is private now" in text


class TestDigest:
    @pytest.fixture
    def zoe(self, settings: Any) -> User:
        settings.EMAIL_URL, settings.PORTAL_URL = "smtp://localhost", "https://cards.example.org"
        zoe = make_user("zoe")
        EmailAddress.objects.create(user=zoe, email=zoe.email, verified=True, primary=True)
        return zoe

    @pytest.fixture
    def hall(self, zoe: User) -> Hall:
        hall = Hall(2)
        changes.follow(zoe, "contest", hall.contest.pk)
        return hall

    def choose(self, zoe: User, how: str, at: datetime) -> None:
        changes.set_digest(zoe, how)
        FollowSettings.objects.filter(user=zoe).update(mailed_at=at)

    def happen(self, hall: Hall, at: datetime) -> None:
        play_on(hall.stage(**TWOS))
        followers.catch_up()
        NewsItem.objects.update(at=at)

    def test_it_comes_at_seven_once_and_only_with_news(self, zoe: User, hall: Hall) -> None:
        self.choose(zoe, "daily", MONDAY)
        self.happen(hall, MONDAY + timedelta(minutes=1))
        assert digest.send_due(MONDAY + timedelta(minutes=29)) == 0
        assert digest.send_due(MONDAY + timedelta(minutes=31)) == 1
        (message,) = mail.outbox
        assert message.to == [zoe.email]
        assert "30, " in message.body
        assert f"https://cards.example.org/m/{hall.contest.matches.get().pk}/" in message.body
        assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        for days in (0, 1, 7):
            assert digest.send_due(MONDAY + timedelta(days=days, minutes=45)) == 0

    def test_news_that_are_being_written_come_with_the_next_one(self, zoe: User, hall: Hall) -> None:
        """Else a digest that was made before they are there would leave them out for ever."""
        now = timezone.now()
        self.choose(zoe, "daily", now - timedelta(days=2))
        self.happen(hall, now)
        assert digest.send_due() == 0
        assert digest.send_due(now + timedelta(days=1, minutes=1)) == 1

    @pytest.mark.parametrize("state", ["never", "unconfirmed", "locked"])
    def test_nobody_else_gets_mail(self, zoe: User, hall: Hall, state: str) -> None:
        self.choose(zoe, "" if state == "never" else "daily", MONDAY)
        self.happen(hall, MONDAY + timedelta(minutes=1))
        if state == "unconfirmed":
            EmailAddress.objects.update(verified=False)
        elif state == "locked":
            User.objects.filter(pk=zoe.pk).update(is_active=False)
        assert digest.send_due(MONDAY + timedelta(days=1)) == 0

    def test_one_click_stops_it_and_a_forged_link_does_not(self, zoe: User, hall: Hall) -> None:
        self.choose(zoe, "daily", MONDAY)
        word = changes.unsubscribe_word(zoe)
        client = Client(enforce_csrf_checks=True)
        page = reverse("unsubscribe", args=[word])
        assert "Stop them" in client.get(page).text
        assert FollowSettings.objects.get().digest == "daily", "a link that is opened changes nothing"
        assert client.post(reverse("unsubscribe", args=[f"{word}x"])).status_code == 404
        assert client.post(page, {"List-Unsubscribe": "One-Click"}).status_code == 200
        assert FollowSettings.objects.get().digest == ""

    def test_what_is_hidden_meanwhile_is_not_sent(self, zoe: User, hall: Hall) -> None:
        self.choose(zoe, "daily", MONDAY)
        self.happen(hall, MONDAY + timedelta(minutes=1))
        Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
        assert digest.send_due(MONDAY + timedelta(days=1)) == 0
