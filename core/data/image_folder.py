"""Reads a folder of pictures, one subfolder per class; each picture is normalized like a drawing."""

from pathlib import Path

import numpy as np

from core.data.class_names import DIGITS
from core.data.dataset import Split
from core.drawing.ink import SIDE, normalize
from core.drawing.picture import read_image
from core.errors import InputError
from core.progress import Progress

SUFFIXES = frozenset((".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp"))
_TEST_EVERY = 6
_SPLIT_NAMES = (("train", "test"), ("training", "testing"))


def has_pictures(folder: Path) -> bool:
    """Whether `folder` has subfolders with pictures, directly or in its train/ and test/."""
    return any(any(pictures_in(child)) for part in _parts(folder) for child in _subfolders(part))


def read_image_folder(folder: Path, progress: Progress | None = None) -> tuple[tuple[str, ...], Split, Split]:
    """Class names, training and test split: uint8 (n, 28, 28, 1) images and int32 (n,) labels.

    Subfolders train/ and test/ (or training/ and testing/) are the splits; without them every sixth picture of a
    class, by name, is for the test. Pictures without ink are left out. The classes are 0 to 9 when the names of
    all subfolders are digits, otherwise the sorted names. `progress(done, total)` counts pictures.
    Raises InputError when a picture cannot be read, or when a split would be empty.
    """
    parts = _parts(folder)
    names = sorted({child.name for part in parts for child in _subfolders(part) if any(pictures_in(child))})
    classes = DIGITS if set(names) <= set(DIGITS) else tuple(names)
    files = [(part, name, pictures_in(part / name)) for part in parts for name in names]
    total = sum(len(paths) for *_, paths in files)
    examples: tuple[list, list] = ([], [])  # training and test: (image, label)
    done = 0
    for part, name, paths in files:
        for number, path in enumerate(paths):
            image = normalize(read_image(path), usual_thickness=classes == DIGITS)
            done += 1
            if progress is not None:
                progress(done, total)
            if image is not None:
                test = part == parts[1] if len(parts) == 2 else number % _TEST_EVERY == _TEST_EVERY - 1
                examples[test].append((image, classes.index(name)))
    for split, split_name in zip(examples, ("training", "test"), strict=True):
        if not split:
            raise InputError(
                "{path} has too few pictures: there is none for the {split} split; put at least six into a "
                "subfolder.", path=folder, split=split_name,
            )  # fmt: skip
    return classes, labeled_split(examples[0]), labeled_split(examples[1])


def pictures_in(folder: Path) -> list[Path]:
    """The picture files in `folder`, sorted by name; empty if there is no such folder."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())


def _parts(folder: Path) -> tuple[Path, ...]:
    """The folders of the training and test split, or `folder` alone."""
    pairs = [tuple(folder / name for name in names) for names in _SPLIT_NAMES]
    return next((parts for parts in pairs if all(part.is_dir() for part in parts)), (folder,))


def _subfolders(folder: Path) -> list[Path]:
    return sorted(child for child in folder.iterdir() if child.is_dir() and not child.name.startswith("."))


def labeled_split(examples: list[tuple[np.ndarray, int]]) -> Split:
    """The split of at least one image, uint8 (28, 28), with its label."""
    inputs = np.stack([image for image, _ in examples]).reshape(-1, SIDE, SIDE, 1)
    return Split(inputs, np.array([label for _, label in examples], np.int32))
