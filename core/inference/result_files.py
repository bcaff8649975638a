"""Writes the results of a model on a test split to files: tables as CSV, the worst mistakes as PNG."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from core.data.dataset import Dataset
from core.files.atomic import atomic_path, write_atomically
from core.files.csv_text import csv_text
from core.inference.scores import ClassScores

MAX_IMAGES = 60
_COLUMNS = 10
_CELL = (84, 92)  # pixels of an image with its caption
_SIDE = 56  # pixels of an image


def write_table(path: Path, rows: Iterable[Sequence[object]]) -> Path:
    """Write `rows` as CSV with decimal points; return `path`. Raises InputError where it cannot be written."""
    write_atomically(path, csv_text(rows).encode())
    return path


def confusion_rows(classes: Sequence[str], counts: np.ndarray) -> list[tuple[str, ...]]:
    """The confusion matrix, int (classes, classes), as texts with the class names above and to the left."""
    return [("", *classes), *((name, *map(str, row)) for name, row in zip(classes, counts, strict=True))]


def prediction_rows(actual: np.ndarray, predicted: np.ndarray) -> list[Sequence[object]]:
    """A heading and a row for each point: all actual values, then all predicted ones; both are (n, outputs)."""
    numbers = [f"_{k + 1}" for k in range(predicted.shape[1])] if predicted.shape[1] > 1 else [""]
    heading = [f"{kind}{k}" for kind in ("actual", "predicted") for k in numbers]
    return [heading, *np.hstack([actual, predicted]).tolist()]


def write_classification(folder: Path, dataset: Dataset, scores: ClassScores) -> list[Path]:
    """Write confusion-matrix.csv, mistakes.csv and, for images with mistakes, mistakes.png; return the files."""
    mistakes, classes = scores.mistakes(), dataset.classes
    rows = [
        (int(k), classes[scores.right[k]], classes[scores.read[k]], f"{scores.confidence[k]:.6f}")
        for k in mistakes
    ]
    heading = ("test_image", "true_class", "predicted_class", "probability")
    paths = [
        write_table(folder / "confusion-matrix.csv", confusion_rows(classes, scores.counts(len(classes)))),
        write_table(folder / "mistakes.csv", [heading, *rows]),
    ]
    if dataset.is_image and rows:
        paths.append(_write_images(folder / "mistakes.png", dataset, scores, mistakes[:MAX_IMAGES]))
    return paths


def write_regression(folder: Path, dataset: Dataset, predicted: np.ndarray) -> list[Path]:
    """Write predictions.csv; `predicted`: (n, outputs) for all test points. Return the file in a list."""
    return [write_table(folder / "predictions.csv", prediction_rows(dataset.test.answers, predicted))]


def _write_images(path: Path, dataset: Dataset, scores: ClassScores, indices: np.ndarray) -> Path:
    """Write a PNG file of the test images `indices` in rows, dark on white, with captions."""
    from PIL import Image, ImageDraw

    columns = min(len(indices), _COLUMNS)
    sheet = Image.new("L", (columns * _CELL[0], -(-len(indices) // columns) * _CELL[1]), 255)
    draw = ImageDraw.Draw(sheet)
    for position, index in enumerate(indices):
        left, top = position % columns * _CELL[0], position // columns * _CELL[1]
        pixels = Image.fromarray(255 - dataset.test.inputs[index, :, :, 0])
        sheet.paste(
            pixels.resize((_SIDE, _SIDE), Image.Resampling.BICUBIC), (left + (_CELL[0] - _SIDE) // 2, top)
        )
        read, right = dataset.classes[scores.read[index]], dataset.classes[scores.right[index]]
        captions = f"{read}, is {right}", f"{scores.confidence[index]:.1%}"
        for line, text in enumerate(captions):
            # Pillow's built-in font has the characters of Latin-1 only.
            text = text.encode("latin-1", "replace").decode("latin-1")
            x = left + (_CELL[0] - draw.textlength(text)) / 2
            draw.text((max(x, left), top + _SIDE + 2 + 15 * line), text, fill=0)
    with atomic_path(path) as temporary:
        sheet.save(temporary, "PNG")
    return path
