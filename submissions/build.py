"""Build a version in the sandbox, or reuse what another worker built from the same inputs.

The key of a build covers all inputs: language, source, the game's kit files, the compiler's version and the commands.
`Artifact` stores the output under that key, so no worker depends on another's disk.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace

import zstandard
from django.conf import settings

from contest.words import printable
from games.engine import Game, MachineryError
from submissions import sandbox
from submissions.languages import LANGUAGES, Language
from submissions.models import Artifact, Submission
from submissions.sandbox.build import DOES_NOT_COMPILE

LOG_LIMIT = 128 * 1024
# How compilers and interpreters mark an error, in the order of the search.
COMPLAINTS = (
    # gcc, g++, javac, scalac, rustc, ghc; collect2 only repeats that ld failed
    re.compile(r"^(?!collect2: ).*\berror(?:\[E\d+\])?: .*$", re.MULTILINE),
    re.compile(r"^.*\berror:\n.*$", re.MULTILINE),  # ghc, when it has more to say
    re.compile(r"^.*\b(?:Error|Fatal): .*$", re.MULTILINE),  # fpc
    re.compile(r"^.*(?:undefined reference|multiple definition).*$", re.MULTILINE),  # ld
    re.compile(
        r"^(?:PHP )?Parse error: .*$|^.*syntax error.*$|^SyntaxError: .*$", re.MULTILINE
    ),  # php, perl, ruby, node
    re.compile(r"^\S+\.go:\d+:\d+: .*$", re.MULTILINE),  # go
    re.compile(r"(?<=: )\S+\.lua:\d+: .*$", re.MULTILINE),
)
PYTHON_COMPLAINT = re.compile(r'^ *File "([^"<>\n]+\.py)", line (\d+)\n(?:.*\n)*?(\w*Error: .*)$', re.MULTILINE)


@dataclass(frozen=True)
class Failure:
    """The source does not build, which is the team's fault. `verdict` says why in one sentence."""

    verdict: str
    command: str
    toolchain: str
    log: str
    seconds: float


def build(submission: Submission) -> Artifact | Failure:
    """Build a version's source. Raises MachineryError if the portal cannot build it now."""
    language = language_of(submission)
    if language is None or not language.installed():
        raise MachineryError(f"{submission.language} is not installed on this worker")
    game = submission.contest.game
    key = key_of(submission, language, game)
    if known := Artifact.objects.filter(key=key).first():
        return known
    kit = kit_files(game, language)
    limits = None
    if settings.BUILD_SECONDS:
        limits = replace(language.build_limits, seconds=min(language.build_limits.seconds, settings.BUILD_SECONDS))
    if submission.is_folder:
        result = sandbox.build_folder(language, submission.all_files(), submission.filename, kit, limits=limits)
    else:
        result = sandbox.build(language, submission.source_bytes(), submission.filename, kit, limits=limits)
    log = cut(printable(result.log))
    if not result.ok:
        return Failure(why(result.reason, log), result.command, result.toolchain, log, result.seconds)
    if result.artifact is None:
        raise MachineryError("the build succeeded but left no output")
    artifact, _ = Artifact.objects.get_or_create(
        key=key,
        defaults={
            "data": zstandard.compress(result.artifact),
            "command": result.command,
            "toolchain": result.toolchain,
            "log": log,
            "seconds": result.seconds,
        },
    )
    return artifact


def language_of(submission: Submission) -> Language | None:
    """The language of a version, as its program is built and started. None if this portal does not know it."""
    language = LANGUAGES.get(submission.language)
    return language.in_folder(submission.filename) if language and submission.is_folder else language


def kit_files(game: Game, language: Language) -> dict[str, bytes]:
    """The kit files that every bot in this language is built with."""
    return {name: (game.folder / "kit" / name).read_bytes() for name in game.kit_sources.get(language.slug, ())}


def key_of(submission: Submission, language: Language, game: Game) -> str:
    kit = kit_files(game, language)
    parts: list[bytes | str] = [game.slug, language.slug, submission.filename]
    if submission.is_folder:
        layout = language.lay_out(submission.all_files(), submission.filename, kit)
        command = language.build_folder(layout)
        for path, data in sorted(layout.files.items()):
            parts += [path, data]
    else:
        command = language.build(submission.filename, sorted(kit))
        parts.append(submission.source_bytes())
        for name, data in kit.items():
            parts += [name, data]
    return Artifact.key_of(*parts, language.toolchain(), *command, *language.run)


def run_command(submission: Submission) -> str:
    """The command that starts the bot inside the sandbox."""
    memory = submission.contest.memory_mb << 20
    language = language_of(submission)
    assert language is not None, "it was built"
    return shlex.join(language.run_within(memory))


def why(reason: str, log: str) -> str:
    """Why a build failed, in one sentence: the compiler's first error, or the limit that was exceeded."""
    if reason != DOES_NOT_COMPILE:
        return reason
    if found := PYTHON_COMPLAINT.search(log):
        where = "" if found[1] == "bot.py" else f"{found[1]} "
        return f"It does not compile: {where}line {found[2]}: {found[3].strip()[:300]}"
    for pattern in COMPLAINTS:
        if found := pattern.search(log):
            return f"It does not compile: {' '.join(found[0].split())[:300]}"
    return reason


def cut(log: str) -> str:
    """The log, or its beginning and end if it is too long."""
    if len(log) <= LOG_LIMIT:
        return log
    half = LOG_LIMIT // 2
    return f"{log[:half]}\n[… {len(log) - LOG_LIMIT} characters cut …]\n{log[-half:]}"
