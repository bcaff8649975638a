"""The formats of data that a user names by a path, one module each, found by their folder."""

from pathlib import Path

from core.data.formats.data_format import DataFormat
from kernels.discovery import classes_in

_CLASSES: tuple[type[DataFormat], ...] = classes_in(__name__, __path__, DataFormat)

FORMATS: tuple[DataFormat, ...] = tuple(found() for found in _CLASSES)
"""All formats, in the order in which they are tried."""


def find_format(path: Path) -> DataFormat | None:
    """The format of the file or folder `path`; None where it has none of them.

    >>> find_format(Path("points.csv")).kind
    'regression'
    """
    return next((found for found in FORMATS if found.fits(path)), None)


def format_texts() -> list[str]:
    """What can be chosen as data, for messages: `a table of numbers (.csv, .tsv)` and the
    others.
    """
    return [found.text() for found in FORMATS]


__all__ = ["FORMATS", "DataFormat", "find_format", "format_texts"]
