"""What bots wrote to standard error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from contest.replay import Pieces


class PieceBody(serializers.Serializer):
    event = serializers.IntegerField(help_text="Written before this event of the record.")
    text = serializers.CharField()


class PlayerOutput(serializers.Serializer):
    seat = serializers.IntegerField(help_text="Of the record.")
    pieces = PieceBody(many=True)


def outputs(found: Mapping[int, Pieces]) -> list[dict[str, Any]]:
    """The pieces of each player who wrote anything, by seat of the record."""
    return [
        {"seat": seat, "pieces": [{"event": event, "text": text} for event, text in pieces]}
        for seat, pieces in sorted(found.items())
    ]
