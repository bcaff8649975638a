"""Tables as CSV: no cell is a formula, and none begins a new row."""

import csv
import io

import pytest

from core.files.csv_text import csv_text


@pytest.mark.parametrize(
    "text", ['=HYPERLINK("http:||evil","x")', "@SUM(1+1)", "+1+1", "-2+3", "\t=1", "\r=1"]
)
def test_a_text_is_never_a_formula(text):
    (row,) = csv.reader(io.StringIO(csv_text([[text]]), newline=""))
    assert not row[0].startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "a\x1b[2Jb", 'a,"b"'])
def test_a_row_stays_one_row(text):
    rows = list(csv.reader(io.StringIO(csv_text([[text, 1], ["c", 2]]), newline="")))
    assert [row[1] for row in rows] == ["1", "2"]


def test_numbers_stay_numbers():
    assert csv_text([[-1.5, None, "-3", "−1", 0.0]]) == "-1.5,,-3,−1,0.0\n"
