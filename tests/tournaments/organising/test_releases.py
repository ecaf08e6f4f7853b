"""Freezing, lifting, releasing round by round: what is refused, what the audit log says, who is told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from contest.models import Contest
from contest.refusal import Refused
from tests.tournaments.stagecraft import Hall, finish, refereed
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.worlds import play_on
from tournaments.models import Stage
from tournaments.organising import endings, releases, reviews
from tournaments.playing import play
from tournaments.results import visibility
from tournaments.view_models import desk

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

TWOS = {"table_size": 2, "games": 1}


def by_rounds(hall: Hall) -> Stage:
    return staged(hall, options=TWOS, release=Stage.Release.ROUNDS)


def trail(hall: Hall) -> list[str]:
    return list(hall.contest.acts.order_by("-pk").values_list("verb", flat=True))


def revisions(hall: Hall) -> tuple[int, int]:
    now = Contest.objects.get(pk=hall.contest.pk)
    return now.revision, now.public_revision


class TestFreeze:
    def test_at_once_and_lifted(self) -> None:
        hall = Hall(0)
        before = timezone.now()
        releases.freeze(hall.contest, hall.ada)
        frozen = Contest.objects.get(pk=hall.contest.pk)
        assert frozen.is_frozen()
        assert frozen.frozen_from
        assert before <= frozen.frozen_from <= timezone.now()
        with pytest.raises(Refused, match="already"):
            releases.freeze(hall.contest, hall.ada)
        releases.lift(hall.contest, hall.ada)
        assert not Contest.objects.get(pk=hall.contest.pk).is_frozen()
        with pytest.raises(Refused, match="not frozen"):
            releases.lift(hall.contest, hall.ada)
        assert trail(hall)[:2] == ["lift freeze", "freeze"]

    def test_from_a_moment_to_come(self) -> None:
        hall = Hall(0)
        soon = timezone.now() + timedelta(hours=1)
        releases.freeze(hall.contest, hall.ada, soon)
        contest = Contest.objects.get(pk=hall.contest.pk)
        assert not contest.is_frozen()
        assert contest.is_frozen(soon)
        later = soon + timedelta(hours=1)
        releases.freeze(hall.contest, hall.ada, later)  # put off
        assert Contest.objects.get(pk=hall.contest.pk).frozen_from == later
        with pytest.raises(Refused, match="in the past"):
            releases.freeze(hall.contest, hall.ada, timezone.now() - timedelta(minutes=1))

    @pytest.mark.long("more")
    def test_it_holds_when_the_clock_is_set_back(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        releases.freeze(hall.contest, hall.ada)
        later = timezone.now() + timedelta(minutes=1)  # from here, the clock that began the freeze was ahead
        Contest.objects.filter(pk=hall.contest.pk).update(frozen_from=later)
        before = revisions(hall)
        play_on(stage, most=1)
        assert revisions(hall)[1] == before[1]
        assert not visibility.public(Contest.objects.get(pk=hall.contest.pk)).done().exists()
        releases.lift(hall.contest, hall.ada)
        contest = Contest.objects.get(pk=hall.contest.pk)
        assert (contest.frozen_from, contest.frozen_number) == (None, None)

    def test_nobody_sees_when_the_first_result_comes_after_its_planned_moment(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        Contest.objects.filter(pk=hall.contest.pk).update(frozen_from=timezone.now())
        before = revisions(hall)
        play_on(stage, most=1)
        now = revisions(hall)
        assert (now[0] > before[0], now[1]) == (True, before[1])


class TestRounds:
    def test_one_after_the_other_when_they_are_played_to_their_end(self) -> None:
        hall = Hall(4)
        stage = by_rounds(hall)
        before = revisions(hall)
        finish(stage.matches.all()[0])
        assert releases.next_round(stage) is None
        with pytest.raises(Refused, match="not over yet"):
            releases.release(stage, hall.ada, 1)
        play_on(stage)
        assert revisions(hall)[1] == before[1]
        with pytest.raises(Refused, match="not over yet"):
            releases.release(stage, hall.ada, 2)
        assert releases.next_round(stage) == 1
        releases.release(stage, hall.ada, 1)
        with pytest.raises(Refused, match="already"):  # pressed twice
            releases.release(stage, hall.ada, 1)
        stage.refresh_from_db()
        assert (stage.released, releases.next_round(stage)) == (1, 2)
        assert [row.waits_for_release for row in desk.released_of_stages(hall.contest)] == [True]
        releases.release(stage, hall.ada, 2)
        stage.refresh_from_db()
        assert releases.next_round(stage) is None
        assert [row.waits_for_release for row in desk.released_of_stages(hall.contest)] == [False]
        assert trail(hall)[:2] == ["release round", "release round"]
        assert hall.contest.acts.latest("pk").target == "Cup, Final"

    @pytest.mark.long("more")
    @pytest.mark.parametrize(("round", "noticed"), [(1, True), (2, False)])
    def test_a_review_is_noticed_where_its_round_is_public(self, round: int, noticed: bool) -> None:
        hall = Hall(4)
        stage = by_rounds(hall)
        play_on(stage)
        releases.release(stage, hall.ada, 1)
        (match, *_) = stage.matches.done().filter(table__round=round)
        review = reviews.start(stage, hall.ada, "A doubt.", [match.pk])
        play_on(stage, of=review.matches.get())
        before = revisions(hall)
        reviews.apply(review, hall.ada)
        after = revisions(hall)
        assert after[0] > before[0]
        assert (after[1] > before[1]) is noticed

    def test_the_last_one_can_be_taken_back(self) -> None:
        hall = Hall(4)
        stage = by_rounds(hall)
        play_on(stage)
        for number in (1, 2):
            releases.release(stage, hall.ada, number)
        with pytest.raises(Refused, match="latest released round"):
            releases.take_back(stage, hall.ada, 1)
        releases.take_back(stage, hall.ada, 2)
        stage.refresh_from_db()
        assert stage.released == 1
        assert trail(hall)[0] == "take round back"
        releases.take_back(stage, hall.ada, 1)
        with pytest.raises(Refused, match="latest released round"):
            releases.take_back(stage, hall.ada, 0)

    @pytest.mark.long("more")
    @pytest.mark.parametrize("released", [True, False])
    def test_what_comes_of_a_match_goes_by_what_is_released_when_it_comes(self, released: bool) -> None:
        """What was released when the match began does not matter."""
        hall = Hall(4)
        stage = by_rounds(hall) if released else staged(hall, options=TWOS)
        done, failed = (play.claim(match.pk, "tester") for match in stage.matches.all())
        assert done
        assert failed
        if released:
            releases.release_all(stage, hall.ada)
        else:
            Stage.objects.filter(pk=stage.pk).update(release=Stage.Release.ROUNDS)
        before = revisions(hall)
        play.finish(done, refereed(done))
        assert (revisions(hall)[1] > before[1]) is released
        before = revisions(hall)
        assert play.put_back(failed, "a worker fell over")
        assert (revisions(hall)[1] > before[1]) is released

    @pytest.mark.long("more")
    def test_half_a_round_when_the_stage_was_abandoned(self) -> None:
        hall = Hall(8)
        stage = by_rounds(hall)
        play_on(stage, most=5)
        releases.release(stage, hall.ada, 1)
        played = stage.matches.done().get(table__round=2)
        endings.abandon(stage, hall.ada, "A flood.")
        stage.refresh_from_db()
        assert releases.next_round(stage) == 2
        assert played not in visibility.public(hall.contest).done()
        releases.release(stage, hall.ada, 2)
        assert played in visibility.public(hall.contest).done()
        stage.refresh_from_db()
        assert releases.next_round(stage) is None
