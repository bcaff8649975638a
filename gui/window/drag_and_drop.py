"""Files dropped on the window, or given at its start: which of them can be opened, and how."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QMimeData

from core.data.csv_table import is_table
from core.errors import InputError
from core.runs.folder import RunFolder
from gui.text import sentence

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def is_droppable(data: QMimeData) -> bool:
    """Whether the window accepts the drop. It accepts any URL, and shows the reason if it cannot open it."""
    return data.hasUrls()


def dropped_path(data: QMimeData) -> Path:
    """The dropped file or folder. Raises InputError for several files, a web address or a missing file."""
    urls = data.urls()
    if len(urls) != 1:
        raise InputError("{n} files were dropped: drop one file or folder at a time.", n=len(urls))
    if not urls[0].isLocalFile():
        raise InputError(
            "{address} is not a file on this computer: save it first, then drop the file.",
            address=urls[0].toString(),
        )
    path = Path(urls[0].toLocalFile())
    if not os.path.exists(path):  # False for a name that is too long
        raise InputError("There is no file {path}.", path=path)
    return path


def drop_hint() -> str:
    """The text shown while something is dragged over the window."""
    return QCoreApplication.translate(
        "DragAndDrop", "Drop a model, a run, a study, a data set or a picture of a digit."
    )


def data_set(path: Path) -> Path | None:
    """The data set that `path` belongs to: itself, or the folder of an IDX file. None if it is no data set."""
    if path.is_dir():
        return None if RunFolder(path).holds_run else path
    if "-ubyte" in path.name:
        return path.parent
    return path if is_table(path) or path.name.lower().endswith((".pkl", ".pkl.gz")) else None


def open_dropped(window: "MainWindow", dropped: QMimeData) -> None:
    """Open the dropped file, or choose it as data; the banner shows why that is not possible."""
    try:
        path = dropped_path(dropped)
    except InputError as error:
        window.banner.show_text(sentence(error), "bad")
    else:
        open_given(window, path)


def open_given(window: "MainWindow", path: Path) -> None:
    """Choose `path` as data if it is a data set, else open it; the banner shows why that is not possible."""
    data = data_set(path)
    if data is None:
        window.files.open_given(path)
    elif window.session.active:
        text = QCoreApplication.translate("MainWindow", "Stop the run first: it learns from other data.")
        window.banner.show_text(text)
    else:
        window.settings.data.choose(str(data))
