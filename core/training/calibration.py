"""The temperature T of a network's probabilities, softmax(z / T): with it they are as sure as they are right.

A network is often surer than it is right (Guo et al. 2017, On calibration of modern neural networks). T is fitted on
examples that it has not learned from, which changes no answer.
"""

import numpy as np

LOWEST = 0.2
HIGHEST = 5.0
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

    low = 1 / HIGHEST
    high = 1 / LOWEST
    for _ in range(_STEPS):
        a = high - _GOLDEN * (high - low)
        b = low + _GOLDEN * (high - low)
        if loss(a) <= loss(b):
            high = b
        else:
            low = a
    return 2 / (low + high)
