"""Augmentation of a batch of images on the card: a block of threads an image, a thread every so many pixels.

What is random of an image is drawn once by its block: seven numbers in shared memory, the grid of the elastic
field in the work space, where the bent image waits for its strokes to grow or shrink as well. A block takes
several images in turn where the work space does not hold all.
"""

import math
from typing import Any

import numpy as np
from numba import float32, float64, int32

from kernels import noise
from kernels.augmentation import FIRST_DRAWS, LAYER, SPACING, SPLINE_SPREAD, AugmentationParams, controls
from kernels.cuda.operators.indices import divide
from kernels.cuda.queue import Queue
from kernels.cuda.toolkit import THREADS, cuda, inlined, is_float32, kernel

# What a block knows of its image: the matrix xx, xy, yx, yy, the start x, y, and how strokes change.
_XX, _XY, _YX, _YY, _START_X, _START_Y, _GROWTH = range(7)

_SPACING = np.float32(SPACING)
_SIXTH = np.float32(1 / 6)

_stream = inlined(noise.stream)
_draw = inlined(noise.draw)
_controls = inlined(controls)


@inlined
def _signed(key: int, index: int) -> float:
    """Uniform on -1 .. 1."""
    return _draw(key, index) * (2.0 / 4294967296.0) - 1.0


@inlined
def _spline(t: Any, k: int) -> Any:
    """Weight k of 4 of the uniform cubic B-spline at the place t, 0 to 1, between the middle two."""
    rest = float32(1) - t
    if k == 0:
        return rest * rest * rest * _SIXTH
    if k == 1:
        return (float32(3) * t * t * t - float32(6) * t * t + float32(4)) * _SIXTH
    if k == 2:
        return (float32(3) * rest * rest * rest - float32(6) * rest * rest + float32(4)) * _SIXTH
    return t * t * t * _SIXTH


@inlined
def _pixel(x: Any, n: int, row: int, column: int) -> Any:
    """x[n, row, column, 0], 0 outside the image."""
    if row < 0 or row >= x.shape[1] or column < 0 or column >= x.shape[2]:
        return float32(0)
    return x[n, row, column, 0]


@kernel()
def _augment(x, shift, rotation, scale, shear, elastic, thickness, seed, counters, out, space):  # noqa: ANN001, ANN202
    """Grid: blocks that take the images in turn. `space`: for each block h·w floats and two a grid vector."""
    facts = cuda.shared.array(7, dtype=float32)
    thread = cuda.threadIdx.x
    images, height, width, _ = x.shape
    down, across = _controls(height), _controls(width)
    pixels = height * width
    vectors = down * across
    bent = cuda.blockIdx.x * (pixels + 2 * vectors)
    field = bent + pixels
    key = _stream(seed, int(counters[1]), LAYER)
    reach = elastic / SPLINE_SPREAD
    middle_x = float32(width - 1) * float32(0.5)
    middle_y = float32(height - 1) * float32(0.5)
    for n in range(cuda.blockIdx.x, images, cuda.gridDim.x):
        first = n * (FIRST_DRAWS + 2 * vectors)
        if thread == 0:
            angle = rotation * math.pi / 180.0 * _signed(key, first + 2)
            wide = 1.0 + scale * _signed(key, first + 3)
            tall = 1.0 + scale * _signed(key, first + 4)
            lean = shear * _signed(key, first + 5)
            cosine, sine = math.cos(float64(angle)), math.sin(float64(angle))
            facts[_XX] = cosine * wide
            facts[_XY] = (cosine * lean - sine) * tall
            facts[_YX] = sine * wide
            facts[_YY] = (sine * lean + cosine) * tall
            facts[_START_X] = middle_x + float32(shift * _signed(key, first))
            facts[_START_Y] = middle_y + float32(shift * _signed(key, first + 1))
            facts[_GROWTH] = thickness * _signed(key, first + 6)
        if elastic > 0:
            # All steps across first, then all steps down.
            for v in range(thread, 2 * vectors, cuda.blockDim.x):
                space[field + v] = reach * _signed(key, first + FIRST_DRAWS + v)
        cuda.syncthreads()
        for pixel in range(thread, pixels, cuda.blockDim.x):
            r, c = divide(pixel, width)
            x_off = float32(c) - middle_x
            y_off = float32(r) - middle_y
            from_x = facts[_START_X] + facts[_XX] * x_off + facts[_XY] * y_off
            from_y = facts[_START_Y] + facts[_YX] * x_off + facts[_YY] * y_off
            if elastic > 0:
                cell_y, rest_y = divide(r, SPACING)
                cell_x, rest_x = divide(c, SPACING)
                for i in range(4):
                    along_x = float32(0)
                    along_y = float32(0)
                    for j in range(4):
                        weight = _spline(float32(rest_y) / _SPACING, j)
                        vector = field + (cell_y + j) * across + cell_x + i
                        along_x += weight * space[vector]
                        along_y += weight * space[vector + vectors]
                    weight = _spline(float32(rest_x) / _SPACING, i)
                    from_x += weight * along_x
                    from_y += weight * along_y
            left = int32(math.floor(from_x))
            top = int32(math.floor(from_y))
            right_share = from_x - float32(left)
            low_share = from_y - float32(top)
            left_share = float32(1) - right_share
            upper = left_share * _pixel(x, n, top, left) + right_share * _pixel(x, n, top, left + 1)
            lower = left_share * _pixel(x, n, top + 1, left) + right_share * _pixel(x, n, top + 1, left + 1)
            space[bent + pixel] = (float32(1) - low_share) * upper + low_share * lower
        cuda.syncthreads()
        growth = facts[_GROWTH]
        # Half as far towards the least: thin strokes would vanish.
        share = growth if growth > float32(0) else -growth * float32(0.5)
        for pixel in range(thread, pixels, cuda.blockDim.x):
            r, c = divide(pixel, width)
            here = space[bent + pixel]
            aim = here
            for row in range(r - 1, r + 2):
                for column in range(c - 1, c + 2):
                    # Around the image lies a frame of zeros.
                    near = float32(0)
                    if row >= 0 and row < height and column >= 0 and column < width:
                        near = space[bent + row * width + column]
                    aim = max(aim, near) if growth > float32(0) else min(aim, near)
            out[n, r, c, 0] = here + share * (aim - here)
        # The next image overwrites what this one's slower threads still read.
        cuda.syncthreads()


class AugmentationOperators:
    """Of the device contract; `_queue` is the device's."""

    _queue: Queue

    def augment(self, x: Any, amounts: AugmentationParams, seed: int, counters: Any, out: Any) -> None:
        is_float32(x, out)
        images, height, width, _ = x.shape
        share = height * width + 2 * controls(height) * controls(width)
        blocks = min(images, self._queue.share_floats // share)
        if not blocks:
            raise ValueError(f"cuda: images of {height} x {width} are too large to be augmented on the card.")
        self._queue.launch(
            _augment, (blocks, 1, 1), (THREADS, 1, 1),
            lambda scratch: (x, *(float(a) for a in amounts), seed, counters, out, scratch.shares),
            (x, counters), (out,),
        )  # fmt: skip
