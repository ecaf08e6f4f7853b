"""The advice to a team in every state of its bot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from contest import workers
from contest.models import Team
from submissions import advice
from submissions.models import Submission
from submissions.templatetags import submission_tags
from tests.cast import Cast, open_until

NOW = timezone.now()


def version(cast: Cast, number: int, state: str, **values: Any) -> Submission:
    return Submission(team=cast.aces, number=number, state=state, **values)


def late(cast: Cast) -> Team:
    open_until(cast.contest, hours=-1)
    return Team.objects.get(pk=cast.aces.pk)


@pytest.mark.parametrize("state", Submission.IN_PROGRESS)
def test_while_a_version_is_on_its_way(cast: Cast, state: str) -> None:
    said = advice.for_team(cast.aces, [version(cast, 1, state)], NOW)
    assert said.title == "Version 1 is in progress."
    assert "stays active" not in said.text
    older = version(cast, 1, "ready", is_active=True)
    assert "version 1 stays active" in advice.for_team(cast.aces, [version(cast, 2, state), older], NOW).text


def test_a_queued_version_is_told_how_long_the_queue_is(cast: Cast, upload: Callable[..., Submission]) -> None:
    first, second = upload(b"1\n"), upload(b"2\n", team=cast.clubs, user=cast.carl)
    text = advice.for_team(cast.clubs, [second], NOW).text
    assert text.startswith("No worker is running")
    workers.sign_of_life("matches@here", ("matches",))
    assert advice.for_team(cast.clubs, [second], NOW).text.startswith("No worker is running")
    workers.sign_of_life("builds@here", ("portal", "builds"))
    assert "It is number 2 of 2 in the queue" in advice.for_team(cast.clubs, [second], NOW).text
    assert "next in the queue" in advice.for_team(cast.aces, [first], NOW).text


def test_what_was_not_built_is_told(cast: Cast) -> None:
    newer = version(cast, 2, "ready", is_active=True)
    older = version(cast, 1, "superseded", superseded_by=2)
    assert advice.for_team(cast.aces, [newer, older], NOW).title == "Your bot is ready and active."
    assert advice.for_version(older, NOW).title == "Superseded by version 2."
    cancelled = version(cast, 3, "cancelled", verdict="An organiser cancelled the build: too many.")
    told = advice.for_team(cast.aces, [cancelled, newer], NOW)
    assert (told.tone, told.title) == ("warn", "The build of version 3 was cancelled.")
    assert told.text == "An organiser cancelled the build: too many. Version 2 stays active."
    assert "You can upload it again." in advice.for_version(cancelled, NOW).text


def test_trouble_of_the_portal_is_not_blamed_on_the_bot(cast: Cast) -> None:
    said = advice.for_team(cast.aces, [version(cast, 1, "queued", failures=1)], NOW)
    assert "not your bot’s fault" in said.text


def test_a_rejected_version_with_and_without_an_active_one(cast: Cast) -> None:
    alone = advice.for_team(cast.aces, [version(cast, 1, "rejected")], NOW)
    assert (alone.tone, alone.title) == ("bad", "Version 1 was rejected.")
    assert "your team would not play" in alone.text
    assert "upload again" in alone.text
    kept = advice.for_team(cast.aces, [version(cast, 2, "rejected"), version(cast, 1, "ready", is_active=True)], NOW)
    assert kept.tone == "warn"
    assert "Version 1 stays active" in kept.text


def test_the_page_of_one_version(cast: Cast) -> None:
    def said(state: str, **values: Any) -> tuple[str, str]:
        found = advice.for_version(version(cast, 1, state, **values), NOW)
        return found.tone, found.title

    assert said("ready", is_active=True) == ("ok", "Ready and active.")
    assert said("ready") == ("info", "Ready, but not active.")
    assert said("rejected", verdict="It does not compile.") == ("bad", "Rejected.")
    assert said("building") == ("info", "Version 1 is in progress.")


def test_what_its_check_let_pass_is_said_first(cast: Cast) -> None:
    found = {"title": "The sanitizers found:", "text": "", "bad": True, "short": "memory error found"}
    warned = version(cast, 1, "ready", is_active=True, check_warning="It played x.", findings=[found])
    warned.check_faults, warned.check_fine = 13, 65  # type: ignore[attr-defined]
    words = "It passed with warnings: 13 faults, 65 points; memory error found."
    assert advice.for_team(cast.aces, [warned], NOW).tone == "warn"
    assert words in advice.for_team(cast.aces, [warned], NOW).title
    assert words in advice.for_version(warned, NOW).title
    assert "Passed with warnings: 13 faults" in submission_tags.state_badge(warned)
    warned.is_active = False
    assert (advice.for_version(warned, NOW).tone, words in advice.for_version(warned, NOW).title) == ("warn", True)


def test_a_rejected_version_is_told_what_stays_active(cast: Cast, upload: Callable[..., Submission]) -> None:
    bad = version(cast, 9, "rejected", verdict="a.c:1:1: error: ‘x’ undeclared")
    assert advice.for_version(bad, NOW).text.endswith("undeclared. Fix it and upload again.")
    upload()
    Submission.objects.update(state="ready", is_active=True)
    assert "Version 1 stays active until then" in advice.for_version(bad, NOW).text
