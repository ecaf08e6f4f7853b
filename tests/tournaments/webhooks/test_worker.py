"""Real workers: from a fact to the receiver, and a worker that is killed after sending."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from contest import teams
from tests.cast import make_cast
from tests.tournaments.webhooks.receiver import Receiver
from tests.waiting import wait_for
from tournaments.models import Webhook
from tournaments.webhooks import changes, waking

pytestmark = pytest.mark.long("chaos")


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_before_it_writes_leaves_a_message_that_comes_twice(
    receiver: Receiver, celery_worker_process: Callable[..., Any]
) -> None:
    cast = make_cast()
    worker = celery_worker_process(queues="portal,webhooks", WEBHOOK_PRIVATE_NETWORKS="127.0.0.0/8")
    hook = changes.create(cast.contest, cast.aces, cast.alice, receiver.url, [])
    receiver.answers.append(receiver.hang)
    teams.withdraw(cast.clubs, cast.carl)  # nobody but the commit wakes the workers
    wait_for(lambda: receiver.got, worker.output)
    worker.kill()
    assert hook.deliveries.get().state == "waiting"
    Webhook.objects.update(lease_until=timezone.now())  # instead of waiting for a minute
    worker = celery_worker_process(queues="portal,webhooks", WEBHOOK_PRIVATE_NETWORKS="127.0.0.0/8")
    waking.wake(1)
    wait_for(lambda: hook.deliveries.get().state == "delivered", worker.output)
    first, second = receiver.got
    assert (first.id, first.body) == (second.id, second.body)
