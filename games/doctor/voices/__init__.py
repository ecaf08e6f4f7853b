"""The ways of speaking with a program, by `Game.protocol`."""

from __future__ import annotations

from typing import Protocol

from games.doctor.table import Voice
from games.doctor.visit import Manner, Patient
from games.doctor.voices.connection import ConnectionVoice
from games.doctor.voices.lines import LineVoice, RoutineVoice
from games.doctor.voices.questions import QuestionVoice


class MakesVoice(Protocol):
    def __call__(self, patient: Patient, manner: Manner, /) -> Voice: ...


VOICES: dict[str, MakesVoice] = {
    "lines": LineVoice,
    "question": QuestionVoice,
    "routines": RoutineVoice,
    "socket": ConnectionVoice,
}
