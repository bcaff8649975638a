"""Winograd's minimal filtering: a k x k convolution of stride 1 by products at 8 x 8 points.

A polynomial of degree 7 is known by its values at eight points. A tile of 8 x 8 inputs and a k x k
kernel (k = 3, 5 or 7) are evaluated at the points in both directions, multiplied there, and m x m
outputs with m = 9 - k are computed from the products; the sums over channels are one matrix product
for each point. So m² outputs cost 64 multiplications a channel and map instead of m²k²: 6.25 times
fewer for k = 5 (Winograd 1980; Lavin, Gray 2016). In one dimension, with d the tile and g the
kernel,

    y = Aᵀ [(G g) ⊙ (Bᵀ d)]   and, its adjoint in g,   grad_g = Gᵀ [(A grad_y) ⊙ (Bᵀ d)],

so that the weight gradient uses the same two transforms of 8 points and costs as much as the
forward pass.

The points are 0, ±1, ±2, ±1/2 and infinity. B depends on them alone, A and G on k too: A[p, i] =
pⁱ, G[p, j] = pʲ / Π(p - q) over the other finite points q, and infinity is the last coefficient. In
float32 the largest error over the largest result, measured against float64 with 4 to 64 channels,
is 1e-5 for k = 3 and 5 and 2e-5 for k = 7; a plain sum's is about 1e-6.
"""

from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
from numpy.typing import DTypeLike

from kernels.compiled import compiled_fast, compiled_part
from kernels.vectorized.native import copy_sixteen

POINTS = 8
# Channels transformed at once, as many as `copy_sixteen` copies: a tile of them is 4 KiB in float32
# and stays in the first cache.
LANES = 16
ROW = POINTS * LANES
TILE = POINTS * ROW
SIZES = (3, 5, 7)
_FINITE = tuple(Fraction(p) for p in ("0", "1", "-1", "2", "-2", "1/2", "-1/2"))


@cache
def kernel_matrix(size: int, flipped: bool, dtype: DTypeLike) -> np.ndarray:
    """G ⊗ G, of shape (64, size²): a kernel's values at the points; if `flipped`, the kernel
    rotated by 180°.
    """
    rows = [[p**j / prod(p - q for q in _FINITE if q != p) for j in range(size)] for p in _FINITE]
    rows.append([Fraction(int(j == size - 1)) for j in range(size)])
    g = np.array([[float(value) for value in row] for row in rows])
    if flipped:
        g = g[:, ::-1]
    return np.ascontiguousarray(np.kron(g, g), dtype=dtype)


# In float32, so that they keep the type of float32 and of float64 values; all are exact.
_TWO, _FOUR, _FIVE, _EIGHT, _SIXTEEN, _32 = map(np.float32, (2, 4, 5, 8, 16, 32))
_HALF, _QUARTER, _EIGHTH, _16TH, _32ND = map(np.float32, (1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32))
_21_4TH, _17_4TH, _5_HALVES, _5_4TH = map(np.float32, (21 / 4, 17 / 4, 5 / 2, 5 / 4))


@compiled_part
def _column(source: np.ndarray, at: int) -> tuple[np.floating, ...]:
    """The eight numbers of a column of a tile, from index `at` on."""
    return (
        source[at],
        source[at + ROW],
        source[at + 2 * ROW],
        source[at + 3 * ROW],
        source[at + 4 * ROW],
        source[at + 5 * ROW],
        source[at + 6 * ROW],
        source[at + 7 * ROW],
    )


@compiled_part
def _put_pairs(
    target: np.ndarray, to: int, pairs: tuple[tuple[np.floating, np.floating], ...]
) -> None:
    """Sum and difference of each pair, one after the other: the values of a polynomial at p and at
    -p.
    """
    (even1, odd1), (even2, odd2), (even3, odd3) = pairs
    target[to] = even1 + odd1
    target[to + LANES] = even1 - odd1
    target[to + 2 * LANES] = even2 + odd2
    target[to + 3 * LANES] = even2 - odd2
    target[to + 4 * LANES] = even3 + odd3
    target[to + 5 * LANES] = even3 - odd3


