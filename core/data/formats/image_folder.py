"""Reads a folder of pictures, one subfolder per class; each picture is normalized like a
drawing.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.data.formats.data_format import DataFormat
from core.drawing.ink import SIDE, normalize
from core.drawing.picture import PICTURE_SUFFIXES, read_image
from core.errors import InputError
from core.progress import Progress

_TEST_EVERY = 6
_SPLIT_NAMES = (("train", "test"), ("training", "testing"))
_MAX_NAMED = 5  # damaged pictures


_Example = tuple[np.ndarray, int]  # an image, uint8 (28, 28), and its label


class ImageFolder(DataFormat):
    """A folder with a folder of pictures for each class."""

    order = 2
    description: ClassVar = "a folder with a folder of pictures for each class"
    is_folder: ClassVar = True

    def fits(self, path: Path) -> bool:
        return os.path.isdir(path) and (_has_classes(path) or bool(pictures_in(path)))

    def load(self, path: Path, progress: Progress | None = None) -> Dataset:
        if not _has_classes(path):
            raise InputError(
                "{path} has pictures and no folder for each class: to learn from them, sort them "
                "into folders such as {example}; to read one, open {picture}.",
                path=path,
                example=path / "7",
                picture=pictures_in(path)[0].name,
            )
        classes, train, test = read_image_folder(path, progress)
        return Dataset(str(path), path.name, "classes", classes, train, test)


def _has_classes(folder: Path) -> bool:
    """Whether `folder` has subfolders with pictures, directly or in its train/ and test/."""
    return any(any(pictures_in(child)) for part in _parts(folder) for child in _subfolders(part))


def read_image_folder(
    folder: Path, progress: Progress | None = None
) -> tuple[tuple[str, ...], Split, Split]:
    """Class names, training and test split: uint8 (n, 28, 28, 1) images and int32 (n,) labels.

    Subfolders train/ and test/ (or training/ and testing/) are the splits; without them every sixth
    picture of a class, by name, is for the test. Pictures without ink are left out. The classes are
    0 to 9 when the names of all subfolders are digits, otherwise the sorted names. `progress(done,
    total)` counts pictures.

    Raises InputError when pictures cannot be read, naming them, or when a split would be empty.
    Damaged pictures are not left out: every sixth picture would be another one, and the scores of
    two machines would not agree.
    """
    parts = _parts(folder)
    classes = _classes(parts)
    paths = [(part, name, pictures_in(part / name)) for part in parts for name in classes]
    total = sum(len(pictures) for _, _, pictures in paths)
    train: list[_Example] = []
    test: list[_Example] = []
    damaged: list[Path] = []
    done = 0
    for part, name, pictures in paths:
        for number, path in enumerate(pictures):
            done += 1
            try:
                image = normalize(read_image(path), usual_thickness=classes == DIGITS)
            except InputError:
                damaged.append(path)
                image = None
            if progress is not None:
                progress(done, total)
            if image is not None:
                is_test = number % _TEST_EVERY == _TEST_EVERY - 1
                if len(parts) == 2:
                    is_test = part == parts[1]
                split = test if is_test else train
                split.append((image, classes.index(name)))
    if damaged:
        raise _damaged(folder, damaged, total)
    for name, split in (("training", train), ("test", test)):
        if not split:
            raise InputError(
                "{path} has too few pictures: there is none for the {split} split; put at least "
                "six into a subfolder.",
                path=folder,
                split=name,
            )
    return classes, labeled_split(train), labeled_split(test)


def _classes(parts: tuple[Path, ...]) -> tuple[str, ...]:
    """The names of the subfolders with pictures, or all digits."""
    names: set[str] = set()
    for part in parts:
        names.update(child.name for child in _subfolders(part) if pictures_in(child))
    return DIGITS if names <= set(DIGITS) else tuple(sorted(names))


def _damaged(folder: Path, paths: list[Path], total: int) -> InputError:
    """The error that names the damaged pictures, the first few of many."""
    names = [path.relative_to(folder).as_posix() for path in paths[:_MAX_NAMED]]
    if len(paths) > _MAX_NAMED:
        names.append("…")
    return InputError(
        "{count:,} of the {total:,} pictures in {path} cannot be read: {names}. Remove them, or "
        "save them again.",
        count=len(paths),
        total=total,
        path=folder,
        names=names,
    )


def pictures_in(folder: Path) -> list[Path]:
    """The picture files in `folder`, sorted by name; empty if there is no such folder."""
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file()
    )


def _parts(folder: Path) -> tuple[Path, ...]:
    """The folders of the training and test split, or `folder` alone."""
    pairs = [tuple(folder / name for name in names) for names in _SPLIT_NAMES]
    return next((parts for parts in pairs if all(part.is_dir() for part in parts)), (folder,))


def _subfolders(folder: Path) -> list[Path]:
    return sorted(
        child for child in folder.iterdir() if child.is_dir() and not child.name.startswith(".")
    )


def labeled_split(examples: Sequence[_Example]) -> Split:
    """The split of at least one image, uint8 (28, 28), with its label."""
    inputs = np.stack([image for image, _ in examples]).reshape(-1, SIDE, SIDE, 1)
    return Split(inputs, np.array([label for _, label in examples], np.int32))
