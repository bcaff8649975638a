"""Convolutions as matrix products of image patches (implicit GEMM): patches are loaded straight
from the images.

A convolution is the product of the patch matrix, one patch a row, with the weights: (n·h'·w',
k·l·c) · (k·l·c, maps). The patch matrix is never stored; device functions compute where its
elements are in the images. Sizes are arguments, those by which is divided with a multiplier, so
that divisions become multiplications. (Chetlur et al. 2014, "cuDNN: Efficient Primitives for Deep
Learning", section 3.)
"""

from functools import cache

from kernels.activations import CODES
from kernels.activations.activation import Scalar
from kernels.cuda.operators.activations import bias_and_activation, identity, times_derivative
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.operators.dense import element
from kernels.cuda.operators.product import Form
from kernels.cuda.toolkit import (
    DeviceFunction,
    device_function,
    float32,
    int32,
    load,
    uint32,
    uint64,
)
from kernels.device import Array, zeros_above_and_left

# With this many channels or more, threads load a patch along k: enough of its elements have
# consecutive addresses.
_MIN_CHANNELS_ALONG_K = 4

Sizes = tuple[int, ...]

# Where a size is in the argument `sizes`; behind those by which is divided are a multiplier and a
# shift.
_HEIGHT, _WIDTH, _CHANNELS, _WIDE, _ROWS, _COLUMNS, _MAPS, _STRIDE = range(0, 24, 3)
_TOP = 24
_LEFT = 25


@cache
def _sizes(
    images: tuple[int, ...],
    kernel: tuple[int, ...],
    outputs: tuple[int, ...],
    stride: int,
    padding: str,
) -> Sizes:
    """Of images (n, h, w, c), kernels (k, l, c, maps) and outputs (n, h', w', maps)."""
    divisors = (*images[1:], kernel[1], *outputs[1:], stride)
    with_reciprocals = [number for each in divisors for number in (each, *reciprocal(each))]
    return (*with_reciprocals, *zeros_above_and_left(images, kernel, stride, padding))


