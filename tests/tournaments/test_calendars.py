"""Calendars tell what everybody may know, follow a shift, and end with their address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import vobject
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import contests, teams
from contest.models import Contest
from tests.programs import patch, program
from tests.tournaments.stagecraft import Hall
from tests.tournaments.visitors import visitor
from tournaments.feeds import changes
from tournaments.models import Stage
from tournaments.organising import endings, releases, rounds, stages
from tournaments.organising.timetable import RoundWish

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


def cup(hall: Hall, name: str = "Cup") -> Stage:
    soon = timezone.now().replace(microsecond=0) + timedelta(hours=1)
    timetable = [RoundWish(1), RoundWish(2, starts_at=soon + timedelta(hours=1), hold=True)]
    options = {"table_size": 2, "games": 1}
    wish = stages.Wish(name, "single_elimination", options, starts_at=soon, timetable=timetable)
    stage = stages.create(hall.contest, hall.ada, wish)
    stages.publish(stage, hall.ada)
    stage.refresh_from_db()
    return stage


def events(path: str, client: Client | None = None) -> dict[str, vobject.base.Component]:
    """By uid, as another program reads them."""
    answer = (client or Client()).get(path)
    assert answer.status_code == 200, path
    found = vobject.readOne(answer.content.decode())
    return {event.uid.value: event for event in getattr(found, "vevent_list", [])}


def test_a_subscribed_calendar_follows_a_shift() -> None:
    hall = Hall(4)
    stage = cup(hall)
    path = f"{stage.get_absolute_url()}calendar.ics"
    before = events(path)
    assert {event.dtstart.value for event in before.values()} == {
        stage.starts_at, stage.timetable.get(number=2).starts_at,
    }  # fmt: skip
    assert sorted(event.status.value for event in before.values()) == ["CONFIRMED", "TENTATIVE"]
    rounds.shift(stage, hall.ada, 1, minutes=15)
    after = events(path)
    assert after.keys() == before.keys()
    for uid, event in after.items():
        assert event.dtstart.value - before[uid].dtstart.value == timedelta(minutes=15)
        assert int(event.sequence.value) > int(before[uid].sequence.value)


def test_another_start_in_the_form_is_a_move() -> None:
    hall = Hall(4)
    stage = cup(hall)
    path = f"{stage.get_absolute_url()}calendar.ics"
    before = events(path)
    later = stage.starts_at + timedelta(minutes=5)
    stages.edit(stage, hall.ada, stages.Wish("Cup", stage.format, stage.options, starts_at=later))
    after = events(path)
    first = next(uid for uid in before if uid.startswith(f"round-{stage.pk}-1@"))
    assert after[first].dtstart.value == later
    assert int(after[first].sequence.value) > int(before[first].sequence.value)


def moves_of(hall: Hall) -> Iterator[Callable[[Stage], object]]:
    """Everything that moves the start of the first round, or makes it certain or uncertain."""
    ada, soon = hall.ada, timezone.now().replace(microsecond=0) + timedelta(hours=3)
    zone = {"time_zone": "America/New_York", "keep": "clock_times"}
    address = f"/api/v1/contests/{hall.contest.slug}/desk/settings"

    def rearrange(stage: Stage) -> None:
        stages.edit(stage, ada, stages.Wish("Cup", stage.format, stage.options, starts_at=soon))

    yield lambda stage: rounds.shift(stage, ada, 1, minutes=-15)
    yield lambda stage: patch(program(ada, "desk"), address, zone)
    yield lambda stage: rounds.hold(stage, ada, 1)
    yield lambda stage: rounds.follow_timetable(stage, ada, 1)
    yield rearrange
    yield lambda stage: stages.start(stage, ada)  # early
    yield lambda stage: (endings.reset(stage, ada, "wrong rules"), rearrange(Stage.objects.get(pk=stage.pk)))
    yield lambda stage: stages.start(stage, ada)


def test_every_kind_of_move_is_the_next_of_its_sequence() -> None:
    hall = Hall(4)
    contests.edit(hall.contest, hall.ada, {"time_zone": "Europe/Berlin"})
    stage = cup(hall)
    path, first = reverse("contest-calendar", args=[hall.contest.slug]), f"round-{stage.pk}-1@"
    seen = next(event for uid, event in events(path).items() if uid.startswith(first))
    for number, move in enumerate(moves_of(hall)):
        move(Stage.objects.get(pk=stage.pk))
        now = next(event for uid, event in events(path).items() if uid.startswith(first))
        changed = [getattr(it, "value", None) for it in (now.dtstart, now.status)]
        assert changed != [seen.dtstart.value, seen.status.value], number
        assert int(now.sequence.value) > int(seen.sequence.value), number
        seen = now


def test_what_a_freeze_hides_moves_nothing_for_the_public() -> None:
    hall = Hall(4)
    stage = cup(hall)
    stages.start(stage, hall.ada)
    path = f"{stage.get_absolute_url()}calendar.ics"
    releases.freeze(hall.contest, hall.ada)
    before = Client().get(path).content
    endings.reset(stage, hall.ada, "wrong rules")
    wish = stages.Wish("Cup", stage.format, stage.options, starts_at=timezone.now() + timedelta(hours=5))
    stages.edit(Stage.objects.get(pk=stage.pk), hall.ada, wish)
    assert Client().get(path).content == before


def test_a_later_deadline_is_in_the_calendar_of_those_who_may_know() -> None:
    hall = Hall(2)
    team, member = hall.teams[0], hall.teams[0].memberships.get().user
    later = hall.contest.upload_deadline.replace(microsecond=0) + timedelta(hours=2)
    teams.extend_uploads(team, hall.ada, later, "A power cut.")
    own = reverse("personal-calendar", args=[changes.settings_of(member).key])
    for path, shown in ((own, True), (reverse("team-calendar", args=[hall.contest.slug, team.pk]), False)):
        closing = next(event for uid, event in events(path).items() if uid.startswith("upload_deadline"))
        assert (closing.dtstart.value == later) is shown
        assert bool(int(closing.sequence.value)) is shown


def test_each_calendar_has_what_concerns_it() -> None:
    hall = Hall(4)
    stage = cup(hall)
    draft = stages.create(hall.contest, hall.ada, stages.Wish("Secret", starts_at=timezone.now() + timedelta(days=1)))
    team = hall.teams[0]
    of_contest = events(reverse("contest-calendar", args=[hall.contest.slug]))
    of_team = events(reverse("team-calendar", args=[hall.contest.slug, team.pk]))
    assert of_contest.keys() == of_team.keys()
    assert not [event for event in of_contest.values() if "Secret" in event.summary.value]
    assert len(of_contest) == 3 + stage.timetable.count()
    for client in (Client(), visitor(hall.ada)):
        assert client.get(reverse("stage-calendar", args=[hall.contest.slug, draft.pk])).status_code == 404
    Stage.objects.filter(pk=stage.pk).update(order=hall.ids[1:])
    assert len(events(reverse("team-calendar", args=[hall.contest.slug, team.pk]))) == 3


def test_a_private_address_can_be_taken_back() -> None:
    hall = Hall(2)
    cup(hall)
    Contest.objects.filter(pk=hall.contest.pk).update(visibility=Contest.Visibility.PRIVATE)
    assert Client().get(reverse("contest-calendar", args=[hall.contest.slug])).status_code == 404
    path = reverse("personal-calendar", args=[changes.settings_of(hall.ada).key])
    feed = reverse("following-feed", args=[changes.settings_of(hall.ada).key])
    for address in (path, feed):
        assert "private" in (said := Client().get(address)["Cache-Control"].split(", "))
        assert not [word for word in said if word.startswith("public")]
    answer = Client().get(path)
    assert answer["Referrer-Policy"] == "no-referrer"
    assert Client().get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert all(event.url.value.startswith("http://testserver/") for event in events(path).values())
    changes.renew_key(hall.ada)
    assert Client().get(path).status_code == 404
