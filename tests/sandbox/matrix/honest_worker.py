"""Runs honest programs at one place: started by honest.py as the place's user."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from submissions.languages import LANGUAGES, Language
from submissions.sandbox import probe
from tests.sandbox.circumstances import Accused, circumstances_of, greet, hear_out, strain

Program = dict[str, str]
TURNS = ("hello", "player", "hello", "honest", "hello", "hello", "player", "hello", "hello", "honest") * 2
STRENUOUS = 10
"""The one of the twenty turns that is the strenuous program's."""


def main() -> None:
    job = json.load(sys.stdin)
    level = probe()
    assert level.name == job["level"], str(level)
    for slug in dict.fromkeys(program["language"] for program in job["programs"]):
        programs = [program for program in job["programs"] if program["language"] == slug]
        wrong: list[str] = []
        for number in range(*job["runs"]):
            try:
                _run(LANGUAGES[slug], programs, number)
            except Accused as error:
                wrong.append(f"{error}")
        print(json.dumps({"language": slug, "runs": len(range(*job["runs"])), "accusations": wrong}), flush=True)


def _run(language: Language, programs: list[Program], number: int) -> None:
    """One run. Raises Accused."""
    circumstances = circumstances_of(language)
    circumstance = circumstances[number % len(circumstances)]
    kind = "strenuous" if number % len(TURNS) == STRENUOUS else TURNS[number % len(TURNS)]
    chosen = [program for program in programs if program["kind"] == kind] or programs[:1]
    program = chosen[number // len(TURNS) % len(chosen)]
    artifact = Path(program["path"]).read_bytes()
    match program["kind"]:
        case "hello":
            greet(artifact, language, circumstance)
        case "strenuous":
            strain(artifact, language, circumstance)
        case other:  # a player misses its questions, or its server, and says so
            hear_out(artifact, language, program["name"], must_like_it=other == "honest")


if __name__ == "__main__":
    main()
