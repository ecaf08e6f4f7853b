"""contest/moments.py: pages that are asked for at once are made from one moment, and nobody is behind for longer."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import changes, moments
from contest.models import Contest, User
from contest.server.web.shared import BEHIND, READS, RENDERS, STATES
from contest.server.web.waiting import AGAIN
from tests.cast import make_user
from tests.copies import Copies
from tests.tournaments import scenes
from tournaments.models import Match, Stage
from tournaments.organising import stages

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]
LONG = 60.0  # seconds that an answer may be behind; no test takes as long


@pytest.fixture(autouse=True)
def _forget() -> None:
    moments._latest.clear()


@pytest.fixture
def stage() -> Stage:
    contest = scenes.small_contest()
    scenes.enter(contest, 8)
    swiss = {"table_size": 4, "rounds": 3, "games": 1}
    made = stages.create(contest, None, stages.Wish("Swiss", "swiss", options=swiss))
    stages.publish(made, None)
    stages.start(made, None)
    return made


def play_next(stage: Stage) -> None:
    match = stage.matches.filter(state=Match.State.QUEUED).first()
    assert match is not None
    scenes.play_match(match)


class Reader:
    def __init__(self, stage: Stage, user: User | None = None) -> None:
        self.client = Client()
        if user is not None:
            self.client.force_login(user)
        self.allowed = READS if user is not None else RENDERS
        self.page = stage.get_absolute_url()

    def ask(self, seconds: float = LONG, page: str = "", **environ: Any) -> tuple[str, str, float]:
        """The revision that the answer names, its text, and the seconds that it was behind."""
        answer = self.client.get(page or self.page, **{self.allowed: seconds}, **environ)
        assert answer.status_code in (200, 204)
        named = [value for name, value in parse_qs(answer.get(STATES, "")).items() if name.startswith("public:")]
        return named[0][0] if named else "", answer.content.decode(), float(answer.get(BEHIND, 0))


def revision(stage: Stage) -> str:
    return f"{Contest.objects.get(pk=stage.contest_id).public_revision}p"


def test_pages_asked_for_at_once_are_made_from_one_moment(stage: Stage) -> None:
    play_next(stage)
    stranger, first = Reader(stage), revision(stage)
    before = stranger.ask()
    assert before[0].startswith(f"{first}.")
    play_next(stage)
    assert revision(stage) != first
    named, text, behind = stranger.ask()
    assert (named, behind > 0) == (before[0], True), "a copy must not claim to be newer than it is"
    assert shown(text) == shown(before[1])
    named, text, behind = stranger.ask(seconds=0.0)
    assert named.startswith(f"{revision(stage)}.")
    assert behind == 0
    assert shown(text) == shown(Client().get(stage.get_absolute_url()).content.decode()) != shown(before[1])


def shown(text: str) -> str:
    """The live part of a page."""
    return text[text.index("hx-get=") :].partition("</main>")[0]


def test_nobody_at_the_desk_and_nobody_outside_the_web_server_is_behind(stage: Stage) -> None:
    organiser = Reader(stage, stage.contest.roles.get(role="owner").user)
    Reader(stage).ask()
    organiser.ask()
    play_next(stage)
    contest = Contest.objects.get(pk=stage.contest_id)
    assert f"rev={contest.revision}&quot;" in organiser.ask()[1].replace('"', "&quot;")
    assert f"rev={revision(stage)}" in Client().get(stage.get_absolute_url()).content.decode()


def test_a_reader_never_goes_back(stage: Stage) -> None:
    member = Reader(stage, make_user())
    old = revision(stage)
    member.ask()
    play_next(stage)
    part = f"{member.page}?rev={revision(stage)}"
    assert member.ask(page=part, HTTP_HX_REQUEST="true")[1] == "", "what they have is the newest"
    moments._latest.clear()
    Reader(stage).ask()
    assert member.ask(page=f"{member.page}?rev={old}", HTTP_HX_REQUEST="true")[1] != ""


def test_who_waits_for_news_is_told_what_is_news(stage: Stage) -> None:
    """Otherwise the web server would ask again and again until the moment is over."""
    member = Reader(stage, make_user())
    member.ask()
    part = f"{member.page}?rev={revision(stage)}"
    play_next(stage)
    assert member.ask(page=part, HTTP_HX_REQUEST="true")[1] == "", "behind for a moment"
    assert member.ask(page=part, HTTP_HX_REQUEST="true", **{AGAIN: "again"})[1] != ""


@pytest.mark.parametrize("what", ["a name is written", "a freeze begins"])
def test_a_moment_ends_when_more_than_a_result_has_changed(stage: Stage, what: str) -> None:
    stranger = Reader(stage)
    before, _, _ = stranger.ask()
    play_next(stage)
    if what == "a name is written":
        changes.told()
    else:
        Contest.objects.filter(pk=stage.contest_id).update(frozen_from=timezone.now())
    named, _, behind = stranger.ask()
    assert named != before
    assert behind == 0


def test_a_copy_is_as_old_as_its_moment(stage: Stage) -> None:
    copies = Copies(exact=False)
    try:
        copies.shared.pace.stretch = LONG
        copies.look()
        copies.ask(stage.get_absolute_url())
        play_next(stage)
        copies.ask(reverse("matches", args=[stage.contest.slug]))
        first, second = copies.shared.shelf._kept.values()
        assert first.born == first.made
        assert second.born < second.made
        assert second.right_at == second.born, "so it is sent no longer than one that was not behind"
        assert second.states == first.states
    finally:
        copies.close()
        cache.clear()
