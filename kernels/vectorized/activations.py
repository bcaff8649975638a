"""Bias, activation and derivative, applied in place to the result of a matrix product, in vector
lanes.

Sigmoid and tanh use NumPy's exp and tanh, which are computed in vector registers; Numba's are not.
Recorded steps of worker devices use an exponential of our own, which takes half the time and rounds
differently. The device itself keeps NumPy's, so that a run gives the same parameters, to the bit,
as in earlier versions.
"""

import numpy as np

from kernels.activations import ACTIVATIONS, CODES, Function, by_code
from kernels.activations.activation import Number, Scalar
from kernels.compiled import compiled_fast, compiled_part
from kernels.vectorized.native import float32_of_bits

SIGMOID = CODES["sigmoid"]
TANH = CODES["tanh"]
_F = np.float32
_LOG2_E = _F(1.44269504088896341)
# ln 2 in two parts: the first has so few digits that n times it is exact.
_LN2_HIGH = _F(0.693359375)
_LN2_LOW = _F(-2.12194440e-4)
_C5 = _F(1.9875691500e-4)
_C4 = _F(1.3981999507e-3)
_C3 = _F(8.3334519073e-3)
_C2 = _F(4.1665795894e-2)
_C1 = _F(1.6666665459e-1)
_C0 = _F(5.0000001201e-1)
_HALF = _F(0.5)
_ONE = _F(1)
_TWO = _F(2)
_ZERO = _F(0)
# Beyond these the result, or its reciprocal, is not a normal float32.
_MAXIMUM = _F(87.0)
_MINIMUM = _F(-87.0)


def _minus(z: Scalar, number: Number) -> Scalar:
    return -z


def _times(derivative: Function) -> Function:
    part = compiled_part(derivative)

    def product(grad_y: Scalar, y: Scalar, number: Number) -> Scalar:
        return grad_y * part(y, number)

    return product


def _relu_gradient(grad_y: Scalar, y: Scalar, number: Number) -> Scalar:
    return grad_y if y > number(0) else number(0)


# Of these NumPy computes the second part.
_FIRST_PARTS = {"sigmoid": _minus, "tanh": ACTIVATIONS["linear"].value}
FIRST_PARTS = [
    compiled_part(_FIRST_PARTS.get(name, cls.value)) for name, cls in ACTIVATIONS.items()
]
_GRADIENTS = {"relu": _relu_gradient}

_PRODUCTS = [
    compiled_part(_GRADIENTS.get(name, _times(cls.derivative))) for name, cls in ACTIVATIONS.items()
]

# The bodies of the loops; `f` is the function of the activation.
_ADD_BIAS = """
for n in range(out.shape[0]):
    for o in range(out.shape[1]):
        out[n, o] = f(out[n, o] + b[o], out.dtype.type)
"""
_MULTIPLY = """
for n in range(out.shape[0]):
    for o in range(out.shape[1]):
        out[n, o] = f(out[n, o], y[n, o], out.dtype.type)
"""
_ACTIVATE_FLAT = """
for k in range(z.size):
    out[k] = f(z[k], out.dtype.type)
"""
_MULTIPLY_FLAT = """
for k in range(y.size):
    out[k] = f(out[k], y[k], out.dtype.type)
"""

# out (n, o) = f(out + b (o,)); for sigmoid the exponent -(out + b), for tanh the argument out + b.
add_bias = compiled_fast(by_code("add_bias(out, b, code)", _ADD_BIAS, FIRST_PARTS))
# out (n, o) = out ⊙ f'(y (n, o)).
multiply_by_derivative = compiled_fast(
    by_code("multiply_by_derivative(out, y, code)", _MULTIPLY, _PRODUCTS)
)
# out (n,) = f(z (n,)), in loops over flat arrays; for sigmoid and tanh the first part, as in
# `add_bias`.
activate_flat = compiled_fast(by_code("activate_flat(z, out, code)", _ACTIVATE_FLAT, FIRST_PARTS))
# out (n,) = out ⊙ f'(y (n,)).
multiply_flat_by_derivative = compiled_fast(
    by_code("multiply_flat_by_derivative(y, out, code)", _MULTIPLY_FLAT, _PRODUCTS)
)


@compiled_fast
def one_over_one_plus(out: np.ndarray) -> None:
    """out (n, o) = 1 / (1 + out)."""
    one = out.dtype.type(1)
    for n in range(out.shape[0]):
        for o in range(out.shape[1]):
            out[n, o] = one / (one + out[n, o])


def bias_and_activate(out: np.ndarray, b: np.ndarray, activation: str) -> None:
    """out (n, o) = f(out + b (o,)), in place."""
    code = CODES[activation]
    add_bias(out, b, code)
    second_part(out, code)


def second_part(out: np.ndarray, code: int) -> None:
    """What NumPy computes of sigmoid and tanh, in place: of the result (n, o) of the first part."""
    if code == TANH:
        np.tanh(out, out)
    elif code == SIGMOID:
        # exp of a large argument is infinite, and 1 / (1 + inf) is the right 0.
        with np.errstate(over="ignore"):
            np.exp(out, out)
        one_over_one_plus(out)


def times_derivative(out: np.ndarray, y: np.ndarray, activation: str) -> None:
    """out (n, o) *= f'(y (n, o)), in place."""
    if activation != "linear":
        multiply_by_derivative(out, y, CODES[activation])


@compiled_fast
def _exp(x: np.float32) -> np.float32:
    """exp x, float32, with x limited to -87 .. 87; NaN stays NaN. The relative error is below 4e-7.

    exp x = 2ⁿ · exp r with n = round(x / ln 2) and |r| <= ln 2 / 2: exp r is a polynomial (Cephes,
    Moshier 1992), n is added to the exponent's bits.
    """
    # In this order both comparisons are false for NaN, which passes.
    low = _MINIMUM if x < _MINIMUM else x
    x = _MAXIMUM if low > _MAXIMUM else low
    n = np.floor(x * _LOG2_E + _HALF)
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    p = ((((_C5 * r + _C4) * r + _C3) * r + _C2) * r + _C1) * r + _C0
    # The integer of NaN is undefined; the polynomial keeps the NaN.
    power = n if n == n else _ZERO
    return (p * r * r + r + _ONE) * float32_of_bits(
        (np.int32(power) + np.int32(127)) << np.int32(23)
    )


@compiled_fast
def worker_sigmoid(out: np.ndarray, b: np.ndarray) -> None:
    """out (n, o) = 1 / (1 + exp(-(out + b (o,))))."""
    for n in range(out.shape[0]):
        for o in range(out.shape[1]):
            out[n, o] = _ONE / (_ONE + _exp(-(out[n, o] + b[o])))


@compiled_fast
def worker_tanh(out: np.ndarray, b: np.ndarray) -> None:
    """out (n, o) = tanh(out + b (o,)) = 1 - 2 / (1 + exp 2z); the error is that of a number near
    1.
    """
    for n in range(out.shape[0]):
        for o in range(out.shape[1]):
            out[n, o] = _ONE - _TWO / (_ONE + _exp(_TWO * (out[n, o] + b[o])))
