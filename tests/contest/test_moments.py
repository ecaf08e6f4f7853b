"""Dates that mean “never”: refused with a sentence where they are taken, and shown where they are stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import clone, contests
from contest.models import Contest, Kind, LedgerEntry
from contest.models.moments import FIRST, LAST, OUT_OF_RANGE
from tests.cast import Cast
from tests.markup import submitted
from tests.programs import post
from tests.tournaments.api.test_desk_same_as_pages import Scene
from tests.tournaments.stagecraft import Hall
from tournaments.models import Stage
from tournaments.results import history
from tournaments.webhooks import changes

pytestmark = pytest.mark.django_db
NEVER = [datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)]


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "Europe/Berlin", "America/Los_Angeles"])
@pytest.mark.parametrize("never", NEVER, ids=["9999", "1"])
def test_pages_open_and_save_whatever_is_stored(cast: Cast, client: Client, never: datetime, zone: str) -> None:
    slug = cast.contest.slug
    moments = ("entry_deadline", "upload_deadline", "frozen_from") if never.year > 2000 else ("opens_at",)
    Contest.objects.update(time_zone=zone, **dict.fromkeys(moments, never))
    stage = Hall(2).stage(start=False)
    Stage.objects.update(contest=cast.contest, starts_at=never, ends_at=never)
    client.force_login(cast.ada)
    for name, *args in (
        ("home",),
        ("contest", slug),
        ("desk", slug),
        ("desk-settings", slug),
        ("desk-stages", slug),
        ("desk-stage", slug, stage.pk),
    ):
        assert client.get(reverse(name, args=args)).status_code == 200, name
    assert client.get(f"/api/v1/contests/{slug}").status_code == 200
    assert client.get(f"/api/v1/contests/{slug}/stages").status_code == 200
    page = reverse("desk-settings", args=[slug])
    typed = submitted(client.get(page).content.decode())
    assert client.post(page, {**typed, "blurb": "Cards"}).status_code == 302


@pytest.mark.parametrize("year", [1, 1999, 2200, 9999])
def test_a_year_out_of_range_is_refused_wherever_a_moment_is_taken(client: Client, settings: Any, year: int) -> None:
    settings.ALLOW_EVERYBODY_TO_CREATE = True
    scene, at = Scene(), f"{year:04}-06-01T12:00"
    contest, ladder, coming = scene.contest, scene.ladder.pk, scene.published.pk
    hook = changes.create(contest, None, scene.ada, "https://example.org/", []).pk
    client.force_login(scene.ada)
    page = reverse("desk-settings", args=[contest.slug])
    answer = client.post(page, {**submitted(client.get(page).content.decode()), "upload_deadline": at})
    assert answer.context["form"].errors == {"upload_deadline": [OUT_OF_RANGE]}
    for address, sent in (
        ("stages", {"format": "swiss", "starts_at": at, "at_once": True}),
        ("stages", {"format": "swiss", "check_in_closes_at": at}),
        ("stages", {"format": "swiss", "timetable": [{"number": 2, "starts_at": at}]}),
        ("stages", {"format": "ladder", "ends_at": at}),
        (f"stages/{ladder}/reschedule", {"ends_at": at}),
        (f"stages/{coming}/shift", {"round": 1, "to": at}),
        (f"stages/{scene.swiss.pk}/reviews", {"reason": "Again.", "all": True, "since": at}),
        (f"webhooks/{hook}/redeliver", {"since": at}),
        (f"teams/{scene.hall.teams[1].pk}/uploads", {"until": at}),
        ("freeze", {"at": at}),
        ("clone", {"opens_at": at}),
    ):
        answer = post(client, f"/api/v1/contests/{contest.slug}/desk/{address}", sent)
        assert answer.status_code == 422, (address, answer.content)
        assert OUT_OF_RANGE in answer.json()["errors"][0]["detail"], address


def test_a_clone_stays_within_the_range(cast: Cast) -> None:
    contests.edit(cast.contest, cast.ada, {"entry_deadline": LAST, "upload_deadline": LAST})
    wish = clone.Wish("Later", timezone.now() + timedelta(days=9000))
    copy = clone.clone(Contest.objects.get(pk=cast.contest.pk), cast.ada, wish).contest
    copy.refresh_from_db()
    assert FIRST < copy.upload_deadline <= LAST


@pytest.mark.parametrize(("never", "shown"), zip(NEVER, [LAST, FIRST], strict=True), ids=["9999", "1"])
def test_the_ledger_tells_of_one(cast: Cast, never: datetime, shown: datetime) -> None:
    was = {"last_round": None, "ends_at": never.isoformat()}
    shortened = LedgerEntry(kind=Kind.STAGE_SHORTENED, number=2, data={"was": was})
    assert history.as_told(Stage(contest=cast.contest), [shortened], 1).ends_at == shown
