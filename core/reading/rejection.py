"""The refusal of drawings that are no digits, by a small network that tells digits from other drawings.

A threshold on the classifier's own outputs cannot do it: such a network was never shown anything but digits, and is
as certain of a letter as of a digit (Nguyen, Yosinski, Clune 2015, arXiv:1412.1897). `tools/refusal.py` trains the
network.
"""

import numpy as np

from core.data.class_names import DIGITS
from core.drawing.ink import SIDE
from core.inference.model_file import Model, bundled_model
from core.inference.predictor import Predictor

NAME = "digit-or-not"
"""The file of the network among the models that come with the program."""

OTHER, DIGIT = "no digit", "digit"
CLASSES = (OTHER, DIGIT)
THRESHOLD = 0.5
"""Least probability of DIGIT; tools/refusal.py chooses the network's last bias so that it is the right one."""

THRESHOLD_IN_NUMBER = 0.1
"""The same for a digit of a number: with THRESHOLD one of a hundred numbers would have a digit that is refused."""


class NonDigitDetector:
    """Says which images show no digit. One thread uses it. `model`: None for the network of the program."""

    def __init__(self, model: Model | None = None) -> None:
        self._predictor = Predictor(model or bundled_model(NAME), threads=1)

    def refused(self, images: np.ndarray, threshold: float = THRESHOLD) -> np.ndarray:
        """bool (n,): whether each of `images`, uint8 (n, 28, 28) or (n, 28, 28, 1), shows no digit."""
        return self._predictor.predict(images)[:, 1] < threshold

    def close(self) -> None:
        self._predictor.close()


def can_refuse(model: Model) -> bool:
    """Whether the images that `model` reads are digits, which the network of the program knows."""
    return model.refuses and model.classes == DIGITS and model.network.input_shape == (SIDE, SIDE, 1)
