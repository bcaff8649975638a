"""Make strings of digits from pen strokes, each of one writer, read them, and print how many are
wholly right.

    python -m tools.models.strings --strokes pendigits.unipen.gz --count 300

reads strings of 3 to 6 digits with small gaps, pairs that touch, pairs written in one stroke, and
the same drawings as pictures. `--writers 21-30` takes these writers only.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from core.data.class_names import DIGITS
from core.drawing.rendering import paint
from core.drawing.strokes import PenStroke
from core.inference.model_file import Model, bundled_model, load_model
from core.reading.reader import DrawingReader
from core.text import format_percent
from tools.models.pen_data import PenDigit, read, writer_numbers

_TOUCH = 0.09  # distance of the strokes' middles, in heights: ink of the usual width touches
_STEP = 0.02
_SHOWN = 6  # misread strings of a kind on the sheet


@dataclass(frozen=True, slots=True)
class PenString:
    """`strokes`: float (k, 2) each, in the order of writing; `owners`: the position of the digit of
    each stroke.

    `height`: the usual height of the writer's digits, in the unit of the strokes.
    """

    text: str
    strokes: tuple[np.ndarray, ...]
    owners: tuple[int, ...]
    height: float


def pen_strings(
    digits: Sequence[PenDigit],
    rng: np.random.Generator,
    count: int,
    lengths: Sequence[int] = (3, 4, 5, 6),
    gaps: tuple[float, float] = (0.05, 0.25),
    touching: bool = False,
    linked: bool = False,
) -> Iterator[PenString]:
    """`count` random strings, each of digits of one writer, in their natural sizes.

    `gaps`: limits of the distances between neighboring boxes, in heights. `touching`: neighbors are
    moved together until their ink touches. `linked`: all is written in one stroke, without lifting
    the pen.
    """
    writers: dict[int, list[PenDigit]] = {}
    for digit in digits:
        writers.setdefault(digit.writer, []).append(digit)
    heights = {
        writer: float(np.median([_size(d)[1] for d in answer]))
        for writer, answer in writers.items()
    }
    names = list(writers)
    for _ in range(count):
        writer = names[int(rng.integers(0, len(names)))]
        answer = writers[writer]
        height = heights[writer]
        chosen = [
            answer[number] for number in rng.integers(0, len(answer), int(rng.choice(lengths)))
        ]
        strokes: list[np.ndarray] = []
        owners: list[int] = []
        before: list[np.ndarray] = []
        for position, digit in enumerate(chosen):
            moved = [stroke - (_left(digit.strokes), 0) for stroke in digit.strokes]
            if position:
                edge = max(float(stroke[:, 0].max()) for stroke in before)
                shift = edge + (0 if touching else rng.uniform(*gaps) * height)
                if touching:
                    shift = _touching(before, moved, edge, height)
                moved = [stroke + np.array((shift, 0)) for stroke in moved]
            before = moved
            strokes += moved
            owners += [position] * len(moved)
        if linked:
            strokes = [np.concatenate(strokes)]
            owners = [0]
        yield PenString(
            "".join(str(digit.label) for digit in chosen), tuple(strokes), tuple(owners), height
        )


def _touching(
    before: list[np.ndarray], digit: list[np.ndarray], edge: float, height: float
) -> float:
    """How far to the right `digit` has to be moved to touch `before`, whose right edge is
    `edge`.
    """
    left, right = (
        np.concatenate([_dense(stroke, height / 40) for stroke in s]) for s in (before, digit)
    )
    shift = edge + 0.3 * height
    while shift > edge - 0.7 * height:
        x = left[:, None, 0] - right[None, :, 0] - shift
        y = left[:, None, 1] - right[None, :, 1]
        if float((x * x + y * y).min()) < (_TOUCH * height) ** 2:
            return shift
        shift -= _STEP * height
    return edge


def _dense(stroke: np.ndarray, step: float) -> np.ndarray:
    """Points on the stroke at distances of at most `step`."""
    parts = [stroke[:1]]
    for start, end in pairwise(stroke):
        count = max(1, int(np.hypot(*(end - start)) / step))
        parts.append(start + (end - start) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(parts)


def _left(strokes: Sequence[np.ndarray]) -> float:
    return min(float(stroke[:, 0].min()) for stroke in strokes)


def _size(digit: PenDigit) -> tuple[float, float]:
    low = np.min([stroke.min(axis=0) for stroke in digit.strokes], axis=0)
    high = np.max([stroke.max(axis=0) for stroke in digit.strokes], axis=0)
    return float(high[0] - low[0]), float(high[1] - low[1])


# -- figures ---------------------------------------------------------------------------------------

_HEIGHT = 280  # of a digit of usual height, in pixels


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--strokes", metavar="FILE", required=True, help="pen strokes, as UNIPEN text"
    )
    parser.add_argument("--writers", metavar="LIST", help="use these writers only, such as 21-30")
    parser.add_argument(
        "--model", metavar="FILE", help="read with this model (default: the bundled one)"
    )
    parser.add_argument("--line", metavar="FILE", help="read lines with this model")
    parser.add_argument(
        "--count", type=int, default=300, help="strings of each kind and seed (default: 300)"
    )
    parser.add_argument(
        "--seeds", type=int, default=1, help="of the strings: 1 to this one (default: 1)"
    )
    parser.add_argument("--sheet", metavar="FILE", help="write a picture of those that are misread")
    options = parser.parse_args()
    digits = read(Path(options.strokes))
    if options.writers:
        chosen = writer_numbers(options.writers)
        digits = [digit for digit in digits if digit.writer in chosen]
    model = bundled_model()
    if options.model:
        # Read as the one that comes with the program, whose digits the line's network helps.
        model = replace(load_model(options.model), path=model.path)
    reader = DrawingReader(load_model(options.line) if options.line else None)
    misread: list[tuple[PenString, str]] = []
    print(f"{'':34}{'wholly right':24}right number of digits")
    for title, kind, as_picture in (
        ("strings of 3 to 6 digits", {}, False),
        ("strings of 3 to 6 digits, pictures", {}, True),
        ("touching pairs", {"lengths": (2,), "touching": True}, False),
        ("touching pairs, pictures", {"lengths": (2,), "touching": True}, True),
        ("pairs in one stroke", {"lengths": (2,), "linked": True}, False),
        ("single digits", {"lengths": (1,)}, False),
        ("single digits, pictures", {"lengths": (1,)}, True),
    ):
        shares = []
        wrong = []
        for seed in range(1, options.seeds + 1):
            right = counted = 0
            for string in pen_strings(digits, np.random.default_rng(seed), options.count, **kind):
                answer = read_string(string, reader, model, as_picture=as_picture)
                right += answer == string.text
                if answer != string.text:
                    wrong.append((string, answer))
                counted += len(answer) == len(string.text)
            shares.append((right / options.count, counted / options.count))
        wholly, number = zip(*shares, strict=True)
        print(f"{title:34}{spread(wholly):24}{spread(number)}", flush=True)
        misread += wrong[:_SHOWN]
    if options.sheet:
        _sheet(misread).save(options.sheet)


def _sheet(misread: list[tuple[PenString, str]]) -> Image.Image:
    """The strings with what was written and what was read."""
    width, height = 220, 120
    sheet = Image.new("L", (_SHOWN * width, -(-len(misread) // _SHOWN) * height), 255)
    for number, (string, answer) in enumerate(misread):
        left = number % _SHOWN * width
        top = number // _SHOWN * height
        picture = Image.fromarray(255 - (_picture(_on_canvas(string)) * 255).astype(np.uint8))
        picture.thumbnail((width - 10, height - 24))
        sheet.paste(picture, (left, top + 20))
        ImageDraw.Draw(sheet).text((left + 6, top + 4), f"{string.text} read as {answer}", fill=0)
    return sheet


def spread(shares: Sequence[float]) -> str:
    """The mean, and the range of several shares."""
    mean = format_percent(sum(shares) / len(shares), 1)
    return (
        mean
        if len(shares) == 1
        else f"{mean} ({format_percent(min(shares), 1)} to {format_percent(max(shares), 1)})"
    )


def read_string(
    string: PenString, reader: DrawingReader, model: Model, *, as_picture: bool = False
) -> str:
    """What is read when the string is written on the canvas, or seen as a picture."""
    strokes = _on_canvas(string)
    reading = reader.read(model, _picture(strokes), None if as_picture else strokes)
    if reading.number is not None:
        return "/".join(reading.number.texts(DIGITS))
    return "" if reading.probabilities is None else DIGITS[reading.probabilities.argmax()]


def _on_canvas(string: PenString) -> list[PenStroke]:
    scale = _HEIGHT / string.height
    low = np.min([stroke.min(axis=0) for stroke in string.strokes], axis=0)
    return [PenStroke((stroke - low) * scale + 60, 40) for stroke in string.strokes]


def _picture(strokes: Sequence[PenStroke]) -> np.ndarray:
    width, height = (np.max([stroke.points.max(axis=0) for stroke in strokes], axis=0) + 60).astype(
        int
    )
    ink = np.zeros((height, width), np.uint8)
    for stroke in strokes:
        points = stroke.points
        ends = points[1:] if len(points) > 1 else points
        paint(ink, points[: len(ends)], ends, np.full(len(ends), stroke.width / 2))
    return ink.astype(np.float32) / 255


if __name__ == "__main__":
    main()
