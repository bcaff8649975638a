"""Winograd's minimal filtering: a k x k convolution of stride 1 by products at 8² or 9² points.

A polynomial of degree 7 is known by its values at eight points. A tile of 8 x 8 inputs and a k x k
kernel (k = 3, 5 or 7) are evaluated at the points in both directions, multiplied there, and m x m
outputs with m = 9 - k are computed from the products; the sums over channels are one matrix product
for each point. So m² outputs cost 64 multiplications a channel and map instead of m²k²: 6.25 times
fewer for k = 5 (Winograd 1980; Lavin, Gray 2016). Nine points give m = 10 - k in the same way,
where they cover the outputs with fewer multiplications. In one dimension, with d the tile and g the
kernel,

    y = Aᵀ [(G g) ⊙ (Bᵀ d)]   and, its adjoint in g,   grad_g = Gᵀ [(A grad_y) ⊙ (Bᵀ d)],

so that the weight gradient uses the same two transforms and costs as much as the forward pass.

B depends on the points alone, A and G on k too: A[p, i] = pⁱ, G[p, j] = pʲ / Π(p - q) over the
other finite points q, Bᵀ[p] = the coefficients of Π(x - q), and infinity is the last coefficient.
In float32 the largest error over the largest result, measured against float64 with 4 to 64
channels, is 1e-5 with eight points (2e-5 for k = 7) and 5e-5 with nine; a plain sum's is about
1e-6.
"""

from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
from numpy.typing import DTypeLike

from kernels.compiled import compiled_fast
from kernels.vectorized.vectors import LANES, multiply, vector_maps

SIZES = (3, 5, 7)
# The finite points, by their number with infinity. A point and its negative share half of the work.
# Those of nine were found by trying several hundred sets.
_FINITE = {
    8: [Fraction(p) for p in ("0", "1", "-1", "2", "-2", "1/2", "-1/2")],
    9: [Fraction(p) for p in ("0", "3/4", "-3/4", "5/4", "-5/4", "2", "-2", "1/3")],
}


def outputs_of_tile(kernel: tuple[int, ...], outputs: tuple[int, ...]) -> int:
    """m, for a kernel (k, k, ...) and outputs (n, h, w, ...): that with fewest multiplications."""
    costs = []
    for points in _FINITE:
        m = points + 1 - kernel[0]
        costs.append((-(-outputs[1] // m) * -(-outputs[2] // m) * points**2, m))
    return min(costs)[1]


@cache
def kernel_matrix(size: int, m: int, dtype: DTypeLike) -> np.ndarray:
    """G ⊗ G, of shape (points², size²): a kernel's values at the points."""
    points = _FINITE[m + size - 1]
    rows = [[p**j / prod(p - q for q in points if q != p) for j in range(size)] for p in points]
    g = _as_floats([*rows, _last(size)])
    return np.kron(g, g).astype(dtype)


def _last(size: int) -> list[Fraction]:
    return [Fraction(int(j == size - 1)) for j in range(size)]


def _as_floats(rows: list[list[Fraction]]) -> np.ndarray:
    return np.array([[float(value) for value in row] for row in rows])


def _output_matrix(points: list[Fraction], m: int) -> np.ndarray:
    """A, of shape (points, m)."""
    return _as_floats([*([p**i for i in range(m)] for p in points), _last(m)])


def _input_matrix(points: list[Fraction]) -> np.ndarray:
    """Bᵀ, of shape (points, points)."""
    others = [[q for q in points if q != p] for p in points]
    return _as_floats([_coefficients(roots, len(points) + 1) for roots in [*others, points]])


def _coefficients(roots: list[Fraction], count: int) -> list[Fraction]:
    """Of the polynomial Π(x - q), that of x⁰ first."""
    zero = Fraction(0)
    found = [Fraction(1)]
    for root in roots:
        found = [a - root * b for a, b in zip([zero, *found], [*found, zero], strict=True)]
    return found + [zero] * (count - len(found))


_INPUTS = {count: _input_matrix(points) for count, points in _FINITE.items()}
_OUTPUTS = {
    count + 1 - size: _output_matrix(points, count + 1 - size)
    for count, points in _FINITE.items()
    for size in SIZES
}
# By the number of pixels in a row of a tile: 8 or 9 inputs, or the gradients of m outputs.
_to_points = vector_maps(_INPUTS | _OUTPUTS)
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
    points: int, inputs: int, m: int, image: np.ndarray, lines: np.ndarray, values: np.ndarray
) -> None:
    """values (t, points² + 1, c) = the values of each of the t tiles of an image (h, w, c).

    Tiles have `inputs` x `inputs` pixels and begin m pixels apart. The last of each tile's values
    is not used: it keeps the tiles apart in the cache. `lines` (points · w · c or more) is scratch.
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
            for p in range(points):
                at = p * line + j * m * channels
                for channel in range(0, channels, LANES):
                    _to_points(
                        inputs, lines, at + channel, channels, places, to + channel, channels
                    )
                to += points * channels
            to += channels


@compiled_fast
def _interpolate(
    points: int, m: int, values: np.ndarray, lines: np.ndarray, image: np.ndarray
) -> None:
    """image (h, w, c) = the m x m outputs of each of its tiles, whose values (t, points² + 1, c)
    are given.
    """
    height, width, channels = image.shape
    line = points * channels
    places = values.reshape(-1)
    pixels = image.reshape(-1)
    at = 0
    for top in range(0, height, m):
        for left in range(0, width, m):
            for begin in range(0, line, LANES):
                _from_points(m, places, at + begin, line, lines, begin, line)
            at += line * points + channels
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
    m: int,
    scratch: tuple[np.ndarray, ...],
    out: np.ndarray,
) -> None:
    """out (n, h, w, maps) = x (n, ., ., c), with so many zeros above and to the left, by kernels
    (points², c, maps).
    """
    padded, lines, values, products, outputs = scratch
    points = m + len(padded) - len(outputs)
    channels = x.shape[3]
    maps = out.shape[3]
    for n in range(len(x)):
        place(x[n], zeros[0], zeros[1], padded)
        _evaluate(points, points, m, padded, lines, values)
        for p in range(len(kernels)):
            a = values[:, p : p + 1, :channels]
            multiply(a, kernels[p : p + 1], products[:, p, :maps], False)
        _interpolate(points, m, products, lines, outputs)
        place(outputs, 0, 0, out[n])


@compiled_fast
def sum_tiles(
    x: np.ndarray,
    grad_z: np.ndarray,
    zeros: tuple[int, int],
    m: int,
    scratch: tuple[np.ndarray, ...],
    out: np.ndarray,
) -> None:
    """out (points², c, maps) += at each point the sum over all tiles of inputs times output
    gradients.
    """
    padded, lines, values, spread, gradients = scratch
    points = m + len(padded) - len(gradients)
    channels = x.shape[3]
    maps = grad_z.shape[3]
    count = len(values) // len(x)
    for n in range(len(x)):
        tiles = slice(n * count, (n + 1) * count)
        place(x[n], zeros[0], zeros[1], padded)
        _evaluate(points, points, m, padded, lines, values[tiles])
        place(grad_z[n], 0, 0, gradients)
        _evaluate(points, m, m, gradients, lines, spread[tiles])
    for p in range(len(out)):
        b = np.expand_dims(spread[:, p, :maps], 0)
        multiply(values[:, p : p + 1, :channels].T, b, out[p], True)
