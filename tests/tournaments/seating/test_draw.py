"""Creating matches: who sits where, on which deals, with which version."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments.stagecraft import Hall, void
from tournaments.formats.plan import WantedMatch
from tournaments.kinds.planned import PLANNED
from tournaments.models import Client, Match, Stage
from tournaments.models.stages import hold_stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.seating import draw

pytestmark = pytest.mark.django_db


def made(stage: Stage, *wanted: WantedMatch) -> list[Match]:
    table = stage.tables.get(round=1, number=1)
    table.matches.all().delete()
    return PLANNED.make(*hold_stage(stage), [(table, each) for each in wanted])


def players(match: Match) -> list[int | str]:
    return [seat.team_id or seat.house for seat in match.seats.order_by("index")]


def common(hall: Hall, *numbers: int, deal: int = 1) -> list[WantedMatch]:
    teams = tuple(hall.ids[:3])
    return [WantedMatch(number, teams, 4, "why", rotation=number - 1, deal=deal) for number in numbers]


def test_everybody_moves_on_by_a_seat_from_match_to_match_and_the_house_with_them() -> None:
    hall = Hall(4)
    stage = hall.stage()
    one, two, three = hall.ids[:3]
    seated = [players(match) for match in made(stage, *common(hall, 1, 2, 3, 4))]
    house = seated[0][3]
    assert seated == [
        [one, two, three, house],
        [house, one, two, three],
        [three, house, one, two],
        [two, three, house, one],
    ]


def test_common_deals_have_one_seed_also_when_a_match_is_played_again_and_others_have_their_own() -> None:
    hall = Hall(4)
    stage = hall.stage(games=2)
    first, second = made(stage, *common(hall, 1, 2))
    held = hold_stage(stage)
    (other,) = PLANNED.make(*held, [(first.table, common(hall, 3, deal=2)[0])])
    assert first.seed == second.seed != other.seed
    void(second)
    (again,) = PLANNED.make(*held, [(first.table, common(hall, 2)[0])])
    assert (again.seed, again.replay_of_id) == (first.seed, second.pk)
    assert [opening["deal"] for opening in Match.objects.defer(None).get(pk=again.pk).openings] == [1, 2]


def test_a_connected_team_plays_so_and_only_the_contest_server_takes_the_match() -> None:
    hall = Hall(2, live=True)
    stage = hall.stage(table_size=2)
    Client.objects.create(
        team=hall.teams[0], connected_since=timezone.now(), seen_at=timezone.now() + timedelta(hours=1)
    )
    (match,) = made(stage, WantedMatch(1, tuple(hall.ids), 2, "why"))
    live = {seat.team_id: seat.is_live for seat in match.seats.all() if seat.team_id}
    assert live == {hall.ids[0]: True, hall.ids[1]: False}
    assert match.live
    assert play.play_next() is None
    assert match in Match.objects.claimable(timezone.now())


def test_who_was_silent_for_long_or_plays_in_a_contest_without_connections_is_not_connected() -> None:
    hall, silent = Hall(2), Hall(2, live=True)
    now = timezone.now()
    Client.objects.create(team=hall.teams[0], connected_since=now, seen_at=now)
    Client.objects.create(team=silent.teams[0], connected_since=now, seen_at=now - Client.SILENCE)
    Client.objects.create(team=silent.teams[1], connected_since=None, seen_at=now)
    assert draw.connected_teams(hall.contest) == frozenset()
    assert draw.connected_teams(silent.contest) == frozenset()


class TestSeeds:
    def test_nobody_can_try_all_of_them_and_javascript_reads_them(self) -> None:
        hall = Hall(12)
        own = [stages.create(hall.contest, hall.ada, stages.Wish("Cup")) for _ in range(9)]
        assert all(2**62 <= stage.seed < 2**63 for stage in own)
        assert len({stage.seed for stage in own}) == 9
        stages.start(own[0], hall.ada)
        seeds = {match.seed for match in own[0].matches.all()} | {draw.any_seed() for _ in range(50)}
        assert len(seeds) == 53
        assert all(0 < seed < 2**53 for seed in seeds)
        assert max(seeds) > 2**48
