"""Report memory errors and undefined behaviour in plain words, with file and line (docs/rulings.md, Intensity 7).

The source is built a second time with the compiler's address and undefined-behaviour sanitizers, and plays a match
against house players in a jail. This module reads what the sanitizers write to standard error. Matches use the normal
build, because sanitized programs are slow and large and open files when they start.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from games import referee
from games.engine import Game, Options
from games.players import PROTOCOLS, HousePlayer, Seated
from games.programs import Program
from games.toolchains import MEGABYTE
from submissions.languages import Language, recognise
from submissions.sandbox import Jail, Limits, build, build_folder
from submissions.sandbox.policy import LIBRARIES, Policy

SANITIZED = ("c", "cpp")
FLAGS = (
    *("-O1", "-g", "-fsanitize=address,undefined", "-static-libasan", "-static-libubsan", "-fno-omit-frame-pointer"),
    "-ftrivial-auto-var-init=pattern",  # an unset variable is far from any valid index
)
NOT_THEN = ("-static", "-O2", "-O3", "-s")  # flags of the normal build that conflict with these

OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=86:quarantine_size_mb=8:malloc_context_size=8",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
POLICY = Policy("sanitizer", readable=(*LIBRARIES, "/proc/"), probing=True)
"""Sanitizers look up where the program is in memory, and read its symbols."""

MEMORY = 512 * MEGABYTE
"""Sanitizers need a multiple of the bot's own memory."""

ENOUGH = 60.0
"""Seconds after which the match stops."""

MOST = 20
"""How many findings are reported."""

LOG = 256 * 1024
"""Bytes of standard error that are read."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of the sanitizers."""

    ok: bool
    sentences: list[str]  # one for each place in the source, in order of discovery
    log: str  # the output of the sanitizers or the compiler
    note: str = ""  # why the test could not run


class _Enough(Exception):
    """The match has taken too long."""


@dataclass(frozen=True, slots=True)
class Sanitized(Language):
    """A language whose programs are built with sanitizers."""

    @classmethod
    def of(cls, language: Language) -> Sanitized:
        recipe = language.recipe
        jailed = replace(recipe.jailed, mounts=("/usr", "/proc"), environment=tuple(OPTIONS.items()))
        build, folder = _flagged(recipe.build, "-o"), _flagged(recipe.folder, "-o")
        archived = _flagged(recipe.archived, "-c")
        return cls(replace(recipe, build=build, folder=folder, archived=archived, jailed=jailed))

    @property
    def policy(self) -> Policy:
        return POLICY

    @property
    def runtime(self) -> None:
        """None: it plays alone, and reads the host's files and the kernel's /proc."""
        return None


def _flagged(command: tuple[str, ...], before: str) -> tuple[str, ...]:
    """A compiler's command with the sanitizers before that word, and without what conflicts with them."""
    plain = [word for word in command if word not in NOT_THEN]
    at = plain.index(before)
    return (*plain[:at], *FLAGS, *plain[at:])


def language_of(filename: str) -> Sanitized | None:
    """The sanitized language of a source file, None if it has no sanitizers."""
    language = recognise(filename)
    return Sanitized.of(language) if language is not None and language.slug in SANITIZED else None


def inspect(
    game: Game,
    source: bytes,
    filename: str,
    options: Options,
    *,
    folder: Mapping[str, bytes] | None = None,
    startup: float = 5.0,
    seed: int = 1,
) -> Findings | None:
    """Build a bot with sanitizers, play a game in every seat and run its own unit tests. `folder` are all files of a
    program of several, whose entry is `filename`.

    None if its language has no sanitizers. Raises MachineryError if the test cannot run.
    """
    language = language_of(filename)
    if language is None:
        return None
    kit = {name: (game.folder / "kit" / name).read_bytes() for name in game.kit_sources.get(language.slug, ())}
    if folder:
        language = replace(language, recipe=language.recipe.beside(folder))
        result = build_folder(language, folder, filename, kit)
    else:
        result = build(language, source, filename, kit)
    if result.artifact is None:
        return Findings(True, [], result.log, f"It does not build with the sanitizers: {result.reason}")
    with Jail.open(result.artifact, language, Limits(memory_bytes=MEMORY)) as jail:
        log, tests = trial(game, jail, options, startup=startup, seed=seed)
    names = {name: name for name in (*kit, *(PurePath(path).name for path in folder or ()))}
    names = names if folder else {**names, language.compiled(filename, source, kit)[0]: filename}
    found = read(log, names).sentences
    found += [f"{it} Only its unit tests do this." for it in read(tests, names).sentences if it not in found]
    return Findings(not found, found, log + tests)


def trial(game: Game, program: Program, options: Options, *, startup: float, seed: int) -> tuple[str, str]:
    """The program's standard error in a match against house players with as many games as seats, and in its unit
    tests."""
    bot = PROTOCOLS[game.protocol](program, startup=startup, debug_limit=LOG)
    strongest = game.house[-1]
    others = [Seated(strongest.name, "house", HousePlayer(strongest)) for _ in range(game.seats[1] - 1)]
    limit = time.monotonic() + ENOUGH

    def on_progress(decisions: int) -> None:
        if time.monotonic() > limit:
            raise _Enough

    try:
        referee.play(
            game,
            [Seated("the entry", "entry", bot), *others],
            seed=seed,
            options=options,
            preset=game.preset().name,
            games=game.seats[1],
            on_progress=on_progress,
        )
    except _Enough:
        pass
    log, tests = "".join(piece.text for piece in bot.debug.pieces()), ""
    if game.unit_tests is not None:
        answer = program.ask(game.unit_tests, seconds=game.seconds(options, 1) + startup)
        tests = answer.errors.decode("utf-8", "backslashreplace")
    return log, tests


