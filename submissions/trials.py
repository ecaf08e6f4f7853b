"""What an entry is tried with besides its games: its own unit tests, where its game asks for them, and a build that
watches its memory, where its contest asks for that. What is found is told and refuses nobody.

A finding is a dictionary as `Submission.findings` keeps it: `title` in a few words, `text` as it was printed, `bad`,
and of bad ones `short`, which a badge has room for.
"""

from __future__ import annotations

from typing import Any

from contest.words import printable
from games.engine import Game, Options
from games.programs import Answer, ExitStatus, Program
from submissions import sanitize
from submissions.models import Submission
from submissions.verdict import SIGNALS

TEXT = 8_000
"""Characters of a finding's text that are kept."""

Finding = dict[str, Any]


def unit_tests(game: Game, program: Program, options: Options, startup: float) -> Finding | None:
    """What became of the bot's own unit tests; None where its game does not ask for any."""
    if game.unit_tests is None:
        return None
    answer = program.ask(game.unit_tests, seconds=game.seconds(options, 1) + startup)
    failure = _failure(answer)
    title = f"Its unit tests failed: the program {failure}." if failure else "Its unit tests ran to their end."
    found: Finding = {"title": title, "text": _printed(answer), "bad": bool(failure)}
    return found | {"short": "unit tests failed"} if failure else found


def memory_errors(submission: Submission) -> Finding | None:
    """What the sanitizers find; None where the contest does not ask, or the language has none.

    Raises MachineryError when that could not be tried.
    """
    contest = submission.contest
    if not contest.sanitize:
        return None
    found = sanitize.inspect(
        contest.game,
        submission.source_bytes(),
        submission.filename,
        contest.full_options(),
        startup=contest.startup_seconds,
    )
    if found is None:
        return None
    if found.note:
        log = printable(found.log[:TEXT])
        return {"title": printable(found.note), "text": log, "bad": True, "short": "not tried with the sanitizers"}
    if found.ok:
        return {"title": "The sanitizers found no error in its memory or its arithmetic.", "text": "", "bad": False}
    title = "The sanitizers found what goes wrong sooner or later, here or on other deals:"
    return {"title": title, "text": printable("\n".join(found.sentences)), "bad": True, "short": "memory error found"}


def _failure(answer: Answer) -> str:
    """How the tests ended, if not well, in words that follow "the program"."""
    end = answer.exit
    if answer.timed_out:
        return "did not end in time"
    if end.status is ExitStatus.SIGNALLED:
        meaning = SIGNALS.get(end.signal)
        return f"was ended by signal {end.signal}" + (f" ({meaning})" if meaning else "")
    if end.status is ExitStatus.EXITED:
        return f"exited with status {end.code}" if end.code else ""
    detail = end.fault().detail
    return f"made a forbidden system call: {detail}" if end.status is ExitStatus.VIOLATION else detail


def _printed(answer: Answer) -> str:
    text = (answer.output + answer.errors).decode("utf-8", "replace").strip()
    return printable(text if len(text) <= TEXT else f"{text[:TEXT]}\n…")
