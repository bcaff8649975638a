"""Composes lines of digits with what is written in them, for the network that reads numbers.

    python -m tools.models.lines --strokes FILE.unipen.gz --sheet lines.png

draws some of them. A line has one to six digits of one hand: built-in digits, digits of one pen
writer, or images of MNIST. They stand apart, touch, are written in one stroke, or their boxes
overlap; sizes, heights, slants and pens vary. In some lines a letter, a sign or a scribble stands
among the digits, which is written as OTHER, and remains of ruled or squared paper, which are
nothing.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from core.data.dataset import Split
from core.data.sources import load_dataset
from core.data.synthetic.pen import ShapeModel, write
from core.drawing.line import ROWS, line_of_ink, line_of_strokes
from core.drawing.loops import paint_segment
from core.drawing.strokes import Polylines, join, smooth
from core.reading.line_reader import OTHER
from kernels.compiled import compiled
from tools.models.non_digits import LETTERS, MARKS, strokes_of
from tools.models.pen_data import PenDigit, read, vary, writer_numbers

WIDTH = 128
"""Of the images that lines are packed into."""

MAX_SYMBOLS = 20
"""Of an image."""

MODES = ("gap", "touch", "link", "close", "mixed")


@compiled
def _paint(ink, starts, ends, radii) -> None:  # noqa: ANN001 - compiled
    """As `core.drawing.rendering.paint`, compiled."""
    for line in range(starts.shape[0]):
        paint_segment(
            ink, starts[line, 0], starts[line, 1], ends[line, 0], ends[line, 1], radii[line]
        )


@dataclass(frozen=True, slots=True)
class Mix:
    """Of what lines are composed: shares of all lines, or of the symbols of a line."""

    builtin: float = 0.30
    mnist: float = 0.25  # all others are of pen writers
    lengths: tuple[float, ...] = (0.15, 0.30, 0.20, 0.15, 0.10, 0.10)
    modes: tuple[float, ...] = (0.30, 0.27, 0.18, 0.10, 0.15)
    others: float = 0.08  # lines with letters, signs or scribbles
    alone: float = 0.04  # lines of nothing else
    paper: float = 0.12


Symbol = tuple[int, list[np.ndarray]]
Line = tuple[np.ndarray, list[int]]
"""The image, uint8 (ROWS, width), and the classes of its symbols."""


@dataclass
class LineComposer:
    """Draws lines from `rng`. `pen`: whose writers they are; `images`: uint8 (n, 28, 28, 1)."""

    pen: Sequence[PenDigit]
    images: Split
    rng: np.random.Generator
    shapes: ShapeModel | None = None
    mix: Mix = field(default_factory=Mix)

    def lines(self, count: int) -> Iterator[Line]:
        """`count` random lines."""
        own = _of_writers(self.pen, self.rng)
        writers = list(own)
        builtin = _builtin(3 * count, self.shapes, self.rng)
        rng = self.rng
        mix = self.mix
        for _ in range(count):
            length = 1 + int(rng.choice(6, p=mix.lengths))
            source = rng.random()
            if source < mix.mnist:
                image, labels = self._of_images(length)
            else:
                pool = builtin
                if source > mix.mnist + mix.builtin:
                    pool = own[writers[int(rng.integers(len(writers)))]]
                symbols = [pool[n] for n in rng.integers(0, len(pool), length)]
                symbols = self._with_others(symbols)
                labels = [label for label, _ in symbols]
                mode = str(rng.choice(MODES, p=mix.modes))
                strokes = _slanted(_composed([s for _, s in symbols], mode, rng), rng)
                width = float(np.clip(rng.normal(2.5, 0.7), 1.1, 4.6))
                image = line_of_strokes(strokes, width, _paint).pixels
            if rng.random() < 0.35:
                image = _blurred(image, rng)
            if rng.random() < mix.paper:
                image = _on_paper(image, rng)
            yield image, labels

    def _with_others(self, symbols: list[Symbol]) -> list[Symbol]:
        """The symbols, or some of them replaced by letters, signs or scribbles."""
        rng = self.rng
        chance = rng.random()
        if chance < self.mix.alone:
            return [(OTHER, _other(rng))]
        if chance < self.mix.alone + self.mix.others:
            place = int(rng.integers(0, len(symbols) + 1))
            return [*symbols[:place], (OTHER, _other(rng)), *symbols[place:]][:6]
        return symbols

    def _of_images(self, length: int) -> Line:
        """A line of digits of the images, thinned or thickened, side by side."""
        rng = self.rng
        level = rng.uniform(0.35, 0.7)
        gain = rng.uniform(2, 6)
        mode = rng.choice(4, p=(0.4, 0.25, 0.2, 0.15))
        chosen = rng.integers(0, len(self.images), length)
        scale = rng.uniform(1.6, 2.4)
        digits = [self._image(int(n), scale * np.exp(rng.normal(0, 0.06))) for n in chosen]
        if rng.random() < 0.6:
            digits = [np.clip((digit - level) * gain + 0.5, 0, 1) for digit in digits]
        digits = [_cropped(digit) for digit in digits]
        rows = max(len(digit) for digit in digits) + 16
        line = np.zeros((rows, sum(digit.shape[1] + 24 for digit in digits)), np.float32)
        edge = 0
        for number, digit in enumerate(digits):
            height, width = digit.shape
            top = int(np.clip((rows - height) / 2 + rng.normal(0, 2), 0, rows - height))
            left = edge
            if number:
                left = _left_of(line, digit, top, edge, int(mode), rng)
            place = line[top : top + height, left : left + width]
            np.maximum(place, digit, out=place)
            edge = max(edge, left + width)
        return line_of_ink(_cropped(line)).pixels, self.images.targets[chosen].tolist()

    def _image(self, number: int, scale: float) -> np.ndarray:
        image = Image.fromarray(self.images.inputs[number].reshape(28, 28))
        side = max(8, round(28 * scale))
        large = image.resize((side, side), Image.Resampling.BICUBIC)
        return np.asarray(large, np.float32) / 255


def packed(lines: Iterator[Line], width: int = WIDTH) -> tuple[np.ndarray, np.ndarray]:
    """The images, uint8 (n, ROWS, width, 1), with several lines side by side, and their classes,
    int32 (n, MAX_SYMBOLS), -1 after the last one.
    """
    images: list[np.ndarray] = []
    labels: list[list[int]] = []
    free: list[int] = []
    for pixels, classes in lines:
        columns = pixels.shape[1]
        if columns > width:
            continue
        place = next(
            (n for n in range(max(0, len(free) - 30), len(free)) if free[n] >= columns), -1
        )
        if place < 0:
            images.append(np.zeros((ROWS, width, 1), np.uint8))
            labels.append([])
            free.append(width)
        left = width - free[place]
        images[place][:, left : left + columns, 0] = pixels
        free[place] -= columns
        labels[place] = labels[place] + classes
    targets = np.full((len(images), MAX_SYMBOLS), -1, np.int32)
    for row, classes in zip(targets, labels, strict=True):
        row[: len(classes)] = classes[:MAX_SYMBOLS]
    return np.stack(images), targets


# -- symbols ---------------------------------------------------------------------------------------


def _of_writers(digits: Sequence[PenDigit], rng: np.random.Generator) -> dict[int, list[Symbol]]:
    """The digits of each writer, varied, in heights of the writer's digits."""
    lines = join([[smooth(stroke) for stroke in digit.strokes] for digit in digits])
    counts = np.diff(lines.offsets)
    extents = lines.extents()
    varied = vary(lines, rng, 0.6) * np.repeat(extents / 2, counts)[:, None]
    parts = _symbols(Polylines(varied, lines.joined, lines.offsets))
    sizes: dict[int, list[float]] = {}
    for digit in digits:
        rows = np.concatenate(digit.strokes)[:, 1]
        sizes.setdefault(digit.writer, []).append(float(np.ptp(rows)))
    symbols: dict[int, list[Symbol]] = {writer: [] for writer in sizes}
    for digit, strokes in zip(digits, parts, strict=True):
        height = float(np.median(sizes[digit.writer]))
        symbols[digit.writer].append((digit.label, [stroke / height for stroke in strokes]))
    return symbols


