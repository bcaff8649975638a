"""Dense layers: forward product, input gradient and weight gradient, with fused bias, activation
and derivative.
"""

from kernels.activations import CODES
from kernels.activations.activation import Scalar
from kernels.cuda.operators.activations import bias_and_activation, identity, times_derivative
from kernels.cuda.operators.product import Form
from kernels.cuda.operators.reduce import SumOperators, itself
from kernels.cuda.toolkit import device_function, int32, load
from kernels.device import Array


@device_function
def element(matrix: Array, i: int, j: int, sizes: tuple[int, ...]) -> Scalar:
    """matrix[i, j]."""
    return load(matrix, int32(i * int32(matrix.shape[1]) + j))


@device_function
def transposed_element(matrix: Array, i: int, j: int, sizes: tuple[int, ...]) -> Scalar:
    """matrix[j, i]: element (i, j) of the transpose."""
    return load(matrix, int32(j * int32(matrix.shape[1]) + i))


FORWARD = Form((element, element), (True, False), bias_and_activation)
INPUT_GRADIENT = Form((element, transposed_element), (True, True), times_derivative)
WEIGHT_GRADIENT = Form((transposed_element, element), (False, False), identity)
UPDATE = WEIGHT_GRADIENT._replace(descends=True)


class DenseOperators(SumOperators):
    """Operators of dense layers, see `kernels.device.Device`."""

    fuses_updates = True

    def dense(self, x: Array, w: Array, b: Array, activation: str, out: Array) -> None:
        self._products.launch(FORWARD, (x, w, out), b, CODES[activation])

    def dense_input_gradient(
        self, grad_z: Array, w: Array, y: Array, activation: str, out: Array
    ) -> None:
        code = CODES[activation]
        self._products.launch(INPUT_GRADIENT, (grad_z, w, out), y, code)

    def dense_weight_gradient(self, x: Array, grad_z: Array, out: Array) -> None:
        self._products.launch(WEIGHT_GRADIENT, (x, grad_z, out))

    def dense_update(
        self,
        x: Array,
        grad_z: Array,
        w: Array,
        b: Array,
        rate: Array,
        l2: float,
        gradients: tuple[Array, Array],
    ) -> None:
        self._products.launch(UPDATE, (x, grad_z, w), rate, l2=l2)
        self._launch_column_sums(itself, grad_z, b, rate=rate)
