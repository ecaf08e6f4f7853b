"""Choosing a preset creates the organisers' contest with its stages as drafts."""

from __future__ import annotations

import pytest

from contest.models import Contest
from tests.cast import make_contest, make_user
from tournaments import formats
from tournaments.models import Stage
from tournaments.organising import presets

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
