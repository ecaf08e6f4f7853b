"""What can be wrong, symptom by symptom. A probe reads a visit, and returns what it found or None.

Several symptoms may show at once, and one of them is the cause of the others. So probes are asked in an order
(games.doctor.examinations), and the first that finds something speaks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.doctor.examples import Example
from games.doctor.finding import Finding
from games.doctor.visit import Exchange, Patient, Visit


@dataclass(frozen=True, slots=True)
class Case:
    """What every probe may need to know besides the visit."""

    patient: Patient
    example: Example

    @property
    def unit(self) -> str:
        """What an answer is made of in this protocol."""
        return "message" if self.patient.game.protocol == "socket" else "line"

    def expected(self, visit: Visit, exchange: Exchange) -> str:
        """What the document has at that place, or at its last one."""
        if exchange.free:
            return "any line"
        number = sum(not each.free for each in visit.exchanges[: visit.exchanges.index(exchange)])
        answers = self.example.answers
        return f"one {self.unit}, such as {answers[min(number, len(answers) - 1)]}"


Probe = Callable[[Visit, Case], Finding | None]
