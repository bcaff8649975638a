"""Max pooling: `MP2`, `MP2x1`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.network.layers.layer import LayerOp
from core.network.layers.pooling import Pooling
from kernels.device import Array


class MaxPoolOp(LayerOp):
    """y (n, h // k, w // l, c): the maximum of each k x l block of x (n, h, w, c)."""

    def forward(self, parameters: object, counters: Array) -> None:
        """y[n, i, j, c] = max over a < k, e < l of x[n, i·k + a, j·l + e, c]."""
        self.device.max_pool(self.x, self.layer.block, self.y)

    def input_gradient(
        self, parameters: object, grad_z: Array, counters: Array, out: Array
    ) -> None:
        """∂y/∂x is 1 for the element that is its block's maximum and 0 for the others.

        dL/dx is therefore dL/dy at the maximum (at each of several equal ones) and 0 elsewhere; it
        is multiplied by the derivative of the activation below, as in `DenseOp.input_gradient`.
        """
        self.device.max_pool_gradient(
            self.x, self.y, grad_z, self.layer.block, self.input_activation, out
        )


@dataclass(frozen=True)
class MaxPool(Pooling):
    """The maximum of each `block` of pixels of every map; an incomplete block at the edge is
    left out.
    """

    order: ClassVar = 2
    title: ClassVar = "Pooling"
    help: ClassVar = "Pooling: the maximum of each small block of pixels."
    pattern: ClassVar = r"MP(?P<block>\d+(x\d+)?)"
    reduction: ClassVar = "np.max"
    torch_class: ClassVar = "MaxPool"
    onnx_operator: ClassVar = "MaxPool"
    page_kind: ClassVar = "pool"
    letters: ClassVar = "MP"
    op_class: ClassVar = MaxPoolOp

    @property
    def caption(self) -> str:
        return "pooling {rows}×{columns}"

    def terms(
        self, x: np.ndarray, parameters: object, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, None, float]:
        return self.inputs_of(x, unit, row, column), None, 0.0
