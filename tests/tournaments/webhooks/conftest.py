from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.tournaments.webhooks.receiver import LOOPBACK, Receiver, receiving


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """A receiver on loopback, where webhooks may go as in a school's own network."""
    settings.WEBHOOK_PRIVATE_NETWORKS = LOOPBACK
    with receiving() as found:
        yield found
