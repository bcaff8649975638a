"""Convolutions: `32C5`, `32C5:valid`, `64C3:tanh:s2`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
)
from kernels.device import Array, output_size, zeros_before

SIZES = (1, 3, 5, 7, 9, 11)


class ConvolutionOp(LayerOp):
    """y (n, h', w', maps) = f(the cross-correlation of x (n, h, w, c) with w (k, k, c, maps), plus
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
    """`maps` filters of `size` x `size` pixels.

    `padding`: "same" adds zeros around the image, so that stride 1 keeps its size; "valid" adds
    none.
    """

    maps: int = 16
    size: int = 5
    activation: str | None = None
    padding: str = "same"
    stride: int = 1

    order: ClassVar = 1
    title: ClassVar = "Convolution"
    help: ClassVar = "Convolution: small filters that are applied at every position of the image."
    pattern: ClassVar = r"(?P<maps>\d+)C(?P<size>\d+)"
    options: ClassVar = ACTIVATION_OPTIONS | {
        "valid": ("padding", "valid"),
        "s1": ("stride", 1),
        "s2": ("stride", 2),
    }
    fields: ClassVar = (
        FormField("maps", "Maps", "Number of filters; each gives one output map.", suffix=" maps"),
        FormField(
            "size",
            "Filter size",
            "Width and height of each filter in pixels.",
            choices=tuple((n, f"{n}×{n}") for n in SIZES),
        ),
        FormField(
            "padding",
            "Padding",
            "Whether zeros are added around the image, so that the maps keep its size; without "
            "them, filters stay inside it, and the maps are smaller.",
            choices=(("same", "zeros around"), ("valid", "no zeros")),
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

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise InputError(
                "{layer}: a kernel of size {size} is not offered: choose 1, 3, 5, 7, 9 or 11.",
                layer=self.text,
                size=self.size,
            )

    @property
    def text(self) -> str:
        options = [self.activation] if self.activation else []
        options += ["valid"] if self.padding == "valid" else []
        options += [f"s{self.stride}"] if self.stride != 1 else []
        return ":".join([f"{self.maps}C{self.size}", *options])

    @property
    def caption(self) -> str:
        return "{maps} map {size}×{size}" if self.maps == 1 else "{maps} maps {size}×{size}"

    def output_shape(self, shape: Shape) -> Shape:
        self.check_image(shape)
        height, width, _ = shape
        if self.padding == "same":
            return (-(-height // self.stride), -(-width // self.stride), self.maps)
        if self.size > min(height, width):
            raise InputError(
                "{layer}: a {size}x{size} kernel is larger than its {height}x{width} input.",
                layer=self.text,
                size=self.size,
                height=height,
                width=width,
            )
        return (
            (height - self.size) // self.stride + 1,
            (width - self.size) // self.stride + 1,
            self.maps,
        )

    def weight_shape(self, shape: Shape) -> Shape:
        return (self.size, self.size, shape[2], self.maps)

    def multiply_adds(self, shape: Shape) -> int:
        height, width, maps = self.output_shape(shape)
        return height * width * maps * self.size * self.size * shape[2]

    numpy_function: ClassVar = """
def convolve(x, w, b, stride, zeros):  # x (height, width, channels), w (size, size, channels, maps)
    padded = np.pad(x, (*zeros, (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, w.shape[:2], (0, 1))
    return np.tensordot(windows[::stride, ::stride], w, ((3, 4, 2), (0, 1, 2))) + b
"""

    def zeros_around(self, shape: Shape) -> tuple[int, int, int, int]:
        """Zeros above, to the left, below and to the right of an image of `shape`, (height, width,
        channels).
        """
        before = [zeros_before(side, self.size, self.stride, self.padding) for side in shape[:2]]
        after = []
        for side, zeros in zip(shape[:2], before, strict=True):
            positions = output_size(side, self.size, self.stride, self.padding)
            after.append(max((positions - 1) * self.stride + self.size - side - zeros, 0))
        return before[0], before[1], after[0], after[1]

    def numpy_code(self, shape: Shape, parameters: Sequence[str]) -> str:
        top, left, bottom, right = self.zeros_around(shape)
        zeros = f"(({top}, {bottom}), ({left}, {right}))"
        return f"convolve(x, {', '.join(parameters)}, {self.stride}, {zeros})"

    def page_fields(self, shape: Shape) -> Mapping[str, Any]:
        top, left, _, _ = self.zeros_around(shape)
        numbers = {"size": self.size, "stride": self.stride, "top": top, "left": left}
        return {"kind": "convolution", **numbers}

    def torch_modules(self, shape: Shape) -> list[str]:
        top, left, bottom, right = self.zeros_around(shape)
        stride = f", stride={self.stride}" if self.stride != 1 else ""
        equal = (top, left) == (bottom, right)
        zeros = f", padding=({top}, {left})" if equal and (top, left) != (0, 0) else ""
        pad = [] if equal else [f"nn.ZeroPad2d(({left}, {right}, {top}, {bottom}))"]
        return [*pad, f"nn.Conv2d({shape[2]}, {self.maps}, {self.size}{stride}{zeros})"]

    def onnx_nodes(self, shape: Shape) -> list[tuple[str, Mapping[str, Any]]]:
        attributes = {
            "kernel_shape": [self.size] * 2,
            "strides": [self.stride] * 2,
            "pads": list(self.zeros_around(shape)),
        }
        return [("Conv", attributes)]

    def pulls(self, x: np.ndarray, errors: np.ndarray, weight: tuple[int, ...]) -> np.ndarray:
        """Σ_{i,j} x[n, i·s + a - top, j·s + e - left, c] dL/dz[n, i, j, o]."""
        row, column, channel, unit = weight
        top, left, bottom, right = self.zeros_around(x.shape[1:])
        padded = np.pad(x[..., channel], ((0, 0), (top, bottom), (left, right)))
        height, width = errors.shape[1:3]
        rows = slice(row, row + height * self.stride, self.stride)
        columns = slice(column, column + width * self.stride, self.stride)
        return (padded[:, rows, columns] * errors[..., unit]).sum(axis=(1, 2))

    def area_before(self, shape: Shape, area: Area) -> Area:
        above, beside, _, _ = self.zeros_around(shape)
        top, left, bottom, right = area
        return (
            top * self.stride - above,
            left * self.stride - beside,
            (bottom - 1) * self.stride + self.size - above,
            (right - 1) * self.stride + self.size - beside,
        )

    def terms(
        self, x: np.ndarray, parameters: Any, unit: int, row: int, column: int
    ) -> tuple[np.ndarray, np.ndarray, float]:
        top, left, bottom, right = self.zeros_around(x.shape)
        padded = np.pad(x, ((top, bottom), (left, right), (0, 0)))
        rows, columns = (slice(i * self.stride, i * self.stride + self.size) for i in (row, column))
        return padded[rows, columns], parameters.weights[..., unit], float(parameters.biases[unit])
