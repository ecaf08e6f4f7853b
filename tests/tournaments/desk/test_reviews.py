"""The desk's pages about reviews and rehearsals: choosing, watching, deciding; who may see and who may act."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from contest import contests
from contest.models import Role
from tests.cast import make_user
from tests.tournaments.desks import Desk
from tests.tournaments.organising.test_reviews import first_round, play_review
from tests.tournaments.stagecraft import Hall, by_strength, play_out
from tournaments.models import Match, Rehearsal, Review
from tournaments.organising import rehearsals, reviews, stages

pytestmark = pytest.mark.django_db

WISH = {"reason": "a slow worker", "deals": "same", "versions": "pinned", "which": "ticked"}


@pytest.fixture
def hall():
    return Hall(teams=8)


@pytest.fixture
def review(hall, cup):
    return reviews.start(cup, hall.ada, "a slow worker", first_round(cup))


class TestChoosing:
    def test_the_stage_leads_there(self, desk, cup):
        page = desk.get("desk-stage", cup.pk)
        new = desk.url("desk-stage-review-new", cup.pk)
        match = first_round(cup)[0]
        assert f'href="{new}"' in page
        assert f'href="{new}?match={match}"' in page
        assert f'href="{new}?round=1"' in page
        page = desk.get("desk-stage-review-new", cup.pk, match=match)
        assert page.count('name="match"') == 1
        assert f'value="{match}" aria-label="Match {match}" checked' in page

    def test_ticked_ones(self, desk, cup):
        assert desk.get("desk-stage-review-new", cup.pk).count('name="match"') == 3
        page = desk.post("desk-stage-review-new", cup.pk, match=first_round(cup)[:1], **WISH)
        assert "0 of 1" in page
        assert Review.objects.get().matches.get().replay_of_id == first_round(cup)[0]

    def test_a_whole_round(self, desk, cup):
        address = f"{desk.url('desk-stage-review-new', cup.pk)}?round=1"
        assert desk.client.get(address).content.decode().count('name="match"') == 2
        desk.client.post(address, {**WISH, "which": "all"})
        assert set(Review.objects.get().matches.values_list("table__round", flat=True)) == {1}

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

    @pytest.mark.long("more")
    def test_refusals_keep_what_was_ticked(self, desk, cup):
        page = desk.post("desk-stage-review-new", cup.pk, status=422, match=first_round(cup), **{**WISH, "reason": " "})
        assert page.count(" checked") == 2 + 2, "the matches and the two kinds"
        page = desk.post("desk-stage-review-new", cup.pk, status=422, **WISH)
        assert "Choose at least one match" in page

    @pytest.mark.long("more")
    def test_other_rules_are_named(self, desk, cup):
        desk.hall.contest.options = {"target": 12}
        desk.hall.contest.save()
        assert "target: 10 → 12" in desk.get("desk-stage-review-new", cup.pk)


class TestDeciding:
    def test_from_progress_to_the_end(self, desk, cup, review):
        page = desk.get("desk-stage-review", cup.pk, review.pk)
        assert "0 of 2" in page
        assert "Apply all results" not in page
        play_review(review)
        page = desk.get("desk-stage-review", cup.pk, review.pk)
        assert "2 of 2" in page
        assert "1 more match would be voided" in page
        assert "No longer decided: Final." in page
        assert "Ranking of Cup: " in page
        assert "Standings by rating: " in page
        assert page.count("different order</span>") == 2
        assert ">Applied<" in desk.post("desk-stage-review-apply", cup.pk, review.pk)
        assert "already applied" in desk.post("desk-stage-review-drop", cup.pk, review.pk)
        page = desk.get("desk-stage-reviews", cup.pk)
        assert "Applied" in page
        assert "a slow worker" in page

    @pytest.mark.long("more")
    def test_too_early(self, desk, cup, review):
        assert "2 of 2 matches" in desk.post("desk-stage-review-apply", cup.pk, review.pk)

    def test_dropping(self, desk, cup, review):
        assert ">Dropped<" in desk.post("desk-stage-review-drop", cup.pk, review.pk)

    @pytest.mark.long("more")
    def test_nothing_changes(self, desk, cup, review):
        play_review(review, by_strength)
        page = desk.get("desk-stage-review", cup.pk, review.pk)
        assert "Nothing would change in this stage." in page
        assert "show=changed" not in page

    @pytest.mark.long("more")
    def test_what_it_plays_is_none_of_the_matches_of_the_stage(self, desk, cup, review):
        planned = "3 of 3"
        assert planned in desk.get("desk-stages")
        play_review(review)
        assert planned in desk.get("desk-stages")
        reviews.apply(review, desk.hall.ada)
        cup.refresh_from_db()
        play_out(cup)
        assert planned in desk.get("desk-stages")

    @pytest.mark.long("more")
    def test_the_latest_comes_first(self, desk, cup, review):
        reviews.drop(review, desk.hall.ada)
        second = reviews.start(cup, desk.hall.ada, "another doubt", first_round(cup))
        page = desk.get("desk-stage-reviews", cup.pk)
        assert page.index(f"{second}</a>") < page.index(f"{review}</a>")
        assert list(reviews.of_stage(cup)) == [second, review]

    @pytest.mark.long("more")
    def test_it_polls_with_the_revision(self, desk, cup, review):
        desk.hall.contest.refresh_from_db()
        address = desk.url("desk-stage-review", cup.pk, review.pk)
        headers = {"HX-Request": "true"}
        assert desk.client.get(address, {"rev": desk.hall.contest.revision}, headers=headers).status_code == 204
        play_review(review)
        assert desk.client.get(address, {"rev": desk.hall.contest.revision}, headers=headers).status_code == 200

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


class TestRehearsal:
    def test_asking_and_looking(self, desk, hall):
        stage = hall.stage(start=False)
        assert desk.url("desk-stage-rehearsal", stage.pk) in desk.get("desk-stage", stage.pk)
        assert 'class="empty"' in desk.get("desk-stage-rehearsal", stage.pk)
        assert "Waiting for a worker" in desk.post("desk-stage-rehearsal-ask", stage.pk)
        assert "already being rehearsed" in desk.post("desk-stage-rehearsal-ask", stage.pk)
        rehearsals.play_next()
        page = desk.get("desk-stage-rehearsal", stage.pk)
        assert "Finished" in page
        assert "<strong>3</strong> matches" in page
        assert "Semi-final 2" in page
        for team in hall.teams:
            assert team.name in page
        stages.edit(stage, hall.ada, stages.Wish("Cup", options={"table_size": 2}))
        assert "Rehearse again to see the stage as it is now" in desk.get("desk-stage-rehearsal", stage.pk)
        desk.post("desk-stage-rehearsal-delete", stage.pk)
        assert not Rehearsal.objects.exists()

    @pytest.mark.long("more")
    def test_byes_are_marked(self, client):
        hall = Hall(teams=3)
        client.force_login(hall.ada)
        stage = hall.stage(start=False, games=1, table_size=2)
        rehearsals.ask(stage, hall.ada)
        rehearsals.play_next()
        assert Desk(hall, client).get("desk-stage-rehearsal", stage.pk).count("bye</span>") == 1

    @pytest.mark.long("more")
    def test_penalty_points_are_shown_as_they_are_counted(self, client):
        hall = Hall(teams=4, game="hearts", target=None)
        client.force_login(hall.ada)
        stage = hall.stage(start=False, games=1)
        rehearsals.ask(stage, hall.ada)
        rehearsals.play_next()
        page = Desk(hall, client).get("desk-stage-rehearsal", stage.pk)
        points = [int(found) for found in re.findall(r"<small>(-?\d+)</small>", page)]
        assert len(points) == 4
        assert min(points) >= 0 < max(points)

    @pytest.mark.long("more")
    def test_why_there_is_none(self, desk, cup):
        assert "This stage has started" in desk.get("desk-stage-rehearsal", cup.pk)
        assert "This stage has started" in desk.post("desk-stage-rehearsal-ask", cup.pk)


def test_who_may(hall, client, cup, review):
    draft = hall.stage(start=False)
    judge = make_user()
    contests.give_role(hall.contest, hall.ada, judge, Role.Kind.JUDGE)
    seen = [
        ("desk-stage-reviews", cup.pk),
        ("desk-stage-review", cup.pk, review.pk),
        ("desk-stage-rehearsal", draft.pk),
    ]
    acts = [(f"desk-stage-review-{act}", cup.pk, review.pk) for act in ("apply", "drop")]
    acts += [(f"desk-stage-rehearsal-{act}", draft.pk) for act in ("ask", "delete")]
    acts += [("desk-stage-review-new", cup.pk)]
    for user, sees in ((judge, 200), (hall.teams[0].memberships.get().user, 403), (make_user(), 403)):
        client.force_login(user)
        desk = Desk(hall, client)
        for page in seen:
            desk.get(*page, status=sees)
        for act in acts:
            desk.post(*act, status=403)
    client.force_login(hall.ada)
    other = Hall(teams=2).contest.slug
    assert client.get(reverse("desk-stage-review", args=[other, cup.pk, review.pk])).status_code in (403, 404)
