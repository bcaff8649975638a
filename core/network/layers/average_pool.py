"""Average pooling: `AP2`, `AP2x1`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.network.layers.layer import LayerOp
from core.network.layers.pooling import Pooling
from kernels.device import Array


class AveragePoolOp(LayerOp):
    """y (n, h // k, w // l, c): the mean of each k x l block of x (n, h, w, c)."""

    def forward(self, parameters: object, counters: Array) -> None:
        """y[n, i, j, c] = Σ_{a < k, e < l} x[n, i·k + a, j·l + e, c] / kl."""
        self.device.average_pool(self.x, self.layer.block, self.y)

    def input_gradient(
        self, parameters: object, grad_z: Array, counters: Array, out: Array
    ) -> None:
        """∂y/∂x is 1 / kl for every element of the block, and 0 for the others.

        dL/dx is therefore dL/dy / kl of the element's block, and 0 outside of all blocks; it is
        multiplied by the derivative of the activation below, as in `DenseOp.input_gradient`.
        """
        self.device.average_pool_gradient(
            self.x, grad_z, self.layer.block, self.input_activation, out
        )


@dataclass(frozen=True)
class AveragePool(Pooling):
    """The mean of each `block` of pixels of every map; an incomplete block at the edge is
    left out.
    """

    order: ClassVar = 5
    title: ClassVar = "Average pooling"
    help: ClassVar = "Average pooling: the mean of each small block of pixels."
    pattern: ClassVar = r"AP(?P<block>\d+(x\d+)?)"
    reduction: ClassVar = "np.mean"
    torch_class: ClassVar = "nn.AvgPool2d"
    onnx_operator: ClassVar = "AveragePool"
    page_kind: ClassVar = "averagePool"
    letters: ClassVar = "AP"
    op_class: ClassVar = AveragePoolOp

    @property
    def caption(self) -> str:
        return "average pooling {rows}×{columns}"

    def terms(
        self, x: np.ndarray, parameters: object, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """The mean as a sum with equal weights 1 / kl."""
        inputs = self.inputs_of(x, unit, row, column)
        return inputs, np.full_like(inputs, 1 / inputs.size), 0.0
