"""Webhooks of people who follow: the news of their page, in order and once, and nothing that they may not see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone

from contest import followers, teams
from contest.models import Contest, Scope, User
from tests.cast import make_user
from tests.database import count_on_from
from tests.programs import program
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import freeze
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.webhooks.receiver import Receiver
from tests.tournaments.worlds import Told, differing, in_both, play_on
from tournaments.feeds import writing
from tournaments.feeds.changes import follow, unfollow
from tournaments.models import Delivery, NewsItem, Stage, Webhook
from tournaments.organising import releases, stages
from tournaments.webhooks import changes, following, sending

pytestmark = pytest.mark.django_db
TWOS = {"table_size": 2, "games": 1}
API = "/api/v1/following/webhooks"


@pytest.fixture
def zoe(hall: Hall) -> User:
    found = make_user("zoe")
    follow(found, "contest", hall.contest.pk)
    return found


@pytest.fixture
def hook(zoe: User, receiver: Receiver) -> Webhook:
    return changes.create_for(zoe, receiver.url, [])


def work() -> None:
    """What the clock and the workers do."""
    followers.catch_up()
    writing.tell_others(timezone.now())
    sending.run(timezone.now())
    sending.send_due()


def told(receiver: Receiver) -> list[tuple[str, str]]:
    return [(it.json["contest"], it.json["data"]["title"]) for it in receiver.got]


def page_of(user: User) -> list[tuple[str, str]]:
    """The news that they read, the oldest first."""
    news = program(user, Scope.TEAM).get("/api/v1/following/news").json()["results"]
    return [(it["contest"], it["title"]) for it in reversed(news)]


class TestWhatIsSent:
    def test_the_news_of_the_page_in_order_once_and_signed(self, hall: Hall, zoe: User, receiver: Receiver) -> None:
        other = Hall(2, name="Other Cup")
        follow(zoe, "team", other.teams[0].pk)
        play_on(hall.stage(**TWOS), most=1)
        work()
        before = page_of(zoe)
        hook = changes.create_for(zoe, receiver.url, [])
        play_on(hall.contest.stages.get())
        work()
        play_on(other.stage(**TWOS))
        work()
        work()
        fresh = [each for each in page_of(zoe) if each not in before]
        assert told(receiver) == fresh
        assert {slug for slug, _ in fresh} == {hall.contest.slug, other.contest.slug}
        assert len({it.id for it in receiver.got}) == len(fresh) >= 4
        first = receiver.got[0]
        assert first.json["data"]["page"].endswith(NewsItem.objects.get(pk=hook.deliveries.earliest("pk").number).path)
        assert first.headers["webhook-signature"].startswith("v1,")

    def test_after_a_freeze_comes_what_it_hid(self, hall: Hall, zoe: User, hook: Webhook, receiver: Receiver) -> None:
        stage = hall.stage(**TWOS)
        work()
        freeze(hall)
        play_on(stage)
        work()
        assert [title for _, title in told(receiver)] == ["Cup has begun", "New results are hidden from now on"]
        hall.contest.refresh_from_db()
        releases.lift(hall.contest, hall.ada)
        work()
        assert told(receiver) == page_of(zoe)


class TestWhatIsNotSent:
    @pytest.fixture
    def late(self, hall: Hall, hook: Webhook) -> Webhook:
        """News that waits to be sent."""
        teams.disqualify(hall.teams[0], hall.ada, "Two accounts.")
        followers.catch_up()
        following.read_new()
        assert hook.deliveries.waiting().count() == 1
        return hook

    def test_what_may_not_be_seen_or_is_not_followed_any_more(
        self, hall: Hall, zoe: User, late: Webhook, receiver: Receiver
    ) -> None:
        delivery = late.deliveries.get()
        changes_of = [
            lambda: Contest.objects.filter(pk=hall.contest.pk).update(visibility=Contest.Visibility.PRIVATE),
            lambda: unfollow(zoe, "contest", hall.contest.pk),
            lambda: NewsItem.objects.all().delete(),
        ]
        for change in changes_of:
            Contest.objects.filter(pk=hall.contest.pk).update(visibility=Contest.Visibility.PUBLIC)
            follow(zoe, "contest", hall.contest.pk)
            delivery.pk = None
            delivery.save(force_insert=True)
            change()
            Webhook.objects.update(due_at=timezone.now())
            sending.send_due()
            assert receiver.got == []
            assert not Delivery.objects.exists(), "its page does not tell either"


def test_news_that_waits_while_it_is_hidden_and_shown_again_is_sent_once(
    hall: Hall, zoe: User, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The receiver is down for so long that a webhook has read the news both times before it can send it."""
    wish = stages.Wish("Cup", options=TWOS, release=Stage.Release.ROUNDS)
    stage = stages.create(hall.contest, hall.ada, wish)
    stages.start(stage, hall.ada)
    play_on(stage)
    work()
    start = len(receiver.got)
    receiver.answers.append(500)
    down = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: down)  # else it would be tried again after five seconds

    def change(act: Callable[[Stage, User, int], object]) -> None:
        stage.refresh_from_db()
        act(stage, hall.ada, 1)
        work()

    change(releases.release)
    released = page_of(zoe)[start:]
    waiting = list(hook.deliveries.waiting())
    assert len(waiting) == len(released) >= 2
    one = reverse("following-webhook", args=[hook.pk])
    pages = [f"{one}deliveries/{it.pk}/" for it in waiting if it.kind == "match_result"]
    client = visitor(zoe)
    assert [client.get(page).status_code for page in pages] == [200] * len(pages)
    change(releases.take_back)
    assert [client.get(page).status_code for page in pages] == [404] * len(pages), "they would tell the results"
    assert not any(page in client.get(one).text for page in pages)
    listed = program(zoe, Scope.TEAM).get(f"{API}/{hook.pk}/deliveries").json()["results"]
    assert "match_result" not in {it["kind"] for it in listed}
    change(releases.release)
    assert [client.get(page).status_code for page in pages] == [200] * len(pages)
    later = down + following.SETTLED
    monkeypatch.setattr(timezone, "now", lambda: later)
    work()
    assert sorted(told(receiver)[start + 1 :]) == sorted(page_of(zoe)[start:])
    assert not hook.deliveries.waiting().exists()


