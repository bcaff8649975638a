"""A folder of pictures: one subfolder a class, in it image files, each normalised as a drawing is."""

from pathlib import Path

import numpy as np

from core.data.class_names import DIGITS
from core.data.dataset import Split
from core.data.drawing import SIDE, normalise, read_image
from core.errors import InputError
from core.progress import Progress

ENDINGS = frozenset((".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp"))
_TEST_EVERY = 6
_SPLIT_NAMES = (("train", "test"), ("training", "testing"))


def looks_like_one(folder: Path) -> bool:
    """Whether `folder` has a subfolder (of a subfolder, for train/ and test/) with a picture in it."""
    return any(any(in_folder(child)) for part in _parts(folder) for child in _subfolders(part))


def read(folder: Path, progress: Progress | None = None) -> tuple[tuple[str, ...], Split, Split]:
    """Class names, training and test split: uint8 (n, 28, 28, 1) and int32 (n,).

    With subfolders train/ and test/ (or training/ and testing/) these are the splits; otherwise every sixth
    picture of a class, by name, is for the test. Empty pictures are left out. The classes are 0 to 9 when all
    subfolders are named by digits, else the subfolders' names in order.
    """
    parts = _parts(folder)
    names = sorted({child.name for part in parts for child in _subfolders(part) if any(in_folder(child))})
    classes = DIGITS if set(names) <= set(DIGITS) else tuple(names)
    files = [(part, name, list(in_folder(part / name))) for part in parts for name in names]
    total = sum(len(paths) for *_, paths in files)
    gathered: tuple[list, list] = ([], [])
    done = 0
    for part, name, paths in files:
        for number, path in enumerate(paths):
            image = normalise(read_image(path))
            done += 1
            if progress is not None:
                progress(done, total)
            if image is not None:
                test = part == parts[1] if len(parts) == 2 else number % _TEST_EVERY == _TEST_EVERY - 1
                gathered[test].append((image, classes.index(name)))
    for which, words in zip(gathered, ("training", "test"), strict=True):
        if not which:
            raise InputError(
                "{path} has too few pictures: no {which} picture is left; put at least six into a subfolder.",
                path=folder, which=words,
            )  # fmt: skip
    return classes, _split(gathered[0]), _split(gathered[1])


def _parts(folder: Path) -> tuple[Path, ...]:
    for names in _SPLIT_NAMES:
        parts = tuple(folder / name for name in names)
        if all(part.is_dir() for part in parts):
            return parts
    return (folder,)


def _subfolders(folder: Path) -> list[Path]:
    return sorted(child for child in folder.iterdir() if child.is_dir() and not child.name.startswith("."))


def in_folder(folder: Path) -> list[Path]:
    """The picture files of a folder in order of name; none where there is no such folder."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and path.is_file())


def _split(pairs: list[tuple[np.ndarray, int]]) -> Split:
    inputs = np.stack([image for image, _ in pairs]).reshape(-1, SIDE, SIDE, 1)
    return Split(inputs, np.array([label for _, label in pairs], np.int32))
