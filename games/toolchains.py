"""The languages of entries: one table, for the command line and the portal.

To add a language, add an entry here and a hello bot (tests/submissions/hello/). Commands are argument lists with
placeholders. They run in a folder that holds the entry and the game's kit files (`Game.kit_sources[language]`), and
nothing else:

    {source}   the entry's file name          {stem}     the same without its extension
    {kit}      as a word of its own: the kit files with one of the recipe's `linked` extensions
    {python}   the Python interpreter (on the portal, the one inside the sandbox)

Commands that the sandbox runs (`Jailed`) have these instead:

    {box}      the bot's folder in the jail   {bytes}    its memory limit          {half_mb}  half of that in MB
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePath

MEGABYTE = 1 << 20
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where the portal looks for toolchains. What lies elsewhere (a home folder, a virtual environment) is in no jail."""


@dataclass(frozen=True, slots=True)
class Building:
    """What a build may use on the portal: about four times what a program takes that includes half of the library
    (tests/submissions/honest), on a machine with other work to do."""

    seconds: float = 30.0  # by the wall clock
    cpu_seconds: float = 10.0  # of each process
    memory_mb: int = 256  # of all its processes, including the files that it writes


@dataclass(frozen=True, slots=True)
class Jailed:
    """What the sandbox has to know about a language. `product` is the file that a build leaves, or the source itself
    where nothing is built."""

    product: str
    command: tuple[str, ...]  # starts the bot
    policy: str  # which system calls it may make: a name in submissions.sandbox.policy
    memory_floor: int  # bytes, measured: with less, a bot does not reliably play a game
    threads: int = 1  # started by the runtime itself
    check: tuple[str, ...] = ()  # checks the source's syntax, and takes its name last; only where nothing is built
    mounts: tuple[str, ...] = ()  # of the host's files, besides the bot's own
    tools: tuple[str, ...] = ()  # of the host's files, for a build, which always sees /usr
    environment: tuple[tuple[str, str], ...] = ()
    building: Building = Building()


@dataclass(frozen=True, slots=True)
class Recipe:
    """One language. `build` is empty where nothing is built; `run` starts the bot from the same folder."""

    language: str  # the key of Game.kit_sources and Preset.languages
    title: str
    extensions: tuple[str, ...]  # lower case, with the dot; the first is the usual one
    build: tuple[str, ...]
    run: tuple[str, ...]
    programs: tuple[str, ...]  # all of them must be on the machine
    packages: str  # Debian packages that bring them
    version: tuple[str, ...]  # prints the version of the toolchain in its first line
    jailed: Jailed
    linked: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()  # programs that a first line `#!` may name
    library: tuple[str, ...] = ()  # succeeds only with the library that bots need, which Debian packs separately

    def build_command(self, source: str, kit: Sequence[str] = (), python: str = "python3") -> list[str]:
        return _filled(self.build, source, [name for name in kit if name.endswith(self.linked or ("\0",))], python)

    def run_command(self, source: str, python: str = "python3") -> list[str]:
        return _filled(self.run, source, [], python)

    def missing(self, path: str | None = None) -> list[str]:
        """Return what is missing on that search path, or on the user's own: programs, or else the library."""
        missing = [program for program in self.programs if shutil.which(program, path=path) is None]
        if not missing and self.library and not _succeeds(self.library, path):
            return [f"the library of {self.programs[0]}"]
        return missing


