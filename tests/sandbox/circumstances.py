"""Circumstances in which no honest runtime may be accused: the hello bot of a language in a fresh jail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from games.programs import Exit, ExitStatus
from submissions.languages import Language
from submissions.sandbox import Jail, Limits
from tests.sandbox.streams import MEGABYTE, converse

PLENTY = 256 * MEGABYTE
LONG = b"x" * 40_000 + b"\n"


class Accused(Exception):
    """An honest program that did not end as it does outside. The text says what happened."""


@dataclass(frozen=True)
class Circumstance:
    """`environment` is added to the usual one; an empty value removes the variable. Not for `unless`."""

    name: str
    said: bytes = b"one\ntwo\n"
    plenty: bool = False  # of memory; otherwise the floor of the language
    environment: Mapping[str, str] = field(default_factory=dict)
    unless: str = ""


CIRCUMSTANCES = (
    Circumstance("two questions, the least memory"),
    Circumstance("two questions, plenty of memory", plenty=True),
    Circumstance("no question at all", said=b""),
    Circumstance("a line without its end", said=b"one"),
    Circumstance("a long line", said=LONG, plenty=True),
    Circumstance("bytes that are no text", said=b"\xff\xfe\n", plenty=True),
    # Without one CPython asks a name server and /etc/passwd for its user, so every jail sets a home.
    Circumstance("no home", environment={"HOME": ""}, unless="python"),
    Circumstance("a home that is not there", environment={"HOME": "/home/student"}),
    Circumstance("a locale that is not there", environment={"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"}),
    Circumstance("no locale, no time zone", environment={"LC_ALL": "", "TZ": ""}),
    Circumstance("a time zone", environment={"TZ": "Europe/Berlin"}),
    Circumstance("but a home", environment={"LC_ALL": "", "TZ": "", "PATH": ""}),
)


def circumstances_of(language: Language) -> list[Circumstance]:
    return [it for it in CIRCUMSTANCES if it.unless != language.slug]


def greet(artifact: bytes, language: Language, circumstance: Circumstance) -> None:
    """Start the hello bot in its own jail, send the lines, and read its answers. Raises Accused."""
    memory = PLENTY if circumstance.plenty else language.memory_floor
    end, said, complained = _converse(artifact, language, memory, circumstance.said, circumstance.environment)
    answers = said.replace(b"got ", b"").rstrip(b"\n")
    text = not circumstance.said.startswith(b"\xff")  # a bot may do anything with input that is no text, even crash
    understood = end.code == 0 and answers == circumstance.said.rstrip(b"\n")
    if end.status is not ExitStatus.EXITED or (text and not understood):
        raise Accused(f"{circumstance.name}: {end}, {said[:200]!r}, {complained[-500:]!r}")


def hear_out(artifact: bytes, language: Language, name: str, *, must_like_it: bool = True) -> bytes:
    """The same for any other program. It finds the end of its input at once and must exit well, unless it may complain
    about that. Returns its output. Raises Accused."""
    end, said, complained = _converse(artifact, language, PLENTY, b"", {})
    if end.status is not ExitStatus.EXITED or (end.code and must_like_it):
        raise Accused(f"{name}: {end}, {said[:200]!r}, {complained[-500:]!r}")
    return said


MUCH = b"".join(b"%063d\n" % number for number in range(20_000))  # 1.3 MB


def strain(artifact: bytes, language: Language, circumstance: Circumstance) -> None:
    """The same for the program that works hard: it reads a megabyte, makes garbage, catches exceptions, and writes
    much. Raises Accused."""
    end, said, complained = _converse(artifact, language, PLENTY, MUCH, circumstance.environment)
    if end.status is not ExitStatus.EXITED or end.code or not said.endswith(b"ok %d\n" % len(MUCH)):
        raise Accused(f"hard work, {circumstance.name}: {end}, {said[-200:]!r}, {complained[-500:]!r}")


def _converse(
    artifact: bytes, language: Language, memory: int, words: bytes, changed: Mapping[str, str]
) -> tuple[Exit, bytes, bytes]:
    with Jail.open(artifact, language, Limits(memory_bytes=memory)) as jail:
        environment = {name: value for name, value in {**jail.recipe.environment, **changed}.items() if value}
        jail.recipe = replace(jail.recipe, environment=environment)
        process = jail.start()
        said, complained = converse(process, words, 60.0)
        return process.stop(10.0), said, complained
