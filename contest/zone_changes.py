"""What moves when a contest gets another time zone and its clock times are to stay.

"18:00" in Berlin becomes "18:00" in Tokyo, which is another moment. Each moment moves by the difference between the two
zones at that time, so some move by an hour more than others where only one zone changes its clocks in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import groupby

from django.apps import apps
from django.db import models
from django.utils import timezone

from contest.models import Act, Contest, User
from contest.models.moments import MomentField, within_range
from contest.zones import official_zone


@dataclass(frozen=True, slots=True)
class Move:
    """A moment of a row that moves."""

    row: models.Model
    field: str
    before: datetime
    after: datetime
    zones: tuple[tzinfo, tzinfo]  # the old and the new one

    @property
    def name(self) -> str:
        """ "Upload deadline" of the contest, "“Final”, starts at" of a stage, "“Final”, Round 2, starts at"."""
        return self.of_owner.capitalize() if isinstance(self.row, Contest) else f"“{self.owner}”, {self.of_owner}"

    @property
    def owner(self) -> models.Model:
        """The row that people know it by: of a round, its stage."""
        return getattr(self.row, "stage", self.row)

    @property
    def of_owner(self) -> str:
        label = self.field.replace("_", " ")
        return label if self.owner is self.row else f"{self.row}, {label}"

    def __str__(self) -> str:
        was, becomes = (
            f"{moment.astimezone(zone):%a %d %b %Y, %H:%M %Z}"
            for moment, zone in zip((self.before, self.after), self.zones, strict=True)
        )
        hours, minutes = divmod(round(abs(self.after - self.before).total_seconds() / 60), 60)
        direction = "later" if self.after > self.before else "earlier"
        return f"{self.name}: {was} → {becomes}, {hours}:{minutes:02} h {direction}"


def moves(contest: Contest, zone: str) -> list[Move]:
    """What moves with the clock times if the contest gets this zone. Moments in the past stay, and so do those of
    stages that have begun."""
    now, old, new = timezone.now(), official_zone(contest.time_zone), official_zone(zone)
    found = []
    for row, field in _moments(contest):
        before = getattr(row, field)
        if before is None or before <= now:
            continue
        after = within_range(before.astimezone(old).replace(tzinfo=new).astimezone(UTC))
        if after != before:
            found.append(Move(row, field, before, after, (old, new)))
    return found


def carry_out(moves: Sequence[Move], contest: Contest, by: User) -> None:
    """Move what belongs to the contest, with entries of the audit log. The contest must be locked."""
    for owner, moved in groupby(moves, lambda move: move.owner):
        changes = {}
        for move in moved:
            setattr(move.row, move.field, move.after)
            fields = {move.field}
            if hasattr(move.row, "moves"):  # of rounds, for calendars
                move.row.moves += 1
                fields.add("moves")
            move.row.save(update_fields=fields)
            before, after = (moment.isoformat(timespec="minutes") for moment in (move.before, move.after))
            changes[move.of_owner] = [before, after]
        kind = str(owner._meta.verbose_name)
        Act.record(contest, by, f"change {kind}", owner, changes=changes, **{kind: owner.pk})


def _moments(contest: Contest) -> Iterator[tuple[models.Model, str]]:
    """All moments of the contest that organisers have set and may still move: row and field."""
    for model in apps.get_models():
        names = {field.name: field for field in model._meta.concrete_fields}
        chosen = [name for name, field in names.items() if isinstance(field, MomentField)]
        if not chosen:
            continue
        path = "pk" if model is Contest else "contest" if "contest" in names else "stage__contest"
        for row in model._default_manager.filter(**{path: contest.pk}).order_by("pk"):
            stage = getattr(row, "stage", row)
            if getattr(stage, "can_be_edited", True):
                yield from ((row, name) for name in chosen)