@compiled_fast
def _evaluate(source: np.ndarray, target: np.ndarray) -> None:
    """target = (Bᵀ source)ᵀ along the first of a tile's two directions, so that twice does both."""
    for column in range(POINTS):
        for lane in range(LANES):
            d0, d1, d2, d3, d4, d5, d6, d7 = _column(source, column * LANES + lane)
            even1 = d2 + d6 - _17_4TH * d4
            odd1 = d1 + d5 - _17_4TH * d3
            even2 = _QUARTER * d2 - _5_4TH * d4 + d6
            odd2 = _HALF * d1 - _5_HALVES * d3 + _TWO * d5
            even3 = _FOUR * d2 - _FIVE * d4 + d6
            odd3 = _TWO * d1 - _5_HALVES * d3 + _HALF * d5
            to = column * ROW + lane
            target[to] = d6 - d0 + _21_4TH * (d2 - d4)
            _put_pairs(target, to + LANES, ((even1, odd1), (even2, odd2), (even3, odd3)))
            target[to + 7 * LANES] = d7 - d1 + _21_4TH * (d3 - d5)


@compiled_fast
def _interpolate(source: np.ndarray, target: np.ndarray, m: int, columns: int) -> None:
    """target = (Aᵀ source)ᵀ along the first direction, for `columns` columns; rows from m on are
    undefined.
    """
    for column in range(columns):
        for lane in range(LANES):
            m0, m1, m2, m3, m4, m5, m6, _ = _column(source, column * LANES + lane)
            sum1 = m1 + m2
            difference1 = m1 - m2
            sum2 = m3 + m4
            difference2 = m3 - m4
            sum3 = m5 + m6
            difference3 = m5 - m6
            to = column * ROW + lane
            target[to] = m0 + sum1 + sum2 + sum3
            target[to + LANES] = difference1 + _TWO * difference2 + _HALF * difference3
            target[to + 2 * LANES] = sum1 + _FOUR * sum2 + _QUARTER * sum3
            target[to + 3 * LANES] = difference1 + _EIGHT * difference2 + _EIGHTH * difference3
            target[to + 4 * LANES] = sum1 + _SIXTEEN * sum2 + _16TH * sum3
            target[to + 5 * LANES] = difference1 + _32 * difference2 + _32ND * difference3
    last = (m - 1) * LANES
    for column in range(columns):
        for lane in range(LANES):
            target[column * ROW + last + lane] += source[7 * ROW + column * LANES + lane]


@compiled_fast
def _spread(source: np.ndarray, target: np.ndarray, m: int, columns: int) -> None:
    """target = (A source)ᵀ along the first direction, for `columns` columns; source is 0 from row m
    on.
    """
    for column in range(columns):
        for lane in range(LANES):
            d0, d1, d2, d3, d4, d5, _, _ = _column(source, column * LANES + lane)
            even1 = d0 + d2 + d4
            odd1 = d1 + d3 + d5
            even2 = d0 + _FOUR * d2 + _SIXTEEN * d4
            odd2 = _TWO * d1 + _EIGHT * d3 + _32 * d5
            even3 = d0 + _QUARTER * d2 + _16TH * d4
            odd3 = _HALF * d1 + _EIGHTH * d3 + _32ND * d5
            to = column * ROW + lane
            target[to] = d0
            _put_pairs(target, to + LANES, ((even1, odd1), (even2, odd2), (even3, odd3)))
    last = (m - 1) * ROW
    for column in range(columns):
        for lane in range(LANES):
            target[column * ROW + 7 * LANES + lane] = source[last + column * LANES + lane]


@compiled_part
def _copy(source: np.ndarray, at: int, target: np.ndarray, to: int, lanes: int) -> None:
    """target[to : to + lanes] = source[at : at + lanes]."""
    if lanes == LANES:
        copy_sixteen(source, at, target, to)
    else:
        for lane in range(lanes):
            target[to + lane] = source[at + lane]


@compiled_fast
def _load(x: np.ndarray, top: int, left: int, channel: int, rows: int, tile: np.ndarray) -> None:
    """The tile's rows x rows pixels of image x (h, w, c) from (top, left), 16 channels of them, 0
    outside.
    """
    height, width, channels = x.shape
    # With a start that the compiler knows is not negative, it omits the test for indices from the
    # end.
    channel = max(channel, 0)
    lanes = min(LANES, channels - channel)
    for i in range(rows):
        for j in range(rows):
            to = (i * POINTS + j) * LANES
            if 0 <= top + i < height and 0 <= left + j < width:
                _copy(x[top + i, left + j], channel, tile, to, lanes)
            else:
                for lane in range(LANES):
                    tile[to + lane] = 0


