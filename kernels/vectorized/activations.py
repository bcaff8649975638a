"""Bias, activation and derivative, applied in place to the result of a matrix product, in vector
lanes.

Sigmoid and tanh use NumPy's exp and tanh, which are computed in vector registers; Numba's are not.
"""

import numpy as np

from kernels.activations import ACTIVATIONS, CODES, Function, by_code
from kernels.activations.activation import Number, Scalar
from kernels.compiled import compiled_fast, compiled_part
from kernels.vectorized import native

SIGMOID = CODES["sigmoid"]
TANH = CODES["tanh"]


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
def finish(out: np.ndarray, b: np.ndarray, code: int, functions: np.ndarray) -> None:
    """out (n, o) = f(out + b (o,)); `functions`: those of `native.find`."""
    add_bias(out, b, code)
    if code in (SIGMOID, TANH):
        index = native.EXP if code == SIGMOID else native.TANH
        native.apply(
            functions[index], functions[index + 1], out.ctypes.data, out.size, np.empty(5, np.int64)
        )
    if code == SIGMOID:
        one_over_one_plus(out)
