"""Calibration: a temperature with which a network's probabilities are as high as its answers are often right.

Guo, Pleiss, Sun, Weinberger 2017, arXiv:1706.04599: the sums z before the softmax are divided by one number T, fitted
on held-out examples. The most probable class stays the same.
"""

import numpy as np

LOWEST, HIGHEST = 0.2, 5.0
LEAST_EXAMPLES = 200
"""With fewer held-out examples no temperature is fitted."""

_STEPS = 40
_GOLDEN = (5**0.5 - 1) / 2


def fit_temperature(z: np.ndarray, labels: np.ndarray) -> float:
    """The temperature from LOWEST to HIGHEST with the least cross-entropy: z, float (n, classes); labels, int (n,).

    1 for fewer than LEAST_EXAMPLES. The cross-entropy has one minimum in 1/T, which golden section search finds.
    """
    if len(z) < LEAST_EXAMPLES:
        return 1.0
    shifted = z.astype(float) - z.max(axis=1, keepdims=True)
    right = np.take_along_axis(shifted, labels[:, None].astype(np.int64), axis=1)[:, 0]

    def loss(scale: float) -> float:
        return float((np.log(np.exp(scale * shifted).sum(axis=1)) - scale * right).mean())

    low, high = 1 / HIGHEST, 1 / LOWEST
    for _ in range(_STEPS):
        a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if loss(a) <= loss(b):
            high = b
        else:
            low = a
    return 2 / (low + high)
