"""Train the network that tells whole digits from parts of digits and from several digits.

Strings of digits are made of pen strokes of one writer, and of images of MNIST. Their digits are
examples of the class `digit`; parts of digits, neighbors joined to one, and strings cut at wrong
places are examples of the class `part`.

    python -m tools.models.whole_digit --strokes pendigits.unipen.gz --data mnist

writes `resources/models/whole-digit.safetensors`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from core.data.dataset import Dataset, Split
from core.data.sources import load_dataset
from core.drawing.ink import SIDE, depths, normalize
from core.drawing.rendering import PEN, render
from core.drawing.strokes import join, smooth
from core.inference.model_file import models_folder
from core.network.network import Network
from core.network.notation import parse
from core.reading.pieces import (
    LEVEL,
    Piece,
    ink_images,
    ink_piece,
    ink_pieces,
    parts_between_turns,
    stroke_piece,
)
from core.reading.segmentation import MAX_PARTS_JOINED, PART, SINGLE_DIGIT_MODEL, WHOLE
from core.runs.plan import RunContext, RunPlan
from core.text import format_percent
from core.training.records import EpochDone, Finished
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_cpu_device
from tools.models.pen_data import PenDigit, read
from tools.models.strings import PenString, pen_strings

RUN = RunSettings(
    network="8C5-MP2-16C5-MP2-64N-2N",
    optimizer="adam",
    learning_rate=0.002,
    schedule="cosine",
    epochs=4,
    seed=0,
)
_HEIGHT = 44
Example = tuple[np.ndarray, int]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--strokes", metavar="FILE", required=True, help="pen strokes, as UNIPEN text"
    )
    parser.add_argument(
        "--data", metavar="NAME", default="mnist", help="images of digits (default: mnist)"
    )
    parser.add_argument(
        "--writers", type=int, metavar="N", help="use the first N writers only, test on the others"
    )
    parser.add_argument(
        "--count", type=int, default=1000, help="strings of each kind (default: 1000)"
    )
    parser.add_argument(
        "--out", metavar="FILE", default=str(models_folder() / f"{SINGLE_DIGIT_MODEL}.safetensors")
    )
    options = parser.parse_args()
    pen = read(Path(options.strokes))
    images = load_dataset(options.data)
    writers = sorted({digit.writer for digit in pen})
    first = writers[: options.writers or len(writers)]
    held = [digit for digit in pen if digit.writer not in first] or pen
    rng = np.random.default_rng(0)
    train = _split(
        [digit for digit in pen if digit.writer in first], images.train, options.count, rng
    )
    test = _split(held, images.test, options.count // 8, rng)
    dataset = Dataset(SINGLE_DIGIT_MODEL, "whole digits", "classes", (PART, WHOLE), train, test)
    whole = format_percent(train.targets.mean(), 0)
    print(f"{len(train)} examples, {whole} of them whole digits; {len(test)} to test")
    device = open_cpu_device()
    for record in iter_training(RUN, dataset, device):
        if isinstance(record, EpochDone):
            print(f"epoch {record.epoch}: {format_percent(record.test_score)}")
        if isinstance(record, Finished):
            network = RunContext(RunPlan(RUN, SINGLE_DIGIT_MODEL, device.name), dataset, _network())
            network.model(record.checkpoint, record.test_score).save(options.out)
    device.close()


def _network() -> Network:
    return parse(RUN.network, (SIDE, SIDE, 1), 2)


def _split(pen: list[PenDigit], images: Split, count: int, rng: np.random.Generator) -> Split:
    """Examples in random order."""
    examples = [*_stroke_examples(pen, count, rng), *_picture_examples(pen, images, count, rng)]
    order = rng.permutation(len(examples))
    inputs = np.stack([examples[number][0] for number in order])[..., None]
    return Split(inputs, np.array([examples[number][1] for number in order], np.int32))


# -- strokes ---------------------------------------------------------------------------------------


def _stroke_examples(
    pen: list[PenDigit], count: int, rng: np.random.Generator
) -> Iterator[Example]:
    drawings: list[list[np.ndarray]] = []
    answers = []
    for string in pen_strings(pen, rng, count, lengths=(1, 2, 2, 3, 4, 6), gaps=(-0.2, 0.3)):
        for group, whole in _groups(_varied(string, rng), rng):
            drawings.append(group)
            answers.append(whole)
    for string in pen_strings(pen, rng, count, lengths=(1, 2, 2, 3), gaps=(-0.2, 0.3)):
        for group, whole in _linked_groups(_varied(string, rng), rng):
            drawings.append(group)
            answers.append(whole)
    images = render(join(drawings), PEN * rng.uniform(0.8, 1.25, len(drawings)))
    yield from zip(images, answers, strict=True)


def _linked_groups(
    string: PenString, rng: np.random.Generator
) -> Iterator[tuple[list[np.ndarray], int]]:
    """Parts of the string in one stroke, as the reader cuts it."""
    curve = smooth(np.concatenate(string.strokes))
    owners = []
    for stroke, owner in zip(string.strokes, string.owners, strict=True):
        owners += [owner] * len(stroke)
    owners = np.array(owners)
    if len(owners) < 3:
        return
    owners = np.concatenate(
        (
            owners[:1],
            owners[:1],
            np.repeat(owners[1:-1], (len(curve) - 3) // (len(owners) - 2)),
            owners[-1:],
        )
    )
    steps = np.hypot(*np.diff(curve, axis=0).T)
    shares = np.zeros((len(steps), max(owners) + 1))
    same = owners[1:] == owners[:-1]
    shares[np.flatnonzero(same), owners[1:][same]] = steps[same]
    parts = parts_between_turns(stroke_piece(curve))
    if not parts:
        return
    ends = np.cumsum([0] + [len(part.content) - 1 for part in parts])
    amounts = np.add.reduceat(shares, ends[:-1], axis=0)
    total = np.add.reduceat(steps, ends[:-1])
    for start, end, whole in _labeled(amounts, rng, total - amounts.sum(axis=1)):
        yield [part.content for part in parts[start:end]], whole


def _labeled(
    amounts: np.ndarray, rng: np.random.Generator, links: np.ndarray | None = None
) -> Iterator[tuple[int, int, int]]:
    """Groups of consecutive parts, (start, end), and whether they are a whole digit, where that is
    clear.

    `amounts`: float (parts, digits), how much ink of each digit a part has. `links`: ink of no
    digit.
    """
    totals = np.maximum(amounts.sum(axis=0), 1e-9)
    count = len(amounts)
    others = np.zeros(count) if links is None else links
    for start in range(count):
        for end in range(start + 1, min(count, start + MAX_PARTS_JOINED) + 1):
            shares = amounts[start:end].sum(axis=0) / totals
            best = int(shares.argmax())
            foreign = (
                (shares * totals).sum() - shares[best] * totals[best] + others[start:end].sum()
            ) / totals[best]
            if shares[best] > 0.94 and foreign < 0.08:
                yield start, end, 1
            elif (shares[best] < 0.82 or foreign > 0.2) and rng.random() < 2.0 / count:
                yield start, end, 0


def _varied(string: PenString, rng: np.random.Generator) -> PenString:
    """The string slanted and stretched, with strokes that are moved and broken a little."""
    slant = rng.uniform(-0.25, 0.25)
    aspect = rng.uniform(0.75, 1.35)
    strokes = []
    owners = []
    for stroke, owner in zip(string.strokes, string.owners, strict=True):
        points = np.stack(((stroke[:, 0] - stroke[:, 1] * slant) * aspect, stroke[:, 1]), axis=1)
        points = points + rng.normal(0, 0.025, 2) * string.height
        parts = [points]
        if rng.random() < 0.06 and len(points) > 12:
            position = int(rng.integers(4, len(points) - 5))
            parts = [points[:position], points[position + 1 + int(rng.integers(0, 2)) :]]
        strokes += parts
        owners += [owner] * len(parts)
    return PenString(string.text, tuple(strokes), tuple(owners), string.height)


def _groups(string: PenString, rng: np.random.Generator) -> Iterator[tuple[list[np.ndarray], int]]:
    """Groups of strokes that follow each other, parts of strokes, and whether they are whole
    digits.
    """
    strokes = string.strokes
    owners = string.owners
    for i in range(len(strokes)):
        for j in range(i + 1, min(len(strokes), i + 4) + 1):
            inside = set(owners[i:j])
            whole = len(inside) == 1 and owners.count(owners[i]) == j - i
            if whole or rng.random() < 0.6:
                yield list(strokes[i:j]), int(whole)
            if whole and rng.random() < 0.35:
                part = _part(strokes[i:j], rng)
                if part:
                    yield part, 0
    if len(set(owners)) > 1:
        yield list(strokes), 0


def _part(strokes: tuple[np.ndarray, ...], rng: np.random.Generator) -> list[np.ndarray]:
    """A digit without the beginning or the end of its longest stroke."""
    longest = max(range(len(strokes)), key=lambda number: len(strokes[number]))
    points = strokes[longest]
    position = int(len(points) * rng.uniform(0.25, 0.7))
    cut = points[position:] if rng.random() < 0.5 else points[: len(points) - position]
    if len(cut) < 2:
        return []
    others = [stroke for number, stroke in enumerate(strokes) if number != longest]
    return [cut, *(others if rng.random() < 0.5 else [])]


# -- pictures --------------------------------------------------------------------------------------


def _picture_examples(
    pen: list[PenDigit], images: Split, count: int, rng: np.random.Generator
) -> Iterator[Example]:
    chosen = [pen[number] for number in rng.integers(0, len(pen), count)]
    drawn = render(join([digit.strokes for digit in chosen]), PEN * rng.uniform(0.8, 1.25, count))
    written = images.inputs[rng.permutation(len(images))[: 2 * count]].reshape(-1, SIDE, SIDE)
    for image in written[:count]:
        yield normalize(image), 1
    pool = [drawn, written]
    for _ in range(count):
        digits = pool[int(rng.random() < 0.5)]
        layers = _layers(
            [digits[n] for n in rng.integers(0, len(digits), rng.choice((1, 2, 2, 3, 4)))], rng
        )
        for _ in range(2):
            yield from _window(layers, rng)
        yield from _cut_groups(layers, rng)


def _cut_groups(layers: np.ndarray, rng: np.random.Generator) -> Iterator[Example]:
    """Groups of parts of the ink."""
    parts = []
    for piece in ink_pieces(layers.max(axis=0)):
        ways = _cuts(piece)
        parts += ways[int(rng.integers(len(ways)))] if ways and rng.random() < 0.9 else [piece]
    parts.sort(key=lambda part: part.box.middle[0])
    amounts = np.zeros((len(parts), len(layers)))
    owners = layers.argmax(axis=0)
    for row, part in zip(amounts, parts, strict=True):
        left, top, right, bottom = map(int, part.box)
        row[:] = np.bincount(
            owners[top:bottom, left:right].ravel(), part.content.ravel(), len(layers)
        )
    chosen = list(_labeled(amounts, rng))
    images = ink_images([tuple(parts[start:end]) for start, end, _ in chosen])
    yield from (
        (image, whole) for image, (_, _, whole) in zip(images, chosen, strict=True) if image.any()
    )


def _layers(digits: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """The digits side by side, each in its own layer, float32 (n, height, width)."""
    layers = np.zeros((len(digits), 2 * _HEIGHT, len(digits) * 2 * _HEIGHT), np.float32)
    left = 0.0
    for layer, digit in zip(layers, digits, strict=True):
        rows = np.flatnonzero(digit.any(axis=1))
        columns = np.flatnonzero(digit.any(axis=0))
        box = digit[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        scale = _HEIGHT * rng.uniform(0.75, 1.2) / 20
        size = tuple(max(2, round(side * scale)) for side in (box.shape[1], box.shape[0]))
        large = (
            np.asarray(Image.fromarray(box).resize(size, Image.Resampling.BICUBIC), np.float32)
            / 255
        )
        top = int(np.clip(_HEIGHT - size[1] / 2 + rng.normal(0, 4), 0, 2 * _HEIGHT - size[1]))
        position = layer[top : top + size[1], int(left) :][:, : size[0]]
        position[:] = large[:, : position.shape[1]]
        left = max(0.0, left + size[0] + rng.uniform(-0.2, 0.25) * _HEIGHT)
    return layers


def _window(layers: np.ndarray, rng: np.random.Generator) -> Iterator[Example]:
    """What lies between two slanted lines near the sides of a digit, where it is clear whether it
    is whole.
    """
    count, height, width = layers.shape
    columns = np.arange(width)[None] + (np.arange(height)[:, None] - height / 2) * rng.uniform(
        -0.5, 0.5
    )
    digit = int(rng.integers(0, count))
    inked = np.flatnonzero(layers[digit].any(axis=0))
    spreads = ((0.05, 0.05), (0.05, 0.4), (0.4, 0.05), (0.4, 0.4))[int(rng.integers(0, 4))]
    start = inked[0] - 3 + rng.normal(0, spreads[0]) * _HEIGHT
    end = inked[-1] + 3 + rng.normal(0, spreads[1]) * _HEIGHT
    inside = (columns >= start) & (columns <= end)
    shares = (layers * inside).sum(axis=(1, 2)) / np.maximum(layers.sum(axis=(1, 2)), 1)
    best = int(shares.argmax())
    others = float(np.delete(shares, best).sum())
    image = normalize(np.clip(layers.max(axis=0), 0, 1) * inside)
    if image is None:
        return
    if shares[best] > 0.95 and others < 0.05:
        yield image, 1
    elif shares[best] < 0.8 or others > 0.18:
        yield image, 0


# -- parts of ink ----------------------------------------------------------------------------------


_TURNS = (0.05, 0.2, 0.6)  # costs of a diagonal step of the paths that cut; of a pixel of ink: 1
# Of a pixel's cost is saved where it is twice as far from the edge as the mean of the ink.
_DEEP = 0.9
# at most, for each height of a piece's width, and in all
_CUTS = 6
_MAX_CUTS = 30
_FLAT = 8  # height in pixels below which nothing is cut


def _cuts(piece: Piece) -> list[list[Piece]]:
    """Ways to cut ink into parts, from left to right: along paths that cross the least ink, stiff
    ones and others that go around corners.

    Ink far from its edge costs little: where two digits touch, a path goes along the middle of both
    strokes.
    """
    if len(piece.content) < _FLAT:
        return []
    depth = depths(piece.content > LEVEL)
    costs = piece.content * (1 - _DEEP * np.clip(depth / depth[depth > 0].mean() - 1, 0, 1))
    return [parts for turn in _TURNS if len(parts := _cut(piece, costs, turn)) > 1]


def _cut(piece: Piece, costs: np.ndarray, turn: float) -> list[Piece]:
    """The parts of a piece between paths from top to bottom that cost little: `costs` of its
    pixels, and of a turn.
    """
    ink = piece.content
    height, width = ink.shape
    downward, upward = (
        _paths(rows, turn) for rows in (costs[: height // 2 + 1], costs[: height // 2 - 1 : -1])
    )
    crossed = downward[0][-1] + upward[0][-1] - costs[height // 2]
    count = min(2 + round(_CUTS * width / height), _MAX_CUTS)
    places = np.array(_least(crossed, max(3, round(0.1 * height)), count), np.int64)
    bounds = np.empty((height, len(places)), np.int64)
    for backs, rows in (downward, range(height // 2, -1, -1)), (upward, range(height // 2, height)):
        columns = places
        for back, row in zip(backs[1][::-1], rows, strict=True):
            bounds[row] = columns
            columns = back[columns]
    sides = (np.arange(width)[:, None] > bounds[:, None]).sum(axis=2)
    parts = []
    for side in range(len(places) + 1):
        part = np.where(sides == side, ink, 0)
        used = np.flatnonzero((part > LEVEL).any(axis=0))
        if len(used):
            inked = np.flatnonzero((part > LEVEL).any(axis=1))
            part = part[inked[0] : inked[-1] + 1, used[0] : used[-1] + 1]
            parts.append(ink_piece(part, piece.box.left + used[0], piece.box.top + inked[0]))
    return parts


def _paths(pixels: np.ndarray, turn: float) -> tuple[np.ndarray, np.ndarray]:
    """The least cost of a path from the first row to each pixel, and the column before; float, int
    (height, width).

    A path goes down, straight or to a neighboring column. A pixel costs its value, a diagonal step
    `turn`.
    """
    height, width = pixels.shape
    costs = np.empty((height, width))
    backs = np.empty((height, width), np.int64)
    columns = np.arange(width)
    costs[0] = pixels[0]
    backs[0] = columns
    for row in range(1, height):
        padded = np.pad(costs[row - 1], 1, constant_values=np.inf)
        options = np.stack((padded[1:-1], padded[:-2] + turn, padded[2:] + turn))
        step = options.argmin(axis=0)
        costs[row] = pixels[row] + options.min(axis=0)
        backs[row] = columns + np.array((0, -1, 1))[step]
    return costs, backs


def _least(crossed: np.ndarray, distance: int, count: int) -> list[int]:
    """The places of at most `count` least values, at least `distance` apart and from the ends,
    ascending.
    """
    chosen: list[int] = []
    for cut in (np.argsort(crossed[distance:-distance], kind="stable") + distance).tolist():
        if all(abs(cut - other) >= distance for other in chosen):
            chosen.append(cut)
            if len(chosen) == count:
                break
    return sorted(chosen)


if __name__ == "__main__":
    main()