def _builtin(count: int, shapes: ShapeModel | None, rng: np.random.Generator) -> list[Symbol]:
    writing = write(count, rng, shapes)
    return list(zip(writing.labels.tolist(), _symbols(writing.lines), strict=True))


def _symbols(lines: Polylines) -> list[list[np.ndarray]]:
    """The strokes of each drawing."""
    drawings = []
    for start, end in zip(lines.offsets[:-1], lines.offsets[1:], strict=True):
        ends = np.flatnonzero(~lines.joined[start:end])[:-1] + 1
        drawings.append(np.split(lines.points[start:end], ends))
    return drawings


def _other(rng: np.random.Generator) -> list[np.ndarray]:
    """A letter, a sign or a scribble, in heights of a digit."""
    kind = rng.random()
    names = list(LETTERS) if kind < 0.5 else [name for name in MARKS if name != "line across"]
    name = "scribble" if kind > 0.75 else names[int(rng.integers(len(names)))]
    strokes = strokes_of(name, rng)
    points = np.concatenate(strokes)
    height, width = np.ptp(points[:, 1]), np.ptp(points[:, 0])
    scale = rng.uniform(0.5, 1.1) / max(height, width / 1.5, 1e-6)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    return [(stroke - middle) * scale for stroke in strokes]


# -- lines of strokes ------------------------------------------------------------------------------


