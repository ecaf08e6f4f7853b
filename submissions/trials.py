"""Extra tests of a bot besides its check games. They produce findings, but never reject a version.

Games may ask for the bot's own unit tests, contests for a build that detects memory errors. A finding is a dictionary
in `Submission.findings`: a `title`, the printed `text`, whether it is `bad`, and for bad ones a `short` title.
"""

from __future__ import annotations

from typing import Any

from contest.words import printable
from games import explaining
from games.engine import Game, Options
from games.programs import Answer, ExitStatus, Program
from submissions import sanitize
from submissions.languages import LANGUAGES
from submissions.models import Submission

TEXT = 8_000
"""How many characters of a finding's text are kept."""

Finding = dict[str, Any]


def unit_tests(game: Game, program: Program, options: Options, startup: float) -> Finding | None:
    """Run the bot's own unit tests. None if its game does not ask for any."""
    if game.unit_tests is None:
        return None
    answer = program.ask(game.unit_tests, seconds=game.seconds(options, 1) + startup)
    failure = _failure(answer)
    title = f"Its unit tests failed: the program {failure}." if failure else "Its unit tests passed."
    text = (answer.output + answer.errors).decode("utf-8", "replace").strip()
    text = printable(text if len(text) <= TEXT else f"{text[:TEXT]}\n…")
    found: Finding = {"title": title, "text": text, "bad": bool(failure)}
    return found | {"short": "unit tests failed"} if failure else found


def other_sources(submission: Submission) -> Finding | None:
    """Sources that do not compile, although the entry does. None if all do."""
    language = LANGUAGES[submission.language]
    if not (submission.is_folder and language.recipe.jailed.checks_all):
        return None
    found = explaining.others(submission.build_log, {path: path for path in submission.all_files()})
    if not found:
        return None
    text = "\n".join(f"{each.sentence}. {each.advice}" for each in found)
    title = "Some files do not compile. Your bot plays as long as it does not import them:"
    return {"title": title, "text": printable(text), "bad": True, "short": "unused files do not compile"}


def memory_errors(submission: Submission) -> Finding | None:
    """Test with the sanitizers. None if the contest does not ask for it, or the language has none.

    Raises MachineryError if the test cannot run.
    """
    contest = submission.contest
    if not contest.sanitize:
        return None
    found = sanitize.inspect(
        contest.game,
        submission.source_bytes(),
        submission.filename,
        contest.full_options(),
        folder=submission.all_files() if submission.is_folder else None,
        startup=contest.startup_seconds,
    )
    if found is None:
        return None
    if found.note:
        log = printable(found.log[:TEXT])
        return {"title": printable(found.note), "text": log, "bad": True, "short": "not tested with sanitizers"}
    if found.ok:
        return {"title": "The sanitizers found no memory or arithmetic errors.", "text": "", "bad": False}
    title = "The sanitizers found errors that will cause trouble sooner or later:"
    return {"title": title, "text": printable("\n".join(found.sentences)), "bad": True, "short": "memory error found"}


def _failure(answer: Answer) -> str:
    """Why the tests failed, as words that follow "the program"; blank if they passed."""
    end = answer.exit
    if answer.timed_out:
        return "did not end in time"
    if end.status is ExitStatus.SIGNALLED:
        meaning = explaining.SIGNALS.get(end.signal)
        return f"was ended by signal {end.signal}" + (f" ({meaning})" if meaning else "")
    if end.status is ExitStatus.EXITED:
        return f"exited with status {end.code}" if end.code else ""
    detail = end.fault().detail
    return f"made a forbidden system call: {detail}" if end.status is ExitStatus.VIOLATION else detail
