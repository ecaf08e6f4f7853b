"""The same deals from every seat and programs that connect exclude each other."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from contest import contests
from contest.clone import Wish as CloneWish
from contest.models import Contest
from contest.refusal import Refused
from tests.contest.test_views import text_of
from tests.tournaments.playing.live.arena import Arena, refereed_live
from tests.tournaments.stagecraft import Hall, give_bot, play_out
from tests.tournaments.visitors import visitor
from tournaments.models import Client, Review, Stage
from tournaments.organising import reviews, stages
from tournaments.organising.clone import clone
from tournaments.organising.stages import Wish

pytestmark = pytest.mark.django_db

SAME = {"games": 2, "duplicate": True}


@pytest.fixture
def hall():
    return Hall(teams=2, target=None, game="barracuda", options={})


def league(hall):
    return stages.create(hall.contest, hall.ada, Wish("League", "round_robin", SAME))


def test_a_stage_on_the_same_deals_is_refused_where_programs_connect(hall):
    Contest.objects.update(live=True)  # a moment ago: the page was read before
    assert not hall.contest.live
    with pytest.raises(Refused, match="connect their own programs"):
        league(hall)
    assert not Stage.objects.exists()
    stage = stages.create(hall.contest, hall.ada, Wish("League", "round_robin", {"games": 2}))
    with pytest.raises(Refused, match="deals that they have seen"):
        stages.edit(stage, hall.ada, Wish("League", "round_robin", SAME))


def test_programs_may_not_connect_while_such_a_stage_is_not_finished(hall):
    stage = league(hall)
    for begin in (lambda: None, lambda: stages.publish(stage, hall.ada), lambda: stages.start(stage, hall.ada)):
        begin()
        with pytest.raises(Refused, match="“League” is played on the same deals"):
            contests.edit(Contest.objects.get(), hall.ada, {"live": True})
        assert not Contest.objects.get().live
    contests.edit(Contest.objects.get(), hall.ada, {"name": "Other changes are made"})
    play_out(stage)
    contests.edit(Contest.objects.get(), hall.ada, {"live": True})
    assert Contest.objects.get().live


def test_what_a_connected_program_has_played_is_played_again_on_other_deals():
    arena = Arena(2, games_to_win=1, lead=1)
    Client.objects.update(connected_since=timezone.now(), seen_at=timezone.now() + timedelta(hours=1))
    stage, ada = arena.stage("single_elimination"), arena.contest.roles.get().user
    match = refereed_live(stage.matches.get())
    with pytest.raises(Refused, match="which has seen these deals"):
        reviews.start(stage, ada, "a fault of the referee", [match.pk])
    assert not Review.objects.exists()
    again = reviews.start(stage, ada, "a fault of the referee", [match.pk], other_deals=True).matches.get()
    assert (again.live, again.seed == match.seed) == (True, False)


@pytest.mark.long("more")
class TestNewerVersions:
    """An author who has read the records of a match could write a bot that knows these deals."""

    @pytest.fixture
    def stage(self, hall):
        stage = league(hall)
        stages.start(stage, hall.ada)
        play_out(stage)
        return stage

    def test_play_again_on_other_deals_only(self, hall, stage):
        chosen = [match.pk for match in stage.matches.all()]
        reviews.drop(reviews.start(stage, hall.ada, "why", chosen, newest=True), hall.ada)  # nobody has a newer one
        newer = give_bot(hall.teams[1], number=2)
        with pytest.raises(Refused, match=f"{hall.teams[1]} would play with another version"):
            reviews.start(stage, hall.ada, "why", chosen, newest=True)
        assert Review.objects.count() == 1
        reviews.drop(reviews.start(stage, hall.ada, "why", chosen), hall.ada)
        review = reviews.start(stage, hall.ada, "why", chosen, newest=True, other_deals=True)
        assert review.matches.filter(seats__submission=newer).count() == len(chosen) == 2

    def test_not_where_other_deals_are_wished_and_these_stay(self, hall, stage):
        """Another match on the same deals is not played again."""
        give_bot(hall.teams[1], number=2)
        with pytest.raises(Refused, match="Choose other deals"):
            reviews.start(stage, hall.ada, "why", [stage.matches.first().pk], newest=True, other_deals=True)


@pytest.mark.parametrize(
    ("format", "options", "words"),
    [
        ("round_robin", {"games": 2}, "other deals"),
        ("round_robin", SAME, "the same deals"),
        ("ladder", {}, "ladder"),
    ],
)
def test_what_is_played_instead_of_a_void_match_is_said(hall, format, options, words):
    stage = stages.create(hall.contest, hall.ada, Wish("League", format, options))
    stages.start(stage, hall.ada)
    match = stage.matches.order_by("pk").first()
    page = reverse("desk-stage-void", args=[hall.contest.slug, stage.pk, match.pk])
    organiser = visitor(hall.ada)
    shown = text_of(organiser.get(page))
    assert words in shown
    assert ("Pause the stage first" in shown) == (format != "ladder")
    response = organiser.post(page, {"reason": "a fault of the referee", "hold": "on"}, follow=True)
    said = text_of(response).partition(f"{match} is now void.")[2]
    assert words in said[:200]
    stage.refresh_from_db()
    assert stage.state == ("running" if format == "ladder" else "paused")


def test_a_stage_that_was_cloned_into_such_a_contest_cannot_be_published(hall):
    stage = league(hall)
    stages.start(stage, hall.ada)
    play_out(stage)
    contests.edit(Contest.objects.get(), hall.ada, {"live": True})
    copy = clone(Contest.objects.get(), hall.ada, CloneWish("Again", hall.contest.opens_at))
    with pytest.raises(Refused, match="connect their own programs"):
        stages.publish(copy.stages.get(), hall.ada)


@pytest.mark.long("more")
def test_a_void_match_is_played_again_on_the_deals_of_a_review(hall):
    stage = league(hall)
    stages.start(stage, hall.ada)
    play_out(stage)
    chosen = list(stage.matches.values_list("pk", flat=True))
    review = reviews.start(stage, hall.ada, "why", chosen, other_deals=True)
    play_out(stage)
    reviews.apply(review, hall.ada)
    first, second = review.matches.order_by("pk")
    stages.void(first, hall.ada, "a fault of the referee")
    assert stage.matches.open().get().seed == second.seed
