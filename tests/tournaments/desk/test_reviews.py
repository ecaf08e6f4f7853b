"""The desk's pages about reviews and rehearsals: choosing, watching, deciding; who may see and who may act."""

from __future__ import annotations

import pytest

from tests.tournaments.desks import Desk
from tests.tournaments.organising.test_reviews import first_round, play_review
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.models import Match, Review
from tournaments.organising import reviews

pytestmark = pytest.mark.django_db

WISH = {"reason": "a slow worker", "deals": "same", "versions": "pinned", "which": "ticked"}


@pytest.fixture
def hall():
    return Hall(teams=8)


@pytest.fixture
def review(hall, cup):
    return reviews.start(cup, hall.ada, "a slow worker", first_round(cup))


class TestChoosing:
    def test_ticked_ones(self, desk, cup):
        assert desk.get("desk-stage-review-new", cup.pk).count('name="match"') == 3
        page = desk.post("desk-stage-review-new", cup.pk, match=first_round(cup)[:1], **WISH)
        assert "0 of 1" in page
        assert Review.objects.get().matches.get().replay_of_id == first_round(cup)[0]

    @pytest.mark.long("more")
    def test_what_one_worker_played_or_one_team(self, desk, cup):
        Match.objects.filter(pk=first_round(cup)[0]).update(worker="broken:7")
        assert desk.get("desk-stage-review-new", cup.pk, worker="broken:7").count('name="match"') == 1
        assert desk.get("desk-stage-review-new", cup.pk, team=desk.hall.ids[0]).count('name="match"') == 2
        assert 'name="match"' not in desk.get("desk-stage-review-new", cup.pk, since="2100-01-01T00:00")

    @pytest.mark.long("more")
    @pytest.mark.parametrize(
        ("wrong", "said"),
        [("since=tomorrow", "Played since"), ("team=x", "Team"), ("round=99", "Round"), ("worker=nobody", "Played by")],
    )
    def test_who_asks_for_a_part_in_a_wrong_way_is_not_given_all(self, desk, cup, wrong, said):
        address = f"{desk.url('desk-stage-review-new', cup.pk)}?{wrong}"
        page = desk.client.get(address).text
        assert 'name="match"' not in page
        assert (
            f"{wrong.partition('=')[0].replace('worker', 'played by').replace('since', 'played since').capitalize()}: "
            in page
        )
        assert desk.client.post(address, {**WISH, "which": "all"}).status_code == 422
        assert not Review.objects.exists()


class TestDeciding:
    def test_its_matches_cannot_be_void_one_by_one(self, desk, cup, review):
        match = review.matches.first()
        desk.post("desk-stage-void", cup.pk, match.pk, status=422, reason="x")
        assert Match.objects.get(pk=match.pk).state == "queued"

    @pytest.mark.long("more")
    def test_a_large_set_in_a_constant_number_of_queries(self, client, django_assert_max_num_queries):
        hall = Hall(teams=32)
        client.force_login(hall.ada)
        stage = hall.stage()
        play_out(stage)
        review = reviews.start(stage, hall.ada, "x", first_round(stage))
        play_review(review)
        with django_assert_max_num_queries(60):
            Desk(hall, client).get("desk-stage-review", stage.pk, review.pk)