@compiled_fast
def _store(tile: np.ndarray, at: int, channel: int, values: np.ndarray) -> None:
    """values[p, at, channel:channel + 16] = the tile's numbers at each of the 64 points p."""
    at = max(at, 0)
    channel = max(channel, 0)
    lanes = min(LANES, values.shape[2] - channel)
    for p in range(POINTS * POINTS):
        _copy(tile, p * LANES, values[p, at], channel, lanes)


@compiled_fast
def _fetch(values: np.ndarray, at: int, channel: int, tile: np.ndarray) -> None:
    """The reverse of `_store`."""
    at = max(at, 0)
    channel = max(channel, 0)
    lanes = min(LANES, values.shape[2] - channel)
    for p in range(POINTS * POINTS):
        _copy(values[p, at], channel, tile, p * LANES, lanes)


@compiled_fast
def _write(tile: np.ndarray, m: int, top: int, left: int, channel: int, out: np.ndarray) -> None:
    """The m x m pixels of image out (h, w, maps) from (top, left), clipped to the image."""
    height, width, maps = out.shape
    top = max(top, 0)
    left = max(left, 0)
    channel = max(channel, 0)
    lanes = min(LANES, maps - channel)
    for i in range(min(m, height - top)):
        for j in range(min(m, width - left)):
            _copy(tile, (i * POINTS + j) * LANES, out[top + i, left + j], channel, lanes)


@compiled_fast
def evaluate_inputs(
    x: np.ndarray, pad: tuple[int, int], m: int, across: int, values: np.ndarray, tiles: np.ndarray
) -> None:
    """values (64, n·t + 1, c) = Bᵀ d B of each of the t tiles d of every image of x (n, h, w, c).

    Tiles begin m pixels apart, `across` of them in a row; `pad` zeros lie above and to the left of
    an image. The last of each point's values is not used: it keeps the 64 points of a tile out of
    one set of the cache. `tiles` (3, TILE) is scratch.
    """
    images, _, _, channels = x.shape
    count = (values.shape[1] - 1) // images
    first = tiles[0]
    second = tiles[1]
    for n in range(images):
        image = x[n]
        for t in range(count):
            for channel in range(0, channels, LANES):
                _load(
                    image, t // across * m - pad[0], t % across * m - pad[1], channel, POINTS, first
                )
                _evaluate(first, second)
                _evaluate(second, first)
                _store(first, n * count + t, channel, values)


@compiled_fast
def spread_outputs(
    grad_z: np.ndarray, m: int, across: int, values: np.ndarray, tiles: np.ndarray
) -> None:
    """values (64, n·t + 1, maps) = A d Aᵀ of each of the t m x m tiles d of each image of grad_z
    (n, h, w, maps).

    The other arguments are those of `evaluate_inputs`.
    """
    images, _, _, maps = grad_z.shape
    count = (values.shape[1] - 1) // images
    first = tiles[0]
    second = tiles[1]
    third = tiles[2]
    # Rows and columns from m on are never written, so they are cleared once.
    first[:] = 0
    second[:] = 0
    for n in range(images):
        image = grad_z[n]
        for t in range(count):
            for channel in range(0, maps, LANES):
                _load(image, t // across * m, t % across * m, channel, m, first)
                _spread(first, second, m, m)
                _spread(second, third, m, np.int64(POINTS))
                _store(third, n * count + t, channel, values)


@compiled_fast
def interpolate_outputs(
    values: np.ndarray, m: int, across: int, out: np.ndarray, tiles: np.ndarray
) -> None:
    """out (n, h, w, maps) = Aᵀ v A of each tile v of values (64, n·t + 1, maps), cut to the images'
    size.
    """
    images, _, _, maps = out.shape
    count = (values.shape[1] - 1) // images
    first = tiles[0]
    second = tiles[1]
    for n in range(images):
        image = out[n]
        for t in range(count):
            for channel in range(0, maps, LANES):
                _fetch(values, n * count + t, channel, first)
                # Not the constant itself, for which Numba would compile the function a second time.
                _interpolate(first, second, m, np.int64(POINTS))
                _interpolate(second, first, m, m)
                _write(first, m, t // across * m, t % across * m, channel, image)
