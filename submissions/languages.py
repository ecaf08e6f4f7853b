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
from submissions.sandbox.policy import MANAGED, PYTHON, SCRIPT, STATIC, TCL, Policy
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
    command: tuple[str, ...]  # runs the bot inside the jail; {bytes} and {half_mb} become its memory limit, half of it
    product: str  # the file that a build leaves
    mounts: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()  # mounts of a build beyond /usr
    memory_floor: int = 0  # bytes; below that not even an empty program runs
    threads: int = 1  # that the runtime starts by itself
    interpreted: bool = False  # the product is the source, after a look at its syntax by `check`
    check: tuple[str, ...] = ()  # before the source's name; empty: nothing looks at it before it runs
    compiler: tuple[str, ...] = ()  # where games.toolchains has no recipe; {source} and {stem} are filled in
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
        return (_found(self.command[0]), *self.command[1:])

    def run_within(self, memory_bytes: int) -> tuple[str, ...]:
        """The same for a memory limit, which runtimes with a heap of their own have to be told."""
        values = {"{bytes}": f"{memory_bytes}", "{half_mb}": f"{memory_bytes // (2 * MEGABYTE)}"}
        return tuple(re.sub(r"\{\w+\}", lambda place: values[place[0]], word) for word in self.run)

    def build(self, source: str, support: Sequence[str]) -> list[str]:
        """The command that builds `source` in a folder where the files named `support` lie beside it."""
        if self.interpreted:
            return [_found(self.check[0]), *self.check[1:], source] if self.check else []
        if self.slug in RECIPES:
            return RECIPES[self.slug].build_command(source, sorted(support))
        return [word.format(source=source, stem=PurePath(source).stem) for word in self.compiler]


SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where toolchains are looked for: what is elsewhere (a home folder, a virtual environment) is not in the jail."""

PYTHON_SYNTAX = "import sys; compile(open(sys.argv[1], 'rb').read(), sys.argv[1], 'exec', dont_inherit=True)"
JAVA_SETTINGS = tuple(sorted(str(path) for path in Path("/etc").glob("java-*-openjdk")))
BOT = (f"{BOX}/bot",)

JAVA = (
    *("java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1"),
    *("-XX:MaxRAM={bytes}", "-XX:MaxRAMPercentage=60", "-jar", f"{BOX}/bot.jar"),
)

LANGUAGES: dict[str, Language] = {
    language.slug: language
    for language in (
        Language(
            slug="c",
            name="C",
            extensions=(".c",),
            programs=("gcc",),
            package="gcc libc6-dev",
            version=("gcc", "--version"),
            policy=STATIC,
            command=BOT,
            product="bot",
            memory_floor=2 * MEGABYTE,
        ),
        Language(
            slug="cpp",
            name="C++",
            extensions=(".cpp", ".cc", ".cxx"),
            programs=("g++",),
            package="g++",
            version=("g++", "--version"),
            policy=STATIC,
            command=BOT,
            product="bot",
            memory_floor=2 * MEGABYTE,
        ),
        Language(
            slug="pascal",
            name="Pascal",
            extensions=(".pas", ".pp", ".p"),
            programs=("fpc",),
            package="fp-compiler",
            version=("fpc", "-iW"),
            policy=STATIC,
            command=BOT,
            product="bot",
            tools=("/etc/alternatives", "/etc/fpc.cfg"),
            memory_floor=2 * MEGABYTE,
        ),
        Language(
            slug="python",
            name="Python",
            extensions=(".py",),
            programs=("python3",),
            package="python3",
            version=("python3", "--version"),
            policy=PYTHON,
            command=("python3", "-E", "-s", "-B", "-u", f"{BOX}/bot.py"),
            product="bot.py",
            mounts=("/usr",),
            memory_floor=16 * MEGABYTE,
            interpreted=True,
            check=("python3", "-E", "-S", "-B", "-c", PYTHON_SYNTAX),
            shebangs=("python", "python3"),
        ),
        Language(
            slug="perl",
            name="Perl",
            extensions=(".pl",),
            programs=("perl",),
            package="perl",
            version=("perl", "-e", "print 'perl ', $^V"),
            policy=SCRIPT,
            command=("perl", f"{BOX}/bot.pl"),
            product="bot.pl",
            mounts=("/usr",),
            memory_floor=8 * MEGABYTE,
            interpreted=True,
            check=("perl", "-c"),
            shebangs=("perl",),
        ),
        Language(
            slug="lua",
            name="Lua",
            extensions=(".lua",),
            programs=("lua5.4", "luac5.4"),
            package="lua5.4",
            version=("lua5.4", "-v"),
            policy=SCRIPT,
            command=("lua5.4", f"{BOX}/bot.lua"),
            product="bot.lua",
            mounts=("/usr",),
            memory_floor=4 * MEGABYTE,
            interpreted=True,
            check=("luac5.4", "-p"),
            shebangs=("lua", "lua5"),
        ),
        Language(
            slug="tcl",
            name="Tcl",
            extensions=(".tcl",),
            programs=("tclsh",),
            package="tcl",
            version=("dpkg-query", "-W", "tcl"),
            policy=TCL,
            command=("tclsh", f"{BOX}/bot.tcl"),
            product="bot.tcl",
            mounts=("/usr",),
            memory_floor=8 * MEGABYTE,
            threads=2,
            interpreted=True,
            shebangs=("tclsh",),
        ),
        Language(
            slug="java",
            name="Java",
            extensions=(".java",),
            programs=("java", "javac", "jar"),
            package="default-jdk-headless",
            version=("javac", "--version"),
            policy=MANAGED,
            command=JAVA,
            product="bot.jar",
            mounts=("/usr", "/proc", *JAVA_SETTINGS),
            tools=("/proc", "/etc/alternatives", *JAVA_SETTINGS),
            memory_floor=128 * MEGABYTE,
            threads=64,
            compiler=("sh", "-c", "javac -d classes {source} && jar cfe bot.jar {stem} -C classes ."),
        ),
        Language(
            slug="javascript",
            name="JavaScript",
            extensions=(".js", ".mjs"),
            programs=("node",),
            package="nodejs",
            version=("node", "--version"),
            policy=MANAGED,
            command=("node", "--max-old-space-size={half_mb}", f"{BOX}/bot.js"),
            product="bot.js",
            mounts=("/usr", "/proc"),
            memory_floor=96 * MEGABYTE,
            threads=32,
            interpreted=True,
            check=("node", "--check"),
            shebangs=("node",),
        ),
    )
}


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


def _found(program: str) -> str:
    """A program of the system by its real path: in the jail there are no alternatives to choose from."""
    if program.startswith(BOX):
        return program
    return str(Path(shutil.which(program, path=SYSTEM_PATH) or f"/usr/bin/{program}").resolve())


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
