"""Element-wise addition, subtraction and multiplication, plain matrix products, and activations without a layer."""

from typing import Any

from kernels.activations import CODES
from kernels.cuda.operators import activations
from kernels.cuda.operators.base import OperatorGroup, flat
from kernels.cuda.operators.dense import element
from kernels.cuda.toolkit import Kernel, cuda, divide, kernel, require_float32


@kernel()
def _add(x, y, out):  # noqa: ANN001, ANN202 - compiled
    """out[k] = x[k] + y[k mod size of y]; flat arrays, one thread per element."""
    k = cuda.grid(1)
    if k < out.shape[0]:
        _, index = divide(k, y.shape[0])
        out[k] = x[k] + y[index]


@kernel()
def _subtract(x, y, out):  # noqa: ANN001, ANN202 - compiled
    """out[k] = x[k] - y[k mod size of y]; flat arrays, one thread per element."""
    k = cuda.grid(1)
    if k < out.shape[0]:
        _, index = divide(k, y.shape[0])
        out[k] = x[k] - y[index]


@kernel()
def _multiply(x, y, out):  # noqa: ANN001, ANN202 - compiled
    """out[k] = x[k] · y[k mod size of y]; flat arrays, one thread per element."""
    k = cuda.grid(1)
    if k < out.shape[0]:
        _, index = divide(k, y.shape[0])
        out[k] = x[k] * y[index]


@kernel()
def _activate(z, code, out):  # noqa: ANN001, ANN202 - compiled
    """out[k] = f(z[k]); flat arrays, one thread per element."""
    k = cuda.grid(1)
    if k < out.shape[0]:
        out[k] = activations.activate(z[k], code)


class ElementwiseOperators(OperatorGroup):
    """Element-wise operators, plain products and activations, see `kernels.device.Device`."""

    def add(self, x: Any, y: Any, out: Any) -> None:
        self._pairwise(_add, x, y, out)

    def subtract(self, x: Any, y: Any, out: Any) -> None:
        self._pairwise(_subtract, x, y, out)

    def multiply(self, x: Any, y: Any, out: Any) -> None:
        self._pairwise(_multiply, x, y, out)

    def dot(self, x: Any, y: Any, out: Any) -> None:
        require_float32(x, y, out)
        self._products.launch(
            (element, element), (True, False), activations.identity, x, y, out, x.shape[1], out, (x, y)
        )

    def activate(self, z: Any, activation: str, out: Any) -> None:
        require_float32(z, out)
        self._launch_per_element(_activate, out.size, (flat(z), CODES[activation], flat(out)), (z,), (out,))

    def _pairwise(self, kernel: Kernel, x: Any, y: Any, out: Any) -> None:
        require_float32(x, y, out)
        self._launch_per_element(kernel, out.size, (flat(x), flat(y), flat(out)), (x, y), (out,))
