"""Activations and their derivatives for one float32, and the epilogues of matrix products that
apply them.

Kernels take the activation's code (`kernels.activations`) as an argument; it is the same for all
threads, so its branches are cheap.
"""

import math

from kernels.activations import ACTIVATIONS, LINEAR, by_code
from kernels.activations.activation import Number, Scalar
from kernels.cuda.toolkit import device_function, float32
from kernels.device import Array


def _tanh(z: Scalar, number: Number) -> Scalar:
    """tanh |z| = -e / (2 + e) with e = exp(-2|z|) - 1: no overflow, and no cancellation near 0."""
    e = float32(math.expm1(float32(-2) * abs(z)))
    size = -e / (float32(2) + e)
    return -size if z < float32(0) else size


_OWN_FORMULAS = {"tanh": _tanh}
_FORMULAS = [_OWN_FORMULAS.get(name, cls.value) for name, cls in ACTIVATIONS.items()]
activate = device_function(
    by_code(
        "activate(z, code)",
        "return f(z, float32)",
        [device_function(formula) for formula in _FORMULAS],
        float32=float32,
    )
)
derivative = device_function(
    by_code(
        "derivative(y, code)",
        "return f(y, float32)",
        [device_function(cls.derivative) for cls in ACTIVATIONS.values()],
        float32=float32,
    )
)


@device_function
def bias_and_activation(total: Scalar, bias: Array, row: int, column: int, code: int) -> Scalar:
    """Epilogue of a forward product: f(total + bias[column])."""
    return activate(total + bias[column], code)


@device_function
def times_derivative(total: Scalar, y: Array, row: int, column: int, code: int) -> Scalar:
    """Epilogue of an input gradient: total · f'(y[row, column]). With the linear activation y is
    not read.
    """
    if code == LINEAR:
        return total
    return total * derivative(y[row, column], code)


@device_function
def identity(total: Scalar, unused: Array, row: int, column: int, code: int) -> Scalar:
    """Epilogue of a weight gradient: the total itself."""
    return total
