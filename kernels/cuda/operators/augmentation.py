"""Augmentation of a batch of images (see `kernels.augmentation`): a block per image, a loop over
its pixels.

The random numbers of an image are drawn once by its block: the affine map to shared memory, the
vectors of the elastic field to the workspace. The transformed image is stored to the workspace too,
because the change of stroke thickness reads the neighbors of each pixel. If the workspace is too
small for all images at once, blocks take several images in turn.
"""

import math

import numpy as np

from kernels import noise
from kernels.activations.activation import Scalar
from kernels.augmentation import (
    FIRST_DRAWS,
    LAYER,
    SPACING,
    SPLINE_SPREAD,
    AugmentationParams,
    controls,
)
from kernels.cuda.launcher import Scratch
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.toolkit import (
    THREADS_PER_BLOCK,
    cuda,
    device_function,
    divide,
    float32,
    float64,
    int32,
    kernel,
    require_float32,
)
from kernels.device import Array

# Elements of the shared array of an image: matrix, translated center, change of thickness.
_XX, _XY, _YX, _YY, _CENTER_X, _CENTER_Y, _THICKNESS = range(7)

_SPACING = np.float32(SPACING)
_SIXTH = np.float32(1 / 6)

_stream = device_function(noise.stream)
_draw = device_function(noise.draw)
_controls = device_function(controls)


@device_function
def _signed(key: int, index: int) -> float:
    """The noise at `index`, uniform on -1 .. 1, float64."""
    return _draw(key, index) * (2.0 / 4294967296.0) - 1.0


@device_function
def _spline(t: Scalar, k: int) -> Scalar:
    """Weight k of 4 of the uniform cubic B-spline at t, 0 to 1, between the two middle control
    points.
    """
    u = float32(1) - t
    if k == 0:
        return u * u * u * _SIXTH
    if k == 1:
        return (float32(3) * t * t * t - float32(6) * t * t + float32(4)) * _SIXTH
    if k == 2:
        return (float32(3) * u * u * u - float32(6) * u * u + float32(4)) * _SIXTH
    return t * t * t * _SIXTH


@device_function
def _pixel(x: Array, n: int, row: int, column: int) -> Scalar:
    """x[n, row, column, 0]; 0 outside the image."""
    if row < 0 or row >= x.shape[1] or column < 0 or column >= x.shape[2]:
        return float32(0)
    return x[n, row, column, 0]


@device_function
def _bilinear(x: Array, n: int, from_x: Scalar, from_y: Scalar) -> Scalar:
    """Image n of x at (from_x, from_y), in pixels, by bilinear interpolation."""
    left = int32(math.floor(from_x))
    top = int32(math.floor(from_y))
    right_weight = from_x - float32(left)
    lower_weight = from_y - float32(top)
    left_weight = float32(1) - right_weight
    upper = left_weight * _pixel(x, n, top, left) + right_weight * _pixel(x, n, top, left + 1)
    lower = left_weight * _pixel(x, n, top + 1, left) + right_weight * _pixel(
        x, n, top + 1, left + 1
    )
    return (float32(1) - lower_weight) * upper + lower_weight * lower


@device_function
def _change_thickness(
    space: Array, image: int, r: int, c: int, height: int, width: int, change: Scalar
) -> Scalar:
    """Pixel (r, c) of the image at space[image:], moved towards the maximum or minimum of its 3x3
    neighbors.

    `change` > 0 is the weight of the maximum; else -change / 2 is that of the minimum, since thin
    strokes would vanish.
    """
    weight = change if change > float32(0) else -change * float32(0.5)
    value = space[image + r * width + c]
    target = value
    for row in range(r - 1, r + 2):
        for column in range(c - 1, c + 2):
            neighbor = float32(0)
            if row >= 0 and row < height and column >= 0 and column < width:
                neighbor = space[image + row * width + column]
            target = max(target, neighbor) if change > float32(0) else min(target, neighbor)
    return value + weight * (target - value)


@device_function
def _draw_transform(
    image: Array,
    key: int,
    first: int,
    amounts: tuple[Scalar, ...],
    middle_x: Scalar,
    middle_y: Scalar,
) -> None:
    """Draw an image's affine map and its change of thickness; `amounts`: shift, rotation, scale,
    shear, thickness.
    """
    shift, rotation, scale, shear, thickness = amounts
    angle = rotation * math.pi / 180.0 * _signed(key, first + 2)
    scale_x = 1.0 + scale * _signed(key, first + 3)
    scale_y = 1.0 + scale * _signed(key, first + 4)
    shear_x = shear * _signed(key, first + 5)
    cosine = math.cos(float64(angle))
    sine = math.sin(float64(angle))
    image[_XX] = cosine * scale_x
    image[_XY] = (cosine * shear_x - sine) * scale_y
    image[_YX] = sine * scale_x
    image[_YY] = (sine * shear_x + cosine) * scale_y
    image[_CENTER_X] = middle_x + float32(shift * _signed(key, first))
    image[_CENTER_Y] = middle_y + float32(shift * _signed(key, first + 1))
    image[_THICKNESS] = thickness * _signed(key, first + 6)


