"""Asks for a file and writes it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from gui.preferences import Preferences


def ask_and_write(
    parent: QWidget,
    preferences: Preferences,
    title: str,
    name: str,
    kinds: list[str],
    write: Callable[[Path], None],
) -> Path | None:
    """Write the file that the user chooses; None if none was chosen.

    name: proposed. kinds: filters such as `CSV (*.csv)`; a name without one of their suffixes gets that of the chosen
    filter. Raises what `write` raises.
    """
    start = str(Path(preferences.folder()) / name)
    chosen, kind = QFileDialog.getSaveFileName(parent, title, start, ";;".join(kinds))
    if not chosen:
        return None
    path = Path(chosen)
    suffixes = [_suffix(each) for each in kinds]
    if path.suffix.lower() not in suffixes:
        path = path.with_name(path.name + (_suffix(kind) if kind in kinds else suffixes[0]))
    write(path)
    preferences.save_folder(path)
    return path


def _suffix(kind: str) -> str:
    return kind[kind.rfind("*") + 1 : -1]
