"""What is kept of a finished match: its record, and what its bots wrote."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import models
from django.utils import timezone
from zstandard import ZstdError

from contest.kept import OutOfReach
from contest.models import Contest
from submissions.models import pack, unpack
from tournaments.models import stores
from tournaments.models.matches import Match, MatchSeat


class Record(models.Model):
    """The record of a finished match (docs/record.md), written in the same transaction as its result.

    It begins in the row, because no result may wait for another machine; `move_to` takes its bytes elsewhere later."""

    class Store(models.TextChoices):
        ROW = stores.ROW, "in the database"
        FILES = stores.FILES, "in the file system"
        OBJECTS = stores.OBJECTS, "in object storage"

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="record")
    data = models.BinaryField()  # zstd of the canonical JSON; empty where another store has it
    store = models.CharField(max_length=8, choices=Store.choices, default=Store.ROW, db_default=Store.ROW)
    size = models.PositiveIntegerField(null=True)  # bytes of `data`, wherever they are; None: of an older release
    sha256 = models.CharField(max_length=64)  # of the canonical JSON
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["made_at"], condition=models.Q(store="row"), name="record_in_its_row")]

    def __str__(self) -> str:
        return f"Record of match {self.match_id}"

    @classmethod
    def of(cls, match: Match, text: str) -> Record:
        """Make an unsaved row from the canonical JSON."""
        data = pack(text)
        return cls(match=match, data=data, size=len(data), sha256=_digest(text))

    def text(self) -> str:
        """The canonical JSON (docs/record.md). Raises OutOfReach if its store does not answer."""
        if self.store == self.Store.ROW:
            return unpack(self.data)
        try:
            text = unpack(stores.read(self.store, self.name))
        except ZstdError:
            text = ""
        if _digest(text) != self.sha256:
            raise OutOfReach(DAMAGED)
        return text

    def loaded(self) -> dict[str, Any]:
        return json.loads(self.text())

    @property
    def name(self) -> str:
        """Of its bytes outside the database."""
        return stores.name_of(self.match_id, self.sha256)

    def move_to(self, store: str) -> bool:
        """Move its bytes to another store. They are in two places until the row says where. False: somebody else has
        moved or deleted it. Raises OutOfReach, and then it is where it was."""
        before = self.store
        if before == store:
            return False
        data = pack(self.text()) if before != self.Store.ROW else bytes(self.data)
        if store != self.Store.ROW:
            stores.write(store, self.name, data)
        row = data if store == self.Store.ROW else b""
        moved = Record.objects.filter(pk=self.pk, store=before).update(store=store, data=row, size=len(data))
        if before != self.Store.ROW and moved:
            stores.delete(before, self.name)
        if store != self.Store.ROW and not moved and not Record.objects.filter(pk=self.pk, store=store).exists():
            stores.delete(store, self.name)
        self.store = store if moved else before
        return bool(moved)


DAMAGED = "This record cannot be read: its bytes in the storage of records have changed."


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class PrunedRecord(models.Model):
    """Says of a match that its record is kept no longer, and why. The digest tells whether somebody's copy is the
    record."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="pruned")
    sha256 = models.CharField(max_length=64)
    why = models.CharField(max_length=200)  # a sentence
    at = models.DateTimeField(default=timezone.now)
    left = models.CharField(max_length=8, blank=True)  # the store in which its bytes still are

    class Meta:
        indexes = [models.Index(fields=["left"], condition=~models.Q(left=""), name="record_left_in_a_store")]

    def __str__(self) -> str:
        return f"Pruned record of match {self.match_id}"


class Retention(models.Model):
    """Which records a contest keeps, and how far that has been carried out (playing/pruning.py)."""

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, primary_key=True, related_name="retention")
    latest = models.PositiveIntegerField(null=True)  # so many of the latest matches; None: as the portal has it
    days = models.PositiveIntegerField(null=True)  # everything younger; 0 and 0: everything
    applied = models.CharField(max_length=40, blank=True)  # the rule that was carried out …
    until = models.DateTimeField(null=True)  # … for matches that finished before

    def __str__(self) -> str:
        return f"Retention in {self.contest}"


class BotLog(models.Model):
    """What a bot wrote to standard error during a match, for its team and for people with a role."""

    seat = models.OneToOneField(MatchSeat, on_delete=models.CASCADE, related_name="log")
    data = models.BinaryField()  # zstd of JSON: [[event index, text], …]

    def __str__(self) -> str:
        return f"Debug output of {self.seat} in match {self.seat.match_id}"

    @classmethod
    def of(cls, seat: MatchSeat, pieces: list[tuple[int, str]]) -> BotLog:
        """Make an unsaved row."""
        return cls(seat=seat, data=pack(json.dumps(pieces, ensure_ascii=False)))

    def pieces(self) -> list[list[Any]]:
        """Pairs: the index of an event in the record, and the text written at that point."""
        return json.loads(unpack(self.data) or "[]")
