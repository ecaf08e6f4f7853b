"""A worker that comes back after its lease changes nothing, whatever it tries to write.

Of builds and webhooks: tests/submissions/test_process.py and tests/tournaments/webhooks/test_sending.py.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.utils import timezone

from games import get
from games.record import loads, verify
from submissions.lease import Lease, LeaseLost
from tests.tournaments.casual.conftest import casual_server  # noqa: F401 - a fixture
from tests.tournaments.casual.parlour import ServerProcess, decide, table, wait_until_asked
from tests.tournaments.stagecraft import Hall, refereed
from tests.waiting import state_of, wait_for
from tournaments.casual import server as casual
from tournaments.models import CasualGame, CasualMove, Duty, Match
from tournaments.playing import play

pytestmark = pytest.mark.django_db(transaction=True)

LATER = timedelta(hours=1)


def everything() -> dict[str, list[Any]]:
    """All rows of the portal."""
    models = [it for it in apps.get_models() if it._meta.app_label in ("contest", "submissions", "tournaments")]
    return {it._meta.label: list(it._default_manager.order_by("pk").values()) for it in models}


class TestMatch:
    @pytest.fixture
    def late(self, transactional_db: None) -> Match:
        """A match as its first worker knows it. Meanwhile it was lost, claimed again and perhaps finished."""
        match = Hall(teams=4).stage().matches.get()
        late = play.claim(match.pk, "late")
        assert late is not None
        Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        assert play.requeue_abandoned(timezone.now()) == 1
        return late

    @pytest.mark.parametrize("finished", [True, False])
    def test_it_can_write_neither_a_result_nor_a_failure(self, late: Match, finished: bool) -> None:
        other = play.claim(late.pk, "other")
        if finished:
            play.finish(other, refereed(other))
        before = everything()
        with pytest.raises(LeaseLost):
            play.finish(late, refereed(late))
        assert not play.put_back(late, "the machinery failed")
        assert play.give_back("late", [late.pk]) == 0
        lease = Lease(Match.objects.held_by(late))
        lease.renew()
        assert lease.lost
        assert everything() == before

    def test_it_can_write_nothing_while_the_match_waits(self, late: Match) -> None:
        before = everything()
        with pytest.raises(LeaseLost):
            play.finish(late, refereed(late))
        assert not play.put_back(late, "the machinery failed")
        assert everything() == before

    def test_it_may_finish_what_it_holds_although_its_lease_has_run_out(self, transactional_db: None) -> None:
        """Nobody else has it, so the result is as good as any, and the tick finds nothing to take from it."""
        match = Hall(teams=4).stage().matches.get()
        slow = play.claim(match.pk, "slow")
        Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - LATER)
        play.finish(slow, refereed(slow))
        assert play.requeue_abandoned(timezone.now() + LATER) == 0


def test_a_casual_server_that_comes_back_leaves_the_games_to_the_next_one(
    casual_server: Callable[..., ServerProcess],  # noqa: F811
) -> None:
    sleeper = casual_server()
    game, seat = table("hearts", people=(2,), options=get("hearts").options())
    random = Random(4)
    for _ in range(3):
        wait_until_asked(game)
        decide(game, seat, random)
    wait_until_asked(game)
    with transaction.atomic():  # so that it is not stopped while it writes, when nobody else could write
        Duty.objects.filter(name=casual.DUTY).update(
            until=timezone.now() - timedelta(seconds=1)
        )  # as if 15 s had passed
        os.kill(sleeper.process.pid, signal.SIGSTOP)
        wait_for(lambda: state_of(sleeper.process.pid) == "T")
    casual_server()
    for _ in range(3):
        wait_until_asked(game)
        decide(game, seat, random)
    os.kill(sleeper.process.pid, signal.SIGCONT)
    sleeper.process.wait(timeout=60)  # it sees that another one has the duty
    moves = list(CasualMove.objects.filter(game=game).order_by("number").values_list("number", flat=True))
    assert moves == list(range(moves[0], moves[0] + len(moves)))
    from tournaments.casual import tables

    tables.leave(game, seat)
    wait_for(lambda: CasualGame.objects.get(pk=game.pk).is_over)
    game.refresh_from_db()
    record = loads(game.text())
    assert verify(record) is None
