"""tournaments.seating.player_numbers: the numbers by which bots know each other."""

from __future__ import annotations

import pytest

from contest.models import Team
from tests.cast import make_team
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments.models import Match, Stage
from tournaments.playing import play
from tournaments.seating import player_numbers

pytestmark = pytest.mark.django_db


def numbers(match: Match) -> dict[str, int]:
    seats = play.seats_of(match)
    found = player_numbers.numbers(match.stage, seats)
    assert sorted(found) == [seat.index for seat in seats]
    return {seat.name: found[seat.index] for seat in seats}


def matches(stage: Stage) -> list[Match]:
    return list(stage.matches.select_related("stage__contest").order_by("pk"))


def test_everybody_has_another_number_from_one_on() -> None:
    hall = Hall(teams=7)
    found = [numbers(match) for match in matches(hall.stage())]
    teams: dict[str, int] = {}
    for table in found:
        assert len(set(table.values())) == 4
        teams |= {name: number for name, number in table.items() if not name.startswith("House")}
    assert len(set(teams.values())) == 7
    assert max(teams.values()) < player_numbers.count(Stage.objects.get().contest, teams) + 1
    assert all(number > 0 for table in found for number in table.values())


def test_they_stay_the_same_from_round_to_round() -> None:
    hall = Hall(teams=5)
    stage = hall.stage()
    before: dict[str, int] = {}
    for match in matches(stage):
        before |= numbers(match)
        finish(match, by_strength(match))
    (final,) = [match for match in matches(stage) if match.state == Match.State.QUEUED]
    again = {name: number for name, number in numbers(final).items() if not name.startswith("House")}
    assert again
    assert {name: before[name] for name in again} == again


def test_who_comes_or_goes_changes_nobody_elses() -> None:
    hall = Hall(teams=4)
    match = matches(hall.stage())[0]
    before = numbers(match)
    make_team(hall.contest, name="Late")
    Team.objects.filter(pk=hall.ids[0]).update(state=Team.State.WITHDRAWN)
    assert numbers(match) == before


def test_several_of_the_house_at_one_table_can_be_told_apart() -> None:
    hall = Hall(teams=2)
    for names in (["random"], ["random", "memoryless"]):
        stage = hall.stage(house=names)
        found = numbers(matches(stage)[0])
        houses = [number for name, number in found.items() if name.startswith("House")]
        table = matches(stage)[0]
        all_ = player_numbers.numbers(stage, play.seats_of(table))
        assert sorted(all_.values()) == [1, 2, 4, 5]
        assert set(houses) <= {1, 2}
        stage.matches.all().delete()
