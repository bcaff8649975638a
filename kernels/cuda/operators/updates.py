"""The optimisers' updates on the card: one thread a parameter, over flat arrays."""

import math
from typing import Any

import numpy as np
from numba import float32

from kernels.cuda.queue import Queue
from kernels.cuda.toolkit import THREADS, cuda, is_float32, kernel
from kernels.updates import BETA1, BETA2, EPSILON

_BETA1, _BETA2, _EPSILON = np.float32(BETA1), np.float32(BETA2), np.float32(EPSILON)
_REST1, _REST2 = np.float32(1 - BETA1), np.float32(1 - BETA2)
_LOG1, _LOG2 = np.float32(math.log(BETA1)), np.float32(math.log(BETA2))


@kernel()
def _sgd(p, g, rate, l2, weight_count):  # noqa: ANN001, ANN202 - compiled
    i = cuda.grid(1)
    if i < p.shape[0]:
        grad_z = g[i] + (l2 * p[i] if i < weight_count else float32(0))
        p[i] -= rate[0] * grad_z


@kernel()
def _momentum(p, g, v, rate, beta, nesterov, l2, weight_count):  # noqa: ANN001, ANN202 - compiled
    i = cuda.grid(1)
    if i < p.shape[0]:
        grad_z = g[i] + (l2 * p[i] if i < weight_count else float32(0))
        speed = beta * v[i] + grad_z
        v[i] = speed
        p[i] -= rate[0] * (grad_z + beta * speed if nesterov else speed)


@kernel()
def _adam(p, g, m, v, rate, counters, l2, weight_count):  # noqa: ANN001, ANN202 - compiled
    """1 - beta^t is taken as -expm1(t · log beta): in float32 the difference itself would keep few digits."""
    i = cuda.grid(1)
    if i < p.shape[0]:
        t = float32(counters[1] + 1)
        bias_correction1 = -float32(math.expm1(t * _LOG1))
        bias_correction2 = -float32(math.expm1(t * _LOG2))
        grad_z = g[i] + (l2 * p[i] if i < weight_count else float32(0))
        mean = _BETA1 * m[i] + _REST1 * grad_z
        square = _BETA2 * v[i] + _REST2 * grad_z * grad_z
        m[i] = mean
        v[i] = square
        p[i] -= (
            rate[0] * (mean / bias_correction1) / (float32(math.sqrt(square / bias_correction2)) + _EPSILON)
        )


@kernel()
def _average(gradients, out):  # noqa: ANN001, ANN202 - compiled
    i = cuda.grid(1)
    if i < out.shape[0]:
        total = gradients[0, i]
        for k in range(1, gradients.shape[0]):
            total += gradients[k, i]
        out[i] = total / float32(gradients.shape[0])


class UpdateOperators:
    """Of the device contract; `_queue` is the device's."""

    _queue: Queue

    def sgd(self, p: Any, g: Any, rate: Any, l2: float, weight_count: int) -> None:
        is_float32(p, g, rate)
        self._each(_sgd, p, (p, g, rate, np.float32(l2), weight_count), (p, g, rate), (p,))

    def momentum(
        self, p: Any, g: Any, v: Any, rate: Any, beta: float, nesterov: bool, l2: float, weight_count: int
    ) -> None:
        is_float32(p, g, v, rate)
        arguments = (p, g, v, rate, np.float32(beta), int(nesterov), np.float32(l2), weight_count)
        self._each(_momentum, p, arguments, (p, g, v, rate), (p, v))

    def adam(
        self, p: Any, g: Any, m: Any, v: Any, rate: Any, counters: Any, l2: float, weight_count: int
    ) -> None:
        is_float32(p, g, m, v, rate)
        arguments = (p, g, m, v, rate, counters, np.float32(l2), weight_count)
        self._each(_adam, p, arguments, (p, g, m, v, rate, counters), (p, m, v))

    def average(self, gradients: Any, out: Any) -> None:
        is_float32(gradients, out)
        self._each(_average, out, (gradients, out), (gradients,), (out,))

    def _each(self, kernel: Any, like: Any, arguments: tuple, reads: tuple, writes: tuple) -> None:
        """One thread for each element of `like`."""
        grid = (-(-like.shape[0] // THREADS), 1, 1)
        self._queue.launch(kernel, grid, (THREADS, 1, 1), lambda scratch: arguments, reads, writes)
