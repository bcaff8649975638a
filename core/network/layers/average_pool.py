"""Average pooling: `AP2`, `AP3`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.network.layers.layer import LayerOp
from core.network.layers.pooling import Pooling
from kernels.device import Array


class AveragePoolOp(LayerOp):
    """y (n, h // k, w // k, c): the mean of each k x k block of x (n, h, w, c)."""

    def forward(self, parameters: object, counters: Array) -> None:
        """y[n, i, j, c] = Σ_{a, e < k} x[n, i·k + a, j·k + e, c] / k²."""
        self.device.average_pool(self.x, self.layer.block, self.y)

    def input_gradient(
        self, parameters: object, grad_z: Array, counters: Array, out: Array
    ) -> None:
        """∂y/∂x is 1 / k² for every element of the block, and 0 for the others.

        dL/dx is therefore dL/dy / k² of the element's block, and 0 outside of all blocks; it is
        multiplied by the derivative of the activation below, as in `DenseOp.input_gradient`.
        """
        self.device.average_pool_gradient(
            self.x, grad_z, self.layer.block, self.input_activation, out
        )


@dataclass(frozen=True)
class AveragePool(Pooling):
    """The mean of each `block` x `block` pixels of every map; an incomplete block at the edge is
    left out.
    """

    order: ClassVar = 5
    title: ClassVar = "Average pooling"
    help: ClassVar = "Average pooling: the mean of each small block of pixels."
    pattern: ClassVar = r"AP(?P<block>\d+)"
    reduction: ClassVar = "np.mean"
    torch_class: ClassVar = "nn.AvgPool2d"
    onnx_operator: ClassVar = "AveragePool"
    page_kind: ClassVar = "averagePool"
    letters: ClassVar = "AP"
    op_class: ClassVar = AveragePoolOp

    @property
    def caption(self) -> str:
        return "average pooling {block}×{block}"

    def terms(
        self, x: np.ndarray, parameters: object, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """The mean as a sum with equal weights 1 / k²."""
        inputs = self.inputs_of(x, unit, row, column)
        return inputs, np.full_like(inputs, 1 / inputs.size), 0.0
