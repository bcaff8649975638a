"""Max pooling: `MP2`, `MP3`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.network.layers.layer import LayerOp, Shape
from core.network.layers.pooling import Pooling
from kernels.device import Array


class MaxPoolOp(LayerOp):
    """y (n, h // k, w // k, c): the maximum of each k x k block of x (n, h, w, c)."""

    def forward(self, parameters: object, counters: Array) -> None:
        """y[n, i, j, c] = max over a, e < k of x[n, i·k + a, j·k + e, c]."""
        self.device.max_pool(self.x, self.layer.block, self.y)

    def input_gradient(self, parameters: object, grad_z: Array, counters: Array, out: Array) -> None:
        """∂y/∂x is 1 for the element that is its block's maximum and 0 for the others.

        dL/dx is therefore dL/dy at the maximum (at each of several equal ones) and 0 elsewhere; it is multiplied by
        the derivative of the activation below, as in `DenseOp.input_gradient`.
        """
        self.device.max_pool_gradient(self.x, self.y, grad_z, self.layer.block, self.input_activation, out)


@dataclass(frozen=True)
class MaxPool(Pooling):
    """The maximum of each `block` x `block` pixels of every map; an incomplete block at the edge is left out."""

    order: ClassVar = 2
    title: ClassVar = "Pooling"
    menu_text: ClassVar = "Max &pooling, 2×2"
    help: ClassVar = "Pooling: the maximum of each small block of pixels."
    pattern: ClassVar = r"MP(?P<block>\d+)"
    letters: ClassVar = "MP"
    op_class: ClassVar = MaxPoolOp

    @property
    def caption(self) -> str:
        return "pooling {block}×{block}"

    numpy_function: ClassVar = """
def max_pool(x, k):
    height, width, maps = x.shape
    return x[: height // k * k, : width // k * k].reshape(height // k, k, width // k, k, maps).max((1, 3))
"""

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str:
        return f"max_pool(x, {self.block})"

    def page_fields(self, shape: Shape) -> Mapping[str, Any]:
        return {"kind": "pool", "block": self.block}

    def torch_modules(self, shape: Shape) -> list[str]:
        return [f"nn.MaxPool2d({self.block})"]

    def onnx_nodes(self, shape: Shape) -> list[tuple[str, Mapping[str, Any]]]:
        return [("MaxPool", {"kernel_shape": [self.block] * 2, "strides": [self.block] * 2})]

    def terms(
        self, x: np.ndarray, parameters: object, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, None, float]:
        return self.inputs_of(x, unit, row, column), None, 0.0
