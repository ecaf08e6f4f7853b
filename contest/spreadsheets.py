"""Tables as CSV, written for spreadsheets and read from them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from django.http import StreamingHttpResponse

BOM = "\ufeff"  # without it, Excel takes UTF-8 for Windows-1252
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
DELIMITERS = (",", ";", "\t")
SEPARATOR = re.compile(r"""\s*"?sep=(?P<delimiter>[^\w\s"]|\t)"?[ \t;,]*(?:\r?\n|\r|\Z)""", re.IGNORECASE)
QUOTED = re.compile(r'"[^"]*"')


def harmless(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + cell if isinstance(cell, str) and cell.startswith(FORMULA) else "" if cell is None else cell


def plain(cell: str) -> str:
    """The cell as it was before `harmless`."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The rows as lines of CSV."""
    buffer = io.StringIO()
    sheet = csv.writer(buffer)
    for row in rows:
        sheet.writerow([harmless(cell) for cell in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def for_people(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The same for a file that somebody opens in a spreadsheet."""
    return chain([BOM], lines(rows))


def download(filename: str, rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """A response that streams the table, however long it is."""
    response = StreamingHttpResponse(for_people(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def decoded(data: bytes) -> str:
    """The text of a file that a spreadsheet saved as UTF-8, UTF-16 or Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:2]:
        return data.decode("utf-16-be" if data.startswith(b"\0") else "utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def read(text: str) -> list[tuple[int, list[str]]]:
    """(line number, cells) of every row that is not empty. A first line such as `sep=;` names the delimiter. Otherwise
    it is the most frequent one of the first line."""
    text = text.replace(BOM, "")
    if told := SEPARATOR.match(text):
        delimiter, text = told["delimiter"], "\n" * told[0].count("\n") + text[told.end() :]
    else:
        first = next((line for line in QUOTED.sub("", text).splitlines() if line.strip()), "")
        # Names have commas: "1\tTom, Dick, Harry", "Cats, Dogs, Birds; 2", "Owls;1,0"
        sure = "\t" if "\t" in first else ";" if re.search(r"^\s*\d+\s*;|;\s*\d+\s*$", first) else ""
        delimiter = sure or max(DELIMITERS, key=lambda it: (first.count(it), it in first and it != ","))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    found = []
    for cells in reader:
        if any(cell.strip() for cell in cells):
            found.append((reader.line_num, [plain(cell.strip()) for cell in cells]))
    return found
