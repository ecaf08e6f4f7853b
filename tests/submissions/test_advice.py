"""The advice to a team in every state of its bot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from contest import workers
from submissions import advice
from submissions.models import Submission
from tests.cast import Cast

NOW = timezone.now()


def version(cast: Cast, number: int, state: str, **values: Any) -> Submission:
    return Submission(team=cast.aces, number=number, state=state, **values)


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
