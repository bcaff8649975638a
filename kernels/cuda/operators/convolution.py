"""Convolutions on the card: the dense layers' product, with fetches that read patches straight from images.

A convolution is a product with the matrix of all patches, one patch a row: (n·h'·w', k·k·c) · (k·k·c, maps).
That matrix is never made; `fetch` computes where its element lies in the images. Sizes are constants of the
kernel, so that the divisions in it become multiplications; a layer's kernels are compiled once per shape.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from numba import float32, int32

from kernels.activations import CODES
from kernels.cuda.operators.activations import bend, bias_and_activate, identity
from kernels.cuda.operators.dense import Products, as_stored
from kernels.cuda.operators.indices import divide
from kernels.cuda.toolkit import inlined, is_float32, load
from kernels.padding import zeros

# From this many channels on, neighbouring elements of a patch are neighbours in memory for long enough.
_WIDE = 4


@dataclass(frozen=True, slots=True)
class _Geometry:
    """Images (height, width, channels), kernels size x size, outputs (rows, columns, maps)."""

    height: int
    width: int
    channels: int
    size: int
    rows: int
    columns: int
    maps: int
    stride: int
    top: int
    left: int


def _geometry(
    images: tuple[int, ...], size: int, outputs: tuple[int, ...], stride: int, padding: str
) -> _Geometry:
    top, left = zeros(tuple(images), size, stride, padding)
    _, height, width, channels = images
    _, rows, columns, maps = outputs
    return _Geometry(height, width, channels, size, rows, columns, maps, stride, top, left)


@cache
def _patches(g: _Geometry) -> tuple[Any, Any]:
    """Fetches from the matrix of patches of x (n, h, w, c), and from its transpose."""
    height, width, channels, size = g.height, g.width, g.channels, g.size
    rows, columns, stride, top, left = g.rows, g.columns, g.stride, g.top, g.left

    @inlined
    def patch(x, output, element):  # noqa: ANN001, ANN202 - compiled
        """Element (a, e, channel) of the patch under output (n, i, j); 0 outside the image."""
        above, j = divide(output, columns)
        n, i = divide(above, rows)
        place, channel = divide(element, channels)
        a, e = divide(place, size)
        row = i * int32(stride) + a - int32(top)
        column = j * int32(stride) + e - int32(left)
        if row < 0 or row >= height or column < 0 or column >= width:
            return float32(0)
        return load(x, int32(((n * height + row) * width + column) * channels + channel))

    @inlined
    def element_of_patch(x, element, output):  # noqa: ANN001, ANN202 - compiled
        return patch(x, output, element)

    return patch, element_of_patch


@cache
def _outputs_that_saw(g: _Geometry) -> tuple[Any, Any]:
    """Fetches for the input gradient: dz of the outputs that saw a pixel, and the weights they saw it through."""
    height, width, channels, size, maps = g.height, g.width, g.channels, g.size, g.maps
    rows, columns, stride, top, left = g.rows, g.columns, g.stride, g.top, g.left

    @inlined
    def grad_z(grad_z, pixel, term):  # noqa: ANN001, ANN202 - compiled
        """dz (n, i, j, o) for pixel (n, row, column) and term (a, e, o), where output (i, j) saw it there; or 0."""
        above, column = divide(pixel, width)
        n, row = divide(above, height)
        place, o = divide(term, maps)
        a, e = divide(place, size)
        down = row + int32(top) - a
        across = column + int32(left) - e
        if down < 0 or across < 0:
            return float32(0)
        i, rest_down = divide(down, stride)
        j, rest_across = divide(across, stride)
        if rest_down != 0 or rest_across != 0 or i >= rows or j >= columns:
            return float32(0)
        return load(grad_z, int32(((n * rows + i) * columns + j) * maps + o))

    @inlined
    def weight(w, term, channel):  # noqa: ANN001, ANN202 - compiled
        """w (a, e, channel, o) for term (a, e, o)."""
        place, o = divide(term, maps)
        a, e = divide(place, size)
        return load(w, int32(((a * size + e) * channels + channel) * maps + o))

    return grad_z, weight


class ConvolutionOperators:
    """Of the device contract; `_products` is the device's."""

    _products: Products

    def convolve(self, x: Any, w: Any, b: Any, stride: int, padding: str, activation: str, out: Any) -> None:
        is_float32(x, w, b, out)
        g = _geometry(x.shape, w.shape[0], out.shape, stride, padding)
        patch, _ = _patches(g)
        terms = g.size * g.size * g.channels
        self._products.launch(
            (patch, as_stored), (g.channels >= _WIDE, False), bias_and_activate(CODES[activation]),
            x, w.reshape(terms, g.maps), _as_rows(out), terms, b, (x, w, b), aside=False,
        )  # fmt: skip

    def convolve_input_gradient(
        self, grad_z: Any, w: Any, stride: int, padding: str, y: Any, activation: str, out: Any
    ) -> None:
        y = out if activation == "linear" else y
        is_float32(grad_z, w, y, out)
        g = _geometry(out.shape, w.shape[0], grad_z.shape, stride, padding)
        terms = g.size * g.size * g.maps
        self._products.launch(
            _outputs_that_saw(g), (True, True), bend(CODES[activation]),
            grad_z, w, _as_rows(out), terms, _as_rows(y), (grad_z, w, y), aside=False,
        )  # fmt: skip

    def convolve_weight_gradient(self, x: Any, grad_z: Any, stride: int, padding: str, out: Any) -> None:
        is_float32(x, grad_z, out)
        g = _geometry(x.shape, out.shape[0], grad_z.shape, stride, padding)
        _, element_of_patch = _patches(g)
        grad_zs = _as_rows(grad_z)
        self._products.launch(
            (element_of_patch, as_stored), (g.channels < _WIDE, False), identity,
            x, grad_zs, out.reshape(g.size * g.size * g.channels, g.maps), grad_zs.shape[0], grad_zs, (x, grad_z),
            aside=True,
        )  # fmt: skip


def _as_rows(images: Any) -> Any:
    """(n, h, w, c) as (n·h·w, c)."""
    channels = images.shape[3]
    return images.reshape(images.size // channels, channels)
