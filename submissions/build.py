"""Build a version in the sandbox, or reuse what another worker built; open ready versions as programs.

The key of a build covers all inputs: language, source, the game's kit files, the compiler's version and the commands.
`Artifact` stores the output under that key, so no worker depends on another's disk.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

import zstandard
from django.conf import settings

from contest.models import Contest
from contest.words import printable
from games import explaining
from games.compiled import name_of, renamed
from games.engine import Game, MachineryError
from submissions import sandbox
from submissions.languages import LANGUAGES, Language
from submissions.models import Artifact, Submission
from submissions.sandbox import Jail, Limits
from submissions.sandbox.build import DOES_NOT_COMPILE, NO_PROGRAM
from submissions.sandbox.recipe import arguments_for

LOG_LIMIT = 128 * 1024


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
    limits = replace(language.build_limits, longest=settings.BUILD_SECONDS or math.inf)
    if submission.is_folder:
        result = sandbox.build_folder(language, submission.all_files(), submission.filename, kit, limits=limits)
    else:
        result = sandbox.build(language, submission.source_bytes(), submission.filename, kit, limits=limits)
    log = cut(printable(result.log))
    if not result.ok:
        verdict = why(result.reason, log, language, names_of(submission, language))
        return Failure(verdict, result.command, result.toolchain, log, result.seconds)
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
    if language is None or not (submission.is_folder or language.interpreted):
        return language
    if not submission.is_folder:
        return language.in_folder(name_of(language.recipe, submission.filename, b""))
    paths = [it["path"] for it in submission.listed_files()]
    return language.in_folder(submission.filename, paths, submission.source_bytes())


def kit_files(game: Game, language: Language) -> dict[str, bytes]:
    """The kit files that every bot in this language is built with."""
    return {name: (game.folder / "kit" / name).read_bytes() for name in game.kit_sources.get(language.slug, ())}


def key_of(submission: Submission, language: Language, game: Game) -> str:
    kit = kit_files(game, language)
    parts: list[bytes | str] = [game.slug, language.slug, submission.filename]
    if submission.is_folder:
        layout = language.lay_out(submission.all_files(), submission.filename, kit)
        attempts = language.build_folder(layout)
        for path, data in sorted(layout.files.items()):
            parts += [path, data]
    else:
        name, source = language.compiled(submission.filename, submission.source_bytes(), kit)
        attempts = language.build(name, sorted(kit))
        parts.append(source)
        for name, data in kit.items():
            parts += [name, data]
    words = [word for commands in attempts for command in commands for word in command]
    return Artifact.key_of(*parts, language.toolchain(), *words, *language.run)


def run_command(submission: Submission) -> str:
    """The command that starts the bot inside the sandbox."""
    memory = submission.contest.memory_mb << 20
    language = language_of(submission)
    assert language is not None, "it was built"
    return shlex.join((*language.run_within(memory), *arguments_for(submission.server)))


def names_of(submission: Submission, language: Language) -> dict[str, str]:
    """The author's files, by the names that compilers and running programs know them by."""
    if submission.is_folder:
        files = submission.all_files()
        return {path: path for path in files} | {
            built: path for path, built in renamed(language.recipe, files).items() if not language.interpreted
        }
    kit = kit_files(submission.contest.game, language)
    return {language.compiled(submission.filename, submission.source_bytes(), kit)[0]: submission.filename}


def why(reason: str, log: str, language: Language, names: Mapping[str, str]) -> str:
    """Why a build failed: the compiler's first error with what to do about it, or the limit that was exceeded."""
    if reason == NO_PROGRAM and language.slug == "pascal":
        return "It is a unit, and only a program can be started. Upload the program that uses it, with the unit."
    found = explaining.build(language.slug, log, names)
    if found is None:
        return reason
    said = f"{found.sentence}{f'. {found.advice}' if found.advice else ''}"
    return f"It does not compile: {said}" if reason == DOES_NOT_COMPILE else f"{reason} Until then it said: {said}"


def cut(log: str) -> str:
    """The log, or its beginning and end if it is too long."""
    if len(log) <= LOG_LIMIT:
        return log
    half = LOG_LIMIT // 2
    return f"{log[:half]}\n[… {len(log) - LOG_LIMIT} characters cut …]\n{log[-half:]}"


MEGABYTE = 1 << 20


def limits_of(contest: Contest) -> Limits:
    """The contest's limits for every bot."""
    return Limits(memory_bytes=contest.memory_mb * MEGABYTE)


@contextmanager
def open_bot(submission: Submission, limits: Limits) -> Iterator[Jail]:
    """Open a version in its own jail for the duration of the block.

    An artifact that the database no longer has is built again. Raises MachineryError if that or the jail fails. This
    is never the bot's fault, because the version was built before.
    """
    language = language_of(submission)
    if language is None:
        raise MachineryError(f"there is no language {submission.language!r} on this worker")
    with Jail.open(artifact_of(submission).parcel(), language, limits, submission.server) as jail:
        yield jail


def artifact_of(submission: Submission) -> Artifact:
    """The version's artifact, built again if necessary. Raises MachineryError."""
    artifact = submission.artifact
    if artifact is None:
        outcome = build(submission)
        if isinstance(outcome, Failure):
            raise MachineryError(f"{submission} was built before and does not build on this worker: {outcome.verdict}")
        artifact = outcome
        Submission.objects.filter(pk=submission.pk).update(artifact=artifact)
        submission.artifact = artifact
    return artifact
