"""The optimisers' updates over flat arrays, one pass in vector lanes: read parameter and gradient once.

Where L2 ends, the loop ends and another begins, so that no lane asks where it is.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np

from kernels.compiled import compiled_fast
from kernels.updates import BETA1, BETA2, EPSILON
from kernels.vectorized.thread_pool import PIECES, Crewed


@compiled_fast
def _sgd(p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float) -> None:
    step, pull = rate[0], p.dtype.type(l2)
    for i in range(p.size):
        p[i] -= step * (g[i] + pull * p[i])


@compiled_fast
def _momentum(
    p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, beta: float, nesterov: bool, l2: float
) -> None:
    step, kept, pull = rate[0], p.dtype.type(beta), p.dtype.type(l2)
    for i in range(p.size):
        grad_z = g[i] + pull * p[i]
        pace = kept * v[i] + grad_z
        v[i] = pace
        p[i] -= step * (grad_z + kept * pace if nesterov else pace)


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
        grad_z = g[i] + pull * p[i]
        mean = kept1 * m[i] + new1 * grad_z
        power = kept2 * v[i] + new2 * grad_z * grad_z
        m[i] = mean
        v[i] = power
        p[i] -= step * mean / (np.sqrt(power) * spread + tiny)


# Parameters from which an update is worth sharing out to a crew, about a third of a millisecond.
_WORTH_SHARING = 1 << 19


class UpdateOperators(Crewed):
    def sgd(self, p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float, weight_count: int) -> None:
        def update(part: slice, pull: float) -> None:
            _sgd(p[part], g[part], rate, pull)

        self._by_parts(p.size, l2, weight_count, update)

    def momentum(
        self, p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, beta: float, nesterov: bool,
        l2: float, weight_count: int,
    ) -> None:  # fmt: skip
        def update(part: slice, pull: float) -> None:
            _momentum(p[part], g[part], v[part], rate, beta, nesterov, pull)

        self._by_parts(p.size, l2, weight_count, update)

    def adam(
        self, p: np.ndarray, g: np.ndarray, m: np.ndarray, v: np.ndarray, rate: np.ndarray,
        counters: np.ndarray, l2: float, weight_count: int,
    ) -> None:  # fmt: skip
        def update(part: slice, pull: float) -> None:
            _adam(p[part], g[part], m[part], v[part], rate, counters, pull)

        self._by_parts(p.size, l2, weight_count, update)

    def _by_parts(
        self, size: int, l2: float, weight_count: int, update: Callable[[slice, float], None]
    ) -> None:
        """Call update(part, L2's pull there) for stretches that make up the array, by the crew if it is large."""
        stretches = [(0, weight_count, l2), (weight_count, size, 0.0)] if l2 else [(0, size, 0.0)]
        for start, stop, pull in stretches:
            pieces = PIECES if self.has_crew and stop - start >= _WORTH_SHARING else 1
            bounds = np.linspace(start, stop, pieces + 1).astype(int)

            def work(_: int, k: int, bounds: np.ndarray = bounds, pull: float = pull) -> None:
                update(slice(bounds[k], bounds[k + 1]), pull)

            if pieces == 1:
                work(0, 0)
            else:
                self.pool.share(pieces, work)
