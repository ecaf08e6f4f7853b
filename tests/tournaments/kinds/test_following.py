"""Stages follow the ledger, also what is written where nothing is known of stages."""

from __future__ import annotations

import pytest

from contest import followers, teams
from contest.models import Follower, Kind
from tests.tournaments.kinds.test_ladder import climb, open_
from tests.tournaments.stagecraft import Hall, finish
from tournaments.kinds import following, ladder
from tournaments.models import MatchSeat, Stage

pytestmark = pytest.mark.django_db


def waiting(stage: Stage) -> set[int | None]:
    """The teams in matches that wait to be played."""
    seats = MatchSeat.objects.filter(match__in=stage.matches.valid(), match__state="queued", team__isnull=False)
    return set(seats.values_list("team", flat=True))


def test_a_team_that_leaves_on_its_own_page_is_taken_out_of_what_waits() -> None:
    hall = Hall(teams=4)
    stage = hall.stage(table_size=2)
    teams.withdraw(hall.teams[0], hall.teams[0].people()[0].user, "Exams")
    assert hall.teams[0].pk in waiting(stage)
    followers.follow_all(hall.contest.pk)
    assert hall.teams[0].pk not in waiting(stage)
    assert following.is_in_line(stage)


def test_a_stage_in_trouble_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = Hall(teams=4)
    bad, good = hall.stage(table_size=2), hall.stage(table_size=2)
    real = following.reconcile

    def reconcile(stage: Stage) -> object:
        if stage.pk == bad.pk:
            raise ValueError("cannot be planned")
        return real(stage)

    monkeypatch.setattr(following, "reconcile", reconcile)
    teams.withdraw(hall.teams[0], hall.teams[0].people()[0].user, "Exams")
    followers.follow_all(hall.contest.pk)
    assert hall.teams[0].pk not in waiting(good)
    row, left = Follower.objects.get(name=following.STAGES.name), hall.contest.ledger.get(kind=Kind.TEAM_WITHDRAWN)
    assert row.number >= left.number
    assert row.passed_over == []


def test_what_ends_while_another_process_makes_the_next_matches_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It leaves them to that process, which has not seen that its teams are free."""
    hall = Hall(teams=4)
    stage = climb(hall)
    first, second = open_(stage)
    real, me, made = ladder.propose, following.worker_name(), []

    def propose(stage: Stage) -> ladder.Proposal:
        proposal = real(stage)
        if not made:
            made.append(proposal)
            monkeypatch.setattr(following, "worker_name", lambda: "elsewhere")
            finish(second)
            monkeypatch.setattr(following, "worker_name", lambda: me)
            assert open_(stage) == []
        return proposal

    monkeypatch.setattr(ladder, "propose", propose)
    finish(first)
    assert waiting(stage) == set(hall.ids)
