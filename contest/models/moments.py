"""Moments that people choose, such as deadlines: years that every calendar, zone and browser can show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import models

FIRST, LAST = datetime(2000, 1, 1, 12, tzinfo=UTC), datetime(2199, 12, 31, 9, 59, tzinfo=UTC)  # in these years anywhere
ANYWHERE = timedelta(hours=26)  # between the clocks of the first and the last zone of the world
OUT_OF_RANGE = "Choose a year from 2000 to 2199."


def within_range(moment: datetime) -> datetime:
    """The moment, or the nearest that can be chosen in every zone. 9999-12-31 does not exist in Tokyo."""
    return moment if FIRST - ANYWHERE <= moment <= LAST + ANYWHERE else min(max(moment, FIRST), LAST)


class MomentField(models.DateTimeField):
    """What was stored before there was a range, or by other means, is read as within it. Forms check what they take."""

    def from_db_value(self, value: datetime | None, *args: Any) -> datetime | None:
        return value and within_range(value)

    def deconstruct(self) -> Any:
        """The database knows it as what it is: no migration."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, kwargs
