"""Convolutions: `32C5`, `32C3x5:valid`, `64C3:tanh:s2`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.network.layers.layer import (
    ACTIVATION,
    ACTIVATION_OPTIONS,
    Area,
    FormField,
    Layer,
    LayerOp,
    LayerParameters,
    Shape,
    size_choices,
    size_text,
)
from kernels.device import Array, Size, output_size, paddings, sides, zeros_before

SIZES: tuple[Size, ...] = (1, 3, 5, 7, 9, 11, (1, 3), (3, 1), (1, 5), (5, 1), (3, 5), (5, 3))


class ConvolutionOp(LayerOp):
    """y (n, h', w', maps) = f(the cross-correlation of x (n, h, w, c) with w (k, l, c, maps), plus
    the biases).
    """

    def forward(self, parameters: Any, counters: Array) -> None:
        """z[n, i, j, o] = b[o] + Σ_{a,e,c} x[n, i·s + a - top, j·s + e - left, c] w[a, e, c, o]; y
        = f(z).

        s is the stride; x is 0 outside of the image. See `kernels.device` for top and left.
        """
        self.device.convolve(
            self.x,
            parameters.weights,
            parameters.biases,
            self.layer.stride,
            self.layer.padding,
            self.activation,
            self.y,
        )

    def parameter_gradient(self, parameters: object, grad_z: Array, out: LayerParameters) -> None:
        """Each weight occurs at every output position: the chain rule sums over all images and
        positions.

        dL/dw[a, e, c, o] = Σ_{n,i,j} x[n, i·s + a - top, j·s + e - left, c] dL/dz[n, i, j, o];
        dL/db[o] = Σ_{n,i,j} dL/dz[n, i, j, o].
        """
        self.device.convolve_weight_gradient(
            self.x, grad_z, self.layer.stride, self.layer.padding, out.weights
        )
        self.device.bias_gradient(grad_z, out.biases)

    def input_gradient(self, parameters: Any, grad_z: Array, counters: Array, out: Array) -> None:
        """x[n, r, t, c] enters the outputs (i, j) with i·s + a - top = r and j·s + e - left = t.

        dL/dx[n, r, t, c] = Σ over those (i, j, a, e) and o of dL/dz[n, i, j, o] w[a, e, c, o]. It
        is multiplied by the derivative of the activation below, as in `DenseOp.input_gradient`.
        """
        self.device.convolve_input_gradient(
            grad_z,
            parameters.weights,
            self.layer.stride,
            self.layer.padding,
            self.x,
            self.input_activation,
            out,
        )


@dataclass(frozen=True)
class Convolution(Layer):
    """`maps` filters of `size`: rows and columns of pixels, or one number for both.

    `padding`: "same" adds zeros around the image, so that stride 1 keeps its size; "valid" adds
    none; "beside" adds them to the left and right only.
    """

    maps: int = 16
    size: Size = 5
    activation: str | None = None
    padding: str = "same"
    stride: int = 1

    order: ClassVar = 1
    title: ClassVar = "Convolution"
    help: ClassVar = "Convolution: small filters that are applied at every position of the image."
    pattern: ClassVar = r"(?P<maps>\d+)C(?P<size>\d+(x\d+)?)"
    options: ClassVar = ACTIVATION_OPTIONS | {
        "valid": ("padding", "valid"),
        "beside": ("padding", "beside"),
        "s1": ("stride", 1),
        "s2": ("stride", 2),
    }
    fields: ClassVar = (
        FormField("maps", "Maps", "Number of filters; each gives one output map.", suffix=" maps"),
        FormField(
            "size",
            "Filter size",
            "Height and width of each filter in pixels.",
            choices=size_choices(SIZES),
        ),
        FormField(
            "padding",
            "Padding",
            "Whether zeros are added around the image, so that the maps keep its size; without "
            "them, filters stay inside it, and the maps are smaller. Zeros beside it keep the "
            "width only.",
            choices=(("same", "zeros around"), ("valid", "no zeros"), ("beside", "zeros beside")),
        ),
        FormField(
            "stride",
            "Stride",
            "Distance between two positions of a filter: 2 gives maps of half the size.",
            choices=((1, "stride 1"), (2, "stride 2")),
        ),
        ACTIVATION,
    )
    op_class: ClassVar = ConvolutionOp
    needs_image: ClassVar = True
    can_be_last: ClassVar = True

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise InputError(
                "{layer}: a kernel of this size is not offered: choose one of {offered}.",
                layer=self.text,
                offered=[size_text(size) for size in SIZES],
            )

    @property
    def text(self) -> str:
        options = [self.activation] if self.activation else []
        options += [self.padding] if self.padding != "same" else []
        options += [f"s{self.stride}"] if self.stride != 1 else []
        return ":".join([f"{self.maps}C{size_text(self.size)}", *options])

    @property
    def caption(self) -> str:
        return "{maps} map {rows}×{columns}" if self.maps == 1 else "{maps} maps {rows}×{columns}"

    def values(self) -> dict[str, Any]:
        rows, columns = sides(self.size)
        return super().values() | {"rows": rows, "columns": columns}

    def output_shape(self, shape: Shape) -> Shape:
        self.check_image(shape)
        height, width, _ = shape
        rows, columns = self._outputs(shape)
        if rows < 1 or columns < 1:
            raise InputError(
                "{layer}: a {rows}x{columns} kernel is larger than its {height}x{width} input.",
                **self.values() | {"layer": self.text, "height": height, "width": width},
            )
        return rows, columns, self.maps

    def _outputs(self, shape: Shape) -> tuple[int, int]:
        """Rows and columns of the output."""
        rows, columns = (
            output_size(pixels, side, self.stride, padding)
            for pixels, side, padding in zip(
                shape, sides(self.size), paddings(self.padding), strict=False
            )
        )
        return rows, columns

    def weight_shape(self, shape: Shape) -> Shape:
        return (*sides(self.size), shape[2], self.maps)

    def multiply_adds(self, shape: Shape) -> int:
        return prod(self.output_shape(shape)) * prod(sides(self.size)) * shape[2]

    numpy_function: ClassVar = """
