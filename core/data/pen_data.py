"""Pen strokes in UNIPEN files as data sets: `pen:FILE` draws each digit on the canvas, as a hand with a mouse would."""

from dataclasses import dataclass
from math import radians, tan
from pathlib import Path

import numpy as np

from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.data.unipen import PenDigit, read
from core.drawing.ink import SIDE, normalize
from core.drawing.strokes import PenStroke, render_strokes
from core.errors import InputError
from core.progress import Progress

PREFIX = "pen:"
CANVAS = 280
"""Side of the canvas in pixels, to which places are rounded, and in which the pen's width is given."""

TEST_FRACTION = 0.2


@dataclass(frozen=True, slots=True)
class Placement:
    """How the digits of a file are drawn on the canvas.

    `scale`: longest side of the digit, as a fraction of the canvas. `x`, `y`: place of its middle, 0 to 1, kept within
    the canvas. `slant`: in degrees, to the right. `aspect`: multiplies the width. `pen_width`: in pixels of CANVAS.
    `picture`: the canvas is read as a picture, as if its strokes were not known.
    """

    scale: float = 0.6
    x: float = 0.5
    y: float = 0.5
    slant: float = 0.0
    aspect: float = 1.0
    pen_width: float = 20.0
    picture: bool = False

    def positioned(self, strokes: tuple[np.ndarray, ...]) -> list[PenStroke]:
        """The strokes, float (k, 2) in any unit, on the canvas."""
        points = np.concatenate(strokes)
        points = np.stack(
            ((points[:, 0] - points[:, 1] * tan(radians(self.slant))) * self.aspect, points[:, 1]), axis=1
        )
        low, high = points.min(axis=0), points.max(axis=0)
        unit = self.scale * CANVAS / max(float((high - low).max()), 1e-9)
        edge = ((high - low) * unit + self.pen_width) / 2
        middle = np.clip(np.array((self.x, self.y)) * CANVAS, edge, np.maximum(CANVAS - edge, edge))
        points = np.rint((points - (low + high) / 2) * unit + middle)
        parts = np.split(points, np.cumsum([len(stroke) for stroke in strokes])[:-1])
        return [PenStroke(_without_repeats(part), self.pen_width) for part in parts]


def path_of(name: str) -> Path | None:
    """The file that `pen:FILE` names, or that `name` is by its ending; None for other names."""
    if name.startswith(PREFIX):
        return Path(name.removeprefix(PREFIX)).expanduser()
    return Path(name).expanduser() if name.lower().endswith((".unipen", ".unipen.gz")) else None


def load(name: str, path: Path, progress: Progress | None = None) -> Dataset:
    """The digits of a file: the last fifth of them is the test split. `progress(done, total)` counts digits."""
    images, labels = draw(read(path), Placement(), progress)
    if len(labels) < 5:
        raise InputError("{path} has {count} digits: at least 5 are needed.", path=path, count=len(labels))
    train = len(labels) - max(1, round(len(labels) * TEST_FRACTION))
    splits = Split(images[:train], labels[:train]), Split(images[train:], labels[train:])
    return Dataset(name, path.name, "classes", DIGITS, *splits)


def load_for_evaluation(
    path: Path, placement: Placement, writers: set[int] | None, progress: Progress | None = None
) -> Dataset:
    """A data set whose splits are both all digits of the file, or those of `writers`, drawn as `placement` says."""
    digits = [digit for digit in read(path) if writers is None or digit.writer in writers]
    if not digits:
        raise InputError("{path} has no digits of these writers: choose others.", path=path)
    split = Split(*draw(digits, placement, progress))
    return Dataset(f"{PREFIX}{path}", path.name, "classes", DIGITS, split, split)


def draw(
    digits: list[PenDigit], placement: Placement, progress: Progress | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The images, uint8 (n, 28, 28, 1), and labels, int32 (n,), of `digits`.

    A digit that is taken for a dot or for no ink has an empty image, which counts as a mistake.
    """
    images = np.zeros((len(digits), SIDE, SIDE, 1), np.uint8)
    for number, digit in enumerate(digits):
        strokes = placement.positioned(digit.strokes)
        image = _picture(strokes) if placement.picture else render_strokes(strokes, CANVAS)
        if image is not None:
            images[number, :, :, 0] = image
        if progress is not None and number % 100 == 0:
            progress(number, len(digits))
    return images, np.array([digit.label for digit in digits], np.int32)


def _picture(strokes: list[PenStroke]) -> np.ndarray | None:
    """The image of the canvas as a picture whose strokes are not known."""
    # Imported here, because it imports a compiler.
    from core.drawing.rendering import paint_segment

    ink = np.zeros((CANVAS, CANVAS), np.uint8)
    for stroke in strokes:
        points = stroke.points
        for start, end in zip(points, points[1:] if len(points) > 1 else points, strict=False):
            paint_segment(ink, start[0], start[1], end[0], end[1], stroke.width / 2)
    return normalize(ink, usual_thickness=True)


def _without_repeats(points: np.ndarray) -> np.ndarray:
    """`points` without those that equal the one before: a mouse that does not move sends no events."""
    moved = np.ones(len(points), bool)
    moved[1:] = (np.diff(points, axis=0) != 0).any(axis=1)
    return points[moved]
