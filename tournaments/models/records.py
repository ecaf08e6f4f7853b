"""What is kept of a finished match: its record, and what its bots wrote."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import models
from django.utils import timezone

from submissions.models import pack, unpack
from tournaments.models.matches import Match, MatchSeat


class Record(models.Model):
    """The record of a finished match (docs/record.md), written in the same transaction as its result."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="record")
    data = models.BinaryField()  # zstd of the canonical JSON
    sha256 = models.CharField(max_length=64)  # of the canonical JSON
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["made_at"], name="oldest_record")]

    def __str__(self) -> str:
        return f"Record of match {self.match_id}"

    @classmethod
    def of(cls, match: Match, text: str) -> Record:
        """Make an unsaved row from the canonical JSON."""
        return cls(match=match, data=pack(text), sha256=hashlib.sha256(text.encode()).hexdigest())

    def text(self) -> str:
        """The canonical JSON (docs/record.md)."""
        return unpack(self.data)

    def loaded(self) -> dict[str, Any]:
        return json.loads(self.text())


class PrunedRecord(models.Model):
    """Says of a match that its record is kept no longer, and why. The digest tells whether somebody's copy is the
    record."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="pruned")
    sha256 = models.CharField(max_length=64)
    why = models.CharField(max_length=200)  # a sentence
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"Pruned record of match {self.match_id}"


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
