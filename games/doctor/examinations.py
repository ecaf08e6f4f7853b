"""Which visits are paid to a program, and which probes look at each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.doctor import table
from games.doctor.examples import Example
from games.doctor.finding import Finding
from games.doctor.probes import (
    Case,
    Probe,
    answer,
    carriage_return,
    crash,
    double,
    early,
    ending,
    flood,
    flush,
    framing,
    line_end,
    pieces,
    silence,
    slow,
    stray,
    unconnected,
)
from games.doctor.visit import Manner, Patient
from games.doctor.voices import VOICES

LINES = frozenset({"lines", "routines"})
FEW = 4
"""Answers that are enough to see whether a program can read at all."""
ALL = LINES | {"question", "socket"}


@dataclass(frozen=True, slots=True)
class Examination:
    """One visit. `probes` are asked in this order, and the first that finds something speaks."""

    name: str
    manner: Manner
    probes: tuple[Probe, ...]
    protocols: frozenset[str] = ALL


IN_PIECES = Examination(
    "questions in two pieces", Manner(in_pieces=True, answers=FEW), (early.look, pieces.look), LINES
)
"""It also tells an answer to the news, which comes too early, from a second answer to the question."""

EXAMINATIONS = (
    Examination(
        "the worked example",
        Manner(),
        (
            *(flood.look, unconnected.look, framing.look, crash.look, early.look, stray.look, double.look, flush.look),
            *(line_end.look, silence.look, answer.look, slow.look, ending.look),
        ),
    ),
    IN_PIECES,
    Examination(
        "line ends of Windows", Manner(line_end=b"\r\n", answers=FEW), (carriage_return.look,), LINES | {"question"}
    ),
    Examination("an early end of input", Manner(answers=1), (ending.look,), LINES),
)


def examine(patient: Patient, example: Example) -> Iterator[tuple[Examination, Finding | None]]:
    """Yield each examination that suits the protocol, and what it found that is new. The first finding that costs
    points is the last: further examinations would find the same."""
    known: set[str] = set()
    for examination in EXAMINATIONS:
        if patient.game.protocol not in examination.protocols:
            continue
        finding = _paid(examination, patient, example)
        if finding and finding.code == double.CODE and patient.game.protocol in LINES:
            finding = _paid(IN_PIECES, patient, example, (early.look,)) or finding
        yield examination, None if finding and finding.code in known else finding
        if finding and not finding.note:
            return
        known |= {finding.code} if finding else set()


def _paid(
    examination: Examination, patient: Patient, example: Example, probes: tuple[Probe, ...] = ()
) -> Finding | None:
    """Pay a visit, and ask its probes."""
    case = Case(patient, example)
    visit = table.play(patient.game, example, VOICES[patient.game.protocol](patient, examination.manner))
    return next((found for probe in probes or examination.probes if (found := probe(visit, case))), None)
