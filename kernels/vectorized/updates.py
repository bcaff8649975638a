"""The optimisers' updates over flat arrays, one pass in vector lanes: read parameter and gradient once.

Where L2 ends, the loop ends and another begins, so that no lane asks where it is.
"""

from math import sqrt

import numpy as np

from kernels.compiled import compiled_fast
from kernels.updates import BETA1, BETA2, EPSILON


@compiled_fast
def _sgd(p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float) -> None:
    step = rate[0]
    keep = p.dtype.type(1.0 - step * l2)
    for i in range(p.size):
        p[i] = keep * p[i] - step * g[i]


@compiled_fast
def _momentum(
    p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, beta: float, nesterov: bool, l2: float
) -> None:
    step, kept, pull = rate[0], p.dtype.type(beta), p.dtype.type(l2)
    for i in range(p.size):
        slope = g[i] + pull * p[i]
        pace = kept * v[i] + slope
        v[i] = pace
        p[i] -= step * (slope + kept * pace if nesterov else pace)


@compiled_fast
def _adam(
    p: np.ndarray,
    g: np.ndarray,
    m: np.ndarray,
    v: np.ndarray,
    rate: np.ndarray,
    counters: np.ndarray,
    l2: float,
) -> None:
    t = counters[1] + 1
    kind = p.dtype.type
    step = kind(rate[0] / (1.0 - BETA1**t))
    spread = kind(1.0 / sqrt(1.0 - BETA2**t))
    kept1, new1, kept2, new2 = kind(BETA1), kind(1.0 - BETA1), kind(BETA2), kind(1.0 - BETA2)
    tiny, pull = kind(EPSILON), kind(l2)
    for i in range(p.size):
        slope = g[i] + pull * p[i]
        mean = kept1 * m[i] + new1 * slope
        power = kept2 * v[i] + new2 * slope * slope
        m[i] = mean
        v[i] = power
        p[i] -= step * mean / (np.sqrt(power) * spread + tiny)


class UpdateOperators:
    def sgd(self, p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float, decays: int) -> None:
        for part, pull in _parts(l2, decays):
            _sgd(p[part], g[part], rate, pull)

    def momentum(
        self, p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, beta: float, nesterov: bool,
        l2: float, decays: int,
    ) -> None:  # fmt: skip
        for part, pull in _parts(l2, decays):
            _momentum(p[part], g[part], v[part], rate, beta, nesterov, pull)

    def adam(
        self, p: np.ndarray, g: np.ndarray, m: np.ndarray, v: np.ndarray, rate: np.ndarray,
        counters: np.ndarray, l2: float, decays: int,
    ) -> None:  # fmt: skip
        for part, pull in _parts(l2, decays):
            _adam(p[part], g[part], m[part], v[part], rate, counters, pull)


def _parts(l2: float, decays: int) -> list[tuple[slice, float]]:
    """The stretches of a flat array with the pull of L2 on each."""
    if not l2:
        return [(slice(None), 0.0)]
    return [(slice(None, decays), l2), (slice(decays, None), 0.0)]
