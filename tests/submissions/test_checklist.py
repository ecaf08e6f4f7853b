"""The bot's part of the checklist on a contest's page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from contest.models import Contest
from submissions.models import Submission
from submissions.templatetags.submission_tags import steps
from tests.cast import Cast, open_until

Uploader = Callable[..., Submission]


@pytest.mark.parametrize(
    ("state", "active", "expected"),
    [
        ("queued", False, ("next", "")),
        ("rejected", False, ("next", "")),
        ("ready", True, ("done", "next")),
    ],
)
def test_steps_follow_the_newest_version(
    cast: Cast, upload: Uploader, state: str, active: bool, expected: tuple[str, str]
) -> None:
    assert steps(cast.contest, cast.aces).upload == "next"
    Submission.objects.filter(pk=upload().pk).update(state=state, is_active=active)
    found = steps(cast.contest, cast.aces)
    assert (found.upload, found.watch) == expected


def test_who_missed_the_deadline_is_told_that_it_will_not_play(cast: Cast) -> None:
    open_until(cast.contest, hours=-1)
    cast.aces.contest.refresh_from_db()
    found = steps(cast.aces.contest, cast.aces)
    assert (found.missed, found.upload, found.watch) == (True, "", "")
    client = Client()
    client.force_login(cast.alice)
    page = client.get(reverse("contest", args=[cast.contest.slug])).text
    assert "Your team will not play" in page
    assert "Watch the others" in page
    Contest.objects.update(live=True)
    cast.aces.contest.refresh_from_db()
    assert not steps(cast.aces.contest, cast.aces).missed, "its program may still connect"
