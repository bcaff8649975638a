"""Digits of UNIPEN files, drawn on the canvas as a hand with a mouse would.

UNIPEN files (Guyon et al. 1994), plain or gzipped, hold digits with their labels and writers. Read
are `.SEGMENT DIGIT n ? "8"`, which begins a digit and names its label, `.COMMENT 8 12 224` below
it, whose second number is the writer (UCI "Pen-Based Recognition of Handwritten Digits"), and the
points between `.PEN_DOWN` and `.PEN_UP`. All other lines are ignored; no included file is opened.
"""

import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import radians, tan
from pathlib import Path

import numpy as np

from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split
from core.drawing.ink import SIDE, normalize
from core.drawing.rendering import PEN, paint, render, render_strokes
from core.drawing.strokes import PenStroke, Polylines, join, smooth
from core.errors import InputError
from core.files.input_file import open_input
from core.progress import Progress

MAX_BYTES = 20_000_000
"""Limit of the unpacked size. The 7,494 digits of the UCI's training file have 3.6 MB."""

_MAX_DIGITS = 100_000
_MAX_POINTS = 2_000_000
_MAX_LINE = 10_000
_MAX_WRITERS = 100_000
_REACH = 1e6
_KIND = "a UNIPEN file of digits"
_LABEL = re.compile(rb'\.SEGMENT\s+\S+\s+\S+\s+\S+\s+"(?P<label>[^"]*)"')
_WRITER = re.compile(rb"\.COMMENT\s+\d+\s+(?P<writer>\d{1,6})\s+\d+\s*")


@dataclass(frozen=True, slots=True)
class PenDigit:
    """A digit as strokes: float64 (k, 2) with k > 0, x to the right, y down. `writer`: 0 where the
    file names none.
    """

    label: int
    writer: int
    strokes: tuple[np.ndarray, ...]


def read(path: Path) -> list[PenDigit]:
    """The digits of a file that have ink, in its order.

    Raises InputError that names the line where the file is damaged, or when there is no digit in
    it.
    """
    digits: list[PenDigit] = []
    label = None
    writer = 0
    strokes: list[list[tuple[float, float]]] = []
    is_down = False
    points = 0

    def finish() -> None:
        inked = tuple(np.array(stroke) for stroke in strokes if stroke)
        if label is not None and inked:
            digits.append(PenDigit(label, writer, inked))

    for number, line in _lines(path):
        if not line.startswith(b"."):
            if is_down and line.strip() and label is not None:
                strokes[-1].append(_point(path, number, line))
                points += 1
        elif line.startswith(b".PEN_DOWN"):
            is_down = True
            strokes.append([])
        elif line.startswith(b".PEN_UP"):
            is_down = False
        elif line.startswith(b".SEGMENT"):
            finish()
            label = _label(path, number, line)
            writer = 0
            strokes = []
            is_down = False
        elif match := _WRITER.fullmatch(line):
            writer = int(match["writer"])
        if points > _MAX_POINTS or len(digits) > _MAX_DIGITS:
            raise InputError(
                "{path} has more than {digits:,} digits or {points:,} points: choose a smaller "
                "file.",
                path=path,
                digits=_MAX_DIGITS,
                points=_MAX_POINTS,
            )
    finish()
    if not digits:
        raise InputError(
            "{path} holds no digits drawn with a pen: choose {kind}.", path=path, kind=_KIND
        )
    return digits


def _label(path: Path, number: int, line: bytes) -> int:
    match = _LABEL.match(line)
    label = match["label"] if match else b""
    if len(label) != 1 or label not in b"0123456789":
        raise InputError(
            "{path}, line {line}: a segment needs one digit as its label, as in .SEGMENT DIGIT 0 "
            '? "8".',
            path=path,
            line=number,
        )
    return int(label)


def _point(path: Path, number: int, line: bytes) -> tuple[float, float]:
    """x and y of a line of numbers; further ones, such as times, are ignored. y grows upwards in
    the file.
    """
    try:
        x, y = map(float, line.split(None, 2)[:2])
        if abs(x) < _REACH and abs(y) < _REACH:
            return x, -y
    except ValueError:
        pass
    raise InputError(
        "{path}, line {line}: “{text}” is not a point of two numbers; correct the line or remove "
        "it.",
        path=path,
        line=number,
        text=line.strip()[:40].decode(errors="replace"),
    )


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1, unpacked where the file is gzipped."""
    with open_input(path, MAX_BYTES, _KIND) as file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        source = gzip.GzipFile(fileobj=file) if packed else file
        number = 0
        size = 0
        try:
            while line := source.readline(_MAX_LINE):
                number = number + 1
                size = size + len(line)
                if size > MAX_BYTES:
                    raise InputError(
                        "{path} unpacks to more than {limit} MB: choose a smaller file.",
                        path=path,
                        limit=MAX_BYTES // 1_000_000,
                    )
                yield number, line
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                "{path} cannot be read ({reason}): choose {kind}.",
                path=path,
                reason=error,
                kind=_KIND,
            ) from None


CANVAS = 280
"""Side of the canvas in pixels, to which places are rounded, and in which the pen's width is
given.
"""


@dataclass(frozen=True, slots=True)
class Placement:
    """How the digits of a file are drawn on the canvas.

    `scale`: longest side of the digit, as a fraction of the canvas. `x`, `y`: place of its middle,
    0 to 1, kept within the canvas. `slant`: in degrees, to the right. `aspect`: multiplies the
    width. `pen_width`: in pixels of CANVAS. `picture`: the canvas is read as a picture, as if its
    strokes were not known.
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
            ((points[:, 0] - points[:, 1] * tan(radians(self.slant))) * self.aspect, points[:, 1]),
            axis=1,
        )
        low = points.min(axis=0)
        high = points.max(axis=0)
        unit = self.scale * CANVAS / max(float((high - low).max()), 1e-9)
        edge = ((high - low) * unit + self.pen_width) / 2
        middle = np.clip(np.array((self.x, self.y)) * CANVAS, edge, np.maximum(CANVAS - edge, edge))
        points = np.rint((points - (low + high) / 2) * unit + middle)
        parts = np.split(points, np.cumsum([len(stroke) for stroke in strokes])[:-1])
        return [PenStroke(_without_repeats(part), self.pen_width) for part in parts]