@device_function
def _moved(
    space: Array,
    field: int,
    vectors: int,
    across: int,
    r: int,
    c: int,
    from_x: Scalar,
    from_y: Scalar,
) -> tuple[Scalar, Scalar]:
    """(from_x, from_y), moved by the elastic field at pixel (r, c); `across`: its vectors in a
    row.
    """
    cell_y, in_cell_y = divide(r, SPACING)
    cell_x, in_cell_x = divide(c, SPACING)
    for i in range(4):
        sum_x = float32(0)
        sum_y = float32(0)
        for j in range(4):
            weight = _spline(float32(in_cell_y) / _SPACING, j)
            vector = field + (cell_y + j) * across + cell_x + i
            sum_x += weight * space[vector]
            sum_y += weight * space[vector + vectors]
        weight = _spline(float32(in_cell_x) / _SPACING, i)
        from_x += weight * sum_x
        from_y += weight * sum_y
    return from_x, from_y


@kernel()
def _augment(x, shift, rotation, scale, shear, elastic, thickness, seed, counters, out, space):  # noqa: ANN001, ANN202
    """out (n, h, w, 1) = transformed images of x. Block b takes the images b, b + gridDim.x, ...

    `space` float32: for each block h·w floats of the image, then x and y of the vectors of the
    elastic field.
    """
    image = cuda.shared.array(7, dtype=float32)
    thread = cuda.threadIdx.x
    images, height, width, _ = x.shape
    down = _controls(height)
    across = _controls(width)
    pixels = height * width
    vectors = down * across
    transformed = cuda.blockIdx.x * (pixels + 2 * vectors)
    field = transformed + pixels
    key = _stream(seed, int(counters[1]), LAYER)
    reach = elastic / SPLINE_SPREAD
    middle_x = float32(width - 1) * float32(0.5)
    middle_y = float32(height - 1) * float32(0.5)
    for n in range(cuda.blockIdx.x, images, cuda.gridDim.x):
        first = n * (FIRST_DRAWS + 2 * vectors)
        if thread == 0:
            amounts = (shift, rotation, scale, shear, thickness)
            _draw_transform(image, key, first, amounts, middle_x, middle_y)
        if elastic > 0:
            # The x components of all vectors, then the y components.
            for v in range(thread, 2 * vectors, cuda.blockDim.x):
                space[field + v] = reach * _signed(key, first + FIRST_DRAWS + v)
        # All threads need the map that thread 0 has drawn, and the vectors of the others.
        cuda.syncthreads()
        for pixel in range(thread, pixels, cuda.blockDim.x):
            r, c = divide(pixel, width)
            offset_x = float32(c) - middle_x
            offset_y = float32(r) - middle_y
            from_x = image[_CENTER_X] + image[_XX] * offset_x + image[_XY] * offset_y
            from_y = image[_CENTER_Y] + image[_YX] * offset_x + image[_YY] * offset_y
            if elastic > 0:
                from_x, from_y = _moved(space, field, vectors, across, r, c, from_x, from_y)
            space[transformed + pixel] = _bilinear(x, n, from_x, from_y)
        # The change of thickness reads pixels of other threads.
        cuda.syncthreads()
        for pixel in range(thread, pixels, cuda.blockDim.x):
            r, c = divide(pixel, width)
            out[n, r, c, 0] = _change_thickness(
                space, transformed, r, c, height, width, image[_THICKNESS]
            )
        # The next image overwrites the workspace, which slower threads still read.
        cuda.syncthreads()


class AugmentationOperators(OperatorGroup):
    """Augmentation, see `kernels.device.Device`."""

    def augment(
        self, x: Array, amounts: AugmentationParams, seed: int, counters: Array, out: Array
    ) -> None:
        require_float32(x, out)
        images, height, width, _ = x.shape
        floats = height * width + 2 * controls(height) * controls(width)
        blocks = min(images, self._launcher.partial_floats // floats)
        if not blocks:
            raise ValueError(
                f"cuda: images of {height} x {width} are too large to be augmented on the card."
            )
        arguments = (x, *amounts.as_floats(), seed, counters, out)
        scratch = (Scratch.PARTIALS,)
        self._launcher.launch(
            _augment, (blocks, 1, 1), (THREADS_PER_BLOCK, 1, 1), arguments, (out,), scratch
        )
