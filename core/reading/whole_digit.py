"""The probability that an image shows one whole digit: neither a part of one, nor several."""

from collections.abc import Sequence

import numpy as np

from core.inference.model_file import bundled_model
from core.inference.predictor import Predictor
from core.reading.pieces import Group, Source

MODEL = "whole-digit"
PART, WHOLE = "part", "digit"
"""The classes of the model."""

_KNOWN = 2000  # images whose probabilities are kept
_PADDED = 8


class SingleDigitClassifier:
    """Uses a small network that `tools/whole_digit.py` trains. One thread uses it."""

    def __init__(self, predictor: Predictor | None = None) -> None:
        self._predictor = predictor or Predictor(bundled_model(MODEL), threads=1)
        self._known: dict[bytes, float] = {}

    def probabilities(self, source: Source, groups: Sequence[Group]) -> np.ndarray:
        """float64 (n,): for each group of pieces; 0 for a dot."""
        images = source.images(groups)
        keys = [image.tobytes() for image in images]
        new = [number for number, key in enumerate(keys) if key not in self._known]
        if len(self._known) + len(new) > _KNOWN:
            self._known.clear()
            new = list(range(len(keys)))
        if new:
            # Few different sizes, because the predictor allocates its arrays for each.
            padded = np.zeros((-(-len(new) // _PADDED) * _PADDED, *images.shape[1:]), np.uint8)
            padded[: len(new)] = images[new]
            values = self._predictor.predict(padded)[: len(new), 1]
            for number, value in zip(new, values.tolist(), strict=True):
                self._known[keys[number]] = value if images[number].any() else 0.0
        return np.array([self._known[key] for key in keys])

    def close(self) -> None:
        self._predictor.close()