def test_hidden_results_leave_no_trace(hall: Hall, zoe: User, hook: Webhook, receiver: Receiver) -> None:
    """In a freeze the same is sent whatever happens, and the pages of the webhook say the same."""
    stage = hall.stage(**TWOS)
    play_on(stage, most=1)
    work()
    freeze(hall)

    def look() -> Told:
        receiver.got.clear()
        count_on_from(Delivery)
        work()
        Delivery.objects.update(duration_ms=1)
        sent = {"bytes": (len(receiver.got), repr([(it.headers, it.body) for it in receiver.got]))}
        one = reverse("following-webhook", args=[hook.pk])
        pages = [one, *(f"{one}deliveries/{it.pk}/" for it in hook.deliveries.all())]
        return {**sent, **seen([*pages, f"{API}/{hook.pk}", f"{API}/{hook.pk}/deliveries"], zoe)}

    def lifted(weak: bool) -> None:
        play_on(stage, weak=weak)
        hall.contest.refresh_from_db()
        releases.lift(hall.contest, hall.ada)

    frozen = in_both([lambda: None, lambda: play_on(stage), lambda: play_on(stage, weak=True)], look)
    assert differing(frozen) == []
    assert frozen[0]["bytes"][0] == 1, "the freeze itself"
    one, other = in_both([lambda: lifted(False), lambda: lifted(True)], look)
    assert one["bytes"] != other["bytes"]


class TestWhose:
    def test_others_do_not_find_it(self, hall: Hall, zoe: User, hook: Webhook) -> None:
        test = changes.test(hook, zoe)
        one, message = (
            reverse("following-webhook", args=[hook.pk]),
            reverse("following-webhook-delivery", args=[hook.pk, test.pk]),
        )
        for other in (hall.ada, make_user("root2", is_superuser=True)):
            for page in (one, message, f"{API}/{hook.pk}", f"{API}/{hook.pk}/deliveries/{test.pk}"):
                assert visitor(other).get(page).status_code == 404, page
            assert visitor(other).post(f"{one}delete/").status_code == 404
        assert visitor(None).get(one).status_code == 302
        assert visitor(zoe).get(message).status_code == 200
        assert visitor(hall.ada).get(f"/c/{hall.contest.slug}/desk/webhooks/{hook.pk}/").status_code == 404
