"""tournaments.formats.judged_set: a plan without a bracket."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import games
from tests.tournaments.formats.playing import gone
from tournaments import formats
from tournaments.formats.judged_set import FORMAT
from tournaments.formats.plan import Result

STEVEN = games.get("even_steven")
HIDDEN = "13 17\n\n4 99\n"


def result(team: int, right: bool) -> Result:
    return Result((team,), (1,), (float(right),))


def plan(entries: dict[int, list[int]], results: Any = None, *, out: Iterable[int] = (), open: bool = True) -> Any:
    return FORMAT.plan([7, 8, 9], results or {}, {"entries": entries, "open": open}, gone(*out))


def test_it_is_the_format_of_games_that_are_judged_and_of_no_other() -> None:
    for game in games.GAMES.values():
        assert FORMAT.fits(game) is bool(game.sample)
        slugs = [format.slug for format in formats.fitting(game)]
        played = ["single_elimination", "swiss", "round_robin", "combinations", "ladder"]
        assert slugs == (["judged_set"] if game.sample else played)


def test_a_run_plays_the_published_games_first() -> None:
    options = FORMAT.options({"hidden": HIDDEN, "draw": 3, "draw_seed": 5}, STEVEN)
    openings = FORMAT.openings(options, STEVEN)
    known = len(STEVEN.sample)
    assert openings[:known] == list(STEVEN.sample)
    assert openings[known : known + 2] == [{"cards": 13, "seed": 17}, {"cards": 4, "seed": 99}]
    assert len(openings) == known + 2 + 3
    assert openings == FORMAT.openings(options, STEVEN), "the same for every run"
    other = FORMAT.openings({**options, "draw_seed": 6}, STEVEN)
    assert other[:-3] == openings[:-3]
    assert other[-3:] != openings[-3:]


def test_every_ready_version_is_wanted_once() -> None:
    tables = plan({7: [1, 3], 9: [2]}).tables()
    assert [(table.teams, [match.number for match in table.matches]) for table in tables] == [
        ((7,), [1, 3]), ((8,), []), ((9,), [2]),
    ]  # fmt: skip
    assert all(match.teams == table.teams and match.seats == 1 for table in tables for match in table.matches)


def test_who_is_out_is_judged_no_more() -> None:
    found = plan({7: [1], 9: [2]}, out=[9])
    assert [len(table.matches) for table in found.tables()] == [1, 0, 0]
    assert [(ranked.team, ranked.is_out) for ranked in found.ranking][-1] == (9, True)


def test_what_is_judged_stays_of_those_who_are_out_and_of_versions_that_are_built_again() -> None:
    judged = {(1, 1): {1: result(7, right=True)}, (1, 3): {2: result(9, right=False)}}
    tables = plan({7: [2], 9: [2, 3]}, judged, out=[9]).tables()
    assert [[match.number for match in table.matches] for table in tables] == [[1, 2], [], [2]]


def test_it_is_done_when_nothing_more_can_come_and_all_is_judged() -> None:
    entries = {7: [1], 8: [1, 2]}
    some = {(1, 1): {1: result(7, right=True)}, (1, 2): {1: result(8, right=False)}}
    all_ = {**some, (1, 2): {1: result(8, right=False), 2: result(8, right=False)}}
    assert not plan(entries, all_, open=True).done
    assert not plan(entries, some, open=False).done
    done = plan(entries, all_, open=False)
    assert done.done
    assert [(ranked.team, ranked.rank) for ranked in done.ranking] == [(7, 1), (8, 2), (9, 2)]
