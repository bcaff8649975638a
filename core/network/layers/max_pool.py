"""Max pooling: `MP2`, `MP3`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.network.layers.layer import FormField, Layer, LayerOp, Shape
from kernels.device import Array

BLOCKS = (2, 3)


class MaxPoolOp(LayerOp):
    """y (n, h // k, w // k, c): the maximum of each k x k block of x (n, h, w, c)."""

    def forward(self, parameters: Any, counters: Array) -> None:
        """y[n, i, j, c] = max over a, e < k of x[n, i·k + a, j·k + e, c]."""
        self.device.max_pool(self.x, self.layer.block, self.y)

    def input_gradient(self, parameters: Any, grad_z: Array, counters: Array, out: Array) -> None:
        """∂y/∂x is 1 for the element that is its block's maximum and 0 for the others.

        dL/dx is therefore dL/dy at the maximum (at each of several equal ones) and 0 elsewhere; it is multiplied by
        the derivative of the activation below, as in `DenseOp.input_gradient`.
        """
        self.device.max_pool_gradient(self.x, self.y, grad_z, self.layer.block, self.input_activation, out)


@dataclass(frozen=True)
class MaxPool(Layer):
    """The maximum of each `block` x `block` pixels of every map; an incomplete block at the edge is left out."""

    block: int = 2

    order: ClassVar = 2
    title: ClassVar = "Pooling"
    menu_text: ClassVar = "Max &pooling, 2×2"
    help: ClassVar = "Pooling: the maximum of each small block of pixels."
    pattern: ClassVar = r"MP(?P<block>\d+)"
    fields: ClassVar = (
        FormField("block", "Block size", "Only the maximum of each block of this size is passed on.",
                  choices=tuple((n, f"{n}×{n}") for n in BLOCKS)),
    )  # fmt: skip
    op_class: ClassVar = MaxPoolOp
    needs_image: ClassVar = True

    def __post_init__(self) -> None:
        if self.block not in BLOCKS:
            raise InputError(
                "{layer}: pooling of size {size} is not offered: choose MP2 or MP3.",
                layer=self.text, size=self.block,
            )  # fmt: skip

    @property
    def text(self) -> str:
        return f"MP{self.block}"

    @property
    def caption(self) -> str:
        return "pooling {block}×{block}"

    def output_shape(self, shape: Shape) -> Shape:
        self.check_image(shape)
        height, width, maps = shape
        if self.block > min(height, width):
            raise InputError(
                "{layer}: pooling {size}x{size} of a {height}x{width} input leaves nothing; remove it.",
                layer=self.text, size=self.block, height=height, width=width,
            )  # fmt: skip
        return (height // self.block, width // self.block, maps)

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
        self, x: np.ndarray, parameters: Any, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, None, float]:
        rows, columns = (slice(i * self.block, (i + 1) * self.block) for i in (row, column))
        return x[rows, columns, unit : unit + 1], None, 0.0
