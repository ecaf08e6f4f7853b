"""C and C++: gcc, its linker, the C library, the C++ runtime and the sanitizers."""

from __future__ import annotations

import re

from games.explaining.reading import TOGETHER, Files, Found, Hint, Missing

ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<what>.*)$", re.MULTILINE)
LINKING = re.compile(r"^.*?(?P<what>(?:undefined reference to|multiple definition of) [^;\n]*).*$", re.MULTILINE)
LINKED = re.compile(r"([^\s:;]+):\(")
ASSERTION = re.compile(r"^(?:\S+: )?(?P<file>\S+?):(?P<line>\d+): .*?(?P<what>Assertion .* failed)\.$", re.MULTILINE)
THROWN = re.compile(
    r"^terminate called after throwing an instance of '(?P<type>.*)'(?:\n\s*what\(\): *(?P<what>.*))?", re.MULTILINE
)
UNDEFINED = re.compile(r"^(?P<file>\S+?):(?P<line>\d+):\d+: runtime error: (?P<what>.*)$", re.MULTILINE)
ADDRESS = re.compile(r"ERROR: (?:Address|Leak)Sanitizer: (?P<what>[^\n]*?)(?: on address| on unknown address|\n|$)")
FRAME = re.compile(r"^\s*#\d+ .* (\S+?):(\d+)(?::\d+)?$", re.MULTILINE)
HEAP = re.compile(
    r"^(?:\*\*\* )?(?P<what>stack smashing detected|buffer overflow detected|(?:free|malloc|realloc)\(\): .*"
    r"|corrupted .*|double free or corruption.*|munmap_chunk\(\).*|malloc: .*)$",
    re.MULTILINE,
)
OPENING = re.compile(r"(?<![\w./-])(?P<file>[\w./-]+\.\w+)\W{0,2}: No such file or directory$", re.MULTILINE)


def compiling(log: str, files: Files) -> Found | None:
    if found := ERROR.search(log):
        return files.found(found["what"], found["file"], found["line"])
    if found := LINKING.search(log):
        where = dict.fromkeys(filter(None, map(files.like, LINKED.findall(found[0]))))
        return files.found(found["what"] + (f" in {' and '.join(where)}" if where else ""))
    return None


def running(errors: str, files: Files) -> Found | None:
    if found := UNDEFINED.search(errors):
        return files.found(found["what"], found["file"], found["line"])
    if found := ADDRESS.search(errors):
        return files.first(found["what"], FRAME.findall(errors, found.end()))
    if found := ASSERTION.search(errors):
        return files.found(found["what"], found["file"], found["line"])
    if found := THROWN.search(errors):
        return files.found(f"{found['type']}: {found['what']}" if found["what"] else f"{found['type']} was thrown")
    if found := HEAP.search(errors):
        return files.found(found["what"])
    if (found := OPENING.search(errors)) and files.like(found["file"]):
        return files.found(found[0])
    return None


HINTS = (
    Hint(
        r"(?i)\b(?:conio|direct|graphics|process|sdkddkver|tchar|win\w+)\.h\b",
        "This header exists on Windows only. Programs here run on Linux.",
    ),
    Missing(r"^(.+): No such file or directory", TOGETHER),
    Hint(r"undefined reference to .main'", "Your program needs a `main`, in exactly one of its files."),
    Hint(
        r"undefined reference to .([\w:]+)",
        "Define {0} in one of the files that you upload, or check its spelling. Assembler, tests, and C++ beside C are "
        "not linked.",
    ),
    Hint(r"multiple definition of .main'", "Two files define `main`. Upload only one of them."),
    Hint(
        r"multiple definition of .([\w:~]+)",
        "Two files define {0}. What a header defines is in each file that includes it: write `extern` or `inline` "
        "(before a function) there.",
    ),
    Hint(r"^.(?:import|export|module). does not name", "Modules of C++20 are not built here. Include headers instead."),
    Hint(r".(vector|string|map|set|cout|cin|endl). was not declared", "Write std::{0}, and include its header."),
    Hint(r"was not declared|undeclared", "Declare it before this line, or include the header that does."),
    Hint(r"^expected .*;. (?:before|after)", "Look for a missing semicolon at the end of this line or the one above."),
    Hint(r"Assertion", "Find out why the assertion does not hold in this position: the replay shows it."),
    Hint(r"out_of_range|invalid_argument: sto", "Check the size or the text before you use it."),
    Hint(r"bad_alloc", "Your program asked for more memory than the contest allows."),
    Hint(
        r"free|corrupt|smashing|overflow|malloc",
        "Compile with `-g -fsanitize=address,undefined` at home and play again: it names the line.",
    ),
)
