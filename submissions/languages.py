"""The languages that entries may be written in: one table.

How a language is built and run comes from `games.toolchains`, so that the command line and the portal agree; what the
jail needs to know is added here. Adding a language is a recipe there, an entry here and a hello bot in the tests.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath

from games.toolchains import RECIPES
from submissions.sandbox.policy import PYTHON, STATIC, Policy
from submissions.sandbox.roots import BOX

MEGABYTE = 1 << 20
SHEBANG = re.compile(rb"#!\s*(?:\S*/)?(?:env\s+)?(\w+)")


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the table. A `sandbox.jail.Language`."""

    slug: str
    name: str
    extensions: tuple[str, ...]  # lower case, with the dot; the first is the usual one
    programs: tuple[str, ...]  # all of them must be on the machine
    package: str  # the Debian package that brings them
    version: tuple[str, ...]  # prints the version of the toolchain in its first line
    policy: Policy
    command: tuple[str, ...]  # runs the bot inside the jail
    product: str  # the file that a build leaves
    mounts: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()  # mounts of a build beyond /usr
    memory_floor: int = 0  # bytes; below that not even an empty program runs
    threads: int = 1  # that the runtime starts by itself
    interpreted: bool = False  # the product is the source, after a look at its syntax
    shebangs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    def installed(self) -> bool:
        """Whether entries in this language can be built and run on this machine."""
        return all(shutil.which(program, path=SYSTEM_PATH) for program in self.programs)

    def toolchain(self) -> str:
        """The version of the compiler or interpreter, such as `gcc (Debian 12.2.0-14) 12.2.0`; empty if none."""
        return _first_line(self.version) if self.installed() else ""

    @property
    def run(self) -> tuple[str, ...]:
        """The command of a bot, its program as an absolute path inside the jail."""
        program = self.command[0]
        if not program.startswith("/"):
            program = shutil.which(program, path=SYSTEM_PATH) or f"/usr/bin/{program}"
        return (str(Path(program).resolve()) if program.startswith("/usr") else program, *self.command[1:])

    def build(self, source: str, support: Sequence[str]) -> list[str]:
        """The command that builds `source` in a folder where the files named `support` lie beside it."""
        if self.interpreted:
            return [self.run[0], *SYNTAX, source]
        return RECIPES[self.slug].build_command(source, sorted(support))


SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where toolchains are looked for: what is elsewhere (a home folder, a virtual environment) is not in the jail."""

SYNTAX = (
    "-E",
    "-S",
    "-B",
    "-c",
    "import sys; compile(open(sys.argv[1], 'rb').read(), sys.argv[1], 'exec', dont_inherit=True)",
)
BOT = (f"{BOX}/bot",)

LANGUAGES: dict[str, Language] = {
    language.slug: language
    for language in (
        Language(
            "c", "C", (".c",), ("gcc",), "gcc libc6-dev", ("gcc", "--version"), STATIC, BOT, "bot",
            memory_floor=2 * MEGABYTE
        ),
        Language(
            "cpp", "C++", (".cpp", ".cc", ".cxx"), ("g++",), "g++", ("g++", "--version"), STATIC, BOT, "bot",
            memory_floor=2 * MEGABYTE,
        ),
        Language(
            "pascal", "Pascal", (".pas", ".pp", ".p"), ("fpc",), "fp-compiler", ("fpc", "-iW"), STATIC, BOT, "bot",
            tools=("/etc/alternatives", "/etc/fpc.cfg"), memory_floor=2 * MEGABYTE,
        ),
        Language(
            "python", "Python", (".py",), ("python3",), "python3", ("python3", "--version"), PYTHON,
            ("python3", "-E", "-s", "-B", "-u", f"{BOX}/bot.py"), "bot.py", mounts=("/usr",),
            memory_floor=16 * MEGABYTE, interpreted=True, shebangs=("python", "python3"),
        ),
    )
}  # fmt: skip


def recognise(filename: str, source: bytes = b"") -> Language | None:
    """The language of a source file by its extension, else by its first line; None when no language has it."""
    extension = PurePath(filename).suffix.lower()
    for language in LANGUAGES.values():
        if extension in language.extensions:
            return language
    if not extension and (line := SHEBANG.match(source)):
        program = line[1].decode()
        return next((it for it in LANGUAGES.values() if program in it.shebangs), None)
    return None


@cache
def _first_line(command: tuple[str, ...]) -> str:
    program = shutil.which(command[0], path=SYSTEM_PATH)
    if program is None:
        return ""
    try:
        run = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = (run.stdout or run.stderr).strip().splitlines()
    return lines[0].strip() if lines else ""