def reciprocal(divisor: int) -> tuple[int, int]:
    """(multiplier below 2³², shift): number // divisor = number · multiplier >> (31 + shift) for
    numbers from 0 to 2³¹ - 1 (Granlund, Montgomery 1994, theorem 4.2).

    >>> multiplier, shift = reciprocal(7)
    >>> (2**31 - 1) * multiplier >> (31 + shift) == (2**31 - 1) // 7
    True
    """
    shift = (divisor - 1).bit_length()
    return -(-(1 << (31 + shift)) // divisor), shift


@device_function
def _divide(number: int, sizes: Sizes, size: int) -> tuple[int, int]:
    """(number // sizes[size], number % sizes[size]), int32, for a number from 0 to 2³¹ - 1."""
    doubled = uint64(uint32(uint32(number) + uint32(number)))
    product = (doubled * uint64(sizes[size + 1])) >> uint64(32)
    quotient = uint32(product >> uint64(sizes[size + 2]))
    return int32(quotient), int32(uint32(number) - quotient * sizes[size])


@device_function
def patch_element(x: Array, output: int, term: int, sizes: Sizes) -> Scalar:
    """Element `term` = (a, e, channel) of the patch of `output` = (n, i, j) in x (n, h, w, c); 0
    outside the image.
    """
    output_row, j = _divide(output, sizes, _COLUMNS)
    n, i = _divide(output_row, sizes, _ROWS)
    kernel_element, channel = _divide(term, sizes, _CHANNELS)
    a, e = _divide(kernel_element, sizes, _WIDE)
    height = int32(sizes[_HEIGHT])
    width = int32(sizes[_WIDTH])
    row = int32(i * int32(sizes[_STRIDE]) + a - int32(sizes[_TOP]))
    column = int32(j * int32(sizes[_STRIDE]) + e - int32(sizes[_LEFT]))
    if row < 0 or row >= height or column < 0 or column >= width:
        return float32(0)
    return load(x, int32(((n * height + row) * width + column) * int32(sizes[_CHANNELS]) + channel))


@device_function
def transposed_patch_element(x: Array, term: int, output: int, sizes: Sizes) -> Scalar:
    return patch_element(x, output, term, sizes)


def _load_grad_z(is_strided: bool) -> DeviceFunction:
    """Device function that loads dz for the input gradient. Most layers have a stride of 1, with
    which nothing has to be divided.

    dx[pixel, channel] = Σ dz[i, j, o] · w[a, e, channel, o] over (a, e, o), where (i, j) is the
    output whose patch has the pixel at (a, e).
    """

    @device_function
    def grad_z_element(grad_z, pixel, term, sizes):  # noqa: ANN001, ANN202 - compiled
        """dz for `pixel` = (n, row, column) and `term` = (a, e, o); 0 if no output has the pixel at
        (a, e).
        """
        image_row, column = _divide(pixel, sizes, _WIDTH)
        n, row = _divide(image_row, sizes, _HEIGHT)
        kernel_element, o = _divide(term, sizes, _MAPS)
        a, e = _divide(kernel_element, sizes, _WIDE)
        rows = int32(sizes[_ROWS])
        columns = int32(sizes[_COLUMNS])
        i = int32(row + int32(sizes[_TOP]) - a)
        j = int32(column + int32(sizes[_LEFT]) - e)
        # `_divide` is for numbers from 0 on.
        if i < 0 or j < 0:
            return float32(0)
        if is_strided:
            i, remainder_down = _divide(i, sizes, _STRIDE)
            j, remainder_across = _divide(j, sizes, _STRIDE)
            if remainder_down != 0 or remainder_across != 0:
                return float32(0)
        if i >= rows or j >= columns:
            return float32(0)
        return load(grad_z, int32(((n * rows + i) * columns + j) * int32(sizes[_MAPS]) + o))

    return grad_z_element


@device_function
def weight_of_term(w: Array, term: int, channel: int, sizes: Sizes) -> Scalar:
    """w[a, e, channel, o] for `term` = (a, e, o)."""
    kernel_element, o = _divide(term, sizes, _MAPS)
    channels = int32(sizes[_CHANNELS])
    return load(w, int32((kernel_element * channels + channel) * int32(sizes[_MAPS]) + o))


_PATCHES = (patch_element, element)
_TRANSPOSED = (transposed_patch_element, element)

# By whether images have many channels; the input gradient by whether the stride is more than 1.
FORWARD = {many: Form(_PATCHES, (many, False), bias_and_activation) for many in (False, True)}
WEIGHT_GRADIENT = {many: Form(_TRANSPOSED, (not many, False), identity) for many in (False, True)}
INPUT_GRADIENT = {
    is_strided: Form((_load_grad_z(is_strided), weight_of_term), (True, True), times_derivative)
    for is_strided in (False, True)
}


class ConvolutionOperators(OperatorGroup):
    """Operators of convolutional layers, see `kernels.device.Device`."""

    def convolve(
        self, x: Array, w: Array, b: Array, stride: int, padding: str, activation: str, out: Array
    ) -> None:
        sizes = _sizes(tuple(x.shape), tuple(w.shape), tuple(out.shape), stride, padding)
        maps = w.shape[3]
        form = FORWARD[x.shape[3] >= _MIN_CHANNELS_ALONG_K]
        weights = w.reshape(w.size // maps, maps)
        self._products.launch(form, (x, weights, _as_rows(out)), b, CODES[activation], sizes)

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
        sizes = _sizes(tuple(out.shape), tuple(w.shape), tuple(grad_z.shape), stride, padding)
        rows = None if y is None else _as_rows(y)
        form = INPUT_GRADIENT[stride > 1]
        self._products.launch(form, (grad_z, w, _as_rows(out)), rows, CODES[activation], sizes)

    def convolve_weight_gradient(
        self, x: Array, grad_z: Array, stride: int, padding: str, out: Array
    ) -> None:
        sizes = _sizes(tuple(x.shape), tuple(out.shape), tuple(grad_z.shape), stride, padding)
        maps = out.shape[3]
        form = WEIGHT_GRADIENT[x.shape[3] >= _MIN_CHANNELS_ALONG_K]
        weights = out.reshape(out.size // maps, maps)
        self._products.launch(form, (x, _as_rows(grad_z), weights), sizes=sizes)


def _as_rows(images: Array) -> Array:
    """(n, h, w, c) as (n·h·w, c)."""
    channels = images.shape[3]
    return images.reshape(images.size // channels, channels)
