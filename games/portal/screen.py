"""What commands print: text for people, JSON for programs, progress on a terminal."""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

BAR = 24  # characters


def printable(text: str) -> str:
    """Without characters that would move the cursor or colour the terminal: names and logs come from other people."""
    return "".join(char if char in "\n\t" or char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return "" if char == "\r" else char.encode("unicode_escape").decode()


def width(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def padded(text: str, columns: int, right: bool = False) -> str:
    spaces = " " * max(0, columns - width(text))
    return spaces + text if right else text + spaces


def number(value: float | int | None, decimals: int = 1) -> str:
    """A number with as many decimals as its column has. Blank for none."""
    return "" if value is None else f"{value:.{decimals}f}"


def points(value: float | int | None) -> str:
    """Points: whole where they are."""
    return "" if value is None else f"{value:.0f}" if float(value).is_integer() else f"{value:.1f}"


def moment(text: str | None) -> str:
    """A time of the API in the local time zone, which it names."""
    return "" if not text else local_time(text).strftime("%Y-%m-%d %H:%M %Z")


def clock(text: str | None) -> str:
    return " " * 8 if not text else local_time(text).strftime("%H:%M:%S")


def local_time(text: str) -> datetime:
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone()


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a table. A column whose name begins with `>` is aligned to the right; a blank one is left out."""
    names = [name.removeprefix(">") for name in columns]
    cells = [["" if cell is None else printable(str(cell)).replace("\n", " ") for cell in row] for row in rows]
    kept = [at for at in range(len(names)) if any(row[at] for row in cells)]
    widths = {at: max(width(names[at]), *(width(row[at]) for row in cells)) for at in kept}
    lines = [
        "  ".join(padded(row[at], widths[at], columns[at].startswith(">")) for at in kept).rstrip()
        for row in (names, *cells)
    ]
    return lines if cells else []


class Screen:
    """Where one command writes."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.out, self.err = sys.stdout, sys.stderr
        self.bar = Bar(self.err)

    @property
    def on_terminal(self) -> bool:
        return self.out.isatty() and os.environ.get("TERM") != "dumb"

    def say(self, *lines: str) -> None:
        """Text for people. Says nothing to programs."""
        if not self.as_json:
            self.bar.clear()
            for line in lines:
                print(printable(line), file=self.out)
            self.out.flush()

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]], empty: str = "") -> None:
        lines = table_lines(columns, rows)
        self.say(*lines or ([empty] if empty else []))

    def value(self, value: Any) -> None:
        """The answer for programs. Says nothing to people."""
        if self.as_json:
            self.bar.clear()
            self._print(json.dumps(value, indent=2, ensure_ascii=False))

    def line(self, value: Any) -> None:
        """One of many answers for programs, as a line."""
        if self.as_json:
            self._print(json.dumps(value, ensure_ascii=False))

    def _print(self, text: str) -> None:
        print(printable(text) if self.out.isatty() else text, file=self.out, flush=True)

    def text(self, text: str) -> None:
        """A text as it is, such as a log or a record."""
        self.out.write(text if not self.out.isatty() else printable(text))
        if text and not text.endswith("\n") and self.out.isatty():
            self.out.write("\n")
        self.out.flush()

    def error(self, value: Any) -> None:
        """What went wrong, for programs."""
        text = json.dumps(value, ensure_ascii=False)
        print(printable(text) if self.err.isatty() else text, file=self.err, flush=True)

    def note(self, text: str) -> None:
        """For people, beside the answer."""
        self.bar.clear()
        print(f"kibitz: {printable(text)}", file=self.err, flush=True)


class Bar:
    """One line of progress that is drawn over itself. Nothing where the stream is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.drawn = False
        self.works = stream.isatty() and os.environ.get("TERM") != "dumb"

    def show(self, done: float, total: float, text: str) -> None:
        if not self.works:
            return
        full = round(BAR * min(1.0, done / total)) if total else 0
        line = f"[{'#' * full}{'.' * (BAR - full)}] {printable(text)}"
        self.stream.write("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1])
        self.stream.flush()
        self.drawn = True

    def clear(self) -> None:
        if self.drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.drawn = False


class Board:
    """Some lines at the bottom of a terminal that are drawn over themselves."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.height = 0

    def show(self, above: Sequence[str], board: Sequence[str]) -> None:
        """Print lines that stay, and below them the board."""
        columns, rows = shutil.get_terminal_size()
        board = [line[: columns - 1] for line in board[: rows - 2]]
        erase = f"\x1b[{self.height}F\x1b[J" if self.height else ""
        self.stream.write(erase + "".join(f"{line}\n" for line in (*above, *board)))
        self.stream.flush()
        self.height = len(board)
