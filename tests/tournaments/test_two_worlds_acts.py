"""Organisers' actions on a whole stage in a freeze leave no trace for the public, to the letter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from contest.models import Contest
from submissions.models import Submission
from tests.cast import make_team
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.stagecraft import Hall, give_bot
from tests.tournaments.test_two_worlds import ROUNDS, check, freeze, staged, stranger
from tests.tournaments.visitors import seen
from tests.tournaments.worlds import differing, in_both, play_on
from tournaments.clock import periodic
from tournaments.models import Stage
from tournaments.organising import endings, releases, restoring, stages, substitutes

pytestmark = [pytest.mark.long("worlds"), pytest.mark.promise, pytest.mark.django_db]

TWOS = {"table_size": 2, "games": 1}
PLAYED = [
    pytest.param("single_elimination", 8, 3, {"table_size": 2, "games": 1}, id="bracket"),
    pytest.param("single_elimination", 8, 99, {"table_size": 2, "games": 1}, id="bracket, finished"),
    pytest.param("swiss", 7, 4, {"table_size": 2, "rounds": 3, "games": 1}, id="swiss"),
    pytest.param("swiss", 8, 3, {"table_size": 4, "rounds": 3, "games": 1}, id="swiss in fours"),
    pytest.param("round_robin", 5, 3, {"games": 1}, id="round robin"),
    pytest.param("combinations", 4, 5, {}, id="combinations"),
    pytest.param("ladder", 6, 5, {"table_size": 2}, id="ladder"),
]


class TestReset:
    @pytest.mark.parametrize(("format", "teams", "most", "options"), PLAYED)
    def test_nothing_tells_of_it(self, format: str, teams: int, most: int, options: dict) -> None:
        hall = Hall(teams)
        stage = staged(hall, format, options=options)
        play_on(stage, most=most)
        freeze(hall)

        def again(weak: bool) -> None:
            endings.reset(stage, hall.ada, "The wrong rules.")
            if weak:
                stages.start(stage, hall.ada)
                play_on(stage, weak=True, most=9)

        check(in_both([lambda: None, lambda: again(False), lambda: again(True)], stranger(hall)))

    def test_the_champion_of_a_contest_that_ends_then(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options={"table_size": 2, "games": 1})
        play_on(stage)
        other = staged(hall, options={"table_size": 2, "games": 1}, name="Revenge", start=False)
        stages.publish(other, hall.ada)
        freeze(hall)

        now = timezone.now()

        def end() -> None:
            Contest.objects.filter(pk=hall.contest.pk).update(ended_at=now)

        def again() -> None:
            endings.reset(stage, hall.ada, "The wrong rules.")
            end()

        def revenge() -> None:
            stages.start(other, hall.ada)
            end()

        page = hall.contest.get_absolute_url()
        worlds = in_both([end, again, revenge], lambda: seen([page], None))
        assert differing(worlds) == []
        assert "Champion" in worlds[0][page][1]

    def test_a_stage_that_is_released_by_rounds(self) -> None:
        hall = Hall(8)
        stage = staged(hall, options={"table_size": 2, "games": 1}, release=ROUNDS)
        play_on(stage)
        for number in (1, 2):
            releases.release(stage, hall.ada, number)
        freeze(hall)

        def again(*rounds: int) -> None:
            endings.reset(stage, hall.ada, "The wrong rules.")
            stages.start(stage, hall.ada)
            play_on(stage, weak=True)
            for number in rounds:
                releases.release(stage, hall.ada, number)

        check(in_both([lambda: None, again, lambda: again(1, 2)], stranger(hall)))

    def test_rounds_that_were_not_released_stay_so(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options={"table_size": 2, "games": 1}, release=ROUNDS)
        play_on(stage)
        releases.release(stage, hall.ada, 1)
        first, final = stage.matches.filter(table__round=1).first(), stage.matches.get(table__round=2)
        endings.reset(stage, hall.ada, "The wrong rules.")
        told = seen([first.get_absolute_url(), final.get_absolute_url()], None)
        assert [status for status, _ in told.values()] == [200, 404]
        assert "The wrong rules." in told[first.get_absolute_url()][1]

    def test_what_the_public_sees_does_not_follow_from_settings_that_change_after_it(self) -> None:
        hall = Hall(8)
        stage = staged(hall, "swiss", options={"table_size": 2, "rounds": 3, "games": 1})
        play_on(stage, most=5)
        freeze(hall)
        endings.reset(stage, hall.ada, "The wrong rules.")
        with pytest.raises(stages.Refused, match="frozen"):
            stages.edit(stage, hall.ada, stages.Wish("Cup", "swiss", {"table_size": 4, "rounds": 2, "games": 1}))
        stages.edit(stage, hall.ada, stages.Wish("Bowl", "swiss", {"table_size": 2, "rounds": 3, "games": 1}))
        assert Stage.objects.get(pk=stage.pk).name == "Bowl"


class TestSubstitute:
    @pytest.mark.parametrize(("format", "teams", "most", "options"), PLAYED[:1] + PLAYED[2:6])
    @pytest.mark.parametrize("begun", [True, False])
    def test_nothing_tells_of_it(self, format: str, teams: int, most: int, options: dict, begun: bool) -> None:
        hall = Hall(teams + (format == "combinations"))
        stage = staged(hall, format, options=options)
        new = make_team(hall.contest, name="Latecomers")
        give_bot(new)
        play_on(stage, most=int(begun))
        freeze(hall)
        waiting = [team for team in hall.teams if not stage.matches.done().filter(seats__team=team).exists()]

        def replace(most: int) -> None:
            if waiting:
                substitutes.substitute(stage, hall.ada, new, "Their train is late.", instead_of=waiting[0])
            play_on(stage, weak=True, most=most)

        check(in_both([lambda: None, lambda: replace(0), lambda: replace(9)], stranger(hall)))


class TestRestore:
    @pytest.mark.parametrize(
        ("format", "teams", "most", "options"), [it for it in PLAYED if it.id in ("bracket", "swiss", "ladder")]
    )
    def test_nothing_tells_of_it(self, format: str, teams: int, most: int, options: dict) -> None:
        """A match that the public knows to be void, and one of which it never hears that it was."""
        hall = Hall(teams)
        stage = staged(hall, format, options=options)
        play_on(stage, most=most)
        first, *_, last = stage.matches.done().order_by("pk")
        stages.void(first, hall.ada, "A power cut.")
        freeze(hall)

        def restore_both() -> None:
            stages.void(last, hall.ada, "A flood.")
            for match in (first, last):
                restoring.restore(match, hall.ada, "It was another match.")

        def void_again() -> None:
            restore_both()
            stages.void(first, hall.ada, "It was that match.")
            play_on(stage, weak=True, most=3)

        worlds = in_both([lambda: None, restore_both, void_again], stranger(hall))
        check(worlds)
        assert "A power cut." in worlds[1][first.get_absolute_url()][1]

    @pytest.mark.long("postgresql")
    def test_before_a_freeze_it_is_as_if_nothing_had_happened(self) -> None:
        hall = Hall(6)
        stage = staged(hall, "ladder", options={"table_size": 2, "pause": 0})
        play_on(stage, most=5)
        first = stage.matches.done().order_by("pk")[0]
        files = [f"/c/{hall.contest.slug}/{name}" for name in ("standings.csv", "matches.csv")]

        def and_back() -> None:
            stages.void(first, hall.ada, "A power cut.")
            restoring.restore(first, hall.ada, "It was another match.")

        def then_freeze(story: Callable[[], None]) -> Callable[[], None]:
            def told() -> None:
                story()
                freeze(hall)
                play_on(stage, weak=True, most=2)

            return told

        worlds = in_both([then_freeze(lambda: None), then_freeze(and_back)], lambda: seen(files, None))
        assert differing(worlds) == []
        assert {status for status, _ in worlds[0].values()} == {200}

    def test_a_round_that_is_not_released(self) -> None:
        hall = Hall(8)
        stage = staged(hall, options={"table_size": 2, "games": 1}, release=ROUNDS)
        play_on(stage, most=6)
        releases.release(stage, hall.ada, 1)
        late = stage.matches.done().filter(table__round=2).first()
        assert late is not None

        def and_back() -> None:
            stages.void(late, hall.ada, "A power cut.")
            restoring.restore(late, hall.ada, "It was another match.")

        check(in_both([lambda: None, and_back], stranger(hall)))

    def test_a_judged_run(self) -> None:
        hall = Courtroom(2).start()
        for team, how in zip(hall.teams, ("wrong", "right"), strict=True):
            hall.send(team, minutes=60)
            hall.judge(how)
        run = hall.stage.matches.latest("pk")
        stages.void(run, hall.ada, "A power cut.")
        freeze(hall)

        def judge_again() -> None:
            hall.judge("wrong")

        restored = [lambda: restoring.restore(run, hall.ada, "It was another run.")]
        check(in_both([lambda: None, judge_again, *restored], stranger(hall)))


UNFINISHED = [
    *(it for it in PLAYED if it.id not in ("bracket, finished", "combinations")),
    pytest.param("combinations", 5, 2, {}, id="combinations"),
]


class TestAbandon:
    @pytest.mark.parametrize(("format", "teams", "most", "options"), UNFINISHED)
    def test_nothing_tells_of_it(self, format: str, teams: int, most: int, options: dict) -> None:
        hall = Hall(teams)
        stage = staged(hall, format, options=options)
        play_on(stage, most=most)
        freeze(hall)
        check(in_both([lambda: None, lambda: endings.abandon(stage, hall.ada, "It rains.")], stranger(hall)))


class TestShorten:
    @pytest.mark.parametrize(
        ("format", "teams", "most", "options"),
        [
            pytest.param("swiss", 5, 3, {"table_size": 2, "rounds": 4, "games": 1}, id="swiss, with a bye"),
            pytest.param("swiss", 5, 4, {"table_size": 2, "rounds": 4, "games": 1}, id="swiss, the next round drawn"),
            pytest.param("round_robin", 5, 3, {"games": 1}, id="round robin"),
            pytest.param("ladder", 6, 5, {"table_size": 2}, id="ladder"),
        ],
    )
    def test_nothing_tells_of_it(self, format: str, teams: int, most: int, options: dict) -> None:
        hall = Hall(teams)
        stage = staged(hall, format, options=options)
        play_on(stage, most=most)
        freeze(hall)

        def shorten(end: bool) -> None:
            endings.shorten(stage, hall.ada, "Time is up.")
            if end:
                play_on(stage, weak=True)

        check(in_both([lambda: None, lambda: shorten(False), lambda: shorten(True)], stranger(hall)))


class TestStart:
    """A stage is due while it is a secret whether the one before it is finished."""

    @pytest.mark.parametrize("by", ["its source", "the clock"])
    def test_nothing_tells_whether_it_could_start(self, by: str) -> None:
        hall = Hall(4)
        first = staged(hall, options=TWOS)
        starts = {"starts_after": True} if by == "its source" else {"starts_at": timezone.now() + timedelta(minutes=1)}
        led = {"entry": Stage.Entry.BEST, "source": first, "best": 2, **starts}
        final = staged(hall, options=TWOS, name="Final", start=False, **led)
        stages.publish(final, hall.ada)
        freeze(hall)
        due = timezone.now() + timedelta(minutes=2)

        def refused() -> None:
            """With its source finished, but nobody has a bot; or before that."""
            if by == "its source":
                play_on(first)
                Submission.objects.update(is_active=False)
            periodic.start_due_stages(due)
            assert Stage.objects.get(pk=final.pk).refusal

        def started() -> None:
            play_on(first)
            periodic.start_due_stages(due)
            assert Stage.objects.get(pk=final.pk).has_started

        page = hall.contest.get_absolute_url()
        asked = [page, f"{page}?rev=0", final.get_absolute_url(), first.get_absolute_url()]
        assert differing(in_both([lambda: None, refused, started], lambda: seen(asked, None))) == []
