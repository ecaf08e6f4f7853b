"""The advice to a team in every state of its bot."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from contest.models import Team
from contest.server import workers
from submissions import advice
from submissions.models import CheckGame, Submission
from submissions.templatetags import submission_tags
from tests.cast import Cast, open_until

NOW = timezone.now()


def version(cast: Cast, number: int, state: str, **values: Any) -> Submission:
    return Submission(team=cast.aces, number=number, state=state, **values)


def test_before_the_first_upload(cast: Cast) -> None:
    said = advice.for_team(cast.aces, [], NOW)
    assert (said.tone, said.title) == ("info", "Upload your first bot.")
    assert "works even unchanged" in said.text
    cast.aces.contest.game_slug = "even_steven"
    judged = advice.for_team(cast.aces, [], NOW)
    assert "unchanged" not in judged.text
    assert "a wrong run costs penalty time" in judged.text
    cast.aces.contest.game_slug = "tricky_eights"
    closed = advice.for_team(late(cast), [], NOW)
    assert (closed.tone, closed.title) == ("warn", "You have not uploaded a bot.")
    assert "Uploads closed" in closed.text


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


def test_ready_and_active(cast: Cast) -> None:
    said = advice.for_team(cast.aces, [version(cast, 1, "ready", is_active=True)], NOW)
    assert (said.tone, said.title) == ("ok", "Your bot is ready and active.")
    assert said.text.startswith("Version 1 will play in Spring Cup.")
    assert "until the deadline" in said.text
    cast.aces.contest.endless = True
    at_any_time = advice.for_team(cast.aces, [version(cast, 1, "ready", is_active=True)], NOW)
    assert "better versions at any time" in at_any_time.text
    cast.aces.contest.endless = False
    cast.aces.contest.upload_deadline = cast.aces.contest.entry_deadline = NOW - timedelta(hours=1)
    assert "until the deadline" not in advice.for_team(cast.aces, [version(cast, 1, "ready", is_active=True)], NOW).text


def test_a_newer_ready_version_that_does_not_play(cast: Cast) -> None:
    versions = [version(cast, 2, "ready"), version(cast, 1, "ready", is_active=True)]
    assert "Version 2 is ready too" in advice.for_team(cast.aces, versions, NOW).text


def test_nothing_active(cast: Cast) -> None:
    said = advice.for_team(cast.aces, [version(cast, 1, "ready")], NOW)
    assert (said.tone, said.title) == ("bad", "No version is active.")
    assert "Activate a ready version" in said.text
    assert "Ask an organiser" in advice.for_team(late(cast), [version(cast, 1, "ready")], NOW).text


@pytest.mark.parametrize("state", ["pending", "withdrawn", "disqualified", "refused"])
def test_a_team_that_does_not_take_part(cast: Cast, state: str) -> None:
    cast.aces.state = state
    assert advice.for_team(cast.aces, [version(cast, 1, "ready", is_active=True)], NOW).tone == "warn"


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


def test_faults_and_fines_of_a_check_are_counted(upload: Callable[..., Submission]) -> None:
    mine = upload()
    for number, faults in enumerate((3, 10), 1):
        CheckGame.objects.create(submission=mine, number=number, seat=0, passed=True, faults=faults, fine=5 * faults)
    Submission.objects.update(state="ready", check_warning="It played x.")
    assert Submission.objects.with_games_played().get().warnings() == "13 faults, 65 points"


def test_a_rejected_version_is_told_what_stays_active(cast: Cast, upload: Callable[..., Submission]) -> None:
    bad = version(cast, 9, "rejected", verdict="a.c:1:1: error: ‘x’ undeclared")
    assert advice.for_version(bad, NOW).text.endswith("undeclared. Fix it and upload again.")
    upload()
    Submission.objects.update(state="ready", is_active=True)
    assert "Version 1 stays active until then" in advice.for_version(bad, NOW).text


def test_after_the_end(cast: Cast) -> None:
    cast.aces.contest.ended_at = NOW - timedelta(minutes=1)
    assert "The contest has ended." in advice.for_team(cast.aces, [version(cast, 1, "ready", is_active=True)], NOW).text
