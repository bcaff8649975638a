"""Scores are what a model answers to a test split: computed in a thread, shown by the results tab.

Nothing of the engine is imported before it computes, because that loads a compiler.
"""

from dataclasses import dataclass
from threading import Event

import numpy as np

from core.data.dataset import Split
from core.inference.model_file import Model
from core.progress import Cancelled

MOST_TESTED = 10_000


@dataclass(frozen=True, slots=True)
class ClassScores:
    """Of n test images: `right` the true class and `read` the most probable one, int32 (n,).

    `certainty`: float32 (n,), the probability of the class that was read.
    """

    right: np.ndarray
    read: np.ndarray
    certainty: np.ndarray

    def counts(self, classes: int) -> np.ndarray:
        """int64 (classes, classes): how many of the class of the row were read as that of the column."""
        return np.bincount(self.right * classes + self.read, minlength=classes**2).reshape(classes, classes)

    def mistakes(self) -> np.ndarray:
        """Places of the images that were read wrongly, the surest mistake first."""
        wrong = np.flatnonzero(self.right != self.read)
        return wrong[np.argsort(-self.certainty[wrong], kind="stable")]

    def cell(self, right: int, read: int) -> np.ndarray:
        """Places of one cell of the confusion matrix: mistakes the surest first, right ones the least sure first."""
        found = np.flatnonzero((self.right == right) & (self.read == read))
        certainty = self.certainty[found]
        return found[np.argsort(certainty if right == read else -certainty, kind="stable")]


@dataclass(frozen=True, slots=True)
class ValueScores:
    """`predicted`: float32 (n, outputs) for the tested points; `r2`: over all of them.

    `learned`: float32 (points,) at the points of the surface, or None where there is none.
    """

    predicted: np.ndarray
    r2: float
    learned: np.ndarray | None


def score_classes(model: Model, split: Split, cancelled: Event) -> ClassScores:
    """How the split's images are read."""
    shares = outputs(model, split.inputs, cancelled)
    read = shares.argmax(axis=1).astype(np.int32)
    return ClassScores(split.answers, read, np.take_along_axis(shares, read[:, None], axis=1)[:, 0])


def score_values(model: Model, split: Split, surface: np.ndarray | None, cancelled: Event) -> ValueScores:
    """What is predicted for the split's points and, at `surface`, float32 (points, 2), between them."""
    predicted = outputs(model, split.inputs, cancelled)
    learned = None if surface is None else outputs(model, surface, cancelled)[:, 0]
    return ValueScores(predicted, r_squared(predicted, split.answers), learned)


def r_squared(predicted: np.ndarray, actual: np.ndarray) -> float:
    """1 less the share of the answers' variance that the predictions leave unexplained; 0 if they never vary."""
    # A network that has diverged gives numbers without end; what shows it says so.
    with np.errstate(all="ignore"):
        spread = float(((actual - actual.mean(axis=0, dtype=float)) ** 2).sum(dtype=float))
        left = float(((predicted - actual).astype(float) ** 2).sum())
        return 1 - left / spread if spread else 0.0


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