@cache
def _succeeds(command: tuple[str, ...], path: str | None) -> bool:
    program = shutil.which(command[0], path=path)
    environment = {**os.environ, "PATH": path} if path is not None else None
    try:
        done = subprocess.run(
            [program or command[0], *command[1:]],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _filled(template: Sequence[str], source: str, kit: list[str], python: str) -> list[str]:
    words: list[str] = []
    for word in template:
        if word == "{kit}":
            words += kit
        else:
            words.append(word.format(source=source, stem=PurePath(source).stem, python=python))
    return words


C_LIBRARY = 'test -e "$(gcc -print-file-name=libc.a)"'
CPP_LIBRARY = 'test -e "$(g++ -print-file-name=libstdc++.a)" && test -e "$(g++ -print-file-name=libc.a)"'
# It leaves nothing behind: -s stops before the assembler.
PASCAL_LIBRARY = """folder=$(mktemp -d) && trap 'rm -r "$folder"' EXIT && cd "$folder" &&
echo 'uses SysUtils, Classes, DateUtils, Math, StrUtils; begin end.' >look.pas && fpc -s look.pas"""
PERL_LIBRARY = ("perl", "-MData::Dumper", "-MFindBin", "-MIO::Socket::INET", "-MJSON::PP", "-MTime::HiRes", "-e", "1")

NATIVE = Jailed(product="bot", command=("{box}/bot",), policy="static", memory_floor=2 * MEGABYTE)
"""One statically linked program."""

PYTHON_SYNTAX = "import sys; compile(open(sys.argv[1], 'rb').read(), sys.argv[1], 'exec', dont_inherit=True)"

# Threads and memory for one processor, whatever the machine has: the limits are not made for 64 processors.
JAVA_ETC = tuple(sorted(str(path) for path in Path("/etc").glob("java-*-openjdk")))
JAVA_TOOLS = ("/proc", "/etc/alternatives", *JAVA_ETC)
JAVA_MOUNTS = ("/usr", "/proc", *JAVA_ETC)
JAVA = (
    *("java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1"),
    *("-XX:MaxRAM={bytes}", "-XX:MaxRAMPercentage=60"),
)
QUICK_JAVA = "-J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1"  # a compiler ends before its own optimisation would pay
SCALA_LIBRARY = "-Xbootclasspath/a:/usr/share/scala/lib/scala-library.jar"


def _jar(compile_it: str, main: str) -> tuple[str, ...]:
    """Compile to a jar that starts the class named like the file. The shell's $0 is the source, and $1 its stem."""
    no_main = f'{{{{ echo "error: $0 has no {main} $1, and every entry is started by it" >&2; exit 1; }}}}'
    look = f'{{{{ test -f "classes/$1.class" || {no_main}; }}}}'
    pack = f'jar {QUICK_JAVA} cfe bot.jar "$1" -C classes .'
    return ("sh", "-c", " && ".join(("mkdir -p classes", compile_it, look, pack)), "{source}", "{stem}")


JAVAC = f'javac {QUICK_JAVA} -J-Xmx384m -d classes "$0"'
SCALAC = 'env "JAVA_OPTS=-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss8m -Xmx640m" scalac -d classes "$0"'
GO = ("env", "CGO_ENABLED=0", "GO111MODULE=off", "GOTOOLCHAIN=local", "GOMAXPROCS=2")

RECIPES: dict[str, Recipe] = {
    recipe.language: recipe
    for recipe in (
        Recipe(
            "c",
            "C",
            (".c",),
            build=("gcc", "-std=gnu17", "-O2", "-static", "-o", "bot", "{source}", "{kit}", "-lm"),
            run=("./bot",),
            linked=(".c",),
            programs=("gcc",),
            packages="gcc libc6-dev",
            version=("gcc", "--version"),
            library=("sh", "-c", C_LIBRARY),
            jailed=NATIVE,
        ),
        Recipe(
            "cpp",
            "C++",
            (".cpp", ".cc", ".cxx"),
            build=("g++", "-std=gnu++17", "-O2", "-static", "-o", "bot", "{source}", "{kit}"),
            run=("./bot",),
            linked=(".cpp",),
            programs=("g++",),
            packages="g++",
            version=("g++", "--version"),
            library=("sh", "-c", CPP_LIBRARY),
            jailed=replace(NATIVE, building=Building(60, 15, 1024)),
        ),
        Recipe(
            "pascal",
            "Pascal",
            (".pas", ".pp", ".p"),
            build=("fpc", "-O2", "-Xs", "-obot", "{source}"),
            run=("./bot",),
            programs=("fpc",),
            packages="fp-compiler fp-units-rtl fp-units-base",
            version=("fpc", "-iW"),
            library=("sh", "-c", PASCAL_LIBRARY),
            jailed=replace(NATIVE, tools=("/etc/alternatives", "/etc/fpc.cfg")),
        ),
        Recipe(
            "python",
            "Python",
            (".py",),
            build=(),
            run=("{python}", "-u", "{source}"),
            programs=("python3",),
            packages="python3",
            version=("python3", "--version"),
            shebangs=("python", "python3"),
            library=("python3", "-c", "import json, random, socket"),
            jailed=Jailed(
                product="bot.py",
                command=("python3", "-E", "-s", "-B", "-u", "{box}/bot.py"),
                policy="python",
                memory_floor=16 * MEGABYTE,
                check=("python3", "-E", "-S", "-B", "-c", PYTHON_SYNTAX),
                mounts=("/usr",),
            ),
        ),
        Recipe(
            "java",
            "Java",
            (".java",),
            build=_jar(JAVAC, "class"),
            run=("java", "-jar", "bot.jar"),
            programs=("java", "javac", "jar"),
            packages="default-jdk-headless",
            version=("javac", "--version"),
            jailed=Jailed(
                product="bot.jar",
                command=(*JAVA, "-jar", "{box}/bot.jar"),
                policy="java",
                memory_floor=64 * MEGABYTE,
                threads=64,
                mounts=JAVA_MOUNTS,
                tools=JAVA_TOOLS,
                building=Building(60, 20, 640),
            ),
        ),
        Recipe(
            "go",
            "Go",
            (".go",),
            build=(*GO, "go", "build", "-o", "bot", "{source}", "{kit}"),
            run=("./bot",),
            linked=(".go",),
            programs=("go",),
            packages="golang-go",
            version=("go", "version"),
            jailed=replace(
                NATIVE,
                memory_floor=16 * MEGABYTE,
                threads=16,
                environment=(("GOMAXPROCS", "2"), ("GOMEMLIMIT", "{bytes}")),
                building=Building(90, 30, 1024),  # from Go 1.20 on, it brings no compiled library
            ),
        ),
        Recipe(
            "javascript",
            "JavaScript",
            (".js", ".mjs"),
            build=(),
            run=("node", "{source}"),
            programs=("node",),
            packages="nodejs",
            version=("node", "--version"),
            shebangs=("node",),
            jailed=Jailed(
                product="bot.js",
                command=("node", "--max-old-space-size={half_mb}", "{box}/bot.js"),
                policy="node",
                memory_floor=64 * MEGABYTE,
                threads=32,
                check=("node", "--check"),
                mounts=("/usr", "/proc"),
            ),
        ),
        Recipe(
            "rust",
            "Rust",
            (".rs",),
            build=(
                *("rustc", "--edition=2021", "--crate-name=bot", "-Copt-level=2", "-Ctarget-feature=+crt-static"),
                *("-Cstrip=symbols", "-Clinker=gcc", "-o", "bot", "{source}"),
            ),
            run=("./bot",),
            programs=("rustc", "gcc"),
            packages="rustc",
            version=("rustc", "--version"),
            jailed=replace(NATIVE, tools=("/proc",), building=Building(60, 30, 1024)),
        ),
        Recipe(
            "perl",
            "Perl",
            (".pl",),
            build=(),
            run=("perl", "{source}"),
            programs=("perl",),
            packages="perl",
            version=("perl", "-e", "print 'perl ', $^V"),
            shebangs=("perl",),
            library=PERL_LIBRARY,
            jailed=Jailed(
                product="bot.pl",
                command=("perl", "{box}/bot.pl"),
                policy="script",
                memory_floor=8 * MEGABYTE,
                check=("perl", "-c"),
                mounts=("/usr",),
            ),
        ),
        Recipe(
            "lua",
            "Lua",
            (".lua",),
            build=(),
            run=("lua5.4", "{source}"),
            programs=("lua5.4", "luac5.4"),
            packages="lua5.4",
            version=("lua5.4", "-v"),
            shebangs=("lua", "lua5"),
            jailed=Jailed(
                product="bot.lua",
                command=("lua5.4", "{box}/bot.lua"),
                policy="script",
                memory_floor=4 * MEGABYTE,
                check=("luac5.4", "-p"),
                mounts=("/usr",),
            ),
        ),
        Recipe(
            "php",
            "PHP",
            (".php",),
            build=(),
            run=("php", "{source}"),
            programs=("php",),
            packages="php-cli",
            version=("php", "--version"),
            shebangs=("php",),
            jailed=Jailed(
                product="bot.php",
                # Without php.ini its errors would go to standard output, among the answers.
                command=("php", "-n", "-d", "display_errors=stderr", "-d", "memory_limit=-1", "{box}/bot.php"),
                policy="script",
                memory_floor=24 * MEGABYTE,
                check=("php", "-n", "-l"),
                mounts=("/usr",),
            ),
        ),
        Recipe(
            "ruby",
            "Ruby",
            (".rb",),
            build=(),
            run=("ruby", "{source}"),
            programs=("ruby",),
            packages="ruby",
            version=("ruby", "--version"),
            shebangs=("ruby",),
            jailed=Jailed(
                product="bot.rb",
                command=("ruby", "--disable=gems", "{box}/bot.rb"),
                policy="script",
                memory_floor=16 * MEGABYTE,
                threads=4,
                check=("ruby", "--disable=gems", "-c"),
                mounts=("/usr",),
            ),
        ),
        Recipe(
            "tcl",
            "Tcl",
            (".tcl",),
            build=(),
            run=("tclsh", "{source}"),
            programs=("tclsh",),
            packages="tcl",
            version=("dpkg-query", "-W", "tcl"),
            shebangs=("tclsh",),
            library=("tclsh", "/dev/null"),
            jailed=Jailed(
                product="bot.tcl",
                command=("tclsh", "{box}/bot.tcl"),
                policy="tcl",
                memory_floor=8 * MEGABYTE,
                threads=2,
                mounts=("/usr",),
            ),
        ),
        Recipe(
            "haskell",
            "Haskell",
            (".hs",),
            build=("ghc", "-v1", "-O1", "-outputdir", "objects", "-static", "-optl-static", "-o", "bot", "{source}"),
            run=("./bot",),
            programs=("ghc", "gcc"),
            packages="ghc",
            version=("ghc", "--version"),
            jailed=replace(
                NATIVE,
                memory_floor=4 * MEGABYTE,
                threads=4,
                tools=("/proc", "/var/lib/ghc"),
                building=Building(60, 30, 1024),
            ),
        ),
        Recipe(
            "scala",
            "Scala",
            (".scala",),
            build=_jar(SCALAC, "object"),
            run=("java", SCALA_LIBRARY, "-jar", "bot.jar"),
            programs=("scalac", "java", "jar"),
            packages="scala default-jdk-headless",
            version=("dpkg-query", "-W", "scala"),
            jailed=Jailed(
                product="bot.jar",
                command=(*JAVA, SCALA_LIBRARY, "-jar", "{box}/bot.jar"),
                policy="java",
                memory_floor=64 * MEGABYTE,
                threads=64,
                mounts=JAVA_MOUNTS,
                tools=JAVA_TOOLS,
                building=Building(90, 40, 1024),
            ),
        ),
    )
}


def recognise(filename: str) -> Recipe | None:
    """Return the recipe for a file name by its extension, or None when no language has it."""
    extension = PurePath(filename).suffix.lower()
    return next((recipe for recipe in RECIPES.values() if extension in recipe.extensions), None)