def _composed(
    symbols: Sequence[list[np.ndarray]], mode: str, rng: np.random.Generator
) -> list[np.ndarray]:
    """The strokes of the symbols from left to right. `mode`: one of MODES."""
    strokes: list[np.ndarray] = []
    before: list[np.ndarray] = []
    edge = 0.0
    sizes = rng.normal(1, rng.choice((0.03, 0.06, 0.15)), len(symbols)).clip(0.6, 1.5)
    drift = rng.normal(0, 0.04) + np.zeros(len(symbols))
    height = 0.0
    for number, symbol in enumerate(symbols):
        points = np.concatenate(symbol)
        middle = (points[:, 1].min() + points[:, 1].max()) / 2
        height += drift[number] + rng.normal(0, 0.05)
        size = sizes[number]
        moved = [(stroke - (points[:, 0].min(), middle)) * size + (0, height) for stroke in symbol]
        if number:
            shift = _shift(before, moved, edge, mode, rng)
            moved = [stroke + np.array((shift, 0.0)) for stroke in moved]
        edge = max(float(stroke[:, 0].max()) for stroke in moved)
        before = moved
        strokes += moved
    if mode == "link":
        return [np.concatenate(strokes)]
    return strokes


def _shift(
    before: list[np.ndarray],
    symbol: list[np.ndarray],
    edge: float,
    mode: str,
    rng: np.random.Generator,
) -> float:
    """How far to the right `symbol` is moved; `edge`: where the one before ends."""
    if mode == "mixed":
        mode = str(rng.choice(("gap", "touch", "close")))
    if mode == "link":
        mode = "gap" if rng.random() < 0.5 else "close"
    if mode == "gap":
        return edge + rng.uniform(0.02, 0.4)
    if mode == "close":
        return edge + rng.uniform(-0.12, 0.1)
    reach = rng.uniform(0.0, 0.15)  # between the middles of the strokes
    left, right = (np.concatenate([_dense(stroke) for stroke in s]) for s in (before, symbol))
    down = np.abs(left[:, None, 1] - right[None, :, 1])
    across = np.sqrt(np.maximum(reach * reach - down * down, 0))
    shifts = np.where(down < max(reach, 0.03), left[:, None, 0] - right[None, :, 0] + across, -9)
    return float(np.clip(shifts.max(), edge - 0.7, edge + 0.2))


