"""Augmentation of a batch of images, one image after another, in loops that suit vector registers.

See `kernels.augmentation` for the method. An image is copied into a frame of zeros first, so that
no pixel has to test whether its source lies inside.
"""

from math import cos, pi, sin

import numpy as np

from kernels import noise
from kernels.augmentation import (
    FIRST_DRAWS,
    LAYER,
    SPACING,
    SPLINE_SPREAD,
    AugmentationParams,
    controls,
)
from kernels.compiled import compiled

_stream = compiled(noise.stream)
_draw = compiled(noise.draw)
_controls = compiled(controls)


@compiled
def _signed(key: int, index: int) -> float:
    """A random number, uniform on -1 .. 1."""
    return _draw(key, index) * (2.0 / 4294967296.0) - 1.0


@compiled
def _splines(size: int) -> np.ndarray:
    """(controls, size): the weight of every vector along an axis at every pixel, by the uniform
    cubic B-spline.
    """
    table = np.zeros((_controls(size), size), np.float32)
    for pixel in range(size):
        cell = pixel // SPACING
        t = (pixel % SPACING) / SPACING
        u = 1.0 - t
        table[cell, pixel] = u * u * u / 6.0
        table[cell + 1, pixel] = (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0
        table[cell + 2, pixel] = (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0
        table[cell + 3, pixel] = t * t * t / 6.0
    return table


@compiled
def _affine(key: int, first: int, amounts: AugmentationParams, transform: np.ndarray) -> None:
    """transform (6,) float32: xx, xy, yx, yy of A = turn · shear · stretch, and the shift's x and
    y.
    """
    angle = amounts.rotation * pi / 180.0 * _signed(key, first + 2)
    wide = 1.0 + amounts.scale * _signed(key, first + 3)
    tall = 1.0 + amounts.scale * _signed(key, first + 4)
    lean = amounts.shear * _signed(key, first + 5)
    transform[0] = cos(angle) * wide
    transform[1] = (cos(angle) * lean - sin(angle)) * tall
    transform[2] = sin(angle) * wide
    transform[3] = (sin(angle) * lean + cos(angle)) * tall
    transform[4] = amounts.shift * _signed(key, first)
    transform[5] = amounts.shift * _signed(key, first + 1)


@compiled
def _add_row_of_field(
    vectors: np.ndarray,
    down: np.ndarray,
    across: np.ndarray,
    r: int,
    from_x: np.ndarray,
    from_y: np.ndarray,
) -> None:
    """Add the elastic field of row r: Σ down[j, r] · across[i, c] · vectors[:, j, i]."""
    cell = r // SPACING
    for i in range(across.shape[0]):
        along_x = np.float32(0)
        along_y = np.float32(0)
        for j in range(cell, cell + 4):
            along_x += down[j, r] * vectors[0, j, i]
            along_y += down[j, r] * vectors[1, j, i]
        for c in range(from_x.size):
            from_x[c] += across[i, c] * along_x
            from_y[c] += across[i, c] * along_y


@compiled
def _warp(
    framed: np.ndarray,
    transform: np.ndarray,
    vectors: np.ndarray,
    splines: tuple[np.ndarray, np.ndarray],
    elastic: bool,
    sources: tuple[np.ndarray, np.ndarray],
    out: np.ndarray,
) -> None:
    """out (h, w) inside its own frame of 1, from `framed` (h + 3, w + 3), which holds the image at
    1, 1.

    `vectors` and `splines`, down and across, are those of the elastic field, if `elastic`.
    `sources` is scratch: x and y (w,) of the positions that the pixels of a row are read from.
    """
    down, across = splines
    from_x, from_y = sources
    height = framed.shape[0] - 3
    width = framed.shape[1] - 3
    one = np.float32(1)
    middle_x = np.float32((width - 1) / 2.0)
    middle_y = np.float32((height - 1) / 2.0)
    # Positions in the frame, where the image begins at (1, 1).
    start_x = middle_x + transform[4] + one
    start_y = middle_y + transform[5] + one
    # Positions outside are moved into the margin of zeros, whose last pixel is the right neighbor.
    last_x = np.float32(width + 1)
    last_y = np.float32(height + 1)
    for r in range(height):
        y = np.float32(r) - middle_y
        for c in range(width):
            x = np.float32(c) - middle_x
            from_x[c] = start_x + transform[0] * x + transform[1] * y
            from_y[c] = start_y + transform[2] * x + transform[3] * y
        if elastic:
            _add_row_of_field(vectors, down, across, r, from_x, from_y)
        for c in range(width):
            sx = min(max(from_x[c], np.float32(0)), last_x)
            sy = min(max(from_y[c], np.float32(0)), last_y)
            left = int(sx)
            top = int(sy)
            right = sx - np.float32(left)
            low = sy - np.float32(top)
            upper = framed[top, left] * (one - right) + framed[top, left + 1] * right
            lower = framed[top + 1, left] * (one - right) + framed[top + 1, left + 1] * right
            out[r + 1, c + 1] = upper * (one - low) + lower * low


@compiled
def _thicken(framed: np.ndarray, amount: float, rows: np.ndarray, out: np.ndarray) -> None:
    """out (h, w) = the image in `framed` (h + 2, w + 2), moved towards the maximum or minimum of
    3x3 pixels.

    Half as far towards the minimum: otherwise thin strokes would vanish. `rows` (h + 2, w) is
    scratch.
    """
    height, width = out.shape
    sign = np.float32(1 if amount > 0 else -1)
    fraction = np.float32(amount if amount > 0 else -amount / 2)
    for r in range(height + 2):
        for c in range(width):
            rows[r, c] = max(
                max(sign * framed[r, c], sign * framed[r, c + 1]), sign * framed[r, c + 2]
            )
    for r in range(height):
        for c in range(width):
            target = sign * max(max(rows[r, c], rows[r + 1, c]), rows[r + 2, c])
            value = framed[r + 1, c + 1]
            out[r, c] = value + fraction * (target - value)


@compiled
def augment_images(
    x: np.ndarray,
    start: int,
    stop: int,
    amounts: AugmentationParams,
    seed: int,
    counters: np.ndarray,
    out: np.ndarray,
) -> None:
    """The images (n, h, w) of a batch from `start` up to `stop`, so that several threads can divide
    a batch.
    """
    height = x.shape[1]
    width = x.shape[2]
    key = _stream(seed, int(counters[1]), LAYER)
    down = _splines(height)
    across = _splines(width)
    # As many for every image, whatever is used: an effect does not change the numbers of another.
    draws = FIRST_DRAWS + 2 * down.shape[0] * across.shape[0]
    elastic = amounts.elastic != 0
    reach = amounts.elastic / SPLINE_SPREAD
    transform = np.empty(6, np.float32)
    vectors = np.empty((2, down.shape[0], across.shape[0]), np.float32)
    sources = np.empty(width, np.float32), np.empty(width, np.float32)
    framed = np.zeros((height + 3, width + 3), np.float32)
    warped = np.zeros((height + 2, width + 2), np.float32)
    rows = np.empty((height + 2, width), np.float32)
    for n in range(start, stop):
        first = n * draws
        framed[1 : height + 1, 1 : width + 1] = x[n]
        _affine(key, first, amounts, transform)
        if elastic:
            flat = vectors.reshape(-1)
            for k in range(flat.size):
                flat[k] = reach * _signed(key, first + FIRST_DRAWS + k)
        _warp(framed, transform, vectors, (down, across), elastic, sources, warped)
        if amounts.thickness:
            _thicken(warped, amounts.thickness * _signed(key, first + 6), rows, out[n])
        else:
            out[n] = warped[1 : height + 1, 1 : width + 1]


class AugmentationOperators:
    """Augmentation; `counters[1]` is the number of steps done."""

    def augment(
        self,
        x: np.ndarray,
        amounts: AugmentationParams,
        seed: int,
        counters: np.ndarray,
        out: np.ndarray,
    ) -> None:
        augment_images(x[..., 0], 0, len(x), amounts.as_floats(), seed, counters, out[..., 0])
