"""Shared fixtures of this folder. Most modules define their own `hall`."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.desks import Desk
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.models import Stage
from tournaments.seating import short


@pytest.fixture(autouse=True)
def nothing_known_of_durations() -> None:
    """Workers remember by stage how long matches take, and the stages of two tests may have one number."""
    short.durations.clear()


@pytest.fixture
def hall() -> Hall:
    return Hall(4)


@pytest.fixture
def desk(hall: Hall, client: Client) -> Desk:
    """The organiser at the desk."""
    client.force_login(hall.ada)
    return Desk(hall, client)


@pytest.fixture
def cup(hall: Hall) -> Stage:
    """A bracket played to its end: the stronger seed always wins."""
    stage = hall.stage()
    play_out(stage)
    stage.refresh_from_db()
    assert stage.state == Stage.State.DONE
    return stage
