"""Convolutions as matrix products of image patches (implicit GEMM): patches are loaded straight
from the images.

A convolution is the product of the patch matrix, one patch a row, with the weights: (n·h'·w',
k·l·c) · (k·l·c, maps). The patch matrix is never stored; device functions compute where its
elements are in the images. Sizes are compile-time constants, so that divisions by them become
multiplications; the kernels of a layer are compiled once per shape. (Chetlur et al. 2014, "cuDNN:
Efficient Primitives for Deep Learning", section 3.)
"""

from dataclasses import dataclass
from functools import cache

from kernels.activations import CODES
from kernels.cuda.operators.activations import bias_and_activation, identity, times_derivative
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.operators.dense import element
from kernels.cuda.toolkit import DeviceFunction, device_function, divide, float32, int32, load
from kernels.device import Array, zeros_above_and_left

# With this many channels or more, threads load a patch along k: enough of its elements have
# consecutive addresses.
_MIN_CHANNELS_ALONG_K = 4


@dataclass(frozen=True, slots=True)
class _Geometry:
    """Images (height, width, channels), kernels tall x wide, outputs (rows, columns, maps), padding
    (top, left).
    """

    height: int
    width: int
    channels: int
    tall: int
    wide: int
    rows: int
    columns: int
    maps: int
    stride: int
    top: int
    left: int


def _geometry(
    images: tuple[int, ...],
    kernel: tuple[int, ...],
    outputs: tuple[int, ...],
    stride: int,
    padding: str,
) -> _Geometry:
    """For images (n, h, w, c), kernels (k, l, c, maps) and outputs (n, h', w', maps)."""
    top, left = zeros_above_and_left(tuple(images), tuple(kernel), stride, padding)
    _, height, width, channels = images
    _, rows, columns, maps = outputs
    return _Geometry(
        height, width, channels, kernel[0], kernel[1], rows, columns, maps, stride, top, left
    )


@cache
def _load_patches(g: _Geometry) -> tuple[DeviceFunction, DeviceFunction]:
    """Device functions that load elements of the patch matrix of x (n, h, w, c), and of its
    transpose.
    """
    height = g.height
    width = g.width
    channels = g.channels
    wide = g.wide
    rows = g.rows
    columns = g.columns
    stride = g.stride
    top = g.top
    left = g.left

    @device_function
    def patch_element(x, output, term):  # noqa: ANN001, ANN202 - compiled
        """Element `term` = (a, e, channel) of the patch of `output` = (n, i, j); 0 outside the
        image.
        """
        output_row, j = divide(output, columns)
        n, i = divide(output_row, rows)
        kernel_element, channel = divide(term, channels)
        a, e = divide(kernel_element, wide)
        row = i * int32(stride) + a - int32(top)
        column = j * int32(stride) + e - int32(left)
        if row < 0 or row >= height or column < 0 or column >= width:
            return float32(0)
        return load(x, int32(((n * height + row) * width + column) * channels + channel))

    @device_function
    def transposed_patch_element(x, term, output):  # noqa: ANN001, ANN202 - compiled
        return patch_element(x, output, term)

    return patch_element, transposed_patch_element


@cache
def _load_for_input_gradient(g: _Geometry) -> tuple[DeviceFunction, DeviceFunction]:
    """Device functions that load dz and the weights for the input gradient.

    dx[pixel, channel] = Σ dz[i, j, o] · w[a, e, channel, o] over (a, e, o), where (i, j) is the
    output whose patch has the pixel at (a, e).
    """
    height = g.height
    width = g.width
    channels = g.channels
    wide = g.wide
    maps = g.maps
    rows = g.rows
    columns = g.columns
    stride = g.stride
    top = g.top
    left = g.left

    @device_function
    def grad_z_element(grad_z, pixel, term):  # noqa: ANN001, ANN202 - compiled
        """dz for `pixel` = (n, row, column) and `term` = (a, e, o); 0 if no output has the pixel at
        (a, e).
        """
        image_row, column = divide(pixel, width)
        n, row = divide(image_row, height)
        kernel_element, o = divide(term, maps)
        a, e = divide(kernel_element, wide)
        down = row + int32(top) - a
        across = column + int32(left) - e
        # `divide` is for numbers from 0 on.
        if down < 0 or across < 0:
            return float32(0)
        i, remainder_down = divide(down, stride)
        j, remainder_across = divide(across, stride)
        if remainder_down != 0 or remainder_across != 0 or i >= rows or j >= columns:
            return float32(0)
        return load(grad_z, int32(((n * rows + i) * columns + j) * maps + o))

    @device_function
    def weight(w, term, channel):  # noqa: ANN001, ANN202 - compiled
        """w[a, e, channel, o] for `term` = (a, e, o)."""
        kernel_element, o = divide(term, maps)
        a, e = divide(kernel_element, wide)
        return load(w, int32(((a * wide + e) * channels + channel) * maps + o))

    return grad_z_element, weight


class ConvolutionOperators(OperatorGroup):
    """Operators of convolutional layers, see `kernels.device.Device`."""

    def convolve(
        self, x: Array, w: Array, b: Array, stride: int, padding: str, activation: str, out: Array
    ) -> None:
        g = _geometry(x.shape, w.shape, out.shape, stride, padding)
        patch_element, _ = _load_patches(g)
        terms = g.tall * g.wide * g.channels
        self._products.launch(
            (patch_element, element, g.channels >= _MIN_CHANNELS_ALONG_K, False),
            bias_and_activation(CODES[activation]),
            x,
            w.reshape(terms, g.maps),
            _as_rows(out),
            b,
        )

    def convolve_input_gradient(
        self,
        grad_z: Array,
        w: Array,
        stride: int,
        padding: str,
        y: Array,
        activation: str,
        out: Array,
    ) -> None:
        g = _geometry(out.shape, w.shape, grad_z.shape, stride, padding)
        self._products.launch(
            (*_load_for_input_gradient(g), True, True),
            times_derivative(CODES[activation]),
            grad_z,
            w,
            _as_rows(out),
            None if y is None else _as_rows(y),
        )

    def convolve_weight_gradient(
        self, x: Array, grad_z: Array, stride: int, padding: str, out: Array
    ) -> None:
        g = _geometry(x.shape, out.shape, grad_z.shape, stride, padding)
        _, transposed_patch_element = _load_patches(g)
        self._products.launch(
            (transposed_patch_element, element, g.channels < _MIN_CHANNELS_ALONG_K, False),
            identity,
            x,
            _as_rows(grad_z),
            out.reshape(g.tall * g.wide * g.channels, g.maps),
        )


def _as_rows(images: Array) -> Array:
    """(n, h, w, c) as (n·h·w, c)."""
    channels = images.shape[3]
    return images.reshape(images.size // channels, channels)
