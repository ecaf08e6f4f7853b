"""The contest server as people run it: a real process, real programs, real accidents.

See also the files of this name, test_contest_server.py, in tests/chaos and tests/clocks.
"""

from __future__ import annotations

from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.tournaments.playing.live.arena import (
    Arena,
    Hold,
    check,
    connected,
    done,
    faults,
    greeted,
    in_the_middle,
    kit,
    play_on,
    request_of,
    wait_for,
)
from tournaments.models import Client, Match
from tournaments.playing import play
from tournaments.seating import player_numbers

pytestmark = pytest.mark.django_db(transaction=True)


def test_kits_meet_on_the_ladder(serve: Any, stack: ExitStack, arrive: Any) -> None:
    arena = Arena(3)
    arena.stage()
    server = serve()
    for team in (0, 1):
        program = kit(server.port, arena.token(team))
        stack.callback(program.communicate)
        stack.callback(program.kill)
    wait_for(done(arena.contest, 3))
    assert connected(arena.contest, 2)()
    records = check(arena.contest)
    assert [faults(record) for record in records] == [[]] * len(records)
    assert {seat["bot"] for record in records for seat in record["seats"]} == {"client"}

    stranger = arrive(server.port, address="127.0.0.66")
    refusal = stranger.receive()
    assert (refusal["type"], refusal["seen_host"]) == ("error", "127.0.0.66")
    assert stranger.closed()

    # The number of an opponent is the one with which that opponent was greeted.
    numbers = player_numbers.team_numbers(arena.contest)
    third = arrive(server.port, arena.token(2))
    assert greeted(third) == numbers[arena.teams[2].pk]
    assert request_of(third)["state"]["opponent_id"] in [numbers[team.pk] for team in arena.teams[:2]]
    tester = arrive(server.test_port, arena.token(2))
    assert greeted(tester) == numbers[arena.teams[2].pk]
    assert request_of(tester)["state"]["opponent_id"] == 0


@pytest.mark.promise
def test_a_server_that_is_killed_loses_no_match_and_no_result(serve: Any, arrive: Any) -> None:
    arena = Arena(2, games_to_win=4, lead=4)
    stage = arena.stage()
    server = serve()
    hold = Hold()
    told, _ = [play_on(arrive(server.port, arena.token(team)), hold) for team in (0, 1)]
    wait_for(done(arena.contest))
    first = in_the_middle(told, hold)
    server.kill()
    assert Client.objects.filter(connected_since__isnull=False).count() == 2, "nobody could say good-bye"
    assert not Client.objects.connected(timezone.now() + Client.SILENCE).exists(), "but nobody is taken for connected"
    again = serve()
    for team in (0, 1):
        play_on(arrive(again.port, arena.token(team)))
    wait_for(lambda: Match.objects.get(pk=first.pk).state == Match.State.DONE)
    first.refresh_from_db()
    assert (first.attempt, first.failures) == (2, 1)
    assert "was lost" in again.log.read_text() or "queued again" in again.log.read_text()
    wait_for(done(arena.contest, 4))
    check(arena.contest)
    numbers = sorted(stage.matches.valid().values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.promise
def test_a_lost_lease_is_played_again_and_the_late_result_is_dropped(serve: Any, arrive: Any) -> None:
    arena = Arena(2, games_to_win=4, lead=4)
    arena.stage()
    server = serve(MATCH_LEASE="4")
    hold = Hold()
    told, _ = [play_on(arrive(server.port, arena.token(team)), hold) for team in (0, 1)]
    match = in_the_middle(told, hold)

    def lost() -> int:  # the server may renew the lease between the two steps of this
        Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        return play.requeue_abandoned(timezone.now())

    assert wait_for(lost) == 1
    hold.end()
    wait_for(lambda: Match.objects.get(pk=match.pk).state == Match.State.DONE)
    assert Match.objects.get(pk=match.pk).attempt == 2
    check(arena.contest)
