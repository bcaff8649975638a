"""Arrays of images and labels, as other programs save them, as a data set.

What an array is follows from its shape, and to which part it belongs from its name. Pixels may be
whole numbers or fractions, labels numbers, texts or one-hot rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isqrt
from pathlib import Path

import numpy as np

from core.data.dataset import Dataset, Split
from core.data.parts import join_parts, part_of
from core.data.published import classes_of
from core.errors import InputError

Part = tuple[np.ndarray, np.ndarray]  # images, and labels of any form

_MIN_PIXELS = 64
_MAX_CLASSES = 1000
_SLICE = 5_000
_GRAY = np.array([0.299, 0.587, 0.114])

# The order of EMNIST's classes (Cohen, Afshar, Tapson, van Schaik 2017, arXiv:1702.05373). Merged:
# without the small letters that look like the capital.
_ALL = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MERGED = _ALL[:36] + "abdefghnqrt"
# The characters of the labels, by the number of classes.
_CHARACTERS = {26: f" {_ALL[10:36]}", 27: f" {_ALL[10:36]}", 47: _MERGED, 62: _ALL}


def square_side(pixels: int) -> int:
    """The side of a square image of this many pixels; 0 where there is none, or a small one."""
    side = isqrt(pixels)
    return side if side * side == pixels >= _MIN_PIXELS else 0


def pair_up(path: Path, arrays: Mapping[str, np.ndarray]) -> dict[str, Part]:
    """The images and labels among named arrays, by part. Raises InputError where one lacks the
    other.
    """
    parts: dict[str, Part] = {}
    candidates = {name: array for name, array in arrays.items() if _are_images(array)}
    # Of the same images as squares and as rows, the squares are taken.
    for name in sorted(candidates, key=lambda name: -candidates[name].ndim):
        part = part_of(name)
        images = candidates[name]
        labels = [
            array
            for other, array in arrays.items()
            if part_of(other) == part and not _are_images(array)
        ]
        fitting = [array for array in labels if array.ndim and len(array) == len(images)]
        if labels and not fitting:
            raise InputError(
                "{path} has {images:,} images but {labels:,} labels in one of its parts: the "
                "counts must be equal.",
                path=path,
                images=len(images),
                labels=labels[0].size,
            )
        if fitting:
            parts.setdefault(part, (images, fitting[0]))
    if not parts:
        raise InputError(
            "{path} has no images with labels among its arrays ({names}): save the images, such "
            "as (n, 28, 28), and the labels, (n,), as x_train, y_train, x_test and y_test.",
            path=path,
            names=[f"{name} {array.shape}" for name, array in arrays.items()] or "none",
        )
    return parts


def _are_images(array: np.ndarray) -> bool:
    is_row = array.ndim == 2 and square_side(array.shape[1]) > 0
    return is_row or array.ndim in (3, 4)


def image_dataset(
    path: Path, parts: Mapping[str, Part], learned: str = "label", columns: Sequence[str] = ()
) -> Dataset:
    """The data set at `path` of parts that `join_parts` joins. Raises InputError for images and
    labels that cannot be used.
    """
    train, test = join_parts(splits_of(path, parts))
    return replace(named_dataset(path, train, test), learned=learned, columns=tuple(columns))


def splits_of(path: Path, parts: Mapping[str, Part]) -> dict[str, Split]:
    """The parts with uint8 images (n, height, width, 1), and labels that are numbers or texts
    (n,).
    """
    return {
        name: Split(_pixels(path, images), _labels(path, labels))
        for name, (images, labels) in parts.items()
    }


def named_dataset(path: Path, train: Split, test: Split, files: str = "") -> Dataset:
    """The data set at `path` of uint8 images and labels, whole numbers or texts, of any value.

    Labels 0 to 9 are digits, or the classes of a published data set; those of EMNIST are its
    characters; others are classes in their order. Images that lie on their side are turned.
    `files`: names of the files in a folder, which may tell what they hold.
    """
    present = np.unique(np.concatenate([train.targets, test.targets]))
    if len(present) > _MAX_CLASSES:
        raise InputError(
            "{path} has {labels:,} different labels, at most {limit:,} can be classes: choose "
            "another data set.",
            path=path,
            labels=len(present),
            limit=_MAX_CLASSES,
        )
    is_number = present.dtype.kind in "iu"
    has_name = "emnist" in f"{path.parent.name} {path.name} {files}".lower()
    lies = has_name
    # Of sets that have digits their ones tell, whatever the names; others may have any images.
    if is_number and present[0] == 0 and len(present) in (10, 47, 62):
        lies = _lie_on_their_side(train.inputs[train.targets == 1])
    notes: tuple[InputError, ...] = ()
    if lies:
        train, test = (
            Split(np.ascontiguousarray(each.inputs.swapaxes(1, 2)), each.targets)
            for each in (train, test)
        )
        note = "The images of {name} lay on their side, as those of EMNIST do: they were turned."
        notes = (InputError(note, name=path.name),)
    if is_number and present[0] >= 0 and present[-1] <= 9:
        classes = classes_of(test, path.name)
        train, test = (Split(each.inputs, each.targets.astype(np.int32)) for each in (train, test))
    else:
        is_emnist = is_number and (has_name or lies)
        names = _CHARACTERS.get(len(present), "") if is_emnist else ""
        classes = tuple(
            names[label] if is_number and 0 <= label < len(names) else str(label)
            for label in present
        )
        train, test = (
            Split(each.inputs, np.searchsorted(present, each.targets).astype(np.int32))
            for each in (train, test)
        )
    title = path.name or str(path)
    return Dataset(str(path), title, "classes", classes, train, test, notes=notes)


def _lie_on_their_side(ones: np.ndarray) -> bool:
    """Whether images (n, height, width, 1) of the digit 1 are transposed: a 1 is taller than
    wide.
    """
    ones = ones[:1000, :, :, 0].astype(np.float64)
    if ones.shape[1] != ones.shape[2]:
        return False
    spreads = []
    for axis in (1, 2):
        # Over the images and the other of the two axes.
        weights = ones.sum(axis=(0, 3 - axis))
        places = np.arange(len(weights))
        total = max(weights.sum(), 1.0)
        mean = (weights * places).sum() / total
        spreads.append((weights * (places - mean) ** 2).sum() / total)
    return bool(spreads[1] > 2 * spreads[0])


def _pixels(path: Path, images: np.ndarray) -> np.ndarray:
    """Images (n, pixels), (n, height, width) or with one, three or four channels, of any range that
    is in use, as uint8 (n, height, width, 1).
    """
    if not len(images) or images.dtype.kind not in "biuf":
        raise InputError("{path} has no images of numbers: choose another data set.", path=path)
    if images.ndim == 2:
        side = square_side(images.shape[1])
        images = images.reshape(-1, side, side)
    if images.ndim == 4 and images.shape[1] == 1:
        images = images[:, 0]
    if images.ndim == 4 and images.shape[3] not in (1, 3, 4):
        raise InputError(
            "{path} has images of shape {shape}: save them as (n, height, width).",
            path=path,
            shape=images.shape[1:],
        )
    low, scale = _range(path, images)
    pixels = np.empty((*images.shape[:3], 1), np.uint8)
    for start in range(0, len(images), _SLICE):  # keeps the peak of memory low
        part = images[start : start + _SLICE]
        if part.ndim == 4:
            part = part[..., :3] @ _GRAY if part.shape[3] > 1 else part[..., 0]
        if part.dtype != np.uint8 or scale != 1:
            part = np.rint((part.astype(np.float64) - low) * scale).clip(0, 255)
        pixels[start : start + _SLICE, :, :, 0] = part
    return pixels


def _range(path: Path, images: np.ndarray) -> tuple[float, float]:
    """What is to be subtracted from the pixels, and then multiplied by, for 0 to 255."""
    low = float(images.min())
    high = float(images.max())
    if images.dtype.kind == "f" and -1 <= low < 0 and high <= 1:
        return -1.0, 127.5
    if not (low >= 0 and high <= 256):  # False for NaN
        raise InputError(
            "{path} has pixels from {low:.4g} to {high:.4g}, not 0 to 1 or 0 to 255: save them "
            "before they are standardized.",
            path=path,
            low=low,
            high=high,
        )
    if high <= 1 and images.dtype.kind == "f":
        some = images[:_SLICE] * np.float32(256)  # the first pickle of MNIST has value / 256
        return 0.0, 256.0 if (some == np.rint(some)).all() else 255.0
    if high <= 1:
        return 0.0, 255.0
    return 0.0, 255 / 16 if high <= 16 and images.shape[1] == 8 else 1.0


def _labels(path: Path, labels: np.ndarray) -> np.ndarray:
    """Labels (n,), (n, 1) or one-hot (n, classes) as whole numbers or texts (n,)."""
    if labels.ndim == 2 and labels.shape[1] > 1 and labels.dtype.kind in "biuf":
        if not ((labels != 0).sum(axis=1) == 1).all():
            raise InputError(
                "{path} has several labels for an image: save one for each.", path=path
            )
        return labels.argmax(axis=1)
    labels = labels.reshape(len(labels), -1)[:, 0]
    if labels.dtype.kind == "S":
        labels = np.char.decode(labels, "latin-1")
    if labels.dtype.kind == "U":
        return labels.astype(np.int64) if np.char.isdecimal(labels).all() else labels
    numbers = labels.astype(np.float64)
    if not (np.abs(numbers) < 2**31).all() or (numbers != np.rint(numbers)).any():
        raise InputError(
            "{path} has labels that are no whole numbers: a class is a whole number or a text.",
            path=path,
        )
    return numbers.astype(np.int64)
