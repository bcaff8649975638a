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
pⁱ, G[p, j] = pʲ / Π(p - q) over the other finite points q, Bᵀ[p] = the coefficients of Π(x - q),
and infinity is the last coefficient. In float32 the largest error over the largest result, measured
against float64 with 4 to 64 channels, is 1e-5 for k = 3 and 5 and 2e-5 for k = 7; a plain sum's is
about 1e-6.
"""

from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
from numpy.typing import DTypeLike

from kernels.compiled import compiled_fast
from kernels.vectorized.vectors import LANES, multiply, vector_maps

POINTS = 8
SIZES = (3, 5, 7)
_FINITE = tuple(Fraction(p) for p in ("0", "1", "-1", "2", "-2", "1/2", "-1/2"))


@cache
def kernel_matrix(size: int, dtype: DTypeLike) -> np.ndarray:
    """G ⊗ G, of shape (64, size²): a kernel's values at the points."""
    rows = [[p**j / prod(p - q for q in _FINITE if q != p) for j in range(size)] for p in _FINITE]
    g = _as_floats([*rows, _last(size)])
    return np.kron(g, g).astype(dtype)


def _last(size: int) -> list[Fraction]:
    return [Fraction(int(j == size - 1)) for j in range(size)]


def _as_floats(rows: list[list[Fraction]]) -> np.ndarray:
    return np.array([[float(value) for value in row] for row in rows])


def _output_matrix(m: int) -> np.ndarray:
    """A, of shape (8, m)."""
    return _as_floats([*([p**i for i in range(m)] for p in _FINITE), _last(m)])


def _coefficients(roots: list[Fraction]) -> list[Fraction]:
    """Of the polynomial Π(x - q), that of x⁰ first: eight of them."""
    zero = Fraction(0)
    found = [Fraction(1)]
    for root in roots:
        found = [a - root * b for a, b in zip([zero, *found], [*found, zero], strict=True)]
    return found + [zero] * (POINTS - len(found))


_INPUTS = _as_floats(
    [
        *(_coefficients([q for q in _FINITE if q != p]) for p in _FINITE),
        _coefficients(list(_FINITE)),
    ]
)
_OUTPUTS = {POINTS + 1 - size: _output_matrix(POINTS + 1 - size) for size in SIZES}
# By the number of pixels in a row of a tile: 8 inputs, or the gradients of m outputs.
_to_points = vector_maps({POINTS: _INPUTS, **_OUTPUTS})
_from_points = vector_maps({m: matrix.T for m, matrix in _OUTPUTS.items()})


@compiled_fast
def place(image: np.ndarray, top: int, left: int, out: np.ndarray) -> None:
    """out (h', w', c') = the image (h, w, c) from (top, left) on, cut at its edges, and zeros
    around it.
    """
    height, width, channels = image.shape
    channels = min(channels, out.shape[2])
    low = max(0, left)
    high = max(low, min(out.shape[1], width + left))
    for i in range(out.shape[0]):
        if i < top or i >= top + height:
            out[i] = 0
            continue
        out[i, :low] = 0
        out[i, high:] = 0
        out[i, low:high, channels:] = 0
        for j in range(low, high):
            for channel in range(channels):
                out[i, j, channel] = image[i - top, j - left, channel]


@compiled_fast
def _evaluate(
    inputs: int, m: int, image: np.ndarray, lines: np.ndarray, values: np.ndarray
) -> None:
    """values (t, 65, c) = the values of each of the t tiles of an image (h, w, c) at the points.

    Tiles have `inputs` x `inputs` pixels and begin m pixels apart. The last of each tile's values
    is not used: it keeps the tiles apart in the cache. `lines` (8 · w · c or more) is scratch.
    """
    height, width, channels = image.shape
    across = (width - inputs) // m + 1
    line = width * channels
    pixels = image.reshape(-1)
    places = values.reshape(-1)
    to = 0
    for i in range((height - inputs) // m + 1):
        for at in range(0, line, LANES):
            _to_points(inputs, pixels, i * m * line + at, line, lines, at, line)
        for j in range(across):
            for p in range(POINTS):
                at = p * line + j * m * channels
                for channel in range(0, channels, LANES):
                    _to_points(
                        inputs, lines, at + channel, channels, places, to + channel, channels
                    )
                to += POINTS * channels
            to += channels


@compiled_fast
def _interpolate(m: int, values: np.ndarray, lines: np.ndarray, image: np.ndarray) -> None:
    """image (h, w, c) = the m x m outputs of each of its tiles, whose values (t, 65, c) are
    given.
    """
    height, width, channels = image.shape
    line = POINTS * channels
    places = values.reshape(-1)
    pixels = image.reshape(-1)
    at = 0
    for top in range(0, height, m):
        for left in range(0, width, m):
            for begin in range(0, line, LANES):
                _from_points(m, places, at + begin, line, lines, begin, line)
            at += line * POINTS + channels
            for i in range(m):
                to = ((top + i) * width + left) * channels
                for channel in range(0, channels, LANES):
                    _from_points(
                        m, lines, i * line + channel, channels, pixels, to + channel, channels
                    )


@compiled_fast
def convolve_tiles(
    x: np.ndarray,
    kernels: np.ndarray,
    zeros: tuple[int, int],
    scratch: tuple[np.ndarray, ...],
    out: np.ndarray,
) -> None:
    """out (n, h, w, maps) = x (n, ., ., c), with so many zeros above and to the left, by kernels
    (64, c, maps).
    """
    padded, lines, values, products, outputs = scratch
    # The zeros below and to the right are those that the last tile needs.
    m = POINTS - len(padded) + len(outputs)
    channels = x.shape[3]
    maps = out.shape[3]
    for n in range(len(x)):
        place(x[n], zeros[0], zeros[1], padded)
        _evaluate(POINTS, m, padded, lines, values)
        for p in range(POINTS * POINTS):
            a = values[:, p : p + 1, :channels]
            multiply(a, kernels[p : p + 1], products[:, p, :maps], False)
        _interpolate(m, products, lines, outputs)
        place(outputs, 0, 0, out[n])


@compiled_fast
def sum_tiles(
    x: np.ndarray,
    grad_z: np.ndarray,
    zeros: tuple[int, int],
    scratch: tuple[np.ndarray, ...],
    out: np.ndarray,
) -> None:
    """out (64, c, maps) += at each point the sum over all tiles of inputs times output
    gradients.
    """
    padded, lines, values, spread, gradients = scratch
    m = POINTS - len(padded) + len(gradients)
    channels = x.shape[3]
    maps = grad_z.shape[3]
    count = len(values) // len(x)
    for n in range(len(x)):
        tiles = slice(n * count, (n + 1) * count)
        place(x[n], zeros[0], zeros[1], padded)
        _evaluate(POINTS, m, padded, lines, values[tiles])
        place(grad_z[n], 0, 0, gradients)
        _evaluate(m, m, gradients, lines, spread[tiles])
    for p in range(POINTS * POINTS):
        b = np.expand_dims(spread[:, p, :maps], 0)
        multiply(values[:, p : p + 1, :channels].T, b, out[p], True)
