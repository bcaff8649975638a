"""Tables as CSV text, for all files of this kind that the program writes."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from core.text import printable

# A cell that begins with one of these, ordinary or full-width, is a formula to a spreadsheet, which
# computes it when the file is opened. Some ignore blanks before it. Where numbers have a decimal
# comma, semicolons divide cells too.
_FORMULA = re.compile(r"(^|;)(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """The rows, separated by commas; None is an empty cell.

    Texts may come from files of strangers: a text that a spreadsheet would compute gets an
    apostrophe before it, and control characters are replaced, since some programs begin a new row
    at a lone carriage return.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = printable(value)
    # A minus begins numbers as well, which have to stay numbers.
    return text if is_number(text) else _FORMULA.sub(r"\1'\2", text)


def is_number(text: str) -> bool:
    """Whether a spreadsheet may take `text` for a number, which is no formula."""
    try:
        float(text)
    except ValueError:
        return False
    return True
