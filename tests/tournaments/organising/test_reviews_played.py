"""A review and a rehearsal by real workers, with real bots in the sandbox, while a worker is killed."""

from __future__ import annotations

from functools import partial

import pytest

from games import record as records
from tests.submissions import bots
from tests.tournaments.accidents import LEASE, frozen_in_a_match, let_the_lease_end, wait_for
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.models import Match, Rating, Rehearsal, Stage
from tournaments.organising import rehearsals, reviews
from tournaments.results import tallies

pytestmark = [pytest.mark.long("chaos"), pytest.mark.promise, pytest.mark.django_db(transaction=True)]

SLOW = bots.python_bot(take="import time; time.sleep(0.02)", play="import time; time.sleep(0.02)")


def test_a_worker_is_killed_in_the_middle_of_a_review(celery_worker_process):
    hall = Hall(teams=4, source=SLOW)
    cup = hall.stage()
    play_out(cup)
    victim = celery_worker_process(**LEASE)
    review = reviews.start(cup, hall.ada, "to see whether it was the machine", [cup.matches.done().get().pk])
    match = wait_for(partial(frozen_in_a_match, victim))
    assert match.review == review
    victim.kill()
    let_the_lease_end(match)
    draft = hall.stage(start=False)
    rehearsals.ask(draft, hall.ada)
    celery_worker_process(**LEASE)
    wait_for(lambda: Match.objects.get(pk=match.pk).state == "done", ticking=True)
    wait_for(lambda: Rehearsal.objects.get().state == "done", ticking=True)
    assert Match.objects.get(pk=match.pk).attempt == 2
    reviews.apply(review, hall.ada)
    old, new = cup.matches.order_by("pk")
    assert (old.state, new.state, new.pending) == ("void", "done", False)
    record = records.loads(new.record.text())
    assert records.verify(record) is None
    assert [seat.place for seat in new.seats.all()] == record["result"]["places"]
    assert not record["result"]["disqualified"], "no bot was blamed for the accident"
    assert Stage.objects.get(pk=cup.pk).state == "done"
    written = list(Rating.objects.order_by("pk").values_list("team", "mu", "sigma", "matches"))
    tallies.count_all(hall.contest)
    assert list(Rating.objects.order_by("pk").values_list("team", "mu", "sigma", "matches")) == written
    assert {count for *_, count in written} == {1}
