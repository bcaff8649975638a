"""The answers of a model for a test split: confusion matrix, mistakes, predictions, the surface of
a regression.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.data import functions
from core.data.dataset import Dataset, Split
from core.files.atomic import write_atomically
from core.files.csv_text import csv_text
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.progress import Check, never_cancel
from core.training.evaluation import r_squared, variance

MAX_TESTED = 10_000
CALIBRATION_BINS = 15
TOP = 3


@dataclass(frozen=True, slots=True)
class ClassScores:
    """Answers for n test images: `true_class`, and `predicted_class`, the most probable one, both
    int32 (n,).

    `confidence`: float32 (n,), the probability of the most probable class. `top`: int32 (n, k), the
    k most probable classes, the first of them `predicted_class`, and `top_confidence`, float32 (n,
    k), their probabilities.
    """

    true_class: np.ndarray
    predicted_class: np.ndarray
    confidence: np.ndarray
    top: np.ndarray
    top_confidence: np.ndarray

    def counts(self, classes: int) -> np.ndarray:
        """The confusion matrix, int64 (classes, classes): images of the row's class that were read
        as the column's.
        """
        pairs = self.true_class * classes + self.predicted_class
        return np.bincount(pairs, minlength=classes**2).reshape(classes, classes)

    def calibration(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each of CALIBRATION_BINS equal intervals of confidence that has images: their mean
        confidence, the share that is right, and their number; float64 (bins,) each.
        """
        # A confidence of 1 belongs to the last interval.
        bins = np.minimum(
            (self.confidence * CALIBRATION_BINS).astype(np.int64), CALIBRATION_BINS - 1
        )
        images = np.bincount(bins, minlength=CALIBRATION_BINS).astype(float)
        used = images > 0
        confidence = np.bincount(bins, self.confidence, CALIBRATION_BINS)[used] / images[used]
        right = (
            np.bincount(bins, self.true_class == self.predicted_class, CALIBRATION_BINS)[used]
            / images[used]
        )
        return confidence, right, images[used]

    def calibration_error(self) -> float:
        """The expected calibration error: |accuracy - mean confidence| of the images of each
        interval of `calibration`, averaged with the number of images as weights (Guo et al. 2017,
        arXiv:1706.04599).
        """
        confidence, right, images = self.calibration()
        return float((np.abs(right - confidence) * images).sum() / images.sum())

    def mistakes(self) -> np.ndarray:
        """Indices of the images that were read wrongly, by falling confidence."""
        wrong = np.flatnonzero(self.true_class != self.predicted_class)
        return wrong[np.argsort(-self.confidence[wrong], kind="stable")]

    def cell(self, true_class: int, predicted_class: int) -> np.ndarray:
        """Indices of the images of one cell of the confusion matrix.

        Mistakes come by falling confidence, correct answers by rising confidence.
        """
        indices = np.flatnonzero(
            (self.true_class == true_class) & (self.predicted_class == predicted_class)
        )
        confidence = self.confidence[indices]
        return indices[
            np.argsort(confidence if true_class == predicted_class else -confidence, kind="stable")
        ]


def class_rates(counts: np.ndarray) -> np.ndarray:
    """float64 (classes, 3): precision, recall and F1 of each class of a confusion matrix; NaN where
    undefined.

    precision = right / read as the class, recall = right / images of the class, F1 = 2 · right /
    (the sum of both).
    """
    right = np.diag(counts).astype(float)
    images = counts.sum(axis=1)
    read = counts.sum(axis=0)
    with np.errstate(invalid="ignore"):  # 0 / 0
        return np.column_stack([right / read, right / images, 2 * right / (images + read)])


@dataclass(frozen=True, slots=True)
class ValueScores:
    """`predicted`: float32 (n, outputs) for the test points; `r2`: their coefficient of
    determination.

    `learned`: float32 (points,), predictions at the points of the surface; None without a surface.
    """

    predicted: np.ndarray
    r2: float
    learned: np.ndarray | None


def score_classes(model: Model, split: Split, check: Check = never_cancel) -> ClassScores:
    """The classes that `model` gives the images of `split`. `check` is called between batches."""
    return class_scores(split.targets, outputs(model, split.inputs, check))


def class_scores(labels: np.ndarray, probabilities: np.ndarray) -> ClassScores:
    """The answers of `probabilities`, float32 (n, classes), for images of these classes, int32
    (n,).
    """
    predicted = probabilities.argmax(axis=1).astype(np.int32)
    # Stable, so that of equal probabilities the first counts, as with argmax.
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, :TOP].astype(np.int32)
    confidence = np.take_along_axis(probabilities, order, axis=1)
    return ClassScores(labels, predicted, confidence[:, 0], order, confidence)