def convolve(x, w, b, stride, zeros):  # x (h, w, channels), w (rows, columns, channels, maps)
    padded = np.pad(x, (*zeros, (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[:2], (0, 1))
    return np.tensordot(windows[::stride, ::stride], w, ((3, 4, 2), (0, 1, 2))) + b
"""

    def zeros_around(self, shape: Shape) -> tuple[int, int, int, int]:
        """Zeros above, to the left, below and to the right of an image of `shape`, (height, width,
        channels).
        """
        before, after = [], []
        of_sides = zip(shape, sides(self.size), paddings(self.padding), strict=False)
        for pixels, side, padding in of_sides:
            zeros = zeros_before(pixels, side, self.stride, padding)
            positions = output_size(pixels, side, self.stride, padding)
            before.append(zeros)
            # Where the stride leaves pixels over, the filter does not reach the end: no negative
            # padding.
            after.append(max((positions - 1) * self.stride + side - pixels - zeros, 0))
        return before[0], before[1], after[0], after[1]

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str:
        top, left, bottom, right = self.zeros_around(shape)
        zeros = f"(({top}, {bottom}), ({left}, {right}))"
        return f"convolve(x, {', '.join(parameters)}, {self.stride}, {zeros})"

    def page_fields(self, shape: Shape) -> Mapping[str, Any]:
        top, left, _, _ = self.zeros_around(shape)
        numbers = {"size": sides(self.size), "stride": self.stride, "top": top, "left": left}
        return {"kind": "convolution", **numbers}

    def torch_modules(self, shape: Shape) -> list[str]:
        top, left, bottom, right = self.zeros_around(shape)
        stride = f", stride={self.stride}" if self.stride != 1 else ""
        equal = (top, left) == (bottom, right)
        zeros = f", padding=({top}, {left})" if equal and (top, left) != (0, 0) else ""
        # Conv2d pads both sides alike.
        pad = [] if equal else [f"nn.ZeroPad2d(({left}, {right}, {top}, {bottom}))"]
        return [*pad, f"nn.Conv2d({shape[2]}, {self.maps}, {self.size}{stride}{zeros})"]

    def onnx_nodes(self, shape: Shape) -> list[tuple[str, Mapping[str, Any]]]:
        attributes = {
            "kernel_shape": list(sides(self.size)),
            "strides": [self.stride] * 2,
            "pads": list(self.zeros_around(shape)),
        }
        return [("Conv", attributes)]

    def pulls(self, x: np.ndarray, errors: np.ndarray, weight: tuple[int, ...]) -> np.ndarray:
        """Σ_{i,j} x[n, i·s + a - top, j·s + e - left, c] dL/dz[n, i, j, o]."""
        row, column, channel, unit = weight
        top, left, bottom, right = self.zeros_around(x.shape[1:])
        # The zeros are padded first, so that every position has the same number of pixels.
        padded = np.pad(x[..., channel], ((0, 0), (top, bottom), (left, right)))
        height, width = errors.shape[1:3]
        rows = slice(row, row + height * self.stride, self.stride)
        columns = slice(column, column + width * self.stride, self.stride)
        return (padded[:, rows, columns] * errors[..., unit]).sum(axis=(1, 2))

    def area_before(self, shape: Shape, area: Area) -> Area:
        above, beside, _, _ = self.zeros_around(shape)
        top, left, bottom, right = area
        rows, columns = sides(self.size)
        return (
            top * self.stride - above,
            left * self.stride - beside,
            (bottom - 1) * self.stride + rows - above,
            (right - 1) * self.stride + columns - beside,
        )

    def terms(
        self, x: np.ndarray, parameters: Any, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, np.ndarray, float]:
        top, left, bottom, right = self.zeros_around(x.shape)
        # With the zeros, so that an output at the edge has as many terms as any other.
        padded = np.pad(x, ((top, bottom), (left, right), (0, 0)))
        places = zip((row * self.stride, column * self.stride), sides(self.size), strict=True)
        rows, columns = (slice(first, first + side) for first, side in places)
        return padded[rows, columns], parameters.weights[..., unit], float(parameters.biases[unit])
