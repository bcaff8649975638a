"""What can be dropped on the window: one file or folder, which may be a data set."""

from pathlib import Path

from PySide6.QtCore import QMimeData

from core.data.csv_table import is_table
from core.training.run_folder import RunFolder


def dropped(data: QMimeData) -> Path | None:
    """The one file or folder that is dragged, if it is one."""
    urls = data.urls()
    path = Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None
    return path if path and path.exists() else None


def data_set(path: Path) -> Path | None:
    """What to choose as data for this path: itself, or the folder of an IDX file; None for all that is no data."""
    if path.is_dir():
        return None if RunFolder(path).holds_run else path
    if "-ubyte" in path.name:
        return path.parent
    return path if is_table(path) or path.name.lower().endswith((".pkl", ".pkl.gz")) else None