def score_values(
    model: Model, split: Split, surface: np.ndarray | None, check: Check = never_cancel
) -> ValueScores:
    """The predictions for `split` and at the points of `surface`, float32 (points, 2)."""
    predicted = outputs(model, split.inputs, check)
    actual = split.targets
    learned = None if surface is None else outputs(model, surface, check)[:, 0]
    # A network that has diverged gives values that are not finite; the caller reports that.
    with np.errstate(all="ignore"):
        squared_error = float(((predicted - actual).astype(float) ** 2).mean(axis=0).sum())
    return ValueScores(predicted, r_squared(squared_error, variance(actual)), learned)


def outputs(model: Model, inputs: np.ndarray, check: Check = never_cancel) -> np.ndarray:
    """float32 (n, outputs): what `Engine.predict` returns. `check` is called between batches."""
    with closing(Engine(model, threads=1)) as engine:
        return engine.predict(inputs, check)


SURFACE_SIDE = 128
"""Grid points along each axis."""
SURFACE_POINTS = 2000
_MARGIN = 0.04
"""Part of the width and height that is added around points of a table, so that none is cut off."""


@dataclass(frozen=True, slots=True)
class Surface:
    """`grid`: float32 (SIDE², 2), row by row from the lowest corner. `low`, `high`: float (2,), the
    corners.

    `true`: float32 (SIDE²,), the values on the grid where the data come from a known function;
    otherwise None. `points`: float32 (n, 2), inputs of the test split, with their `values`, float32
    (n,).
    """

    grid: np.ndarray
    low: np.ndarray
    high: np.ndarray
    true: np.ndarray | None
    points: np.ndarray
    values: np.ndarray


def surface_of(dataset: Dataset) -> Surface | None:
    """The surface of a regression data set with two inputs, otherwise None."""
    if dataset.kind != "regression" or dataset.input_shape != (2,):
        return None
    low = dataset.train.inputs.min(axis=0)
    high = dataset.train.inputs.max(axis=0)
    # A constant column needs some width to be drawn.
    high = np.where(high > low, high, low + 1)
    function = functions.is_function(dataset.name)
    margin = 0 if function else _MARGIN * (high - low)
    low = low - margin
    high = high + margin
    axes = [
        np.linspace(a, b, SURFACE_SIDE, dtype=np.float32) for a, b in zip(low, high, strict=True)
    ]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    true = None
    if function:
        true = functions.rastrigin(grid.astype(float))[:, 0].astype(np.float32)
    test = dataset.test.first(SURFACE_POINTS)
    return Surface(
        grid, low.astype(float), high.astype(float), true, test.inputs, test.targets[:, 0]
    )


def write_table(path: Path, rows: Iterable[Sequence[object]]) -> Path:
    """Write `rows` as CSV with decimal points; return `path`. Raises InputError where it cannot be
    written.
    """
    write_atomically(path, csv_text(rows).encode())
    return path


def confusion_rows(classes: Sequence[str], counts: np.ndarray) -> list[tuple[str, ...]]:
    """The confusion matrix, int (classes, classes), as texts with the class names above and to the
    left.
    """
    return [
        ("", *classes),
        *((name, *map(str, row)) for name, row in zip(classes, counts, strict=True)),
    ]


def write_classification(folder: Path, dataset: Dataset, scores: ClassScores) -> list[Path]:
    """Write confusion-matrix.csv and mistakes.csv; return the files."""
    classes = dataset.classes
    rows = [
        (
            int(k),
            classes[scores.true_class[k]],
            classes[scores.predicted_class[k]],
            f"{scores.confidence[k]:.6f}",
        )
        for k in scores.mistakes()
    ]
    heading = ("test_image", "true_class", "predicted_class", "probability")
    return [
        write_table(
            folder / "confusion-matrix.csv", confusion_rows(classes, scores.counts(len(classes)))
        ),
        write_table(folder / "mistakes.csv", [heading, *rows]),
    ]


def write_regression(folder: Path, dataset: Dataset, predicted: np.ndarray) -> Path:
    """Write predictions.csv, a row for each of the first n test points: all actual values, then all
    predicted ones.

    `predicted`: (n, outputs). Returns the file.
    """
    numbers = [f"_{k + 1}" for k in range(predicted.shape[1])] if predicted.shape[1] > 1 else [""]
    heading = [f"{kind}{k}" for kind in ("actual", "predicted") for k in numbers]
    rows = np.hstack([dataset.test.targets[: len(predicted)], predicted]).tolist()
    return write_table(folder / "predictions.csv", [heading, *rows])
