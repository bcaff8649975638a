"""The optimizers as instructions, in vector lanes: each parameter and its gradient are read once.

The factor of L2 is constant in an instruction, so that no lane has to test its index: weights and
biases have one each.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from kernels.compiled import compiled_fast
from kernels.device import ADAM_EPSILON, BETA1, BETA2, RHO, RMSPROP_EPSILON
from kernels.vectorized.instructions import (
    PIECE,
    Instruction,
    Operation,
    array,
    as_instructions,
    number,
    operation_of,
    scalar,
)

# Pieces begin at multiples of this number: the elements of 64 bytes, which are a line of the cache.
ALIGNMENT = 16
# Parameters from which an update is divided, and into how many pieces.
_PIECES = ((1 << 22, 8), (1 << 20, 4), (1 << 17, 2))


@compiled_fast
def sgd_loop(p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float) -> None:
    step = rate[0]
    pull = p.dtype.type(l2)
    for i in range(p.size):
        p[i] -= step * (g[i] + pull * p[i])


@compiled_fast
def _l1_loop(p: np.ndarray, g: np.ndarray, l1: float) -> None:
    zero = p.dtype.type(0)
    pull = p.dtype.type(l1)
    for i in range(p.size):
        g[i] += (pull if p[i] > zero else zero) - (pull if p[i] < zero else zero)


@compiled_fast
def _momentum_loop(
    p: np.ndarray,
    g: np.ndarray,
    v: np.ndarray,
    rate: np.ndarray,
    beta: float,
    nesterov: bool,
    l2: float,
) -> None:
    step = rate[0]
    kept = p.dtype.type(beta)
    pull = p.dtype.type(l2)
    for i in range(p.size):
        grad = g[i] + pull * p[i]
        velocity = kept * v[i] + grad
        v[i] = velocity
        p[i] -= step * (grad + kept * velocity if nesterov else velocity)


@compiled_fast
def _adam_loop(
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
    # In float64: near the start 1 - β^t would lose most digits in float32.
    step = kind(rate[0] / (1.0 - BETA1**t))
    spread = kind(1.0 / sqrt(1.0 - BETA2**t))
    kept1 = kind(BETA1)
    new1 = kind(1.0 - BETA1)
    kept2 = kind(BETA2)
    new2 = kind(1.0 - BETA2)
    tiny = kind(ADAM_EPSILON)
    pull = kind(l2)
    for i in range(p.size):
        grad = g[i] + pull * p[i]
        mean = kept1 * m[i] + new1 * grad
        power = kept2 * v[i] + new2 * grad * grad
        m[i] = mean
        v[i] = power
        p[i] -= step * mean / (np.sqrt(power) * spread + tiny)


@compiled_fast
def _rmsprop_loop(p: np.ndarray, g: np.ndarray, v: np.ndarray, rate: np.ndarray, l2: float) -> None:
    kind = p.dtype.type
    step = rate[0]
    kept = kind(RHO)
    new = kind(1.0 - RHO)
    tiny = kind(RMSPROP_EPSILON)
    pull = kind(l2)
    for i in range(p.size):
        grad = g[i] + pull * p[i]
        square = kept * v[i] + new * grad * grad
        v[i] = square
        p[i] -= step * grad / (np.sqrt(square) + tiny)


# float32: the piece of an array as long as the parameters, and the learning rate.
_RATE = array("f", 1)
_PULL = scalar(0)
_sgd = operation_of(sgd_loop, PIECE, PIECE, _RATE, _PULL)
_l1 = operation_of(_l1_loop, PIECE, PIECE, _PULL)
_momentum = operation_of(_momentum_loop, PIECE, PIECE, PIECE, _RATE, scalar(1), number(1), _PULL)
_adam = operation_of(_adam_loop, PIECE, PIECE, PIECE, PIECE, _RATE, array("i", 2), _PULL)

_rmsprop = operation_of(_rmsprop_loop, PIECE, PIECE, PIECE, _RATE, _PULL)


class UpdateOperators:
    """The optimizers; see `kernels.device` for the formulas."""

    @as_instructions
    def add_l1_gradient(
        self, p: np.ndarray, g: np.ndarray, l1: float, weight_count: int
    ) -> Sequence[Instruction]:
        return [_instruction(_l1, (p, g), slice(0, weight_count), p.size, (), (l1, 0.0))]

    @as_instructions
    def sgd(
        self, p: np.ndarray, g: np.ndarray, rate: np.ndarray, l2: float, weight_count: int
    ) -> Sequence[Instruction]:
        return _instructions(_sgd, (p, g), (rate,), l2, weight_count)

    @as_instructions
    def momentum(
        self,
        p: np.ndarray,
        g: np.ndarray,
        v: np.ndarray,
        rate: np.ndarray,
        beta: float,
        nesterov: bool,
        l2: float,
        weight_count: int,
    ) -> Sequence[Instruction]:
        return _instructions(_momentum, (p, g, v), (rate,), l2, weight_count, beta, nesterov)

    @as_instructions
    def adam(
        self,
        p: np.ndarray,
        g: np.ndarray,
        m: np.ndarray,
        v: np.ndarray,
        rate: np.ndarray,
        counters: np.ndarray,
        l2: float,
        weight_count: int,
    ) -> Sequence[Instruction]:
        return _instructions(_adam, (p, g, m, v), (rate, counters), l2, weight_count)

    @as_instructions
    def rmsprop(
        self,
        p: np.ndarray,
        g: np.ndarray,
        v: np.ndarray,
        rate: np.ndarray,
        l2: float,
        weight_count: int,
    ) -> Sequence[Instruction]:
        return _instructions(_rmsprop, (p, g, v), (rate,), l2, weight_count)


def _instructions(
    operation: Operation,
    arrays: Sequence[np.ndarray],
    others: Sequence[np.ndarray],
    l2: float,
    weight_count: int,
    beta: float = 0.0,
    flag: bool = False,
) -> list[Instruction]:
    """One instruction for the weights and one for the biases, which L2 leaves as they are; one for
    all without L2.
    """
    size = arrays[0].size
    if not l2:
        return [_instruction(operation, arrays, slice(0, size), size, others, (0.0, beta), flag)]
    weights = slice(0, weight_count)
    biases = slice(weight_count, size)
    return [
        _instruction(operation, arrays, weights, size, others, (l2, beta), flag),
        _instruction(operation, arrays, biases, size, others, (0.0, beta), flag),
    ]


def divided(size: int, parameters: int) -> tuple[int, int]:
    """(pieces, their length) for `size` of the `parameters`, on every machine."""
    pieces = next((pieces for limit, pieces in _PIECES if parameters >= limit), 1)
    return pieces, -(-size // pieces // ALIGNMENT) * ALIGNMENT


def _instruction(
    operation: Operation,
    arrays: Sequence[np.ndarray],
    some: slice,
    parameters: int,
    others: Sequence[np.ndarray],
    scalars: tuple[float, float],
    flag: bool = False,
) -> Instruction:
    """The instruction for a part of the parameters: this part of `arrays`, and all of `others`."""
    size = some.stop - some.start
    given = [*(array[some] for array in arrays), *others]
    return Instruction(operation, given, (size, flag), *divided(size, parameters), scalars)
