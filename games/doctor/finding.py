"""What a probe found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

SHOWN = 300
"""Characters of what was sent or came that are shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A symptom in plain words: what the program did, the evidence, and one next step."""

    code: str  # for programs, such as "no-flush"
    said: str  # a sentence with "you": what the program did
    sent: str = ""
    came: str = ""
    expected: str = ""
    step: str = ""
    note: bool = False  # it costs nothing on the portal

    def value(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def shown(data: bytes | str) -> str:
    """What was sent or came, on one line: line ends in the middle as ⏎, and what cannot be printed as \\xNN."""
    text = data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else data
    text = text.removesuffix("\n").replace("\r", "\\r").replace("\n", " ⏎ ")
    text = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def listed(pieces: list[bytes]) -> str:
    """Several lines or messages as one text."""
    return shown(b"\n".join(pieces))
