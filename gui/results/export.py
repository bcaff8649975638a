"""Writes the widgets of the Results tab to PNG files."""

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from core.files.atomic import atomic_path
from gui.widgets.paint_to_file import paint_to_file


def new_folder(parent: Path) -> Path:
    """The first unused path of `results`, `results-2`, ... in `parent`."""
    names = ("results", *(f"results-{number}" for number in range(2, 10_000)))
    return next(parent / name for name in names if not (parent / name).exists())


def write_picture(path: Path, widget: QWidget, owner: QWidget) -> Path:
    """Render `widget` into a PNG file with two pixels for each of its own, and delete it; return `path`.

    `owner` becomes its parent until then: Python would destroy plots without a parent in arbitrary order, which makes
    Qt crash. Raises InputError where the file cannot be written.
    """
    widget.setParent(owner)
    try:
        with atomic_path(path) as temporary, paint_to_file(temporary, widget.size(), path.suffix) as painter:
            widget.render(painter, QPoint())
    finally:
        widget.deleteLater()
    return path
