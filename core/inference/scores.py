"""The answers of a model for a test split: confusion matrix, mistakes, predictions.

The engine is imported only when it computes, because importing it loads a compiler.
"""

from dataclasses import dataclass
from threading import Event

import numpy as np

from core.data.dataset import Split
from core.inference.model_file import Model
from core.progress import Cancelled

MAX_TESTED = 10_000
CALIBRATION_BINS = 15
SURE = 0.7
"""With a lower probability of the best class, the answer is "not sure"."""
TOP = 3


@dataclass(frozen=True, slots=True)
class ClassScores:
    """Answers for n test images: `right`, the true class, and `read`, the most probable one, both int32 (n,).

    `confidence`: float32 (n,), the probability of the most probable class. `top`: int32 (n, k), the k most probable
    classes, the first of them `read`, and `top_confidence`, float32 (n, k), their probabilities; None if unknown.
    """

    right: np.ndarray
    read: np.ndarray
    confidence: np.ndarray
    top: np.ndarray | None = None
    top_confidence: np.ndarray | None = None

    def counts(self, classes: int) -> np.ndarray:
        """The confusion matrix, int64 (classes, classes): images of the row's class that were read as the column's."""
        return np.bincount(self.right * classes + self.read, minlength=classes**2).reshape(classes, classes)

    def calibration(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each of CALIBRATION_BINS equal intervals of confidence that has images: their mean confidence, the share
        that is right, and their number; float64 (bins,) each.
        """
        bins = np.minimum((self.confidence * CALIBRATION_BINS).astype(np.int64), CALIBRATION_BINS - 1)
        images = np.bincount(bins, minlength=CALIBRATION_BINS).astype(float)
        used = images > 0
        confidence = np.bincount(bins, self.confidence, CALIBRATION_BINS)[used] / images[used]
        right = np.bincount(bins, self.right == self.read, CALIBRATION_BINS)[used] / images[used]
        return confidence, right, images[used]

    def calibration_error(self) -> float:
        """The expected calibration error: |accuracy - mean confidence| of the images of each interval of `calibration`,
        averaged with the number of images as weights (Guo et al. 2017, arXiv:1706.04599).
        """
        confidence, right, images = self.calibration()
        return float((np.abs(right - confidence) * images).sum() / images.sum())

    def mistakes(self) -> np.ndarray:
        """Indices of the images that were read wrongly, by falling confidence."""
        wrong = np.flatnonzero(self.right != self.read)
        return wrong[np.argsort(-self.confidence[wrong], kind="stable")]

    def cell(self, right: int, read: int) -> np.ndarray:
        """Indices of the images of one cell of the confusion matrix.

        Mistakes come by falling confidence, correct answers by rising confidence.
        """
        indices = np.flatnonzero((self.right == right) & (self.read == read))
        confidence = self.confidence[indices]
        return indices[np.argsort(confidence if right == read else -confidence, kind="stable")]


def class_rates(counts: np.ndarray) -> np.ndarray:
    """float64 (classes, 3): precision, recall and F1 of each class of a confusion matrix; NaN where undefined.

    precision = right / read as the class, recall = right / images of the class, F1 = 2 · right / (the sum of both).
    """
    right, images, read = np.diag(counts).astype(float), counts.sum(axis=1), counts.sum(axis=0)
    with np.errstate(invalid="ignore"):  # 0 / 0
        return np.column_stack([right / read, right / images, 2 * right / (images + read)])


@dataclass(frozen=True, slots=True)
class ValueScores:
    """`predicted`: float32 (n, outputs) for the test points; `r2`: their coefficient of determination.

    `learned`: float32 (points,), predictions at the points of the surface; None without a surface.
    """

    predicted: np.ndarray
    r2: float
    learned: np.ndarray | None


def score_classes(model: Model, split: Split, cancelled: Event) -> ClassScores:
    """The classes that `model` gives the images of `split`. Raises Cancelled soon after `cancelled` is set."""
    probabilities = outputs(model, split.inputs, cancelled)
    read = probabilities.argmax(axis=1).astype(np.int32)
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, :TOP].astype(np.int32)
    confidence = np.take_along_axis(probabilities, order, axis=1)
    return ClassScores(split.answers, read, confidence[:, 0], order, confidence)


def score_values(model: Model, split: Split, surface: np.ndarray | None, cancelled: Event) -> ValueScores:
    """The predictions for `split` and at the points of `surface`, float32 (points, 2)."""
    predicted = outputs(model, split.inputs, cancelled)
    learned = None if surface is None else outputs(model, surface, cancelled)[:, 0]
    return ValueScores(predicted, r_squared(predicted, split.answers), learned)


def r_squared(predicted: np.ndarray, actual: np.ndarray) -> float:
    """R² = 1 - Σ (predicted - actual)² / Σ (actual - mean)²; 0 where `actual` is constant. Both are (n, outputs)."""
    # A network that has diverged gives values that are not finite; the caller reports that.
    with np.errstate(all="ignore"):
        total = float(((actual - actual.mean(axis=0, dtype=float)) ** 2).sum(dtype=float))
        residual = float(((predicted - actual).astype(float) ** 2).sum())
        return 1 - residual / total if total else 0.0


def outputs(model: Model, inputs: np.ndarray, cancelled: Event) -> np.ndarray:
    """float32 (n, outputs): what `Predictor.predict` returns. Raises Cancelled soon after `cancelled` is set."""
    from core.inference.predictor import Predictor

    def check() -> None:
        if cancelled.is_set():
            raise Cancelled

    predictor = Predictor(model, threads=1)
    try:
        return predictor.predict(inputs, check)
    finally:
        predictor.close()
