"""The contest server as people run it: a real process, real programs, real accidents."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from contest import contests, teams
from games.sockets import AWAY
from tests.games.caller import Client as Caller
from tests.tournaments.playing.live.arena import (
    KIT,
    Arena,
    ServerProcess,
    check,
    connected,
    done,
    faults,
    kit,
    play_on,
    wait_for,
)
from tests.tournaments.stagecraft import give_bot
from tournaments.clock import periodic
from tournaments.models import Client, Duty, Match, Stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.seating import player_numbers, programs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def serve(portal_env: dict[str, str], broker: Any, stack: ExitStack) -> Callable[..., ServerProcess]:
    """Start the contest server. It ends with the test."""

    def start(**variables: str) -> ServerProcess:
        environment = portal_env | {"LOG_LEVEL": "INFO", "BOT_WAIT": "3"} | variables
        server = ServerProcess(environment, settings.VAR_DIR / "botserver.log")
        stack.callback(server.end)
        return server

    return start


def greeted(caller: Caller) -> int:
    message = caller.receive()
    assert message["type"] == "greetings_program", message
    return int(message["team_id"])


def request_of(caller: Caller) -> dict[str, Any]:
    while (message := caller.receive())["type"] != "request":
        pass
    return message


def running() -> Match | None:
    return Match.objects.filter(state=Match.State.RUNNING).first()


def in_the_middle(told: list[dict[str, Any]]) -> None:
    """Wait until a program has heard more of its match."""
    before = len(told)
    wait_for(lambda: len(told) > before + 10)


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


def test_a_server_that_is_killed_loses_no_match_and_no_result(serve: Any, arrive: Any) -> None:
    arena = Arena(2, games_to_win=4, lead=4)
    stage = arena.stage()
    server = serve()
    told, _ = [play_on(arrive(server.port, arena.token(team)), pause=0.01) for team in (0, 1)]
    wait_for(done(arena.contest))
    first = wait_for(running)
    in_the_middle(told)
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


def test_a_lost_lease_is_played_again_and_the_late_result_is_dropped(serve: Any, arrive: Any) -> None:
    arena = Arena(2, games_to_win=4, lead=4)
    arena.stage()
    server = serve(MATCH_LEASE="4")
    for team in (0, 1):
        play_on(arrive(server.port, arena.token(team)), pause=0.01)
    match = wait_for(running)
    Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert play.requeue_abandoned(timezone.now()) == 1
    wait_for(lambda: Match.objects.get(pk=match.pk).state == Match.State.DONE)
    assert Match.objects.get(pk=match.pk).attempt == 2
    check(arena.contest)


def test_a_server_that_is_told_to_leave_puts_its_matches_back(serve: Any, arrive: Any) -> None:
    arena = Arena(2, games_to_win=50, lead=50)
    arena.stage()
    server = serve()
    told, _ = [play_on(arrive(server.port, arena.token(team)), pause=0.01) for team in (0, 1)]
    match = wait_for(running)
    in_the_middle(told)
    server.stop()
    match.refresh_from_db()
    assert (match.state, match.failures, match.worker) == (Match.State.QUEUED, 0, "")
    assert match.due_at <= timezone.now()
    assert not Client.objects.filter(connected_since__isnull=False).exists()
    assert "Traceback" not in server.log.read_text()


def test_a_program_comes_again_and_plays_on(serve: Any, arrive: Any) -> None:
    arena = Arena(2, clock=30.0)
    arena.stage()
    server = serve()
    play_on(arrive(server.port, arena.token(1)))
    mine = arrive(server.port, arena.token(0))
    greeted(mine)
    request = request_of(mine)
    mine.close()
    began = time.monotonic()
    assert arrive(server.port, arena.token(0)).closed(), "five seconds must pass"
    wait_for(lambda: "came again after" in arena.client(0).error)
    assert not arena.client(0).is_connected(timezone.now())
    time.sleep(max(0.0, 5.1 - (time.monotonic() - began)))
    again = arrive(server.port, arena.token(0))
    greeted(again)
    repeated = request_of(again)
    assert (repeated["request_id"], repeated["state"]) == (request["request_id"], request["state"])
    assert repeated["remaining"] < request["remaining"] - 4
    play_on(again)
    again.answer(repeated)
    wait_for(done(arena.contest))
    assert faults(check(arena.contest)[0]) == []
    wait_for(lambda: arena.client(0).is_connected(timezone.now()))


def test_who_is_away_loses_by_the_clock(serve: Any, arrive: Any) -> None:
    arena = Arena(2, clock=1.0)
    Client.objects.filter(team=arena.teams[0]).update(connected_since=timezone.now(), seen_at=timezone.now())
    Client.objects.filter(team=arena.teams[1]).update(connected_since=timezone.now(), seen_at=timezone.now())
    arena.stage("single_elimination")
    assert Match.objects.get().live
    server = serve(BOT_WAIT="1")
    play_on(arrive(server.port, arena.token(0)))
    wait_for(done(arena.contest))
    (record,) = check(arena.contest)
    assert Match.objects.get().seats.get(team=arena.teams[0]).place == 1
    assert set(faults(record)) == {AWAY}
    wait_for(lambda: arena.client(1).error == AWAY)
    wait_for(lambda: arena.contest.stages.get().state == "done")


def test_a_connected_team_meets_an_uploaded_bot(serve: Any, arrive: Any) -> None:
    arena = Arena(2)
    give_bot(arena.teams[1], source=(KIT / "random_player.py").read_bytes())
    arena.stage()
    server = serve()
    play_on(arrive(server.port, arena.token(0)))
    wait_for(done(arena.contest, 2))
    records = check(arena.contest)
    assert {tuple(sorted(seat["bot"] for seat in record["seats"])) for record in records} == {("bot.py", "client")}
    assert [faults(record) for record in records] == [[]] * len(records)


def test_a_team_that_may_no_longer_play_is_disconnected(serve: Any, arrive: Any) -> None:
    arena = Arena(3)
    server = serve()
    callers = [arrive(server.port, arena.token(team)) for team in range(3)]
    for caller in callers:
        greeted(caller)
    wait_for(connected(arena.contest, 3))
    programs.renew_token(arena.teams[0], arena.contest.roles.get().user)
    teams.disqualify(arena.teams[1], arena.contest.roles.get().user, "It cheats.")
    assert callers[0].closed()
    assert callers[1].closed()
    wait_for(connected(arena.contest, 1))
    assert "address or token" in arena.client(0).error
    assert arena.client(1).error == "may not play any more"


def test_descriptors_are_given_back_when_a_contest_ends(serve: Any, arrive: Any) -> None:
    """The server must survive a season of contests."""
    arena, other = Arena(3), Arena(1)
    server = serve()

    def held() -> int:
        return len(os.listdir(f"/proc/{server.process.pid}/fd"))

    assert greeted(arrive(server.port, other.token(0)))
    wait_for(connected(other.contest, 1))
    before = held()
    for team in range(3):
        greeted(arrive(server.port, arena.token(team)))
    wait_for(connected(arena.contest, 3))
    assert held() >= before + 3 * 3, "a socket, and two for the way to each"
    contests.end(arena.contest, arena.contest.roles.get().user, "Everything is played.")
    wait_for(connected(arena.contest, 0))
    wait_for(lambda: held() <= before)
    assert connected(other.contest, 1)()


def test_one_server_at_a_time(serve: Any, arrive: Any) -> None:
    arena = Arena(1)
    first, second = serve(), serve()
    wait_for(lambda: "another contest server" in second.log.read_text())
    first.kill()
    assert greeted(arrive(second.port, arena.token(0))), "its ports were open, and it takes over at once"
    periodic.tick()


def test_a_server_that_was_replaced_while_it_slept_leaves_what_the_new_one_says(serve: Any, arrive: Any) -> None:
    arena = Arena(1)
    first = serve()
    assert greeted(arrive(first.port, arena.token(0)))
    wait_for(connected(arena.contest, 1))
    first.process.send_signal(signal.SIGSTOP)
    Duty.objects.update(until=timezone.now() - timedelta(seconds=1))
    second = serve()
    wait_for(connected(arena.contest, 0))
    assert greeted(arrive(second.port, arena.token(0)))
    wait_for(connected(arena.contest, 1))
    # It would hold its duty for five seconds after its last renewal, but it slept longer.
    time.sleep(5)
    first.process.send_signal(signal.SIGCONT)
    assert first.process.wait(10) == 0
    assert "has taken over" in first.log.read_text()
    assert connected(arena.contest, 1)()
    assert arena.client(0).is_connected(timezone.now())


def test_the_last_hour_the_stop_and_the_final(serve: Any, arrive: Any) -> None:
    """Barracuda rules, "Contest Structure": a team that is away is still matched, but misses the final."""
    arena = Arena(4, clock=1.0)
    programs.enter(arena.contest)
    Client.objects.filter(team=arena.teams[3]).update(seen_at=timezone.now() - timedelta(minutes=5))
    wish = stages.Wish("Ladder", "ladder", {"final_minutes": 60}, ends_at=timezone.now() + timedelta(minutes=30))
    ladder = stages.create(arena.contest, None, wish)
    final = stages.create(
        arena.contest,
        None,
        stages.Wish("Final", seeding="standings", entry="best", source=ladder, starts_after=True, best=4),
    )
    stages.publish(final, None)
    stages.start(ladder, None)
    server = serve(BOT_WAIT="1")
    for team in range(3):
        play_on(arrive(server.port, arena.token(team)))
    away = ladder.matches.done().filter(seats__team=arena.teams[3])
    wait_for(lambda: away.count() >= 2)
    assert {seat.place for match in away for seat in match.seats.filter(team=arena.teams[3])} == {2}

    Stage.objects.filter(pk=ladder.pk).update(ends_at=timezone.now())
    wait_for(lambda: periodic.tick() and Stage.objects.get(pk=ladder.pk).state == "done")
    wait_for(lambda: periodic.tick() and Stage.objects.get(pk=final.pk).state == "done")
    final.refresh_from_db()
    played = set(final.matches.done().values_list("seats__team", flat=True))
    assert played == {team.pk for team in arena.teams[:3]}
    assert final.left_out == [arena.teams[3].pk]
    check(arena.contest)
