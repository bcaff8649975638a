"""Reads a folder of pictures, one subfolder per class; each picture is normalized like a
drawing.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.class_names import DIGITS, Classes
from core.data.dataset import Dataset, Split
from core.data.formats.data_format import DataFormat, visible_folders
from core.data.parts import TEST, TRAIN, join_parts, part_of
from core.drawing.ink import SIDE, normalize
from core.drawing.picture import PICTURE_SUFFIXES, read_image
from core.errors import InputError
from core.progress import Progress, ignore_progress

_TEST_EVERY = 6
_PART_NAMES = ("train", "training", "valid", "validation", "val", "test", "testing")
_MAX_NAMED = 5  # pictures that are damaged or left out


_Example = tuple[np.ndarray, int]  # an image, uint8 (28, 28), and its label


class ImageFolder(DataFormat):
    """A folder with a folder of pictures for each class."""

    order = 2
    description: ClassVar = "a folder with a folder of pictures for each class"
    is_folder: ClassVar = True

    def fits(self, path: Path, head: bytes) -> bool:
        return os.path.isdir(path) and (_has_classes(path) or bool(pictures_in(path)))

    def load(self, path: Path, progress: Progress = ignore_progress) -> Dataset:
        if not _has_classes(path):
            raise InputError(
                "{path} has pictures and no folder for each class: to learn from them, sort them "
                "into folders such as {example}; to read one, open {picture}.",
                path=path,
                example=path / "7",
                picture=pictures_in(path)[0].name,
            )
        return read_image_folder(path, str(path), path.name, progress)


def _has_classes(folder: Path) -> bool:
    """Whether `folder` has subfolders with pictures, directly or in those of its parts."""
    return any(
        any(pictures_in(child)) for part in _parts(folder) for child in visible_folders(part)
    )


def read_image_folder(
    folder: Path, name: str, title: str, progress: Progress = ignore_progress
) -> Dataset:
    """The pictures as a data set with this name and title: uint8 (n, 28, 28, 1) images.

    Subfolders such as train/, valid/ and test/ are the parts, as `join_parts` joins them; without
    them every sixth picture of a class, by name, is for the test. Pictures without ink are left
    out, and the notes of the data set name them. The classes are 0 to 9 when the names of all
    subfolders are digits, otherwise the sorted names. `progress(done, total)` counts pictures.

    Raises InputError when pictures cannot be read, naming them, when a class or the test would have
    none. Damaged pictures are not left out: every sixth picture would be another one, and the
    scores of two machines would not agree.
    """
    parts = _parts(folder)
    classes = _classes(parts)
    paths = [(part, label, pictures_in(part / label)) for part in parts for label in classes]
    total = sum(len(pictures) for _, _, pictures in paths)
    examples: dict[str, list[_Example]] = {}
    damaged: list[Path] = []
    empty: list[Path] = []
    done = 0
    for part, label, pictures in paths:
        for number, path in enumerate(pictures):
            done += 1
            try:
                image = normalize(read_image(path), usual_thickness=classes == DIGITS)
            except InputError:
                damaged.append(path)
                continue
            finally:
                progress(done, total)
            if image is None:
                empty.append(path)
                continue
            key = parts[part]
            if not key:
                key = TEST if number % _TEST_EVERY == _TEST_EVERY - 1 else TRAIN
            examples.setdefault(key, []).append((image, classes.index(label)))
    if damaged:
        raise _damaged(folder, damaged, total)
    _check_classes(folder, classes, examples, empty)
    if len(examples) == 1 and len(parts) == 1:
        raise InputError(
            "{path} has too few pictures: there is none for the {split} split; put at least six "
            "into a subfolder.",
            path=folder,
            split="test",
        )
    train, test = join_parts({key: labeled_split(some) for key, some in examples.items()})
    notes: tuple[InputError, ...] = ()
    if empty:
        template = (
            "{empty} of the {total} pictures show nothing to read, and were left out: {names}."
        )
        names = _names(folder, empty)
        notes = (InputError(template, empty=len(empty), total=total, names=names),)
    return Dataset(name, title, "classes", classes, train, test, notes=notes)


def _check_classes(
    folder: Path, classes: Classes, examples: dict[str, list[_Example]], empty: list[Path]
) -> None:
    """Raise InputError where no picture of a class shows anything to read."""
    left = {label for some in examples.values() for _, label in some}
    lost = {path.parent.name for path in empty} - {classes[label] for label in left}
    if lost:
        raise InputError(
            "No picture of {names} in {path} shows anything to read: save them again, dark on a "
            "light background, or remove the folder.",
            names=sorted(lost),
            path=folder,
        )


def _classes(parts: Iterable[Path]) -> Classes:
    """The names of the subfolders with pictures, or all digits."""
    names: set[str] = set()
    for part in parts:
        names.update(child.name for child in visible_folders(part) if pictures_in(child))
    return DIGITS if names <= set(DIGITS) else tuple(sorted(names))


def _names(folder: Path, paths: list[Path]) -> list[str]:
    """The names of pictures, the first few of many."""
    names = [path.relative_to(folder).as_posix() for path in paths[:_MAX_NAMED]]
    return [*names, "…"] if len(paths) > _MAX_NAMED else names


def _damaged(folder: Path, paths: list[Path], total: int) -> InputError:
    """The error that names the damaged pictures."""
    return InputError(
        "{count:,} of the {total:,} pictures in {path} cannot be read: {names}. Remove them, or "
        "save them again.",
        count=len(paths),
        total=total,
        path=folder,
        names=_names(folder, paths),
    )


def pictures_in(folder: Path) -> list[Path]:
    """The picture files in `folder`, sorted by name; empty if there is no such folder.

    Hidden files are none: macOS puts one beside each picture on a disk of another system.
    """
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in PICTURE_SUFFIXES
        and not path.name.startswith(".")
        and path.is_file()
    )


def _parts(folder: Path) -> dict[Path, str]:
    """The folders of the parts with their names, or `folder` alone with an empty one."""
    parts = {
        child: part_of(child.name)
        for child in visible_folders(folder)
        if child.name.lower() in _PART_NAMES
    }
    return parts if len(parts) > 1 else {folder: ""}


def labeled_split(examples: Sequence[_Example]) -> Split:
    """The split of at least one image, uint8 (28, 28), with its label."""
    inputs = np.stack([image for image, _ in examples]).reshape(-1, SIDE, SIDE, 1)
    return Split(inputs, np.array([label for _, label in examples], np.int32))
