"""Optimizer updates over flat arrays: one thread per parameter, grid (⌈p / THREADS_PER_BLOCK⌉,)."""

import math

import numpy as np

from kernels.cuda.operators.base import OperatorGroup, per_element
from kernels.cuda.toolkit import cuda, float32, kernel
from kernels.device import ADAM_EPSILON, BETA1, BETA2, RHO, RMSPROP_EPSILON

_BETA1 = np.float32(BETA1)
_BETA2 = np.float32(BETA2)
_EPSILON = np.float32(ADAM_EPSILON)
_ONE_MINUS_BETA1 = np.float32(1 - BETA1)
_ONE_MINUS_BETA2 = np.float32(1 - BETA2)
_RHO = np.float32(RHO)
_ONE_MINUS_RHO = np.float32(1 - RHO)
_RMSPROP_EPSILON = np.float32(RMSPROP_EPSILON)
_LOG_BETA1 = np.float32(math.log(BETA1))
_LOG_BETA2 = np.float32(math.log(BETA2))


@kernel()
def _add_l1_gradient(p, g, l1, weight_count):  # noqa: ANN001, ANN202 - compiled
    """g += l1 · sign(p) for the first `weight_count` parameters."""
    i = cuda.grid(1)
    if i < weight_count:
        if p[i] > float32(0):
            g[i] += l1
        elif p[i] < float32(0):
            g[i] -= l1


@kernel()
def _sgd(p, g, rate, l2, weight_count):  # noqa: ANN001, ANN202 - compiled
    """p -= rate[0] · (g + l2 · p); L2 for the first `weight_count` parameters only."""
    i = cuda.grid(1)
    if i < p.shape[0]:
        gradient = g[i] + (l2 * p[i] if i < weight_count else float32(0))
        p[i] -= rate[0] * gradient


@kernel()
def _momentum(p, g, v, rate, beta, nesterov, l2, weight_count):  # noqa: ANN001, ANN202 - compiled
    """v = beta · v + g'; p -= rate[0] · (g' + beta · v if nesterov else v), with g' = g + l2 ·
    p.
    """
    i = cuda.grid(1)
    if i < p.shape[0]:
        gradient = g[i] + (l2 * p[i] if i < weight_count else float32(0))
        velocity = beta * v[i] + gradient
        v[i] = velocity
        p[i] -= rate[0] * (gradient + beta * velocity if nesterov else velocity)


@kernel()
def _adam(p, g, m, v, rate, counters, l2, weight_count):  # noqa: ANN001, ANN202 - compiled
    """Adam (Kingma, Ba 2015, algorithm 1) with t = counters[1] + 1.

    1 - beta^t is computed as -expm1(t · log beta): the difference would lose most digits in
    float32.
    """
    i = cuda.grid(1)
    if i < p.shape[0]:
        t = float32(counters[1] + 1)
        bias_correction1 = -float32(math.expm1(t * _LOG_BETA1))
        bias_correction2 = -float32(math.expm1(t * _LOG_BETA2))
        gradient = g[i] + (l2 * p[i] if i < weight_count else float32(0))
        first_moment = _BETA1 * m[i] + _ONE_MINUS_BETA1 * gradient
        second_moment = _BETA2 * v[i] + _ONE_MINUS_BETA2 * gradient * gradient
        m[i] = first_moment
        v[i] = second_moment
        root = float32(math.sqrt(second_moment / bias_correction2))
        p[i] -= rate[0] * (first_moment / bias_correction1) / (root + _EPSILON)


@kernel()
def _rmsprop(p, g, v, rate, l2, weight_count):  # noqa: ANN001, ANN202 - compiled
    """v = ρ · v + (1 - ρ) · g'²; p -= rate[0] · g' / (√v + ε), with g' = g + l2 · p."""
    i = cuda.grid(1)
    if i < p.shape[0]:
        gradient = g[i] + (l2 * p[i] if i < weight_count else float32(0))
        square = _RHO * v[i] + _ONE_MINUS_RHO * gradient * gradient
        v[i] = square
        p[i] -= rate[0] * gradient / (float32(math.sqrt(square)) + _RMSPROP_EPSILON)


@kernel()
def _average(gradients, out):  # noqa: ANN001, ANN202 - compiled
    """out (p,) = mean of gradients (g, p) over the first axis, added in its order."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        total = gradients[0, i]
        for k in range(1, gradients.shape[0]):
            total += gradients[k, i]
        out[i] = total / float32(gradients.shape[0])


class UpdateOperators(OperatorGroup):
    """Parameter updates, see `kernels.device.Device`."""

    add_l1_gradient = per_element(_add_l1_gradient, 1)
    sgd = per_element(_sgd, 0)
    momentum = per_element(_momentum, 0, 2)
    adam = per_element(_adam, 0, 2, 3)
    rmsprop = per_element(_rmsprop, 0, 2)
    average = per_element(_average)
