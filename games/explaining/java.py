"""Java and Scala: their compilers, and the stack traces of the Java virtual machine."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint

ERROR = re.compile(r"^(?P<file>\S+\.(?:java|scala)):(?P<line>\d+): error: (?P<what>.*)$", re.MULTILINE)
SYMBOL = re.compile(r"^ +symbol: +(?P<what>.*)$", re.MULTILINE)
TYPES = re.compile(r"\n found +: (?P<found>.*)\n required: (?P<required>.*)")
UNCAUGHT = re.compile(
    r'^(?:Exception in thread ".*" |Caused by: )(?P<what>[\w.$]+(?:Error|Exception|Throwable|[\w$])(?:: .*)?)$',
    re.MULTILINE,
)
FRAME = re.compile(r"^\s+at (?:\S+/)?[\w.$<>]+\((?P<file>[\w.$-]+):(?P<line>\d+)\)$", re.MULTILINE)
LAUNCHER = re.compile(r"^Error: (?P<what>.*)$", re.MULTILINE)


def compiling(log: str, files: Files) -> Found | None:
    if found := ERROR.search(log):
        what = found["what"]
        if what == "type mismatch;" and (types := TYPES.search(log, found.end())):
            what = f"type mismatch: found {types['found']}, required {types['required']}"
        if what == "cannot find symbol" and (symbol := SYMBOL.search(log, found.end())):
            what += f": {symbol['what']}"
        return files.found(what, found["file"], found["line"])
    if found := LAUNCHER.search(log) or re.search(r"^error: (?P<what>.*)$", log, re.MULTILINE):
        return files.found(found["what"])
    return None


def running(errors: str, files: Files) -> Found | None:
    """The cause that all others follow from is the last one."""
    uncaught = list(UNCAUGHT.finditer(errors))
    if uncaught:
        name, colon, rest = uncaught[-1]["what"].partition(":")
        places = FRAME.findall(errors, uncaught[-1].end()) + FRAME.findall(errors)
        return files.first(name.rpartition(".")[2] + colon + rest, places)
    found = LAUNCHER.search(errors)
    return files.found(found["what"]) if found else None


HINTS = (
    Hint(
        r"class (\w+) is public, should be declared in a file named",
        "A file can have one public class, after which it is named. Delete `public` before class {0}.",
    ),
    Hint(
        r"package ([\w.]+) does not exist|object (\w+) is not a member of package|not found: value (?:io|play|cats)",
        "Beside the standard library, only those that the rules name are here. Upload its sources, or do without it.",
    ),
    Hint(r"cannot find symbol|not found: ", "Look for a spelling mistake, or a missing import."),
    Hint(r"^NullPointerException", "Something is null here. Look at where the value comes from."),
    Hint(r"IndexOutOfBounds|NoSuchElement", "Check the size before you ask for an element."),
    Hint(r"^NumberFormatException", "Print the text to System.err before this line: it is not what you expect."),
    Hint(r"^StackOverflowError", "Look for the call that never ends."),
    Hint(r"^OutOfMemoryError", "Your program asked for more memory than the contest allows."),
    Hint(r"^type mismatch", "Convert the value, or change the declared type."),
    Hint(r"^MatchError", "Add a case for this value."),
    Hint(r"main (?:class|method)", "Your program needs a class, named like its file, with `public static void main`."),
)
