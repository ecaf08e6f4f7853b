"""Resetting, shortening and abandoning a started stage, with a preview of the impact."""

from __future__ import annotations

import pytest
from django.db.models import Max
from django.utils import timezone

from contest.models import Contest
from contest.refusal import Refused
from submissions.lease import LeaseLost
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.organising.test_impact import ranks, rating_ranks
from tests.tournaments.stagecraft import Hall, give_bot, play_out, refereed, rows_of
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.worlds import play_on
from tournaments import kinds
from tournaments.clock import periodic
from tournaments.kinds import following
from tournaments.models import Match, Rating, Stage, Tally
from tournaments.organising import endings, impact, releases, reviews, stages
from tournaments.playing import play
from tournaments.results import visibility

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}
MORE = pytest.mark.long("more")
FORMATS = [
    pytest.param("single_elimination", {"table_size": 2, "games": 1}, id="bracket"),
    pytest.param("swiss", {"table_size": 2, "rounds": 3, "games": 1}, id="swiss", marks=MORE),
    pytest.param("swiss", {"table_size": 4, "rounds": 2, "games": 1, "duplicate": True}, id="duplicate", marks=MORE),
    pytest.param("round_robin", {"games": 1}, id="round robin", marks=MORE),
    pytest.param("combinations", {}, id="combinations", marks=MORE),
    pytest.param("ladder", {"table_size": 2}, id="ladder"),
]


def fresh(stage: Stage) -> Stage:
    return Stage.objects.get(pk=stage.pk)


def counted() -> tuple[list, list]:
    """Ratings and tallies, to the last bit."""
    ratings = Rating.objects.order_by("team").values_list("team", "mu", "sigma", "matches", "submission")
    tallies = [{name: value for name, value in row.items() if name != "id"} for row in Tally.objects.values()]
    return list(ratings), sorted(tallies, key=lambda row: (row["stage_id"], row["team_id"]))


