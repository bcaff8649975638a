"""What the kinds of pooling share: blocks of pixels, of each of which one number is passed on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.network.layers.layer import Area, FormField, Layer, Shape, size_choices, size_text
from kernels.device import Size, sides

BLOCKS: tuple[Size, ...] = (2, 3, (2, 1), (1, 2), (3, 1), (1, 3))


@dataclass(frozen=True)
class Pooling(Layer):
    """One number for each `block` of pixels of every map; an incomplete block at the edge is left
    out.
    """

    block: Size = 2

    letters: ClassVar[str]
    """The text form without the size of a block."""
    reduction: ClassVar[str]
    """NumPy's function that makes one number of a block, `np.max`."""
    torch_class: ClassVar[str]
    """PyTorch's module, `nn.AvgPool2d`, or that of `core.export.notebook`."""
    onnx_operator: ClassVar[str]
    """ONNX's operator, `MaxPool`."""
    page_kind: ClassVar[str]
    """The function of `LAYERS` in resources/page/network.js."""
    fields: ClassVar = (
        FormField(
            "block",
            "Block size",
            "Only one number of each block of this size is passed on.",
            choices=size_choices(BLOCKS),
        ),
    )
    needs_image: ClassVar = True

    def __post_init__(self) -> None:
        if self.block not in BLOCKS:
            raise InputError(
                "{layer}: pooling of this size is not offered: choose one of {offered}.",
                layer=self.text,
                offered=[self.letters + size_text(block) for block in BLOCKS],
            )

    @property
    def text(self) -> str:
        return self.letters + size_text(self.block)

    def output_shape(self, shape: Shape) -> Shape:
        self.check_image(shape)
        height, width, maps = shape
        rows, columns = sides(self.block)
        if rows > height or columns > width:
            raise InputError(
                "{layer}: pooling {rows}x{columns} of a {height}x{width} input leaves nothing; "
                "remove it.",
                layer=self.text,
                rows=rows,
                columns=columns,
                height=height,
                width=width,
            )
        return (height // rows, width // columns, maps)

    def values(self) -> dict[str, Any]:
        rows, columns = sides(self.block)
        return super().values() | {"rows": rows, "columns": columns}

    def area_before(self, shape: Shape, area: Area) -> Area:
        top, left, bottom, right = area
        rows, columns = sides(self.block)
        return top * rows, left * columns, bottom * rows, right * columns

    def inputs_of(self, x: np.ndarray, unit: int, row: int, column: int) -> np.ndarray:
        """The block (k, l, 1) of x (height, width, maps) from which an output is computed."""
        places = zip((row, column), sides(self.block), strict=True)
        rows, columns = (slice(i * side, (i + 1) * side) for i, side in places)
        return x[rows, columns, unit : unit + 1]

    numpy_function: ClassVar = """
def pool(x, k, l, reduction):
    height, width, maps = x.shape
    blocks = x[: height // k * k, : width // l * l].reshape(height // k, k, width // l, l, maps)
    return reduction(blocks, (1, 3))
"""

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str:
        rows, columns = sides(self.block)
        return f"pool(x, {rows}, {columns}, {self.reduction})"

    def torch_modules(self, shape: Shape) -> list[str]:
        return [f"{self.torch_class}({self.block})"]

    def onnx_nodes(self, shape: Shape) -> list[tuple[str, Mapping[str, Any]]]:
        block = list(sides(self.block))
        return [(self.onnx_operator, {"kernel_shape": block, "strides": block})]

    def page_fields(self, shape: Shape) -> Mapping[str, Any]:
        return {"kind": self.page_kind, "block": sides(self.block)}
