"""Who meets in a round on hold leaves no trace for the public, to the letter: not on pages, in calendars, the API or
messages. Nor does what organisers do to rounds tell of what a freeze hides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from contest.models import Contest, Team
from submissions.models import Submission
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import TWOS, check, freeze, some, staged
from tests.tournaments.visitors import seen
from tests.tournaments.worlds import EVERYWHERE, Told, differing, in_both, play_on, public_addresses, readers
from tournaments.clock import periodic
from tournaments.feeds.changes import settings_of
from tournaments.kinds import following
from tournaments.models import Round, Stage
from tournaments.organising import admission, news, rounds, stages
from tournaments.organising.timetable import RoundWish

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

APART = {**TWOS, "schools_apart": True}
DRAWN_LATER = [
    pytest.param("swiss", 6, {**APART, "rounds": 3}, id="swiss"),
    pytest.param("swiss", 7, {**APART, "rounds": 3}, id="swiss, with a bye"),
    pytest.param("swiss", 8, {"table_size": 4, "games": 1, "rounds": 3}, id="swiss in fours"),
]
long = pytest.mark.long("worlds")
HIDDEN_BY = ["a freeze", pytest.param("rounds that are not released", marks=long)]


def all_addresses(hall: Hall) -> list[str]:
    key = settings_of(hall.teams[0].people()[0].user).key
    return [*public_addresses(hall, EVERYWHERE), f"/calendar/{key}.ics"]


def drawn_as(stage: Stage, schools: Sequence[str]) -> Callable[[], None]:
    """The stage as if its chance and the schools of its teams, which nobody sees, were others."""

    def story() -> None:
        told = {str(team): school for team, school in zip(stage.order, schools, strict=False)}
        Stage.objects.filter(pk=stage.pk).update(schools=told, seed=18 + len(set(schools)))
        following.reconcile(stage)
        news.remind(timezone.now())
        Contest.objects.update(public_revision=100)  # that it was drawn anew is no secret

    return story


def stories_of(stage: Stage) -> list[Callable[[], None]]:
    return [drawn_as(stage, schools) for schools in ("", "AABBCCDD", "ABACBCDD")]


def pairings(hall: Hall, stage: Stage) -> str:
    return f"/api/v1/contests/{hall.contest.slug}/stages/{stage.pk}/tables"


class TestHeldPairings:
    @pytest.mark.parametrize(
        "who", ["stranger", pytest.param("member", marks=long), pytest.param("program", marks=long)]
    )
    @pytest.mark.parametrize(
        ("format", "teams", "options"),
        [DRAWN_LATER[0], *(pytest.param(*it.values, id=it.id, marks=long) for it in DRAWN_LATER[1:])],
    )
    def test_of_a_later_round(self, format: str, teams: int, options: dict, who: str) -> None:
        hall = Hall(teams)
        soon = timezone.now() + timedelta(hours=1, minutes=5)
        wishes = [RoundWish(1), RoundWish(2, hold=True), RoundWish(3, starts_at=soon)]
        stage = staged(hall, format, options=options, timetable=wishes)
        play_on(stage)
        self.compare(hall, stage, who)

    def compare(self, hall: Hall, stage: Stage, who: str) -> None:
        look, asked = readers(hall)[who], some(all_addresses(hall))
        stories = stories_of(stage)
        check(in_both(stories, lambda: look(asked)))
        assert differing(in_both(stories, lambda: seen([pairings(hall, stage)], hall.ada))), "else this tries nothing"


def held(hall: Hall, *, by_rounds: bool = False, **third: Any) -> Stage:
    """A round robin, all of whose pairings are known, of which a match was played."""
    release = Round.Release.MANUAL if by_rounds else Round.Release.AT_ONCE
    wishes = [RoundWish(1, release=release), RoundWish(2, release=release), RoundWish(3, release=release, **third)]
    stage = staged(hall, "round_robin", options={"games": 1}, timetable=wishes)
    play_on(stage, most=1)
    return stage


class TestHidden:
    """What organisers do to a round follows from nothing that the public sees, or tells nothing of what is hidden."""

    def look(self, hall: Hall) -> Callable[[], Told]:
        asked = some(all_addresses(hall))
        return lambda: seen(asked, None)

    def test_a_round_that_is_put_on_hold_in_a_freeze(self) -> None:
        hall = Hall(4)
        stage = held(hall)
        freeze(hall)

        def hold(most: int) -> None:
            play_on(stage, most=most)
            rounds.hold(stage, hall.ada, 3)

        check(in_both([lambda: hold(0), lambda: hold(1)], self.look(hall)))

    @pytest.mark.parametrize("hidden_by", HIDDEN_BY)
    def test_a_round_on_hold_that_starts_or_is_shown(self, hidden_by: str) -> None:
        hall = Hall(4)
        by_rounds = hidden_by != "a freeze"
        stage = held(hall, by_rounds=by_rounds, hold=True)
        if not by_rounds:
            freeze(hall)

        def start() -> None:
            play_on(stage)
            rounds.start_now(stage, hall.ada, 3)

        def show() -> None:
            rounds.show_pairings(stage, hall.ada, 3)

        check(in_both([lambda: None, start] if by_rounds else [lambda: None, start, show], self.look(hall)))

    @pytest.mark.parametrize("hidden_by", HIDDEN_BY)
    def test_a_round_that_the_clock_starts(self, hidden_by: str) -> None:
        hall = Hall(4)
        by_rounds = hidden_by != "a freeze"
        stage = held(hall, by_rounds=by_rounds, starts_at=timezone.now() + timedelta(minutes=30))
        if not by_rounds:
            freeze(hall)

        def start(*, weak: bool) -> None:
            play_on(stage, weak=weak)
            periodic.reconcile_stages(timezone.now())
            if weak and not by_rounds:  # that a stage waits for its release is no secret
                play_on(stage)

        stories = [lambda: start(weak=False), lambda: start(weak=True)]
        check(in_both(stories if by_rounds else [lambda: None, *stories], self.look(hall)))

    @pytest.mark.parametrize("hidden_by", HIDDEN_BY)
    def test_a_bracket_that_starts_with_fewer_rounds_than_arranged(self, hidden_by: str) -> None:
        hall = Hall(6)
        source, soon = held(hall, by_rounds=hidden_by != "a freeze"), timezone.now() + timedelta(hours=1)
        wishes = [RoundWish(1), RoundWish(2, starts_at=soon), RoundWish(3, starts_at=soon + timedelta(hours=1))]
        cup = staged(hall, options=TWOS, start=False, entry="best", source=source, timetable=wishes)
        stages.publish(cup, hall.ada)
        if hidden_by == "a freeze":
            freeze(hall)
        play_on(source)
        Submission.objects.filter(team__in=hall.ids[2:]).update(is_active=False)

        def start(*, really: bool) -> None:
            if really:
                stages.start(cup, hall.ada)
            assert cup.timetable.count() == (1 if really else 3)
            Contest.objects.update(public_revision=100)  # that something has changed is no secret

        check(in_both([lambda: start(really=False), lambda: start(really=True)], self.look(hall)))

    def test_other_teams_that_check_in(self) -> None:
        hall = Hall(4)
        tomorrow = timezone.now() + timedelta(days=1)
        stage = staged(hall, options=TWOS, start=False, starts_at=tomorrow, check_in_closes_at=tomorrow)
        stages.publish(stage, hall.ada)

        def check_in(*numbers: int) -> None:
            for number in numbers:
                admission.check_in(Team.objects.get(pk=hall.ids[number]), hall.ada, present=True)

        look, asked = readers(hall)["member"], some(all_addresses(hall))
        check(in_both([lambda: None, lambda: check_in(1), lambda: check_in(1, 2, 3)], lambda: look(asked)))
