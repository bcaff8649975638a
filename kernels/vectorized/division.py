"""How a matrix product is divided among threads without changing a bit of it.

BLAS does not add up all numbers of a product in the same order. OpenBLAS's code for AVX2 goes
through a product in groups of 12 rows and in blocks of columns whose width follows from the caches,
and sums the first and the last columns of a block in another order than those between; its code for
AVX-512 has a way of its own for products of less than a million multiply-adds. So some cuts change
the last bits of some numbers, and which ones differs between families of processors. Each division
is therefore tried on random numbers of the product's shapes before it is used for the first time.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from kernels.vectorized import native

# Pieces begin at multiples of these. The longer side is tried first: each piece copies the operand
# that is not divided, and that is then the smaller one.
_ROWS = 12
_COLUMNS = 16


class Division(NamedTuple):
    """Pieces of a product: how many, and how many rows or columns each has; the last one has the
    rest as well.
    """

    pieces: int
    length: int
    by_rows: bool


class _Trial:
    """A product A (m, k) · B (k, n) of random numbers; `shape`: (m, n, k). `ta`, `tb`:
    the operand is stored transposed.
    """

    def __init__(self, ta: bool, tb: bool, shape: tuple[int, int, int]) -> None:
        m, n, k = shape
        numbers = np.random.default_rng(0).standard_normal(4093).astype(np.float32)
        self._a = np.resize(numbers, (k, m) if ta else (m, k))
        self._b = np.resize(numbers[::-1], (n, k) if tb else (k, n))
        self._ta = ta
        self._tb = tb
        self._k = k
        self._whole = self._block(0, m, 0, n)

    def _block(self, top: int, bottom: int, left: int, right: int) -> np.ndarray:
        """Rows from `top` to `bottom` and columns from `left` to `right` of the product, as a
        product of their own.
        """
        out = np.empty((bottom - top, right - left), np.float32)
        a = self._a[:, top:] if self._ta else self._a[top:]
        b = self._b[left:] if self._tb else self._b[:, left:]
        functions = native.find()
        assert functions is not None
        native.product(
            functions,
            native.Matrix(a.ctypes.data, self._a.shape[1], self._ta),
            native.Matrix(b.ctypes.data, self._b.shape[1], self._tb),
            native.Matrix(out.ctypes.data, out.shape[1], False),
            *out.shape,
            self._k,
        )
        return out

    def is_exact(self, division: Division) -> bool:
        """Whether the pieces have the bits of the whole product."""
        rows, columns = self._whole.shape
        for piece in range(division.pieces):
            start = piece * division.length
            end = (piece + 1) * division.length
            is_last = piece == division.pieces - 1
            if division.by_rows:
                block = start, rows if is_last else end, 0, columns
            else:
                block = 0, rows, start, columns if is_last else end
            top, bottom, left, right = block
            if not np.array_equal(self._block(*block), self._whole[top:bottom, left:right]):
                return False
        return True


@cache
def exact_division(ta: bool, tb: bool, m: int, n: int, k: int, pieces: int) -> Division:
    """A division of C (m, n) = A (m, k) · B (k, n) into at most `pieces` that has the bits of the
    whole product.

    `ta`, `tb`: the operand is stored transposed. Where no cut is exact there is one piece.
    `native.find` must have found BLAS.
    """
    if pieces > 1:
        trial = _Trial(ta, tb, (m, n, k))
        for count in range(pieces, 1, -1):
            for by_rows in (m > n, m <= n):
                division = _division(m if by_rows else n, count, by_rows)
                if division.pieces > 1 and trial.is_exact(division):
                    return division
    return Division(1, m, True)


def _division(side: int, count: int, by_rows: bool) -> Division:
    """About `count` pieces of a side, the last of which has between half and one and a half of the
    others' length.
    """
    step = _ROWS if by_rows else _COLUMNS
    length = max(1, round(side / count / step)) * step
    return Division(min(count, max(1, round(side / length))), length, by_rows)
