"""Tables as CSV: no cell is a formula, and none begins a new row."""

import csv
import io

import pytest

from core.files.csv_text import csv_text


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http:||evil","x")', "@SUM(1+1)", "+1+1", "-2+3", "\t=1", "\r=1", "Max;=1+1", "Max; @A1;+1+1",
        "\uff1d1+1", "\uff0b1+1", " =1+1", "\u00a0=1+1", ";=1+1", "a,b;-1+1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("divider", [",", ";"])
def test_a_text_is_never_a_formula(text, divider):
    """Nor where a spreadsheet divides cells at semicolons, and ignores blanks at their begins."""
    for row in csv.reader(io.StringIO(csv_text([["x", text]]), newline=""), delimiter=divider):
        for cell in row:
            assert not cell.strip().startswith(
                ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
            )


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "a\x1b[2Jb", 'a,"b"'])
def test_a_row_stays_one_row(text):
    rows = list(csv.reader(io.StringIO(csv_text([[text, 1], ["c", 2]]), newline="")))
    assert [row[1] for row in rows] == ["1", "2"]


def test_numbers_stay_numbers():
    assert csv_text([[-1.5, None, "-3", "−1", 0.0]]) == "-1.5,,-3,−1,0.0\n"
