"""Make photographs of handwritten numbers, read them, and list what was read wrongly.

Digits of MNIST's test set (or built-in ones) are written on plain, ruled or squared paper with ink
of random color and thickness, on one or two lines. A camera then adds perspective, shadow, blur,
noise and JPEG compression; in some pictures the table shows at an edge.

    python -m tools.models.photographs --data mnist --count 30 --out photographs
"""

import argparse
import tempfile
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from core.data.class_names import DIGITS
from core.data.dataset import Split
from core.data.sources import load_dataset
from core.drawing.picture import read_gray
from core.inference.model_file import Model, bundled_model, load_model
from core.reading.reader import DrawingReader
from tools.models.strings import spread

WIDTH, HEIGHT = 1200, 900
_LINE_COLORS = {"ruled": (150, 175, 215), "squared": (170, 190, 205)}
_INKS = {
    "black": (25, 25, 30),
    "blue": (35, 50, 140),
    "pencil": (95, 95, 100),
    "felt-tip pen": (20, 20, 70),
}


@dataclass(frozen=True, slots=True)
class Photograph:
    """`jpeg`: the file. `lines`: the digits of each line. `description`: paper and ink."""

    jpeg: bytes
    lines: tuple[str, ...]
    description: str


def photograph(digits: Split, rng: np.random.Generator) -> Photograph:
    """A random photograph of 1 to 6 of `digits` on one or two lines."""
    paper_kind = str(rng.choice(["plain", "ruled", "squared"]))
    ink_kind = str(rng.choice(list(_INKS)))
    numbers = [rng.integers(0, len(digits), rng.integers(1, 7)) for _ in range(rng.integers(1, 3))]
    paper = _paper(paper_kind, rng)
    coverage = _written(digits, numbers, ink_kind, rng)[..., None]
    picture = paper * (1 - coverage) + np.array(_INKS[ink_kind], np.float32) * coverage
    lines = tuple("".join(str(int(digits.targets[i])) for i in number) for number in numbers)
    return Photograph(_camera(picture, rng), lines, f"{paper_kind} paper, {ink_kind}")


def _paper(kind: str, rng: np.random.Generator) -> np.ndarray:
    """float32 (HEIGHT, WIDTH, 3), 0 to 255."""
    color = np.array([rng.uniform(215, 250), rng.uniform(215, 248), rng.uniform(195, 245)])
    paper = np.broadcast_to(color, (HEIGHT, WIDTH, 3)).astype(np.float32)
    spacing = int(rng.integers(36, 70))
    if kind != "plain":
        thickness = int(rng.integers(1, 4))
        for start in range(int(rng.integers(5, spacing)), HEIGHT, spacing):
            paper[start : start + thickness] = _LINE_COLORS[kind]
    if kind == "squared":
        for start in range(int(rng.integers(5, spacing)), WIDTH, spacing):
            paper[:, start : start + thickness] = _LINE_COLORS[kind]
    return paper


def _written(
    digits: Split, numbers: list[np.ndarray], ink_kind: str, rng: np.random.Generator
) -> np.ndarray:
    """How much ink covers each pixel, float32 (HEIGHT, WIDTH), 0 to 1."""
    coverage = np.zeros((HEIGHT, WIDTH), np.float32)
    size = int(min(rng.uniform(110, 260), 850 / max(map(len, numbers)), 560 / len(numbers)))
    strength = {"pencil": 0.75}.get(ink_kind, 0.92)
    # A higher level makes the strokes of the enlarged digits thinner.
    level = {"felt-tip pen": 0.25, "black": 0.4}.get(ink_kind, 0.5) + rng.uniform(-0.1, 0.1)
    middle = HEIGHT / 2 - (len(numbers) - 1) * size * 0.75
    for number in numbers:
        left = (WIDTH - len(number) * size * 0.85) / 2
        for index in number:
            image = Image.fromarray(digits.inputs[index].reshape(28, 28))
            large = (
                np.asarray(
                    image.resize((ceil(size * 1.4),) * 2, Image.Resampling.BICUBIC), np.float32
                )
                / 255
            )
            ink = np.clip((large - level) * 6 + 0.5, 0, 1) * strength
            columns = np.flatnonzero(ink.any(axis=0))
            ink = ink[:, columns[0] : columns[-1] + 1]
            top = int(middle - ink.shape[0] / 2 + rng.normal(0, size * 0.04))
            target = coverage[top : top + ink.shape[0], int(left) : int(left) + ink.shape[1]]
            np.maximum(target, ink[: target.shape[0], : target.shape[1]], out=target)
            left += ink.shape[1] + size * rng.uniform(0.08, 0.3)
        middle += size * 1.5
    return coverage


