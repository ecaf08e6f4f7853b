"""Reviews: matches are replayed beside those that count, then applied or dropped as a whole."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

import games
from contest.models import Act
from contest.refusal import Refused
from submissions.models import Submission
from tests import database
from tests.cast import make_user
from tests.tournaments.stagecraft import Hall, any_match, arranged, by_strength, finish, give_bot, play_out
from tournaments.kinds import following
from tournaments.models import Match, Rating, Review, Stage
from tournaments.organising import impact, reviews, stages
from tournaments.playing import play
from tournaments.results import tallies

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall():
    return Hall(teams=8)


def upside_down(match):
    teams = sorted((seat.team for seat in match.seats.all() if seat.team), key=lambda team: -(team.seed or 0))
    return {team.pk: place for place, team in enumerate(teams, start=1)}


def play_review(review, places=upside_down):
    for match in review.matches.filter(state="queued"):
        claimed = play.claim(match.pk, "tester")
        play.finish(claimed, arranged(claimed, places(match)))


def numbers():
    """Everything that counts: ratings, chains, tables, states."""
    chains = Match.objects.filter(pending=False).order_by("pk")
    return (
        list(Rating.objects.order_by("team").values_list("team", "mu", "sigma", "matches")),
        list(chains.values_list("pk", "state", "seats__mu_after").order_by("pk", "seats__index")),
        list(Stage.objects.values_list("state", "tables__places").order_by("tables__pk")),
    )


def first_round(stage):
    return [match.pk for match in stage.matches.done().filter(table__round=1)]


class TestStarting:
    def test_same_players_versions_and_deals(self, hall, cup):
        give_bot(hall.teams[0], number=2)
        review = reviews.start(cup, hall.ada, "a slow worker", first_round(cup))
        assert review.matches.count() == 2
        for pair in reviews.pairs_of(review):
            assert (pair.new.seed, pair.new.table, pair.new.number) == (pair.old.seed, pair.old.table, pair.old.number)
            assert [(a.team_id, a.submission_id, a.house) for a, _ in pair.seats] == [
                (b.team_id, b.submission_id, b.house) for _, b in pair.seats
            ]
            assert pair.new.pending
            assert pair.new.state == "queued"
        act = Act.objects.get(verb="start review")
        assert act.data["said"] == ["2 matches of Cup, on the same deals, with the original versions"]

    def test_other_deals_and_the_active_versions(self, hall, cup):
        newer = give_bot(hall.teams[0], number=2)
        review = reviews.start(cup, hall.ada, "a fix", first_round(cup), other_deals=True, newest=True)
        assert all(pair.other_deals for pair in reviews.pairs_of(review))
        assert newer.pk in review.matches.values_list("seats__submission", flat=True)
        assert Submission.objects.filter(match_seats__match__review=review, team=hall.teams[0]).get() == newer

    @pytest.mark.long("more")
    def test_duplicate_deals_change_only_together(self, hall):
        stage = hall.stage(publish=True, start=False)
        stages.start(stage, hall.ada)
        play_out(stage)
        together = stage.matches.filter(table__round=1).order_by("pk")
        first, second = together
        common = {"openings": [{"deal": 1}], "seed": 5}
        Match.objects.filter(pk=first.pk).update(**common)
        Match.objects.filter(pk=second.pk).update(table=first.table_id, number=9, **common)
        whole = reviews.start(stage, hall.ada, "x", [first.pk, second.pk], other_deals=True)
        assert len(set(whole.matches.values_list("seed", flat=True)) - {5}) == 1
        reviews.drop(whole, hall.ada)
        half = reviews.start(stage, hall.ada, "x", [first.pk], other_deals=True)
        assert half.matches.get().seed == 5

    @pytest.mark.long("more")
    def test_a_match_that_is_still_to_be_played_keeps_the_others_on_its_deals(self, hall):
        """It cannot be chosen, so all that could be chosen are not all of them."""
        stage = stages.create(hall.contest, hall.ada, stages.Wish("Cup", options={"duplicate": True, "games": 1}))
        stages.start(stage, hall.ada)
        *most, last = stage.matches.filter(table__number=1).order_by("number")
        for match in most:
            finish(match)
        review = reviews.start(stage, hall.ada, "x", [match.pk for match in most], other_deals=True)
        assert set(review.matches.values_list("seed", flat=True)) == {last.seed}

    def test_nobody_can_tell_the_other_deals_from_what_is_known(self, hall, cup):
        """The old seed is public and reviews are numbered, yet repeating the same review gives other deals."""
        found = []
        for _ in range(2):
            with transaction.atomic():
                database.count_on_from(Review, Match)
                review = reviews.start(cup, hall.ada, "a fault", first_round(cup)[:1], other_deals=True)
                found.append((review.pk, review.matches.get().seed))
                transaction.set_rollback(True)
        (one, seed), (other, again) = found
        assert one == other
        assert len({seed, again, cup.matches.get(pk=first_round(cup)[0]).seed}) == 3

    def test_two_open_reviews_do_not_share_a_match(self, hall, cup):
        first = reviews.start(cup, hall.ada, "x", first_round(cup)[:1])
        assert set(reviews.choosable(cup)) == set(cup.matches.done()) - {cup.matches.get(pk=first_round(cup)[0])}
        with pytest.raises(Refused, match=f"already in {first}"):
            reviews.start(cup, hall.ada, "y", first_round(cup))
        reviews.drop(first, hall.ada)
        reviews.start(cup, hall.ada, "y", first_round(cup))


class TestPlaying:
    def test_nothing_counts_before_it_is_applied(self, hall, cup):
        before = numbers()
        review = reviews.start(cup, hall.ada, "x", first_round(cup))
        play_review(review)
        assert not following.reconcile(cup)
        assert following.is_in_line(cup)
        assert numbers() == before
        assert all(pair.is_changed for pair in reviews.pairs_of(review))


class TestDeciding:
    def test_applied_it_is_as_if_only_the_new_ones_had_been_played(self, hall, cup):
        """The final has other players now: it becomes void, and a new one is made."""
        review = reviews.start(cup, hall.ada, "a slow worker", first_round(cup))
        play_review(review)
        reviews.apply(review, hall.ada)
        cup.refresh_from_db()
        assert cup.state == "running"
        old = Match.objects.filter(replays__review=review)
        assert {match.state for match in old} == {"void"}
        assert {match.void_reason.partition(" as ")[0] for match in old} == {"Played again"}
        assert {(match.state, match.pending) for match in review.matches.all()} == {("done", False)}
        final = cup.matches.get(table__name="Final", state="queued")
        winners = set(final.seats.filter(team__isnull=False).values_list("team", flat=True))
        assert winners == {table.places[0] for table in cup.tables.filter(round=1)}
        assert winners.isdisjoint(hall.ids[:4])
        finish(final, by_strength(final))
        written = numbers()
        tallies.count_all(hall.contest)
        assert numbers() == written
        assert Act.objects.get(verb="apply review").data["said"] == ["2 matches of Cup replaced"]

    def test_not_before_everything_is_played(self, hall, cup):
        review = reviews.start(cup, hall.ada, "x", first_round(cup))
        finished = play.claim(review.matches.first().pk, "tester")
        play.finish(finished, arranged(finished, by_strength(finished)))
        before = numbers()
        with pytest.raises(Refused, match="1 of 2 matches"):
            reviews.apply(review, hall.ada)
        assert numbers() == before

    def test_dropped_nothing_has_changed(self, hall, cup):
        hall.contest.refresh_from_db()
        public, before = hall.contest.public_revision, numbers()
        review = reviews.start(cup, hall.ada, "x", first_round(cup))
        finished = play.claim(review.matches.first().pk, "tester")
        play.finish(finished, arranged(finished, upside_down(finished)))
        running = play.claim(review.matches.last().pk, "tester")
        reviews.drop(review, hall.ada)
        with pytest.raises(play.LeaseLost):
            play.finish(running, arranged(running, upside_down(running)))
        assert {(match.state, match.pending) for match in review.matches.all()} == {("void", True)}
        hall.contest.refresh_from_db()
        assert hall.contest.public_revision == public, "nobody else notices that there was something"
        assert numbers() == before
        assert not Match.objects.claimable(timezone.now()).exists()

    @pytest.mark.parametrize("first", [reviews.apply, reviews.drop])
    @pytest.mark.parametrize("second", [reviews.apply, reviews.drop])
    def test_only_once(self, hall, cup, first, second):
        review = reviews.start(cup, hall.ada, "x", first_round(cup))
        play_review(review)
        first(review, hall.ada)
        before = numbers()
        with pytest.raises(Refused, match="already"):
            second(Review.objects.get(), hall.ada)
        assert numbers() == before

    def test_what_became_void_meanwhile_keeps_its_own_successor(self, hall, cup):
        review = reviews.start(cup, hall.ada, "x", first_round(cup))
        play_review(review)
        gone = Match.objects.get(pk=first_round(cup)[0])
        stages.void(gone, hall.ada, "the wrong deals")
        successor = cup.matches.get(state="queued", table=gone.table, pending=False)
        finish(successor, by_strength(successor))
        pairs = reviews.pairs_of(review)
        assert [pair.stands for pair in pairs] == [False, True]
        reviews.apply(review, hall.ada)
        successor.refresh_from_db()
        assert successor.state == "done"
        assert [Match.objects.get(pk=pair.new.pk).state for pair in pairs] == ["void", "done"]


@pytest.mark.long("more")
class TestOtherFormats:
    def test_a_judged_problem(self):
        match = any_match(games.get("even_steven"))
        ada = make_user()
        review = reviews.start(match.stage, ada, "another judge", [match.pk])
        (pair,) = reviews.pairs_of(review)
        assert pair.new.seats.get().submission_id == match.seats.get().submission_id
        finish(pair.new)
        (pair,) = reviews.pairs_of(review)
        assert pair.is_played
        assert pair.seats[0][1].verdict
        assert impact.of_review(review, [pair]).stages[0].is_empty is not pair.is_changed
        reviews.apply(review, ada)
        assert match.stage.matches.done().get() == pair.new
