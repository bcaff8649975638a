"""The optimisers' updates over flat arrays of parameters, in plain loops."""

from math import sqrt

import numpy as np

from kernels.compiled import compiled
from kernels.updates import BETA1, BETA2, EPSILON


@compiled
def _sgd(p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float, weight_count: int) -> None:
    for i in range(p.size):
        p[i] -= rate[0] * (g[i] + (l2 * p[i] if i < weight_count else 0.0))


@compiled
def _momentum(
    p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, beta: float, nesterov: bool,
    l2: float, weight_count: int,
) -> None:  # fmt: skip
    for i in range(p.size):
        grad_z = g[i] + (l2 * p[i] if i < weight_count else 0.0)
        v[i] = beta * v[i] + grad_z
        p[i] -= rate[0] * (grad_z + beta * v[i] if nesterov else v[i])


@compiled
def _adam(
    p: np.ndarray, g: np.ndarray, m: np.ndarray, v: np.ndarray, rate: np.ndarray, counters: np.ndarray,
    l2: float, weight_count: int,
) -> None:  # fmt: skip
    t = counters[1] + 1
    bias_correction1 = 1.0 - BETA1**t
    bias_correction2 = 1.0 - BETA2**t
    for i in range(p.size):
        grad_z = g[i] + (l2 * p[i] if i < weight_count else 0.0)
        m[i] = BETA1 * m[i] + (1.0 - BETA1) * grad_z
        v[i] = BETA2 * v[i] + (1.0 - BETA2) * grad_z * grad_z
        p[i] -= rate[0] * (m[i] / bias_correction1) / (sqrt(v[i] / bias_correction2) + EPSILON)


@compiled
def _average(gradients: np.ndarray, out: np.ndarray) -> None:
    group, size = gradients.shape
    for i in range(size):
        out[i] = gradients[0, i]
    for k in range(1, group):
        for i in range(size):
            out[i] += gradients[k, i]
    for i in range(size):
        out[i] /= group


class UpdateOperators:
    def sgd(self, p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float, weight_count: int) -> None:
        _sgd(p, g, rate, l2, weight_count)

    def momentum(
        self, p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, beta: float, nesterov: bool,
        l2: float, weight_count: int,
    ) -> None:  # fmt: skip
        _momentum(p, g, v, rate, beta, nesterov, l2, weight_count)

    def adam(
        self, p: np.ndarray, g: np.ndarray, m: np.ndarray, v: np.ndarray, rate: np.ndarray,
        counters: np.ndarray, l2: float, weight_count: int,
    ) -> None:  # fmt: skip
        _adam(p, g, m, v, rate, counters, l2, weight_count)

    def average(self, gradients: np.ndarray, out: np.ndarray) -> None:
        _average(gradients, out)