def writer_numbers(text: str) -> set[int]:
    """The numbers in a text such as 1,4-6. Raises InputError for other texts."""
    writers: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part, re.A)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not first <= last <= _MAX_WRITERS:
            raise InputError(
                "--writers must be numbers and ranges, as in 1,4-6, not {text}.", text=text[:40]
            )
        writers |= set(range(first, last + 1))
    return writers


def load(
    path: Path, placement: Placement, writers: set[int] | None, progress: Progress | None = None
) -> Dataset:
    """A data set whose splits are both all digits of the file, or those of `writers`, drawn as
    `placement` says.
    """
    digits = [digit for digit in read(path) if writers is None or digit.writer in writers]
    if not digits:
        raise InputError("{path} has no digits of these writers: choose others.", path=path)
    split = Split(*draw(digits, placement, progress))
    return Dataset(str(path), path.name, "classes", DIGITS, split, split)


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
    ink = np.zeros((CANVAS, CANVAS), np.uint8)
    for stroke in strokes:
        points = stroke.points
        ends = points[1:] if len(points) > 1 else points
        paint(ink, points[: len(ends)], ends, np.full(len(ends), stroke.width / 2))
    return normalize(ink, usual_thickness=True)


def _without_repeats(points: np.ndarray) -> np.ndarray:
    """`points` without those that equal the one before: a mouse that does not move sends no
    events.
    """
    moved = np.ones(len(points), bool)
    moved[1:] = (np.diff(points, axis=0) != 0).any(axis=1)
    return points[moved]


# Of a varied copy. Lengths are in halves of the longest side, slant and turn are tangents.
_BEND = 0.04
_SLANT = 0.2
_TURN = 0.06
_WIDTH = 0.18  # of the logarithm of the width
_NARROW_SHARE = 0.25
_NARROWEST = 0.45
# Of the usual width of the pen.
_THIN = 0.75
_THICK = 1.4


def varied_copies(
    digits: Sequence[PenDigit], copies: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The images, uint8 (n, 28, 28, 1), and labels, int32 (n,), of `copies` of all `digits` as the
    canvas draws them.

    Each copy is bent, slanted, turned and stretched at random, and drawn with a pen of another
    width.
    """
    lines = join([[smooth(stroke) for stroke in digit.strokes] for digit in digits])
    count = len(digits)
    images = np.zeros((copies, count, SIDE, SIDE, 1), np.uint8)
    for copy in range(copies):
        varied = replace(lines, points=vary(lines, rng))
        images[copy, ..., 0] = render(varied, PEN * rng.uniform(_THIN, _THICK, count))
    labels = np.array([digit.label for digit in digits], np.int32)
    return images.reshape(-1, SIDE, SIDE, 1), np.tile(labels, copies)


def vary(lines: Polylines, rng: np.random.Generator, strength: float = 1.0) -> np.ndarray:
    """The points of `lines`, float64 (p, 2), with each drawing bent, slanted, turned and stretched
    at random, in halves of its longest side from its middle. `strength` multiplies all spreads.
    """
    counts = np.diff(lines.offsets)

    def random(spread: float) -> np.ndarray:
        return np.repeat(rng.normal(0, strength * spread, len(lines)), counts)

    low, high = lines.boxes()
    halves = np.maximum(lines.extents(), 1e-9) / 2
    u, v = (
        (lines.points - np.repeat((low + high) / 2, counts, axis=0))
        / np.repeat(halves, counts)[:, None]
    ).T
    x, y = u, v
    for term in (u * u, u * v, v * v):
        x = x + random(_BEND) * term
        y = y + random(_BEND) * term
    narrow = np.where(
        rng.random(len(lines)) < _NARROW_SHARE, rng.uniform(_NARROWEST, 1, len(lines)), 1.0
    )
    x = (x - random(_SLANT) * y) * np.exp(random(_WIDTH)) * np.repeat(narrow, counts)
    turn = random(_TURN)
    return np.stack((x - turn * y, y + turn * x), axis=1)
