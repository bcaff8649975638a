"""The formats of data that a user names by a path, one module each, found by their folder."""

import os
from pathlib import Path

from core.data.formats.data_format import DataFormat, visible_folders
from core.data.parts import TRAIN, part_of
from core.files.input_file import head_of
from kernels.discovery import classes_in

_CLASSES: tuple[type[DataFormat], ...] = classes_in(__name__, __path__, DataFormat)

FORMATS: tuple[DataFormat, ...] = tuple(found() for found in _CLASSES)
"""All formats, in the order in which they are tried."""

_MAX_DEPTH = 3  # of folders in folders
_MAX_INNER = 5
_MAX_FILES = 50
_HEAD = 4096  # bytes, from which a format is recognized


def find_format(path: Path) -> DataFormat | None:
    """The format of the file or folder `path`, by its content, or by its name where the content
    fits none; None where it has none of them.

    >>> find_format(Path("nowhere")) is None
    True
    """
    if not os.path.lexists(path):
        return None
    head = head_of(path, _HEAD)
    found = next((each for each in FORMATS if each.fits(path, head)), None)
    if found is None and not os.path.isdir(path):
        name = path.name.lower()
        found = next((each for each in FORMATS if name.endswith(each.suffixes)), None)
    return found


def find_inner(folder: Path, depth: int = _MAX_DEPTH) -> Path:
    """The folder with data: `folder`, or the only one in it that has some, as archives unpack; or
    the only file in it that has some, of several the only one that is named as for training.
    `folder` where there is none.
    """
    if depth == 0 or not os.path.isdir(folder) or find_format(folder) is not None:
        return folder
    inner = visible_folders(folder)
    # Each is looked into in turn: a home folder may have any number.
    if len(inner) > _MAX_INNER:
        return folder
    found = [path for child in inner if find_format(path := find_inner(child, depth - 1))]
    if not found:
        files = sorted(path for path in folder.iterdir() if path.name[0] != ".")[:_MAX_FILES]
        found = [path for path in files if find_format(path) is not None]
        learned = [path for path in found if part_of(path.stem) == TRAIN]
        found = learned if len(found) > 1 else found
    return found[0] if len(found) == 1 else folder


def format_texts() -> list[str]:
    """What can be chosen as data, for messages: `a table of numbers (.csv, .tsv)` and the
    others.
    """
    return [found.text() for found in FORMATS]


__all__ = ["FORMATS", "DataFormat", "find_format", "find_inner", "format_texts"]