# Reading their output

_ERROR = re.compile(r"^==\d+==ERROR: (?:Address|UndefinedBehavior)Sanitizer:? (?P<kind>\S+)(?P<rest>.*)$")
_RUNTIME = re.compile(r"^(?P<file>\S+?):(?P<line>\d+)(?::\d+)?: runtime error: (?P<what>.*)$")
_FRAME = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ in (?P<function>.+?) (?P<file>[^\s()]+):(?P<line>\d+)(?::\d+)?$")
_CALL = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ in _*(?:interceptor_+)?(?:isoc\d+_)?(?P<function>\w+)")
_ACCESS = re.compile(r"^(READ|WRITE) of size \d+|caused by a (READ|WRITE) memory access")
_VARIABLE = re.compile(r"'(?P<name>[^']+)' \(line (?P<line>\d+)\) <== Memory access")
_GLOBAL = re.compile(r"(?:of|inside of) global variable '(?P<name>[^']+)' defined in '[^']*?:(?P<line>\d+)")

_KINDS = {
    "heap-buffer-overflow": "{access} beyond the end of allocated memory",
    "stack-buffer-overflow": "{access} beyond the end of an array",
    "stack-buffer-underflow": "{access} before the start of an array",
    "dynamic-stack-buffer-overflow": "{access} beyond the end of an array",
    "global-buffer-overflow": "{access} beyond the end of an array",
    "heap-use-after-free": "{access} memory that was freed already",
    "stack-use-after-return": "{access} a variable of a function that has ended",
    "stack-use-after-scope": "{access} a variable of a block that has ended",
    "stack-overflow": "recursion without an end, or arrays that are too large",
    "double-free": "memory is freed twice",
    "attempting": "memory is freed that cannot be",
    "bad-free": "memory is freed that was never allocated",
    "SEGV": "a bad pointer or a wild index",
    "FPE": "a division by zero, or another impossible calculation",
    "requested": "far too much memory is asked for",
}
_RUNTIME_KINDS = (
    ("out of bounds", "array index out of range"),
    ("null pointer", "a null pointer is used"),
    ("division by zero", "division by zero"),
    ("integer overflow", "a number grows beyond its type"),
    ("shift", "a shift that C does not define"),
    ("insufficient space", "an access beyond the end of an array"),
    ("misaligned", "a pointer to the wrong kind of place"),
    ("without returning a value", "a function ends without its return value"),
)


@dataclass(slots=True)
class _Error:
    """One report of a sanitizer while its lines are read."""

    what: str
    detail: str = ""
    access: str = "access"
    file: str = ""
    line: str = ""
    function: str = ""
    variable: str = ""
    call: str = ""  # the call of the C library in which it happened

    def sentence(self) -> str:
        what = self.what.format(access=self.access)
        where = f" at {self.file} line {self.line}" if self.file else ""
        where += f", function {self.function}" if self.function else ""
        call = f"in a call of {self.call}" if self.call else ""
        more = "; ".join(filter(None, (call, self.variable, self.detail)))
        return f"{what[:1].upper()}{what[1:]}{where}{f' ({more})' if more else ''}."


def read(log: str, names: Mapping[str, str]) -> Findings:
    """Findings in the sanitizers' output. `names` maps names at compile time to those of the sources."""
    sentences: dict[tuple[str, str], str] = {}
    for error in _errors(log.splitlines(), names):
        place = (error.file, error.line) if error.file else (error.what, "")
        sentences.setdefault(place, error.sentence())
    told = list(sentences.values())
    if len(told) > MOST:
        told = [*told[:MOST], f"And {len(told) - MOST} more."]
    return Findings(not told, told, log)


def _errors(lines: list[str], names: Mapping[str, str]) -> Iterator[_Error]:
    error: _Error | None = None
    for line in lines:
        begun = _begin(line, names)
        if begun is not None:
            if error is not None:
                yield error
            error = begun
        elif error is not None:
            _add(error, line, names)
    if error is not None:
        yield error


def _begin(line: str, names: Mapping[str, str]) -> _Error | None:
    if found := _RUNTIME.match(line):
        said = found["what"]
        what = next((words for sign, words in _RUNTIME_KINDS if sign in said), said)
        error = _Error(what.replace("{", "{{").replace("}", "}}"), "" if what == said else said)
        _place(error, found["file"], found["line"], names)
        return error
    if found := _ERROR.match(line):
        kind = "double-free" if "double-free" in found["rest"] else found["kind"]
        return _Error(_KINDS.get(kind, kind.replace("-", " ")))
    return None


def _add(error: _Error, line: str, names: Mapping[str, str]) -> None:
    """Add the details of a further line to a report."""
    if not error.function and (called := _CALL.match(line)):
        found = _FRAME.match(line)
        if found and PurePath(found["file"]).name in names:
            if error.line in ("", found["line"]):
                _place(error, found["file"], found["line"], names)
            error.function = found["function"].split("(")[0]
        else:
            error.call = called["function"]
    elif found := _ACCESS.search(line):
        error.access = "reading" if "READ" in found[0] else "writing"
    elif found := _VARIABLE.search(line) or _GLOBAL.search(line):
        error.variable = f"`{found['name']}` of line {found['line']}"


def _place(error: _Error, file: str, line: str, names: Mapping[str, str]) -> None:
    name = PurePath(file).name
    error.file, error.line = names.get(name, name), line