@pytest.mark.promise
class TestReset:
    @pytest.mark.parametrize(("format", "options"), FORMATS)
    def test_it_is_as_if_it_had_never_been_played(self, format: str, options: dict) -> None:
        hall = Hall(6)
        other = staged(hall, options=TWOS, name="Other")
        play_on(other, most=2)
        stage = staged(hall, format, options=options, start=False)
        before = counted()
        stages.start(stage, hall.ada)
        play_on(stage, most=4)
        first = {match.pk for match in stage.matches.all()}
        seeds = set(stage.matches.values_list("seed", flat=True))
        assert counted() != before
        endings.reset(stage, hall.ada, "The wrong rules.")
        stage = fresh(stage)
        assert (stage.state, stage.started_at, stage.versions, stage.left_out) == ("published", None, {}, [])
        assert set(stage.matches.values_list("state", flat=True)) == {"void"}
        assert counted() == before
        assert following.is_in_line(stage)
        play_on(other)
        stages.start(stage, hall.ada)
        play_on(stage, most=99 if format != "ladder" else 5)
        again = stage.matches.exclude(pk__in=first)
        assert not seeds & set(again.values_list("seed", flat=True)), "everybody knows the cards of then"
        assert fresh(stage).state == ("running" if format == "ladder" else "done")
        assert set(Match.objects.filter(pk__in=first).values_list("state", flat=True)) == {"void"}

    @pytest.mark.long("more")
    def test_who_could_not_play_then_plays_the_next_time(self) -> None:
        hall = Hall(5)
        late = hall.teams[1]
        late.submissions.update(is_active=False)
        stage = staged(hall, options=TWOS)
        assert late.pk in stage.left_out
        endings.reset(stage, hall.ada, "A team was missing.")
        give_bot(late, number=2)
        assert fresh(stage).order == hall.ids, "in the order of the seeds"
        stages.start(stage, hall.ada)
        assert fresh(stage).order == hall.ids

    def test_it_does_not_start_again_by_itself(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, start=False, starts_at=timezone.now())
        stages.publish(stage, hall.ada)
        periodic.start_due_stages(timezone.now())
        assert fresh(stage).state == "running"
        endings.reset(stage, hall.ada, "Once more.")
        periodic.start_due_stages(timezone.now())
        assert fresh(stage).state == "published"

    def test_a_match_in_progress_cannot_come_back(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        claimed = play.claim(stage.matches.first().pk, "tester")
        endings.reset(stage, hall.ada, "Once more.")
        with pytest.raises(LeaseLost):
            play.finish(claimed, refereed(claimed))

    def test_open_reviews_are_dropped(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        play_out(stage)
        review = reviews.start(stage, hall.ada, "A doubt.", [stage.matches.first().pk])
        endings.reset(stage, hall.ada, "Once more.")
        review.refresh_from_db()
        assert review.state == review.State.DROPPED

    @pytest.mark.long("more")
    def test_stages_that_wait_for_it_wait_again(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        led = {"entry": Stage.Entry.BEST, "source": stage, "best": 2}
        coming = staged(hall, name="Coming", start=False, options=TWOS, **led)
        stages.publish(coming, hall.ada)
        begun = staged(hall, name="Begun", start=False, options=TWOS, **led)
        play_out(stage)
        stages.start(begun, hall.ada)
        stages.redraw(coming)
        assert fresh(coming).order
        seen = impact.of_reset(stage).impact
        assert seen.coming == [stage, coming]
        assert seen.stages[0].followers == [begun]
        before = fresh(begun).order
        endings.reset(stage, hall.ada, "Once more.")
        assert fresh(coming).order == []
        assert fresh(begun).order == before

    @pytest.mark.parametrize(("format", "options"), FORMATS)
    def test_the_preview_is_what_happens(self, format: str, options: dict) -> None:
        hall = Hall(6)
        play_on(staged(hall, options=TWOS, name="Other"), weak=True)
        stage = staged(hall, format, options=options)
        play_on(stage, most=4)
        seen = impact.of_reset(stage)
        before, valid = rating_ranks(hall.contest), stage.matches.valid().count()
        assert seen.played + seen.unplayed == valid
        endings.reset(stage, hall.ada, "Once more.")
        now = rating_ranks(hall.contest)
        assert {shift.team.pk: shift.after for shift in seen.impact.standings} == {
            team: now[team] for team in before if before[team] != now[team]
        }

    def test_what_is_refused(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, start=False)
        with pytest.raises(Refused, match="not started"):
            endings.reset(stage, hall.ada, "Once more.")
        stages.start(stage, hall.ada)
        with pytest.raises(Refused, match="reason"):
            endings.reset(stage, hall.ada, "  ")
        endings.reset(stage, hall.ada, "Once more.")
        stages.unpublish(stage, hall.ada)
        with pytest.raises(Refused, match="matches are kept"):
            stages.delete(stage, hall.ada)

    @pytest.mark.long("more")
    def test_in_a_freeze_nobody_learns_of_it_by_coming_back(self) -> None:
        hall = Hall(4)
        cup = staged(hall)
        releases.freeze(hall.contest, hall.ada)
        endings.reset(cup, hall.ada, "The wrong rules.")
        assert Contest.objects.get(pk=hall.contest.pk).play_started_at
        releases.lift(hall.contest, hall.ada)
        assert Contest.objects.get(pk=hall.contest.pk).play_started_at is None


class TestAbandon:
    @pytest.mark.parametrize(("format", "options"), FORMATS)
    def test_results_stay_and_count_and_nobody_wins(self, format: str, options: dict) -> None:
        hall = Hall(6)
        stage = staged(hall, format, options=options)
        play_on(stage, most=3)
        if waiting := stage.matches.filter(state="queued").first():
            play.claim(waiting.pk, "tester")
        before, done = counted(), set(stage.matches.done())
        seen = impact.of_abandoning(stage)
        by_rating = rating_ranks(hall.contest)
        endings.abandon(stage, hall.ada, "The school is closed.")
        stage = fresh(stage)
        assert (stage.state, stage.has_started, stage.is_over) == ("abandoned", True, False)
        assert stage.finished_at is not None
        assert counted() == before
        assert set(stage.matches.valid()) == done
        assert stage.matches.filter(state="void").count() == seen.unplayed
        assert seen.played == 0
        assert rating_ranks(hall.contest) == by_rating
        assert kinds.of(stage).champion(stage, visibility.public(hall.contest)) is None
        assert following.is_in_line(stage)
        assert not following.reconcile(stage)
        periodic.reconcile_stages(timezone.now())
        assert fresh(stage).state == "abandoned"
        assert not Match.objects.claimable(timezone.now()).exists()

    def test_stages_that_wait_for_it_get_nobody(self, client) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        led = {"entry": Stage.Entry.BEST, "source": stage, "best": 2, "starts_after": True}
        final = staged(hall, name="Final", start=False, options=TWOS, **led)
        stages.publish(final, hall.ada)
        endings.abandon(stage, hall.ada, "The school is closed.")
        periodic.tick(timezone.now())
        assert (fresh(final).state, fresh(final).order) == ("published", [])
        with pytest.raises(Refused):
            stages.start(final, hall.ada)
        assert "was abandoned" in client.get(final.get_absolute_url()).content.decode()
        client.force_login(hall.ada)
        assert "waits for Cup, which was abandoned" in client.get(f"/c/{hall.contest.slug}/desk/").content.decode()

    def test_what_is_refused(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, start=False)
        with pytest.raises(Refused, match="not started"):
            endings.abandon(stage, hall.ada, "x")
        stages.start(stage, hall.ada)
        play_out(stage)
        with pytest.raises(Refused, match="finished"):
            endings.abandon(stage, hall.ada, "x")
        other = staged(hall, options=TWOS, name="Other")
        endings.abandon(other, hall.ada, "x")
        with pytest.raises(Refused, match="already"):
            endings.abandon(other, hall.ada, "x")
        with pytest.raises(Refused):
            stages.resume(other, hall.ada)


class TestShorten:
    @pytest.mark.parametrize(
        ("most", "paused"), [(3, False), *(pytest.param(*each, marks=MORE) for each in ((3, True), (4, False)))]
    )
    @pytest.mark.parametrize(
        ("format", "options"),
        [
            pytest.param("swiss", {"table_size": 2, "rounds": 3, "games": 1}, id="swiss"),
            pytest.param("round_robin", {"games": 1}, id="round robin"),
        ],
    )
    def test_it_ends_after_the_round_under_way(self, format: str, options: dict, most: int, *, paused: bool) -> None:
        """A round has two matches: after three the second round is in progress, after four it is over and the third is
        drawn."""
        hall = Hall(4)
        stage = staged(hall, format, options=options)
        play_on(stage, most=most)
        if paused:
            stages.pause(stage, hall.ada, "Rain.")
        seen = impact.of_shortening(stage)
        before, valid = ranks(stage), set(stage.matches.valid())
        endings.shorten(stage, hall.ada, "Time is up.")
        stage = fresh(stage)
        assert stage.last_round == seen.last_round == 2
        assert stage.state == ("done" if most == 4 else "running")
        assert stage.tables.aggregate(last=Max("round"))["last"] == 2
        assert len(valid - set(stage.matches.valid())) == seen.unplayed
        now = ranks(stage)
        (found,) = seen.impact.stages
        assert {it.team.pk: it.after for it in found.shifts} == {
            team: now[team] for team in now if now[team] != before[team]
        }
        assert following.is_in_line(stage)
        play_on(stage)
        stage = fresh(stage)
        assert (stage.state, stage.matches.valid().count()) == ("done", 4)
        assert any("after round 2" in rule for rule in stage.rules())
        assert not Match.objects.claimable(timezone.now()).exists()

    @pytest.mark.long("more")
    def test_all_combinations_end_without_the_final(self) -> None:
        hall = Hall(6)
        stage = staged(hall, "combinations", options={"budget": 24 * 5})
        assert stage.tables.filter(round=2).exists()
        play_on(stage, most=1)
        endings.shorten(stage, hall.ada, "Time is up.")
        play_on(stage)
        stage = fresh(stage)
        assert (stage.state, set(stage.matches.valid().values_list("table__round", flat=True))) == ("done", {1})
        assert rows_of(stage)[0].ranked.rank == 1

    @pytest.mark.long("more")
    def test_what_is_refused(self) -> None:
        hall = Hall(4)
        cup = staged(hall, options=TWOS)
        play_on(cup, most=1)
        with pytest.raises(Refused, match="bracket"):
            endings.shorten(cup, hall.ada, "Time is up.")
        swiss = staged(hall, "swiss", options={"table_size": 2, "rounds": 2, "games": 1}, name="Swiss")
        with pytest.raises(Refused, match="No match"):
            endings.shorten(swiss, hall.ada, "Time is up.")
        play_on(swiss, most=3)
        with pytest.raises(Refused, match="last one"):
            endings.shorten(swiss, hall.ada, "Time is up.")
        play_on(swiss)
        with pytest.raises(Refused, match="over"):
            endings.shorten(swiss, hall.ada, "Time is up.")
        judged = Courtroom(2).start()
        with pytest.raises(Refused, match="no rounds"):
            endings.shorten(judged.stage, judged.ada, "Time is up.")
