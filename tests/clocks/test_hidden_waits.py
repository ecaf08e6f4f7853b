"""Clients that wait for news of a contest (`?wait=`) do not learn from the time of an answer that there is a result."""

from __future__ import annotations

import time

from tests.contest.server import served
from tests.tournaments.api.test_waiting import TWOS, Reader, hall, server
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.worlds import play_on
from tournaments.organising import releases

__all__ = ["hall", "server"]  # fixtures


def test_who_waits_learns_nothing_of_a_hidden_result(hall: Hall, server: served.Server) -> None:
    """Neither from the answer nor from its time; and the portal is not even asked again for them."""
    stage = staged(hall, options=TWOS)
    releases.freeze(hall.contest, hall.ada)
    here = f"contests/{hall.contest.slug}"
    strangers = [Reader(server, f"{here}/{rest}") for rest in ("standings", "matches", "ledger")]
    member = Reader(server, f"{here}/standings", hall.teams[0].people()[0].user, "team")
    organiser = Reader(server, f"{here}/standings", hall.ada, "desk")
    began = time.monotonic()
    for reader in (*strangers, member):
        reader.wait("wait=2")
    organiser.wait()
    play_on(stage, most=1)
    assert organiser.hears()[0] == 200
    for reader in (*strangers, member):
        assert reader.hears() == (304, None)
        assert time.monotonic() - began >= 2
    strangers[0].wait()
    releases.lift(hall.contest, hall.ada)
    assert strangers[0].hears()[0] == 200
