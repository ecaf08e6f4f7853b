"""`kibitz doctor GAME BOT [ARGUMENT...]`: which visits are paid to a program, and which probes look at each."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass

from games import get
from games.build import HOUSE, program_of, source_of
from games.commands import JUDGED, PLAYED
from games.doctor import table
from games.doctor.probes import (
    DOUBLE_ANSWER,
    Case,
    Finding,
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
from games.doctor.table import Example, example_of
from games.doctor.visit import Manner, Patient
from games.doctor.voices import VOICES
from games.engine import OptionError
from games.options import PLACE

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


IN_PIECES = Examination("questions in two pieces", Manner(in_pieces=True, answers=FEW), (early, pieces), LINES)
"""It also tells an answer to the news, which comes too early, from a second answer to the question."""

EXAMINATIONS = (
    Examination(
        "the worked example",
        Manner(),
        (
            *(flood, unconnected, framing, crash, early, stray, double, flush),
            *(line_end, silence, answer, slow, ending),
        ),
    ),
    IN_PIECES,
    Examination(
        "line ends of Windows", Manner(line_end=b"\r\n", answers=FEW), (carriage_return,), LINES | {"question"}
    ),
    Examination("an early end of input", Manner(answers=1), (ending,), LINES),
)


def examine(patient: Patient, example: Example) -> Iterator[tuple[Examination, Finding | None]]:
    """Yield each examination that suits the protocol, and what it found that is new. The first finding that costs
    points is the last: further examinations would find the same."""
    known: set[str] = set()
    for examination in EXAMINATIONS:
        if patient.game.protocol not in examination.protocols:
            continue
        finding = _paid(examination, patient, example)
        if finding and finding.code == DOUBLE_ANSWER and patient.game.protocol in LINES:
            finding = _paid(IN_PIECES, patient, example, (early,)) or finding
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


WELL = "No problems found."


def doctor(arguments: Namespace) -> int:
    """The command. Exit status 1 if something was found that costs points on the portal."""
    game = get(arguments.game)
    if arguments.bot == "random" or arguments.bot.startswith(HOUSE):
        raise OptionError("house players are well. Name a source file, a folder, an archive or an executable")
    program = program_of(game, arguments.bot, arguments.argument)
    source = source_of(game, arguments.bot)
    patient = Patient(game, program, source.language, source.names, arguments.patience, game.preset().startup)
    example = example_of(game)
    if not arguments.json:
        print(f"{game.title}: {arguments.bot} plays the worked example ({example.source}).")
        told = any(map(PLACE.search, program.command))
        place = " HOST PORT" if game.protocol == "socket" and not told else ""
        print(f"started as: {shlex.join(program.command)}{place}")
    done, findings = [], []
    for examination, finding in examine(patient, example):
        done.append(examination.name)
        if finding:
            findings.append(finding)
        if not arguments.json:
            print(f"{'note' if finding and finding.note else 'FOUND' if finding else 'ok'}: {examination.name}")
            for line in _told(finding) if finding else ():
                print(f"  {line}")
            sys.stdout.flush()
    if arguments.json:
        value = {"game": game.slug, "bot": arguments.bot, "command": program.command, "examined": done}
        print(json.dumps(value | {"findings": [each.value() for each in findings]}, indent=2, ensure_ascii=False))
    elif not findings:
        print(WELL)
    return JUDGED if any(not each.note for each in findings) else PLAYED


def _told(finding: Finding) -> Iterator[str]:
    yield finding.said
    for title, text in (("sent", finding.sent), ("came", finding.came), ("expected", finding.expected)):
        if text:
            yield f"{title + ':':<11}{text}"
    if finding.step:
        yield f"next step: {finding.step}"
