"""Why a command could not be carried out, in words that say what to do."""

from __future__ import annotations

from typing import Any

DONE, REJECTED, REFUSED, NO_ACCESS, NO_ANSWER, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit status: done; the version was rejected; the command is wrong or was refused; a token is missing, unknown or not
enough; the portal did not answer; somebody pressed Ctrl-C."""


class Trouble(Exception):
    """The command ends with this sentence, a hint of what to do, and this exit status."""

    def __init__(
        self, said: str, hint: str = "", *, status: int = REFUSED, code: str = "refused", answer: Any = None
    ) -> None:
        super().__init__(said)
        self.said = said
        self.hint = hint
        self.status = status
        self.code = code
        self.answer = answer
        """The problem as the portal described it, if it did."""

    def as_value(self) -> dict[str, Any]:
        """The error for programs."""
        told = self.answer if isinstance(self.answer, dict) else {}
        return {"code": self.code, "detail": self.said, "hint": self.hint, "exit_status": self.status} | {
            name: told[name] for name in ("status", "errors") if name in told
        }


class NoAnswer(Trouble):
    """The portal could not be reached, or its answer was lost."""

    def __init__(self, said: str, hint: str = "", *, sent: bool = False, code: str = "unreachable") -> None:
        super().__init__(said, hint, status=NO_ANSWER, code=code)
        self.sent = sent
        """Whether the request may have arrived."""
