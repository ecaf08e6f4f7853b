"""Choosing a preset creates the organisers' contest with its stages as drafts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from contest.models import Contest
from tests.cast import make_contest, make_user
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments import formats, kinds
from tournaments.clock import periodic
from tournaments.models import Client, Stage
from tournaments.organising import presets, stages

pytestmark = pytest.mark.django_db

SEEDS = {
    "utah-1998": ("tricky_eights", ["single_elimination"]),
    "bospre-2009": ("even_steven", ["judged_set"]),
    "comp1511-2018": ("intensity", ["swiss"]),
    "mactech-1998": ("hearts", ["combinations"]),
    "barracuda-2014": ("barracuda", ["ladder", "single_elimination"]),
}


def made(preset: str) -> tuple[Contest, list[Stage]]:
    contest = make_contest(game=SEEDS[preset][0], preset=preset)
    presets.prepare(contest, make_user())
    return contest, list(contest.stages.order_by("pk"))


@pytest.mark.parametrize("preset", SEEDS)
def test_a_preset_brings_its_stages_as_drafts(preset: str) -> None:
    contest, drafts = made(preset)
    assert [stage.format for stage in drafts] == SEEDS[preset][1]
    assert {stage.state for stage in drafts} == {Stage.State.DRAFT}
    for stage in drafts:
        assert stage.options == formats.get(stage.format).options(stage.options, contest.game), "complete"
        assert stage.starts_at in (None, contest.opens_at, contest.upload_deadline)


def test_bospre_judges_from_the_opening_on_against_games_that_nobody_else_knows() -> None:
    contest, (problem,) = made("bospre-2009")
    _, (other,) = made("bospre-2009")
    assert problem.starts_at == contest.opens_at
    assert problem.options["draw"] == other.options["draw"] == 200
    assert problem.options["draw_seed"] != other.options["draw_seed"]


def test_comp1511_fills_the_weakest_table_with_its_four_house_players() -> None:
    contest, (swiss,) = made("comp1511-2018")
    assert swiss.options["house"] == list(contest.game.fillers)
    assert len(swiss.options["house"]) == 4
    assert (swiss.options["table_size"], swiss.options["games"]) == (4, 1)


def test_barracuda_is_live_and_its_final_follows_the_ladder() -> None:
    contest, (ladder, final) = made("barracuda-2014")
    assert contest.live
    assert (ladder.starts_at, ladder.ends_at) == (contest.opens_at, contest.upload_deadline)
    assert (ladder.options["final_minutes"], ladder.options["pause"]) == (60, 30)
    assert (final.entry, final.seeding, final.source) == ("all", "source", ladder)
    assert final.starts_after
    assert (final.options["table_size"], final.options["games"]) == (2, None)


@pytest.mark.long("more")
def test_barracuda_from_the_ladder_to_the_final() -> None:
    """The final starts automatically, seeded by the ladder, with the teams that are connected or have a bot by then."""
    hall = Hall(teams=5, game="barracuda", preset="barracuda-2014", target=1)
    presets.prepare(hall.contest, hall.ada)
    hall.contest.stages.update(seed=17)
    ladder, final = hall.contest.stages.order_by("pk")
    Stage.objects.filter(pk=ladder.pk).update(options=ladder.options | {"pause": 0})
    for stage in (ladder, final):
        stages.publish(stage, hall.ada)
    periodic.tick()
    for _ in range(4):
        for match in ladder.matches.open().order_by("pk"):
            strong_last = {team: 3 - place for team, place in by_strength(match).items()}
            finish(match, strong_last)
    now = timezone.now()
    lost, connected = hall.teams[0], hall.teams[1]  # one has lost its bot, one plays through its connection
    for team in (lost, connected):
        team.submissions.update(is_active=False)
    Client.objects.create(team=connected, connected_since=now, seen_at=now + timedelta(minutes=1))
    Stage.objects.filter(pk=ladder.pk).update(ends_at=now)
    periodic.tick()
    for match in ladder.matches.open():
        finish(match, by_strength(match))
    periodic.tick()
    ladder.refresh_from_db()
    final.refresh_from_db()
    assert (ladder.state, final.state) == ("done", "running")
    assert final.left_out == [lost.pk]
    assert set(final.order) == set(hall.ids) - {lost.pk}
    assert final.order == [team for team in kinds.of(ladder).ranking(ladder) if team != lost.pk]
    assert final.order != sorted(final.order), "by the ladder, not by the numbers"
    live = [match for match in final.matches.all() if match.live]
    assert [connected.pk in {seat.team_id for seat in match.seats.all()} for match in live] == [True]
