"""The languages of entries: one table, for the command line and the portal.

To add a language, add an entry here and a hello bot (submissions/hello/). Commands are argument lists with
placeholders. They run in a folder that holds the entry and the game's kit files (`Game.kit_sources[language]`), and
nothing else:

    {source}   the entry's file name          {stem}     the same without its extension
    {kit}      as a word of its own: the kit files with one of the recipe's `linked` extensions, or their archive
    {beside}   the entry's folder (also in what the sandbox runs)
    {python}   the Python interpreter (on the portal, the one inside the sandbox)

Commands that the sandbox runs (`Jailed`) have these instead:

    {box}      the bot's folder in the jail   {bytes}    its memory limit          {half_mb}  half of that in MB

and in `Jailed.runtime`:

    {prefix}   two folders above the program: /usr for /usr/bin/python3.11
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath

from games.libraries import LIBRARIES
from games.recipe import Building, Jailed, Recipe

MEGABYTE = 1 << 20
SHEBANG = re.compile(rb"(?:\xef\xbb\xbf)?#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(\w+)")
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where the portal looks for toolchains. What lies elsewhere (a home folder, a virtual environment) is in no jail."""


C_LIBRARY = 'test -e "$(gcc -print-file-name=libc.a)"'
CPP_LIBRARY = 'test -e "$(g++ -print-file-name=libstdc++.a)" && test -e "$(g++ -print-file-name=libc.a)"'
# It leaves nothing behind: -s stops before the assembler.
PASCAL_LIBRARY = """folder=$(mktemp -d) && trap 'rm -r "$folder"' EXIT && cd "$folder" &&
echo 'uses SysUtils, Classes, DateUtils, Math, StrUtils; begin end.' >look.pas && fpc -s look.pas"""
PERL_LIBRARY = ("perl", "-MData::Dumper", "-MFindBin", "-MIO::Socket::INET", "-MJSON::PP", "-MTime::HiRes", "-e", "1")

NATIVE = Jailed(product="bot", command=("{box}/bot",), policy="static", memory_floor=2 * MEGABYTE)
"""One statically linked program."""

# Only the entry, which comes first, must compile: it need not import the others.
PYTHON_SYNTAX = """\
import sys, traceback
entry, *others = sys.argv[1:]
for path in (*others, entry):
    try:
        compile(open(path, "rb").read(), path, "exec", dont_inherit=True)
    except Exception:
        if path == entry:
            raise
        traceback.print_exc()
"""

PYTHON_MODULE = (
    "import os, runpy, sys; sys.path[:1] = map(os.path.abspath, %r); runpy.run_module(%r, None, '__main__', True)"
)

# Threads and memory for one processor, whatever the machine has: the limits are not made for 64 processors.
JAVA_ETC = "/etc/java-*-openjdk"
JAVA_TOOLS = ("/proc", "/etc/alternatives", JAVA_ETC)
JAVA_MOUNTS = ("/usr", "/proc", JAVA_ETC)
GSON = "/usr/share/java/gson.jar"
JAVA_RUNTIME = ("{prefix}", JAVA_ETC, GSON)
GCONV = "/usr/lib/*-linux-gnu/gconv"  # character sets of the C library
JAVA = (
    *("java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-XX:+ErrorFileToStderr"),
    *("-XX:MaxRAM={bytes}", "-XX:MaxRAMPercentage=60"),
)
QUICK_JAVA = "-J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1"  # a compiler ends before its own optimisation would pay
# What is not there is ignored. A program's files are its resources too, from where its author's tool takes them.
MANIFEST = f'echo "Class-Path: file:{GSON} ./ src/ src/main/resources/ resources/ res/" >manifest'
PACK = f'jar {QUICK_JAVA} cfme bot.jar manifest "$c" -C classes .'
LUA_PATH = 'package.path = "{beside}/?.lua;{beside}/?/init.lua;" .. package.path'
SCALA_LIBRARY = "-Xbootclasspath/a:/usr/share/scala/lib/scala-library.jar"


def _jar(compiler: str, main: str) -> tuple[str, ...]:
    """Compile to a jar that starts the class named like the file. The shell's $0 is the source, $1 its stem; the kit's
    files that are compiled with it follow."""
    return ("sh", "-c", _packing("c=$1", "shift", compiler, main, "$c"), "{source}", "{stem}", "{kit}")


