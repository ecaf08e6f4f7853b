"""Python: tracebacks, of a program or of its syntax check."""

from __future__ import annotations

import re

from games.explaining.reading import Files, Found, Hint, Missing

FRAME = re.compile(r'^ *File "(?P<file>[^"\n]+)", line (?P<line>\d+)', re.MULTILINE)
RAISED = re.compile(r"^(?P<what>[A-Za-z_][\w.]*(?:: .*)?)$", re.MULTILINE)
START = "Traceback (most recent call last):"


def running(errors: str, files: Files) -> Found | None:
    """The exception that ended it is the last one. Its place is the innermost line of the author's own code."""
    last = errors[max(0, errors.rfind(START)) :]
    frames = list(FRAME.finditer(last))
    if not frames:
        return None
    raised = RAISED.search(last, frames[-1].end())
    if raised is None:
        return None
    name, colon, rest = raised["what"].partition(":")
    what = name.rpartition(".")[2] + colon + rest
    return files.first(what, [(it["file"], it["line"]) for it in reversed(frames)])


compiling = running
PYTHON_2 = "This is Python 2, and programs here run with Python 3. Convert it, for example with `2to3`."
HINTS = (
    Hint(r"Missing parentheses in call to '(?:print|exec)'", PYTHON_2),
    Hint(r"name '(?:raw_input|xrange|unicode|unichr|reduce|long|basestring)' is not defined", PYTHON_2),
    Hint(r"No module named '(?:Queue|ConfigParser|StringIO|urllib2|cPickle|SocketServer|Tkinter)'", PYTHON_2),
    Hint(r"has no attribute '(?:has_key|iteritems|itervalues|iterkeys)'", PYTHON_2),
    Hint(r"multiple exception types must be parenthesized", PYTHON_2),
    Hint(r"inconsistent use of tabs", "Its block mixes tabs and blanks. Let your editor turn all tabs into blanks."),
    Hint(
        r"attempted relative import",
        "Put the files into a folder that the imports name, or import a file beside the entry by its name alone.",
    ),
    Hint(r"leading zeros in decimal", "Write the number without zeros in front."),
    Missing(
        r"No module named '((?:\w+\.)*(\w+))",
        "{0} is not installed here: the rules name the libraries that are. Do without it, or upload its files.",
    ),
    Missing(
        r"No such file or directory: '([^']+)'", "Upload {0} with your program, and open it by its path from there."
    ),
    Hint(r"unexpected indent|expected an indented block|unindent does not match", "Align this line with its block."),
    Hint(r"was never closed|unmatched", "Look for the missing bracket."),
    Hint(r"^EOFError", "The game is over when your input ends. Leave the loop instead of reading on."),
    Hint(
        r"invalid literal for int|could not convert string|to unpack",
        "Print the line that you read to sys.stderr: it is not what you expect.",
    ),
    Hint(r"^RecursionError", "Look for the call that never ends."),
    Hint(r"^MemoryError", "Your program asked for more memory than the contest allows."),
    Hint(
        r"^(?:IndexError|KeyError)",
        "Print the list or dictionary to sys.stderr before this line: something is missing from it.",
    ),
    Hint(
        r"module '(\w+)' has no attribute",
        "If {0} is Python's own, and you have a file {0}.py, rename yours. Otherwise look for a spelling mistake.",
    ),
    Hint(r"^(?:NameError|UnboundLocalError)", "Look for a spelling mistake, or assign it before this line."),
    Hint(r"^AttributeError: 'NoneType'", "A function returned None. Look at where the value comes from."),
)
