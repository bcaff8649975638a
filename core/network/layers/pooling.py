"""What the kinds of pooling share: blocks of pixels, of each of which one number is passed on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.network.layers.layer import Area, FormField, Layer, Shape

BLOCKS = (2, 3)


@dataclass(frozen=True)
class Pooling(Layer):
    """One number for each `block` x `block` pixels of every map; an incomplete block at the edge is
    left out.
    """

    block: int = 2

    letters: ClassVar[str]
    """The text form without the size of a block."""
    reduction: ClassVar[str]
    """NumPy's function that makes one number of a block, `np.max`."""
    torch_class: ClassVar[str]
    """PyTorch's module, `nn.MaxPool2d`."""
    onnx_operator: ClassVar[str]
    """ONNX's operator, `MaxPool`."""
    page_kind: ClassVar[str]
    """The function of `LAYERS` in resources/page/network.js."""
    fields: ClassVar = (
        FormField(
            "block",
            "Block size",
            "Only one number of each block of this size is passed on.",
            choices=tuple((n, f"{n}×{n}") for n in BLOCKS),
        ),
    )
    needs_image: ClassVar = True

    def __post_init__(self) -> None:
        if self.block not in BLOCKS:
            raise InputError(
                "{layer}: pooling of size {size} is not offered: choose {letters}2 or {letters}3.",
                layer=self.text,
                size=self.block,
                letters=self.letters,
            )

    @property
    def text(self) -> str:
        return f"{self.letters}{self.block}"

    def output_shape(self, shape: Shape) -> Shape:
        self.check_image(shape)
        height, width, maps = shape
        if self.block > min(height, width):
            raise InputError(
                "{layer}: pooling {size}x{size} of a {height}x{width} input leaves nothing; "
                "remove it.",
                layer=self.text,
                size=self.block,
                height=height,
                width=width,
            )
        return (height // self.block, width // self.block, maps)

    def area_before(self, shape: Shape, area: Area) -> Area:
        top, left, bottom, right = area
        return top * self.block, left * self.block, bottom * self.block, right * self.block

    def inputs_of(self, x: np.ndarray, unit: int, row: int, column: int) -> np.ndarray:
        """The block (k, k, 1) of x (height, width, maps) from which an output is computed."""
        rows, columns = (slice(i * self.block, (i + 1) * self.block) for i in (row, column))
        return x[rows, columns, unit : unit + 1]

    numpy_function: ClassVar = """
def pool(x, k, reduction):
    height, width, maps = x.shape
    blocks = x[: height // k * k, : width // k * k].reshape(height // k, k, width // k, k, maps)
    return reduction(blocks, (1, 3))
"""

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str:
        return f"pool(x, {self.block}, {self.reduction})"

    def torch_modules(self, shape: Shape) -> list[str]:
        return [f"{self.torch_class}({self.block})"]

    def onnx_nodes(self, shape: Shape) -> list[tuple[str, Mapping[str, Any]]]:
        block = [self.block, self.block]
        return [(self.onnx_operator, {"kernel_shape": block, "strides": block})]

    def page_fields(self, shape: Shape) -> Mapping[str, Any]:
        return {"kind": self.page_kind, "block": self.block}
