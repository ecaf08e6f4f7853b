"""The desk's page about what is public, and that judges cannot change anything on any desk page."""

from __future__ import annotations

import pytest
from django.core import serializers
from django.test import Client

from contest.models import Announcement, Contest, Membership, Question, Role, Team
from submissions.models import Submission
from tests.tournaments.results.test_visibility import judge_of
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.visitors import addresses, visitor
from tests.tournaments.worlds import play_on
from tournaments.models import Match, MatchSeat, Review, Stage, Table
from tournaments.organising import reviews

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}


@pytest.fixture
def ada(hall: Hall) -> Client:
    return visitor(hall.ada)


def page(hall: Hall) -> str:
    return f"{hall.contest.get_absolute_url()}desk/visibility/"


KEPT = (Announcement, Contest, Match, MatchSeat, Membership, Question, Review, Role, Stage, Submission, Table, Team)


def everything() -> dict[str, str]:
    """Everything that a judge could have changed."""
    return {model.__name__: serializers.serialize("json", model.objects.order_by("pk")) for model in KEPT}


@pytest.mark.promise
def test_a_judge_may_look_at_every_page_of_the_desk_and_change_nothing(hall: Hall) -> None:
    stage = staged(hall, options=TWOS, release=Stage.Release.ROUNDS)
    play_on(stage)
    match = stage.matches.latest("pk")
    review = reviews.start(stage, hall.ada, "A doubt.", [match.pk])
    judge = judge_of(hall)
    announcement = Announcement.objects.create(contest=hall.contest, title="Welcome")
    question = Question.objects.create(contest=hall.contest, team=hall.teams[0], subject="When?", text="When is it?")
    values: dict[str, list[object]] = {
        "slug": [hall.contest.slug], "stage_id": [stage.pk], "match_id": [match.pk], "team_id": [hall.teams[0].pk],
        "team": [hall.teams[0].pk], "role_id": [hall.contest.roles.get(user=hall.ada).pk], "review_id": [review.pk],
        "announcement_id": [announcement.pk], "question_id": [question.pk], "name": ["standings.csv"],
    }  # fmt: skip
    client = visitor(judge)
    before = everything()
    sent = {"reason": "So.", "team": hall.teams[0].pk, "round": "1", "name": "Another", "title": "x", "text": "x"}
    desk = addresses(values, r"c/<slug:slug>/(desk/(?!people/leave)|teams/<int:team>/versions/)")
    assert len(desk) > 50
    statuses = {address: client.post(address, sent).status_code for address in desk}
    assert {
        address for address, status in statuses.items() if "/desk/" in address and status not in (403, 405)
    } == set()
    assert set(statuses.values()) <= {302, 403, 404, 405}
    assert everything() == before
    looked = {address: client.get(address).status_code for address in desk if "/desk/" in address}
    assert sum(status == 200 for status in looked.values()) > 15
    assert set(looked.values()) <= {200, 302, 403, 404, 405}
    assert everything() == before
