"""Tables as CSV, as spreadsheets write and read them."""

import csv
import io

import pytest

from contest import spreadsheets


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-2", "@x", "\tx", "\r", "'=1", "plain", ""])
def test_what_a_spreadsheet_would_take_for_a_formula_comes_back_as_it_was(cell: str) -> None:
    written = spreadsheets.harmless(cell)
    assert isinstance(written, str)
    assert not written.startswith(spreadsheets.FORMULA)
    assert spreadsheets.plain(written) == cell or cell == "'=1"  # nobody can tell it from a harmless formula


def test_numbers_stay_numbers() -> None:
    assert list(spreadsheets.lines([[-2.5, None, 'Ü, "x"']])) == ['-2.5,,"Ü, ""x"""\r\n']


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_lists_are_read_however_they_were_saved(encoding: str, delimiter: str) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(
        [["name", "school"], ["Ünï", 'a "b"'], ["", ""], ["Two\nlines", "x"]]
    )
    found = spreadsheets.read(spreadsheets.decoded(text.getvalue().encode(encoding)))
    assert [cells for _, cells in found] == [["name", "school"], ["Ünï", 'a "b"'], ["Two\nlines", "x"]]
    assert [line for line, _ in found][:2] == [1, 2]