def _jar_of_folder(compiler: str, main: str) -> tuple[str, ...]:
    """The same for a folder. The shell's $0 is the entry, $1 its class, $2 the class's file; other sources follow."""
    script = _packing("c=$1 f=$2", "shift 2", compiler, main, "$f")
    return ("sh", "-c", script, "{source}", "{main}", "{main_file}", "{more}")


def _packing(names: str, shift: str, compiler: str, main: str, class_file: str) -> str:
    """The shell script that compiles and packs. $c is the class that starts the program."""
    no_main = f'{{{{ echo "error: $0 has no {main} $c, and every entry is started by it" >&2; exit 1; }}}}'
    look = f'{{{{ test -f "classes/{class_file}.class" || {no_main}; }}}}'
    return " && ".join((names, shift, "mkdir -p classes", f'{compiler} "$@"', look, MANIFEST, PACK))


JAVAC = f'javac {QUICK_JAVA} -J-Xmx384m -cp .:{GSON} -d classes "$0"'
SCALAC = 'env "JAVA_OPTS=-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss8m -Xmx640m" scalac -d classes "$0"'
GO = ("env", "CGO_ENABLED=0", "GO111MODULE=off", "GOTOOLCHAIN=local", "GOMAXPROCS=2")
# Go ignores a go.mod that lies in the folder for temporary files, which is the working folder of a jail.
GO_FOLDER = (
    *("sh", "-c", 'mkdir -p .tmp && TMPDIR="$PWD/.tmp" exec "$@"', "sh"),
    *("env", "CGO_ENABLED=0", "GO111MODULE=on", "GOPROXY=off", "GOTOOLCHAIN=local", "GOMAXPROCS=2"),
)
RUSTC = ("rustc", "--edition=2021", "-Copt-level=2", "-Ctarget-feature=+crt-static", "-Cstrip=symbols", "-Clinker=gcc")
# The library of the author's own crate comes first. $0 is the entry, $1 the product, and the compiler follows.
CRATE = r"""product=$1 crate=${{0%%src/*}} toml=${{0%%src/*}}Cargo.toml && shift
if test -f "$toml" && test -f "${{crate}}src/lib.rs"; then name=$(for table in lib package; do
sed -n "/^\[$table\]/,/^\[/s/^ *name *= *[\"']\([^\"']*\).*/\1/p" "$toml"; done | head -n 1 | tr - _)
"$@" --crate-type=rlib "--crate-name=$name" -o "lib$name.rlib" "${{crate}}src/lib.rs" || exit 1
set -- "$@" --extern "$name=lib$name.rlib"; fi; exec "$@" --crate-name=bot -o "$product" "$0"
"""
C_MAIN = r"\bmain\s{0,50}\([^)]{0,300}\)\s{0,50}(?:->\s{0,50}\w{1,50}\s{0,50})?(?:\{|\w[\w\s,;*\[\]]{0,300}\{)"
OWN = "_own"
"""The folder of headers that come before the system's (games.entries)."""
# -I for all folders would hide the system's <time.h> behind an author's time.h.
INCLUDED = (f"-I{OWN}", "-iquote{folders}", "-idirafter{folders}")
C_HEADERS = (".h", ".inc")
CPP_HEADERS = (*C_HEADERS, ".hpp", ".hh", ".hxx", ".ipp", ".tpp")
C_TESTS = (
    r"^\s*#\s*include\s*(?:<check\.h>|[<\"](?:[\w./-]*/)?(?i:"
    r"(?:gtest|gmock|catch2?|boost/test|cppunit|cpputest|cunit|cxxtest|criterion)/"
    r"|(?:catch(?:_amalgamated)?|doctest|unity(?:_fixture)?|cmocka|munit|minunit|greatest|(?:ac)?utest|cutest)\.h))"
)
JVM_TESTS = r"^\s*import\s+(?:static\s+)?(?:org\.junit|junit\.|org\.testng|org\.scalatest)"

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
            archived=("gcc", "-std=gnu17", "-O2", "-c"),
            programs=("gcc",),
            packages="gcc libc6-dev",
            version=("gcc", "--version"),
            library=("sh", "-c", C_LIBRARY),
            folder=(
                *("gcc", "-std=gnu17", "-O2", "-fcommon", "-static", "-o", "bot", *INCLUDED),  # `int turn;` in a header
                *("{source}", "{more}", "{kit}", "-lm"),
            ),
            main=C_MAIN,
            one_main=True,
            foreign=C_TESTS,
            headers=C_HEADERS,
            jailed=NATIVE,
        ),
        Recipe(
            "cpp",
            "C++",
            (".cpp", ".cc", ".cxx"),
            build=("g++", "-std=gnu++17", "-O2", "-static", "-o", "bot", "{source}", "{kit}"),
            run=("./bot",),
            linked=(".cpp",),
            archived=("g++", "-std=gnu++17", "-O2", "-c"),
            programs=("g++",),
            packages="g++",
            version=("g++", "--version"),
            library=("sh", "-c", CPP_LIBRARY),
            folder=("g++", "-std=gnu++17", "-O2", "-static", "-o", "bot", *INCLUDED, "{source}", "{more}", "{kit}"),
            main=C_MAIN,
            one_main=True,
            foreign=C_TESTS,
            gathered=(".c",),
            headers=CPP_HEADERS,
            libraries=LIBRARIES["cpp"],
            jailed=replace(NATIVE, building=Building(60, 15, 1024)),
        ),
        Recipe(
            "pascal",
            "Pascal",
            (".pas", ".pp", ".p", ".lpr", ".dpr"),
            build=("fpc", "-O2", "-Xs", "-obot", "{source}"),
            run=("./bot",),
            programs=("fpc",),
            packages="fp-compiler fp-units-rtl fp-units-base",
            version=("fpc", "-h"),
            library=("sh", "-c", PASCAL_LIBRARY),
            # Templates of editors use this unit, but it needs the C library.
            dropped=rb"\bcthreads\s*,|,\s*cthreads\b|\buses\s+cthreads\s*;",
            is_folded=True,
            folder=("fpc", "-O2", "-Xs", "-obot", "-Fu{folders}", "-Fi{folders}", "{source}"),
            main=r"\A\s*(?!unit\b|library\b)\S",
            headers=(".pas", ".pp", ".p", ".lpr", ".dpr", ".inc"),
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
            module=PYTHON_MODULE,
            main=r"^if\s+__name__\s*==\s*['\"]__main__['\"]",
            libraries=LIBRARIES["python"],
            jailed=Jailed(
                product="bot.py",
                command=("python3", "-E", "-s", "-B", "-u", "{box}/bot.py"),
                policy="python",
                environment=(("OPENBLAS_NUM_THREADS", "1"),),  # of numpy
                memory_floor=16 * MEGABYTE,
                check=("python3", "-E", "-S", "-B", "-c", PYTHON_SYNTAX),
                checks_all=True,
                mounts=("/usr",),
                runtime=("{prefix}/lib/python3*", "/usr/lib/python3/dist-packages"),
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
            folder=_jar_of_folder(JAVAC, "class"),
            main=r"\bvoid\s+main\s*\(",
            foreign=JVM_TESTS,
            libraries=LIBRARIES["java"],
            jailed=Jailed(
                product="bot.jar",
                command=(*JAVA, "-jar", "{box}/bot.jar"),
                policy="java",
                memory_floor=64 * MEGABYTE,
                threads=64,
                mounts=JAVA_MOUNTS,
                runtime=JAVA_RUNTIME,
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
            folder=(*GO_FOLDER, "go", "build", "{alone}", "-o", "bot", "./{folder}"),
            alone="-tags=alone",  # the first line of a kit's files is `//go:build !alone`
            main=r"^func\s+main\s*\(",
            added=(("go.mod", "module bot\n\ngo 1.18\n"),),
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
            (".js", ".mjs", ".cjs"),
            build=(),
            run=("node", "{source}"),
            programs=("node",),
            packages="nodejs",
            version=("node", "-p", "'Node.js ' + process.version"),
            shebangs=("node",),
            jailed=Jailed(
                product="bot.js",
                command=("node", "--max-old-space-size={half_mb}", "{box}/bot.js"),
                policy="node",
                memory_floor=64 * MEGABYTE,
                threads=32,
                check=("node", "--check"),
                mounts=("/usr", "/proc"),
                runtime=("{prefix}/share/nodejs", "{prefix}/lib/nodejs", "{prefix}/lib/*-linux-gnu/nodejs"),
            ),
        ),
        Recipe(
            "rust",
            "Rust",
            (".rs",),
            build=(*RUSTC, "--crate-name=bot", "-o", "bot", "{source}"),
            folder=("sh", "-c", CRATE, "{source}", "bot", *RUSTC),
            run=("./bot",),
            programs=("rustc", "gcc"),
            packages="rustc",
            version=("rustc", "--version"),
            main=r"^\s*(?:pub\s+)?fn\s+main\s*\(",
            jailed=replace(NATIVE, tools=("/proc",), building=Building(60, 30, 1024)),
        ),
        Recipe(
            "perl",
            "Perl",
            (".pl",),
            build=(),
            run=("perl", "-I{beside}", "-I{beside}/lib", "-Ilib", "{source}"),
            programs=("perl",),
            packages="perl",
            version=("perl", "-e", "print 'perl ', $^V"),
            shebangs=("perl",),
            library=PERL_LIBRARY,
            libraries=LIBRARIES["perl"],
            jailed=Jailed(
                product="bot.pl",
                command=("perl", "-I{beside}", "-I{beside}/lib", "-Ilib", "{box}/bot.pl"),
                policy="script",
                memory_floor=8 * MEGABYTE,
                check=("perl", "-I{beside}", "-I{beside}/lib", "-Ilib", "-c"),
                mounts=("/usr",),
                runtime=(
                    "/usr/lib/*-linux-gnu/perl*",
                    "/usr/share/perl*",
                    "/usr/local/lib/*-linux-gnu/perl",
                    "/usr/local/share/perl",
                ),
            ),
        ),
        Recipe(
            "lua",
            "Lua",
            (".lua",),
            build=(),
            run=("lua5.4", "-e", LUA_PATH, "{source}"),
            programs=("lua5.4", "luac5.4"),
            packages="lua5.4 lua-socket",
            version=("lua5.4", "-v"),
            shebangs=("lua", "lua5"),
            library=("lua5.4", "-e", 'require "socket"'),
            libraries=LIBRARIES["lua"],
            jailed=Jailed(
                product="bot.lua",
                command=("lua5.4", "-e", LUA_PATH, "{box}/bot.lua"),
                policy="script",
                memory_floor=4 * MEGABYTE,
                check=("luac5.4", "-p"),
                mounts=("/usr",),
                runtime=("/usr/share/lua", "/usr/lib/*-linux-gnu/lua", "/usr/local/share/lua", "/usr/local/lib/lua"),
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
                runtime=("/usr/lib/php", "/usr/share/php", GCONV),
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
                runtime=("/usr/lib/ruby", "/usr/lib/*-linux-gnu/ruby", "/usr/share/ruby*"),
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
            libraries=LIBRARIES["tcl"],
            jailed=Jailed(
                product="bot.tcl",
                command=("tclsh", "{box}/bot.tcl"),
                policy="tcl",
                memory_floor=8 * MEGABYTE,
                threads=2,
                mounts=("/usr",),
                runtime=("/usr/share/tcltk", "/usr/lib/tcltk", "/usr/lib/*-linux-gnu/tcltk"),
            ),
        ),
        Recipe(
            "haskell",
            "Haskell",
            (".hs",),
            build=("ghc", "-v1", "-O1", "-outputdir", "objects", "-static", "-optl-static", "-o", "bot", "{source}"),
            folder=(
                *("ghc", "-v1", "-O1", "-outputdir", "objects", "-static", "-optl-static", "-i{folders}"),
                *("-o", "bot", "{source}"),
            ),
            main=r"^main\s*(?:::|=)",
            headers=(".hs",),
            run=("./bot",),
            programs=("ghc", "gcc"),
            packages="ghc",
            version=("ghc", "--version"),
            libraries=LIBRARIES["haskell"],
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
            linked=(".scala",),  # javac finds the kit by itself, scalac does not
            programs=("scalac", "java", "jar"),
            packages="scala default-jdk-headless",
            version=("dpkg-query", "-W", "scala"),
            folder=_jar_of_folder(SCALAC, "object"),
            main=r"\bdef\s+main\s*\(|\bextends\s+App\b",
            foreign=JVM_TESTS,
            jailed=Jailed(
                product="bot.jar",
                command=(*JAVA, SCALA_LIBRARY, "-jar", "{box}/bot.jar"),
                policy="java",
                memory_floor=64 * MEGABYTE,
                threads=64,
                mounts=JAVA_MOUNTS,
                runtime=(*JAVA_RUNTIME, "/usr/share/scala/lib/*.jar"),
                tools=JAVA_TOOLS,
                building=Building(90, 40, 1024),
            ),
        ),
    )
}


def recognise(filename: str, source: bytes = b"") -> Recipe | None:
    """Return the recipe for a source by its extension, or without one by its first line. None if no language has it."""
    extension = PurePath(filename).suffix.lower()
    if not extension and (line := SHEBANG.match(source)):
        program = line[1].decode()
        return next((recipe for recipe in RECIPES.values() if program in recipe.shebangs), None)
    return next((recipe for recipe in RECIPES.values() if extension in recipe.extensions), None)
