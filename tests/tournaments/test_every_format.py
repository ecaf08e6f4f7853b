"""Every game in every format that fits: each pair is played to its end, with and without shared deals."""

from __future__ import annotations

import pytest

import games
from tests.tournaments.organising.test_restoring import begun
from tests.tournaments.stagecraft import Hall, play_out, rows_of
from tournaments import formats
from tournaments.kinds.judged import JUDGED
from tournaments.kinds.planned import PLANNED
from tournaments.models import Stage

pytestmark = pytest.mark.django_db

SHORT = {"target": 3, "games_to_win": 2, "lead": 1}
"""Options of games that make them short, if they have such options."""

FIRST = "barracuda"
WITH_A_PLAN = [
    pytest.param(game.slug, format.slug, marks=[pytest.mark.long("more")] if game.slug != FIRST else [])
    for game in games.GAMES.values()
    for format in formats.fitting(game)
    if format.kind == PLANNED.name
]


def hall(slug: str, teams: int) -> Hall:
    game = games.get(slug)
    options = {name: value for name, value in SHORT.items() if name in game.options({})}
    fields = {
        "game": slug,
        "preset": game.presets[0].name,
        "live": False,
    }  # shared deals are not for connected programs
    return Hall(teams, target=None, options=options, **fields)


def test_every_game_of_several_players_fits_every_format_with_tables() -> None:
    several = [game for game in games.GAMES.values() if game.seats[1] > 1]
    tables = [format for format in formats.FORMATS.values() if format.kind != JUDGED.name]
    assert len(tables) >= 5
    assert all(format.fits(game) for game in several for format in tables)


@pytest.mark.parametrize(("slug", "format"), WITH_A_PLAN)
def test_a_stage_is_played_to_its_end(slug: str, format: str) -> None:
    host = hall(slug, 5)
    small = {"swiss": {"rounds": 2}, "combinations": {"budget": 72}}.get(format, {})
    stage = begun(host, format, **small)
    played = play_out(stage)
    stage.refresh_from_db()
    assert stage.state == Stage.State.DONE
    plan = PLANNED.plan(stage)
    assert plan.done
    assert sorted(ranked.team for ranked in plan.ranking) == sorted(host.ids)
    assert all(ranked.rank for ranked in plan.ranking)
    lines = {line.team.pk: line for line in rows_of(stage)}
    by_round = stage.played_in.ranks_by_round()
    assert sum(line.record.matches for line in lines.values()) == sum(
        not by_round or match.table.round == lines[seat.team_id].ranked.round
        for match in played
        for seat in match.seats.all()
        if seat.team_id is not None
    )
