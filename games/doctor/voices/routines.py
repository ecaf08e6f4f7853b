"""The voice for programs whose routines a harness calls: its lines, with a greeting and an end of their own."""

from __future__ import annotations

from typing import cast

from games.doctor.voices.lines import LineVoice
from games.engine import Action, State
from games.routines import RoutineWire


class RoutineVoice(LineVoice):
    """One harness."""

    def ask(self, state: State) -> Action | None:
        if not self.visit.exchanges:
            wire = cast(RoutineWire, self._wire)
            greeting = self.put(wire.greeting(), 0.0, free=True)
            greeting.readable = [True] * (len(greeting.early) + len(greeting.came))
            if greeting.spoilt:
                return None
        return super().ask(state)

    def end(self) -> None:
        if not self.visit.spoilt and self.visit.exchanges and self._manner.answers is None:
            question, lines = cast(RoutineWire, self._wire).ending()
            ending = self.put(question, self._patient.game.seconds(self._options, lines), free=True)
            ending.readable = [True] * (len(ending.early) + len(ending.came))
        super().end()
