"""Dates that mean “never”: refused with a sentence where they are taken, and shown where they are stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import clone, contests
from contest.models import Contest, Kind, LedgerEntry
from contest.models.moments import FIRST, LAST
from tests.cast import Cast
from tests.tournaments.stagecraft import Hall
from tournaments.models import Stage
from tournaments.results import history

pytestmark = pytest.mark.django_db
NEVER = [datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)]


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "Europe/Berlin", "America/Los_Angeles"])
@pytest.mark.parametrize("never", NEVER, ids=["9999", "1"])
def test_pages_open_whatever_is_stored(cast: Cast, client: Client, never: datetime, zone: str) -> None:
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


@pytest.mark.parametrize("year", [1, 1999, 2200, 9999])
def test_a_year_out_of_range_is_refused_at_its_field(cast: Cast, client: Client, year: int) -> None:
    client.force_login(cast.ada)
    before = Contest.objects.get(pk=cast.contest.pk).upload_deadline
    page = reverse("desk-settings", args=[cast.contest.slug])
    typed = {**client.get(page).context["form"].initial, "upload_deadline": f"{year:04}-12-31T12:00"}
    answer = client.post(page, {name: value for name, value in typed.items() if value is not None})
    assert answer.status_code == 422
    assert answer.context["form"].errors["upload_deadline"]
    in_api = client.patch(
        f"/api/v1/contests/{cast.contest.slug}/desk/settings",
        {"upload_deadline": f"{year:04}-12-31T12:00:00Z"},
        content_type="application/json",
    )
    assert 400 <= in_api.status_code < 500, in_api.content
    assert Contest.objects.get(pk=cast.contest.pk).upload_deadline == before


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
