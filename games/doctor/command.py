"""`kibitz doctor GAME BOT [ARGUMENT...]`."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator

from games import get
from games.build import HOUSE, program_of, source_of
from games.commands import JUDGED, PLAYED
from games.doctor.examinations import examine
from games.doctor.examples import example_of
from games.doctor.finding import Finding
from games.doctor.visit import Patient
from games.engine import OptionError

WELL = "No finding: it plays the worked example as the portal wants it."


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
        place = " HOST PORT" if game.protocol == "socket" else ""
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
