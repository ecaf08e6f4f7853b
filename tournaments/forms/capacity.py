"""The form of the load calculator."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

from django import forms

import games
from tournaments import formats
from tournaments.organising import capacity
from tournaments.organising.capacity import Answer


class CapacityForm(forms.Form):
    """What somebody plans. It is sent by GET, so an answer has an address."""

    teams = forms.IntegerField(label="Teams", min_value=2, max_value=100_000)
    game = forms.ChoiceField(label="Game")
    format = forms.ChoiceField(label="Format")
    minutes = forms.FloatField(
        label="Minutes between two matches of a team",
        min_value=0.05,
        max_value=100_000,
        help_text="On a ladder, how often a team plays. Otherwise, how long a round may take.",
    )
    seconds = forms.FloatField(
        label="Seconds a match takes",
        min_value=0.001,
        max_value=1_000_000,
        required=False,
        help_text="All games of a match together. Optional: without it, the calculation uses the latest matches of "
        "this game on this portal, or a guess for quick bots if there are none.",
    )
    seats = forms.IntegerField(
        label="Teams at a table",
        min_value=1,
        max_value=100,
        required=False,
        help_text="Optional: without it, as many as the game has seats, or two in a round robin.",
    )
    cores = forms.IntegerField(label="Cores of a machine", min_value=1, max_value=10_000)

    def __init__(self, asked: Any = None) -> None:
        initial = {"teams": 500, "minutes": 10, "format": "ladder", "cores": os.cpu_count() or 1}
        super().__init__(asked, initial=initial)
        game, format = self.fields["game"], self.fields["format"]
        assert isinstance(game, forms.ChoiceField)
        assert isinstance(format, forms.ChoiceField)
        game.choices = [(slug, it.title) for slug, it in games.GAMES.items()]
        format.choices = [(slug, formats.get(slug).title) for slug in capacity.PACES]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        game, format = games.GAMES.get(data.get("game", "")), data.get("format")
        if game and format and not formats.get(format).fits(game):
            self.add_error("format", f"{game.title} cannot be played in this format.")
        return data

    def answer(self) -> Answer:
        data = self.cleaned_data
        return capacity.answer(
            games.get(data["game"]),
            data["teams"],
            timedelta(minutes=data["minutes"]),
            data["cores"],
            format=data["format"],
            seconds=data["seconds"],
            seats=data["seats"],
        )