def _dense(stroke: np.ndarray, step: float = 0.05) -> np.ndarray:
    """Points on the stroke at distances of at most about `step`."""
    if len(stroke) == 1:
        return stroke
    counts = np.maximum(1, np.hypot(*np.diff(stroke, axis=0).T) / step).astype(np.int64)
    rows = np.repeat(np.arange(len(counts)), counts)
    along = (np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[rows]
    inner = stroke[rows] + (stroke[rows + 1] - stroke[rows]) * along[:, None]
    return np.concatenate((inner, stroke[-1:]))


def _slanted(strokes: Sequence[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    """All strokes of a line slanted, turned and stretched alike."""
    wide = np.exp(rng.normal(0, 0.13))
    matrix = np.array(((wide, rng.normal(0, 0.02)), (-rng.normal(0, 0.13), 1.0)))
    return [stroke @ matrix for stroke in strokes]


# -- lines of images -------------------------------------------------------------------------------


def _cropped(ink: np.ndarray, level: float = 0.15) -> np.ndarray:
    rows = np.flatnonzero((ink > level).any(axis=1))
    columns = np.flatnonzero((ink > level).any(axis=0))
    if not len(rows):
        return ink
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _left_of(
    line: np.ndarray, digit: np.ndarray, top: int, edge: int, mode: int, rng: np.random.Generator
) -> int:
    """The left edge of `digit` in the line: after a gap, at the ink before it, or at its box."""
    if mode == 0:
        return edge + int(rng.integers(2, 14))
    if mode == 1:
        return max(0, edge + int(rng.integers(-3, 4)))
    ink = line[top : top + len(digit)] > 0.4
    own = digit > 0.4
    columns = ink.shape[1]
    last = np.where(ink.any(axis=1), columns - 1 - ink[:, ::-1].argmax(axis=1), -99)
    first = np.where(own.any(axis=1), own.argmax(axis=1), 99)
    # Ink touches ink across a corner as well.
    last = np.maximum(last, np.maximum(np.append(last[1:], -99), np.insert(last[:-1], 0, -99)))
    touching = int((last - first).max()) + 1
    if mode == 3 and rng.random() < 0.5:
        touching += int(rng.integers(1, 6))
    return int(np.clip(touching - int(rng.integers(0, 4)), edge - 24, edge + 8).clip(0))


def _blurred(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Blurred a little, and with another contrast."""
    values = image.astype(np.float32)
    share = rng.uniform(0, 0.3)
    for axis in (0, 1):
        sides = np.roll(values, 1, axis) + np.roll(values, -1, axis)
        values = (1 - share) * values + share / 2 * sides
    values = 255 * (values / max(float(values.max()), 1.0)) ** rng.uniform(0.6, 1.4)
    return values.astype(np.uint8)


def _on_paper(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The line with remains of ruled or squared paper; in most cases these make the box higher, and
    the digits lower.
    """
    rows, columns = image.shape
    if rng.random() < 0.7:
        scale = rng.uniform(0.6, 0.95)
        size = (max(8, round(columns * scale / 2) * 2), max(8, round(rows * scale)))
        small = np.asarray(Image.fromarray(image).resize(size, Image.Resampling.BOX))
        top = int(rng.integers(0, rows - size[1] + 1))
        image = np.zeros((rows, size[0]), np.uint8)
        image[top : top + size[1]] = small
        columns = size[0]
    result = image.astype(np.float32)
    spacing = rng.uniform(6, 16)
    start = rng.uniform(2, spacing)
    strength = rng.uniform(60, 255)
    thickness = rng.uniform(0.5, 1.6)
    slope = rng.normal(0, 0.01)
    is_squared = rng.random() < 0.5
    for along, across, is_down in ((columns, rows, False), (rows, columns, True)):
        if is_down and not is_squared:
            continue
        place = start
        while place < across - 1:
            if rng.random() < 0.6:
                length = rng.uniform(2, 0.7 * along + 4)
                first = rng.uniform(-length / 2, along - length / 2)
                _rule(result, place, first, length, thickness, strength, slope, is_down=is_down)
            place += spacing
    return np.minimum(result, 255).astype(np.uint8)


def _rule(
    result: np.ndarray,
    place: float,
    first: float,
    length: float,
    thickness: float,
    strength: float,
    slope: float,
    *,
    is_down: bool,
) -> None:
    """Draw a piece of a line of the paper."""
    target = result.T if is_down else result
    columns = np.arange(max(0, int(first)), min(target.shape[1], int(first + length)))
    rows = np.arange(target.shape[0])[:, None]
    distance = np.abs(rows + 0.5 - place - slope * columns[None])
    ink = strength * np.clip(thickness / 2 + 0.5 - distance, 0, 1)
    if len(columns):
        part = target[:, columns[0] : columns[-1] + 1]
        np.maximum(part, ink, out=part)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.models.lines",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--strokes", type=Path, required=True, metavar="FILE", help="a UNIPEN file")
    parser.add_argument("--writers", metavar="LIST", help="use these writers only, such as 1-25")
    parser.add_argument("--sheet", type=Path, required=True, metavar="FILE")
    options = parser.parse_args()
    pen = read(options.strokes)
    if options.writers:
        chosen = writer_numbers(options.writers)
        pen = [digit for digit in pen if digit.writer in chosen]
    composer = LineComposer(pen, load_dataset("mnist").train, np.random.default_rng(0))
    images, targets = packed(composer.lines(400))
    for row in targets[:60:3].tolist():
        print("".join("0123456789?"[label] for label in row if label >= 0))
    sheet = np.concatenate(
        [np.concatenate(images[n : n + 3, ..., 0], axis=1) for n in range(0, 60, 3)]
    )
    image = Image.fromarray(255 - sheet)
    image.resize((image.width * 3, image.height * 3), Image.Resampling.NEAREST).save(options.sheet)


if __name__ == "__main__":
    main()
