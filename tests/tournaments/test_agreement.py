"""Random contests, computed a second way (agreement.py): every reader gets the same numbers everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from hypothesis import example, given, settings

from contest.models import Team
from tests.tournaments.agreement import Oracle, Reader, compare_files, csv_of, ranks
from tests.tournaments.histories import (
    ELIMINATIONS,
    EVERYTHING,
    OTHERS,
    RESULTS,
    History,
    LedWorld,
    Way,
    World,
    histories,
)
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import public_addresses
from tournaments.models import MatchSeat

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


class Undo(Exception):
    pass


@contextmanager
def world_of(history: History, kind: type[World] = World) -> Iterator[World]:
    """The contest before any event. Afterwards it is rolled back."""
    try:
        with transaction.atomic():
            yield kind(history)
            raise Undo
    except Undo:
        pass


# The properties -------------------------------------------------------------------------------------------------------


def compare(world: World, history: History) -> None:
    oracle = Oracle(world)
    world.happen(history.events)
    owner, every = visitor(world.ada), oracle.known(sees_all=True)
    Reader(world, owner, every).compare()
    compare_files(world, owner, every)
    Reader(world, visitor(), oracle.known(sees_all=False)).compare()


EVENTS = (("play", 3), ("void", 1), ("play", 1), ("leave", 3), ("freeze", 0), ("play", 2))
TO_THE_END = (("play", 9), ("play", 9))
PAIRS = next(way for way in OTHERS if (way.game, way.format) == ("barracuda", "combinations"))
HEARTS = Way("hearts", "combinations", {"budget": 72}, 6, 5)
ONE_OF_EACH = {way.format: way for way in (*OTHERS, *ELIMINATIONS[1::-1]) if way.game != "hearts"}


@pytest.mark.parametrize("format", ONE_OF_EACH)
def test_of_every_format(format: str) -> None:
    history = History(ONE_OF_EACH[format], 4, "live", 3, EVENTS)
    if format == "combinations":
        history = History(HEARTS, 6, "live", 3, TO_THE_END)  # to the end of the final
    with world_of(history) as world:
        compare(world, history)


HALF_A_TABLE = History(PAIRS, 4, "live", 3, (("play", 3), ("void", 1), ("play", 1)))


@pytest.mark.long("worlds")
@settings(max_examples=12)
@example(history=HALF_A_TABLE)
@given(history=histories((*ELIMINATIONS, *OTHERS), EVERYTHING))
def test_all_pages_and_files_tell_the_same(history: History) -> None:
    with world_of(history) as world:
        compare(world, history)


@pytest.mark.long("worlds")
@settings(max_examples=3)
@given(history=histories(OTHERS, EVERYTHING))
def test_also_of_a_stage_that_another_one_leads(history: History) -> None:
    with world_of(history, LedWorld) as world:
        compare(world, history)


@pytest.mark.long("worlds")
@settings(max_examples=20)
@given(history=histories(ELIMINATIONS, ("play", "play", "play", "void", "leave", "return"), rounds=False))
def test_no_team_that_the_referee_disqualified_stands_above_an_honest_one(history: History) -> None:
    """Teams that left an elimination in the same round."""
    with world_of(history) as world:
        world.happen(history.events)
        left = {team.pk: rounds_left(world, team) for team in world.contest.teams.all()}
        page = f"/c/{world.contest.slug}/standings.csv?stage={world.stage.pk}"
        ranked = dict(ranks(csv_of(visitor(), page)))
        rank = {team: int(ranked[team]) for team in left if ranked.get(team)}
        for guilty, (round, disqualified) in left.items():
            for honest, (other, also) in left.items():
                if round == other and disqualified and not also and {guilty, honest} <= rank.keys():
                    assert rank[guilty] > rank[honest], f"{guilty} stands before {honest}"


def rounds_left(world: World, team: Team) -> tuple[int, bool]:
    """The last round in which a team had a seat, and whether it was disqualified there. Teams in the match for third
    place count as out since the round before. 0: it never had a seat, or has left the contest."""
    seats = MatchSeat.objects.filter(team=team, match__stage=world.stage, match__state="done", match__pending=False)
    there = list(seats.select_related("match__table"))
    if not there or not team.is_competing:
        return 0, False
    last = max(seat.match.table.round for seat in there)
    seated = [seat for seat in there if seat.match.table.round == last]
    third = world.stage.options["third_place"] and any(seat.match.table.name == "Third place" for seat in seated)
    return last - third, any(seat.disqualified for seat in seated)


ROUND_ROBIN = Way("barracuda", "round_robin", {"games": 1}, 5)
PLAYED = (("play", 0), ("review", 0), ("review", 1))


@pytest.mark.long("worlds")
@example(  # a void match and one that becomes void later, with a pause that ends again
    before=History(ROUND_ROBIN, 2, "live", 293, PLAYED),
    after=History(ROUND_ROBIN, 2, "live", 1, (("hold", 0), ("play", 3))),
)
@settings(max_examples=3)
@given(
    before=histories((*ELIMINATIONS, *OTHERS), RESULTS, most=5),
    after=histories(OTHERS, RESULTS, most=5),
)
def test_in_a_freeze_every_page_stays_as_it_was(before: History, after: History) -> None:
    with world_of(before) as world:
        world.happen(before.events)
        world.freeze()
        asked = public_addresses(world)
        shown = seen(asked, None)
        world.happen(after.events)
        assert differing(shown, seen(asked, None)) == []


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [page for page in one if one[page] != other[page]]
