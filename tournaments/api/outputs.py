"""What bots wrote to standard error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from contest.replay import Pieces, why
from games.record import Record, games, seating_of


class PieceBody(serializers.Serializer):
    event = serializers.IntegerField(help_text="Written before this event of the record.")
    text = serializers.CharField()


class PlayerOutput(serializers.Serializer):
    seat = serializers.IntegerField(help_text="Of the record.")
    pieces = PieceBody(many=True)
    crash = serializers.CharField(
        allow_blank=True, help_text="Why it crashed for the first time, with the line of its source. Blank: it did not."
    )
    advice = serializers.CharField(allow_blank=True, help_text="One thing to do about that.")


def outputs(found: Mapping[int, Pieces], record: Record) -> list[dict[str, Any]]:
    """The pieces of each player who wrote anything, by seat of the record, and why it crashed."""
    return [
        {
            "seat": seat,
            "pieces": [{"event": event, "text": text} for event, text in pieces],
            **_crash(record, seat, pieces),
        }
        for seat, pieces in sorted(found.items())
    ]


def _crash(record: Record, player: int, pieces: Pieces) -> dict[str, str]:
    start = 0
    for events in games(record):
        seat = seating_of(record, events).index(player)
        for ply, event in enumerate(events):
            if event["event"] == "fault" and event["seat"] == seat:
                found = why.ended(event, record["seats"][player]["bot"], pieces, start + ply)
                if found:
                    return {"crash": found.sentence, "advice": found.advice}
        start += len(events)
    return {"crash": "", "advice": ""}
