"""Element-wise addition, subtraction and multiplication, plain matrix products, and activations
without a layer.
"""

import operator
from collections.abc import Callable

from kernels.activations.activation import Scalar
from kernels.cuda.operators import activations
from kernels.cuda.operators.base import OperatorGroup, per_element
from kernels.cuda.operators.dense import element
from kernels.cuda.operators.product import Form
from kernels.cuda.toolkit import Kernel, cuda, divide, kernel
from kernels.device import Array

PLAIN = Form((element, element), (True, False), activations.identity)


def pairwise(operation: Callable[[Scalar, Scalar], Scalar]) -> Kernel:
    """The kernel out[k] = operation(x[k], y[k mod size of y]); flat arrays, one thread per
    element.
    """

    @kernel()
    def pairwise_kernel(x, y, out):  # noqa: ANN001, ANN202 - compiled
        k = cuda.grid(1)
        if k < out.shape[0]:
            _, index = divide(k, y.shape[0])
            out[k] = operation(x[k], y[index])

    return pairwise_kernel


@kernel()
def _activate(z, code, out):  # noqa: ANN001, ANN202 - compiled
    """out[k] = f(z[k]); flat arrays, one thread per element."""
    k = cuda.grid(1)
    if k < out.shape[0]:
        out[k] = activations.activate(z[k], code)


@kernel()
def _multiply_by_derivative(y, code, out):  # noqa: ANN001, ANN202 - compiled
    """out[k] = out[k] · f'(y[k]); flat arrays, one thread per element."""
    k = cuda.grid(1)
    if k < out.shape[0]:
        out[k] *= activations.derivative(y[k], code)


class ElementwiseOperators(OperatorGroup):
    """Element-wise operators, plain products and activations, see `kernels.device.Device`."""

    add = per_element(pairwise(operator.add), flat=True)
    subtract = per_element(pairwise(operator.sub), flat=True)
    multiply = per_element(pairwise(operator.mul), flat=True)
    activate = per_element(_activate, flat=True)
    multiply_by_derivative = per_element(_multiply_by_derivative, flat=True)

    def dot(self, x: Array, y: Array, out: Array) -> None:
        self._products.launch(PLAIN, (x, y, out))
