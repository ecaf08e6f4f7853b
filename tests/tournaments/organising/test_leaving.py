"""A team is disqualified during a match, or comes back after the final: the effect in each format, and that the desk
previews it. docs/architecture.md, "Decisions, and why", has the reasons."""

from __future__ import annotations

import pytest

from submissions.lease import LeaseLost
from tests.tournaments.stagecraft import Hall, by_strength, finish, play_out, refereed
from tests.tournaments.test_two_worlds import staged
from tournaments.kinds import following
from tournaments.kinds.planned import PLANNED
from tournaments.models import Match, Stage
from tournaments.organising import impact, stages
from tournaments.playing import play

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}
MORE = pytest.mark.long("more")
ENTRANTS_DECIDED = [  # follows from results: a team that gains a place takes it from another
    pytest.param("single_elimination", TWOS, id="bracket in twos"),
    pytest.param("single_elimination", {"table_size": 4, "advance": 2, "games": 1}, id="bracket in fours", marks=MORE),
    pytest.param("combinations", {"budget": 24 * 8}, id="qualifier and final"),
]
ROUNDS = [
    pytest.param("swiss", {**TWOS, "rounds": 2}, id="swiss in twos"),
    pytest.param("swiss", {"table_size": 4, "games": 1, "rounds": 2}, id="swiss in fours", marks=MORE),
    pytest.param("round_robin", {"games": 1}, id="round robin"),
]
VOID = [*ENTRANTS_DECIDED[:2], pytest.param("ladder", {"games": 1}, id="ladder")]
PLAYED_ON = [*ROUNDS, ENTRANTS_DECIDED[2]]


def void() -> set[int]:
    return set(Match.objects.filter(state=Match.State.VOID).values_list("pk", flat=True))


def put_out_in_a_match(hall: Hall, stage: Stage) -> tuple[Match, list[int]]:
    """The match as it was claimed, and the teams with which it continues."""
    match = stage.matches.filter(state="queued").order_by("pk")[0]
    claimed = play.claim(match.pk, "tester")
    assert claimed
    gone, *others = [seat.team for seat in claimed.seats.all() if seat.team]
    foreseen = {it.pk for it in impact.of_leaving(gone).voided}
    stages.disqualify(gone, hall.ada, "It sends what it should not.")
    assert foreseen == void()
    return claimed, [team.pk for team in others]


@pytest.mark.parametrize(("format", "options"), VOID)
def test_what_it_plays_is_void_where_one_match_decides(format: str, options: dict[str, object]) -> None:
    hall = Hall(8)
    stage = staged(hall, format, options=options)
    claimed, others = put_out_in_a_match(hall, stage)
    assert Match.objects.get(pk=claimed.pk).state == Match.State.VOID
    with pytest.raises(LeaseLost):
        play.finish(claimed, refereed(claimed))
    if format == "ladder":
        return
    table = claimed.table
    table.refresh_from_db()
    seated = [player for player in table.players if isinstance(player, int)]
    assert sorted(seated) == sorted(others)
    if len(others) == 1:
        assert table.decided, "nobody is left to play against"
    else:
        assert table.matches.valid().get().state == Match.State.QUEUED


@pytest.mark.parametrize(("format", "options"), PLAYED_ON)
def test_what_it_plays_is_played_to_its_end_where_results_add_up(format: str, options: dict[str, object]) -> None:
    hall = Hall(8 if format != "combinations" else 6)
    stage = staged(hall, format, options=options)
    claimed, others = put_out_in_a_match(hall, stage)
    assert Match.objects.get(pk=claimed.pk).state == Match.State.RUNNING
    play.finish(claimed, refereed(claimed))
    following.reconcile(stage)
    assert Match.objects.get(pk=claimed.pk).state == Match.State.DONE
    scored = {ranked.team: ranked.score for ranked in PLANNED.plan(stage).ranking}
    assert all(scored[team] is not None for team in others)
    play_out(stage)
    stage.refresh_from_db()
    assert stage.state == Stage.State.DONE
    assert Match.objects.get(pk=claimed.pk).state == Match.State.DONE


def finished_without(hall: Hall, format: str, options: dict[str, object]) -> Stage:
    """Everything is played, and the first seed is disqualified before the last round."""
    stage = staged(hall, format, options=options)
    first = list(stage.matches.filter(state="queued"))
    for match in first if format != "round_robin" else first[:-1]:
        finish(match, by_strength(match))
    stages.disqualify(hall.teams[0], hall.ada, "A second account.")
    play_out(stage)
    stage.refresh_from_db()
    assert stage.state == Stage.State.DONE
    return stage


@pytest.mark.parametrize(("format", "options"), ENTRANTS_DECIDED)
def test_who_comes_back_after_the_final_plays_it(format: str, options: dict[str, object]) -> None:
    hall = Hall(6 if format == "combinations" else 8)
    stage = finished_without(hall, format, options)
    last = stage.tables.order_by("-round", "number").first()
    assert last
    without = list(last.matches.done())
    assert all(hall.teams[0].pk not in {seat.team_id for seat in match.seats.all()} for match in without)
    before, seen = void(), impact.of_returning(hall.teams[0])
    assert set(without) <= set(seen.voided)
    assert "Final" in seen.stages[0].reopened
    stages.reinstate(hall.teams[0], hall.ada, "It was another one.")
    assert {match.pk for match in seen.voided} == void() - before
    play_out(stage)
    stage.refresh_from_db()
    assert stage.state == Stage.State.DONE
    assert PLANNED.plan(stage).ranking[0].team == hall.teams[0].pk


@pytest.mark.long("more")
@pytest.mark.parametrize(("format", "options"), ROUNDS)
def test_rounds_that_were_played_without_it_stay(format: str, options: dict[str, object]) -> None:
    hall = Hall(8)
    stage = finished_without(hall, format, options)
    before = set(stage.matches.done().values_list("pk", flat=True))
    seen = impact.of_returning(hall.teams[0])
    assert not [match for match in seen.voided if match.table.round < stage.tables.order_by("-round")[0].round]
    stages.reinstate(hall.teams[0], hall.ada, "It was another one.")
    assert before & void() == {match.pk for match in seen.voided} & before
