"""The optimizers' updates in one pass in vector lanes: each parameter and its gradient are read once.

The factor of L2 is constant in a call, so that no lane has to test its index.
"""

from math import sqrt

import numpy as np

from kernels.compiled import compiled_fast
from kernels.updates import BETA1, BETA2, EPSILON


@compiled_fast
def sgd_loop(p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float) -> None:
    step, pull = rate[0], p.dtype.type(l2)
    for i in range(p.size):
        p[i] -= step * (g[i] + pull * p[i])


@compiled_fast
def l1_loop(p: np.ndarray, g: np.ndarray, l1: float) -> None:
    zero, pull = p.dtype.type(0), p.dtype.type(l1)
    for i in range(p.size):
        g[i] += (pull if p[i] > zero else zero) - (pull if p[i] < zero else zero)


@compiled_fast
def momentum_loop(
    p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, beta: float, nesterov: bool, l2: float
) -> None:
    step, kept, pull = rate[0], p.dtype.type(beta), p.dtype.type(l2)
    for i in range(p.size):
        grad = g[i] + pull * p[i]
        velocity = kept * v[i] + grad
        v[i] = velocity
        p[i] -= step * (grad + kept * velocity if nesterov else velocity)


@compiled_fast
def adam_loop(
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
        grad = g[i] + pull * p[i]
        mean = kept1 * m[i] + new1 * grad
        power = kept2 * v[i] + new2 * grad * grad
        m[i] = mean
        v[i] = power
        p[i] -= step * mean / (np.sqrt(power) * spread + tiny)
