"""The results as files: numbers as CSV for other programs, what is seen as PNG."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from core.files.atomic import atomic_path, write_atomically
from gui.widgets.paint_to_file import paint_to_file


def new_folder(place: Path) -> Path:
    """`results` in `place`, or with a number: what was exported before stays."""
    names = ("results", *(f"results-{number}" for number in range(2, 10_000)))
    return next(place / name for name in names if not (place / name).exists())


def write_table(path: Path, rows: Iterable[Sequence[object]]) -> Path:
    """Decimal points, no units; an InputError where the folder does not take it, as with pictures."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_atomically(path, text.getvalue().encode())
    return path


def write_picture(path: Path, widget: QWidget, owner: QWidget) -> Path:
    """`widget` as it would be if it were shown, at twice the screen's size; it is made for this, and ends with it.

    `owner` has it until then: plots that are nobody's go in the order in which Python finds them, which Qt survives
    until it next looks through its widgets.
    """
    widget.setParent(owner)
    try:
        with atomic_path(path) as temporary, paint_to_file(temporary, widget.size(), path.suffix) as painter:
            widget.render(painter, QPoint())
    finally:
        widget.deleteLater()
    return path
