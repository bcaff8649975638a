"""What recorded steps of worker devices compute in loops of their own: sigmoid, tanh and layers of one unit.

They have the formulas of the other operators and round differently. The exponential takes half the time of NumPy's;
everything else keeps NumPy's, so that a run gives the same parameters, to the bit, as in earlier versions.

exp x = 2ⁿ · exp r with n = round(x / ln 2) and |r| <= ln 2 / 2: exp r is a polynomial (Cephes, Moshier 1992), n is
added to the exponent's bits. The relative error is below 4e-7.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kernels.compiled import compiled_fast

_F = np.float32
_LOG2_E = _F(1.44269504088896341)
# ln 2 in two parts: the first has so few digits that n times it is exact.
_LN2_HIGH, _LN2_LOW = _F(0.693359375), _F(-2.12194440e-4)
_C5, _C4, _C3 = _F(1.9875691500e-4), _F(1.3981999507e-3), _F(8.3334519073e-3)
_C2, _C1, _C0 = _F(4.1665795894e-2), _F(1.6666665459e-1), _F(5.0000001201e-1)
_HALF, _ONE, _TWO, _ZERO = _F(0.5), _F(1), _F(2), _F(0)
# Beyond these the result, or its reciprocal, is not a normal float32.
_MAXIMUM, _MINIMUM = _F(87.0), _F(-87.0)


def _bits_as_float(typingctx: Any, bits):  # noqa: ANN001, ANN202 - the types are Numba's
    """The float32 with these bits."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], ir.FloatType())

    return types.float32(types.int32), generate


_as_float: Any = intrinsic(_bits_as_float)


@compiled_fast
def _exp(x: Any) -> Any:
    """exp x, float32, with x limited to -87 .. 87; NaN stays NaN."""
    low = _MINIMUM if x < _MINIMUM else x
    x = _MAXIMUM if low > _MAXIMUM else low
    n = np.floor(x * _LOG2_E + _HALF)
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    p = ((((_C5 * r + _C4) * r + _C3) * r + _C2) * r + _C1) * r + _C0
    power = n if n == n else _ZERO
    return (p * r * r + r + _ONE) * _as_float((np.int32(power) + np.int32(127)) << np.int32(23))


@compiled_fast
def sigmoid(out: np.ndarray, b: np.ndarray) -> None:
    """out (n, o) = 1 / (1 + exp(-(out + b (o,))))."""
    for n in range(out.shape[0]):
        for o in range(out.shape[1]):
            out[n, o] = _ONE / (_ONE + _exp(-(out[n, o] + b[o])))


@compiled_fast
def tanh(out: np.ndarray, b: np.ndarray) -> None:
    """out (n, o) = tanh(out + b (o,)) = 1 - 2 / (1 + exp 2z); the error is that of a number near 1."""
    for n in range(out.shape[0]):
        for o in range(out.shape[1]):
            out[n, o] = _ONE - _TWO / (_ONE + _exp(_TWO * (out[n, o] + b[o])))


@compiled_fast
def one_unit(x: np.ndarray, w: np.ndarray, out: np.ndarray) -> None:
    """out (n, 1) = x (n, i) · w (i,)."""
    for n in range(x.shape[0]):
        total = _ZERO
        for i in range(x.shape[1]):
            total += x[n, i] * w[i]
        out[n, 0] = total


@compiled_fast
def one_unit_weight_gradient(x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
    """out (i,) = sum of x (n, i) · grad_z (n,) over n, in its order."""
    out[:] = 0
    for n in range(x.shape[0]):
        for i in range(x.shape[1]):
            out[i] += x[n, i] * grad_z[n]