def _camera(picture: np.ndarray, rng: np.random.Generator) -> bytes:
    """The JPEG file of `picture`, float32 (HEIGHT, WIDTH, 3), seen by a camera."""
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    image = _perspective(image, rng)
    lit = np.asarray(image, np.float32) * _light(rng)[..., None]
    blurred = Image.fromarray(np.clip(lit, 0, 255).astype(np.uint8)).filter(
        ImageFilter.GaussianBlur(rng.uniform(0.4, 1.6))
    )
    noisy = np.asarray(blurred, np.float32) + rng.normal(0, rng.uniform(2, 8), (HEIGHT, WIDTH, 1))
    noisy += rng.normal(0, rng.uniform(1, 4), (HEIGHT, WIDTH, 3))
    file = BytesIO()
    Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(
        file, "JPEG", quality=int(rng.integers(45, 90))
    )
    return file.getvalue()


def _perspective(image: Image.Image, rng: np.random.Generator) -> Image.Image:
    """`image` with its corners moved. In some pictures the table shows at the edges."""
    shift = rng.uniform(0, 0.06, (4, 2)) * (WIDTH, HEIGHT)
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], float)
    outward = np.sign(corners - (WIDTH / 2, HEIGHT / 2)) * (1 if rng.random() < 0.6 else -1)
    source = corners + outward * shift
    rows = []
    values = []
    for (x, y), (u, v) in zip(corners, source, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    coefficients = np.linalg.solve(np.array(rows), np.array(values))
    table = tuple(int(value) for value in rng.uniform(40, 110, 3))
    return image.transform(
        image.size,
        Image.Transform.PERSPECTIVE,
        coefficients.tolist(),
        Image.Resampling.BICUBIC,
        fillcolor=table,
    )


def _light(rng: np.random.Generator) -> np.ndarray:
    """float32 (HEIGHT, WIDTH): light that falls off to one side, with the soft shadow of a hand or
    of the camera.
    """
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = ((x / WIDTH - 0.5) * np.cos(angle) + (y / HEIGHT - 0.5) * np.sin(angle)).astype(
        np.float32
    )
    light = 1 - rng.uniform(0.1, 0.5) * (along + 0.5)
    edge = rng.uniform(-0.3, 0.3)
    angle = rng.uniform(0, 2 * np.pi)
    across = (x / WIDTH - 0.5) * np.cos(angle) + (y / HEIGHT - 0.5) * np.sin(angle) - edge
    shadow = 1 / (1 + np.exp(-across / rng.uniform(0.01, 0.06)))
    return (light * (1 - rng.uniform(0.1, 0.45) * shadow)).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", default="mnist", help="data set whose test digits are written (default: mnist)"
    )
    parser.add_argument("--count", type=int, default=30, help="number of photographs (default: 30)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seeds", type=int, default=1, help="how many, from --seed on (default: 1)"
    )
    parser.add_argument(
        "--model", metavar="FILE", help="read with this model (default: the bundled one)"
    )
    parser.add_argument("--line", metavar="FILE", help="read lines with this model")
    parser.add_argument("--out", metavar="FOLDER", help="write the photographs here")
    options = parser.parse_args()
    model = load_model(options.model) if options.model else bundled_model()
    reader = DrawingReader(load_model(options.line) if options.line else None)
    digits = load_dataset(options.data).test
    shares = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.out or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(options.seed, options.seed + options.seeds):
            rng = np.random.default_rng(seed)
            right = 0
            total = 0
            for number in range(options.count):
                picture = photograph(digits, rng)
                path = folder / f"{seed}-{number:02}.jpg"
                path.write_bytes(picture.jpeg)
                lines = _read(path, reader, model)
                right += right_digits(picture.lines, lines)
                total += sum(map(len, picture.lines))
                if lines != picture.lines:
                    print(
                        f"{path.name} ({picture.description}): {' / '.join(picture.lines)} "
                        f"read as {' / '.join(lines)}"
                    )
            print(
                f"seed {seed}: {right} of {total} digits right in {options.count} photographs",
                flush=True,
            )
            shares.append(right / total)
    print(f"{spread(shares)} of the digits right")


def _read(path: Path, reader: DrawingReader, model: Model) -> tuple[str, ...]:
    """The lines of digits that are read in the photograph."""
    reading = reader.read(model, read_gray(path).picture().ink)
    if reading.number is not None:
        return tuple(reading.number.texts(DIGITS))
    return () if reading.probabilities is None else (DIGITS[reading.probabilities.argmax()],)


def right_digits(expected: tuple[str, ...], read: tuple[str, ...]) -> int:
    """The digits of `expected` less the least number of digits to replace, insert or delete in
    `found`.
    """
    a = "\n".join(expected)
    b = "\n".join(read)
    row = list(range(len(b) + 1))
    for number, x in enumerate(a, 1):
        before = row
        row = [number]
        for column, y in enumerate(b):
            replaced = before[column] if x == y else before[column] + 1
            row.append(min(replaced, before[column + 1] + 1, row[column] + 1))
    return max(0, sum(map(len, expected)) - row[-1])


if __name__ == "__main__":
    main()
