"""Products with a batch that is mostly zeros, as instructions: paper around a digit is blank.

The numbers of a batch x (n, i) that are not 0 are listed once, by image and by pixel. The sums of
an image are then those of the rows of w at its pixels, each times the pixel's number; the gradient
by the weights of a pixel is that of the rows of grad_z at its images.

Every sum is in the order of the pixels or of the images, and a product is rounded with its addition
where the processor can do so (all since 2013). So neither the processor nor the number of threads
changes a bit; BLAS sums in another order.
"""

from typing import Any

import numpy as np
from numba import carray

from kernels.compiled import compiled, compiled_fast
from kernels.vectorized.activations import finish
from kernels.vectorized.instructions import (
    C_FUNCTIONS,
    NUMBERS,
    Instruction,
    LoopArgument,
    Operation,
    array,
    number,
    operation_of,
    scalar,
)
from kernels.vectorized.native import FUNCTIONS, int64s
from kernels.vectorized.updates import sgd_loop
from kernels.vectorized.vectors import TILE, add_rows

LEAST_ZEROS = 2 / 3
"""The share of zeros from which on they are skipped. With fewer, BLAS can be faster on processors
with AVX-512. A constant, and not a trial by the clock: a run repeats to the bit.
"""
LEAST_UNITS = 96
"""Of a layer that skips them: for fewer, the lists take longer than what they save."""
MAX_BATCH = 1 << 22
"""Numbers of a batch that is listed: the lists have 8 bytes for each."""

# Rows that stay in the first-level cache, for a tile of columns.
_BLOCK = 112

# Rows that a thread lists at once.
_PIECE = 32

UPDATE = -1
"""In place of the code of an activation: sums update weights."""


@compiled
def _list_loop(x: np.ndarray, indices: np.ndarray, start: int, end: int) -> None:
    """List what is not 0 in the rows of x (m, k) from `start` to `end`, see `Lists`."""
    k = x.shape[1]
    for row in range(start, end):
        for first in range(0, k, _BLOCK):
            # Unsigned: Numba tests other indices for negative ones.
            place: Any = np.uint32(first)
            for column in range(first, min(k, first + _BLOCK)):
                indices[row, place] = column - first
                place += np.uint32(x[row, column] != 0)
            indices[row, k + first // _BLOCK] = place - first


@compiled_fast
def _aligned(rows: int) -> np.ndarray:
    """Zeros (rows, TILE) from the start of a line of the cache on: a vector in two lines is read
    twice.
    """
    numbers = np.zeros((rows + 1) * TILE, np.float32)
    start = -(numbers.ctypes.data // 4) % 16
    return numbers[start : start + rows * TILE].reshape(rows, TILE)


@compiled_fast
def _copy(source: np.ndarray, target: np.ndarray) -> None:
    """A loop of its own is computed in vectors."""
    for k in range(source.size):
        target[k] = source[k]


@compiled_fast
def _product_loop(
    x: np.ndarray,
    indices: np.ndarray,
    matrix: np.ndarray,
    out: np.ndarray,
    extra: np.ndarray,
    piece: int,
    instruction: np.ndarray,
    l2: float,
) -> None:
    """A tile of columns of x (m, k), which is listed, · matrix (k, o), for numbers below.

    A tile is copied: rows of a matrix whose width is a power of 2 displace each other from the
    cache.
    """
    m, k = x.shape
    left = piece * TILE
    right = min(left + TILE, matrix.shape[1])
    code = instruction[NUMBERS + 5]
    functions = carray(int64s(instruction[C_FUNCTIONS]), (FUNCTIONS,))
    tile = _aligned(_BLOCK)
    sums = _aligned(m)
    for first in range(0, k, _BLOCK):
        for row in range(min(_BLOCK, k - first)):
            _copy(matrix[first + row, left:right], tile[row])
        for row in range(m):
            count = indices[row, k + first // _BLOCK]
            add_rows(indices[row, first:], x[row, first:], tile, sums[row], count)
            if first + _BLOCK < k:
                continue
            line = out[row, left:right]
            if code != UPDATE:
                _copy(sums[row, : right - left], line)
                finish(line.reshape(1, line.size), extra[left:right], code, functions)
            elif l2 or indices[row, k:].any():
                sgd_loop(line, sums[row, : right - left], extra, l2)


def _operations(x: LoopArgument) -> tuple[Operation, Operation]:
    """To list x, and to multiply it.

    Numbers: m or o, m, columns of the indices, k; size of `extra`; what becomes of the sums: the
    code of an activation, with `extra` the biases (o,), or UPDATE, with `out` the weights and
    `extra` the rate.
    """
    listed = x, array("i", number(1), number(2))
    rows = LoopArgument("start"), LoopArgument("end")
    out = array("f", number(3), number(0)), array("f", number(1), number(0)), array("f", number(4))
    numbers = LoopArgument("piece"), LoopArgument("row"), scalar(0)
    list_rows = operation_of(_list_loop, *listed, *rows)
    return list_rows, operation_of(_product_loop, *listed, *out, *numbers)


_ROWS = _operations(array("f", number(1), number(3)))
_COLUMNS = _operations(LoopArgument(f"{array('f', number(3), number(1))}.T", "f"))


class Lists:
    """Where the rows of x (n, i), or its columns, are not 0: by `_ROWS` or `_COLUMNS`.

    `indices`: int32 (m, k + blocks), for m rows of k numbers: the columns of each block from its
    first column on, counted from there; then how many each block has.
    """

    def __init__(self, x: np.ndarray, operations: tuple[Operation, Operation]) -> None:
        self._x = x
        self._list, self._product = operations
        m, k = x.shape if operations is _ROWS else x.shape[::-1]
        self._indices = np.empty((m, k + -(-k // _BLOCK)), np.int32)
        self._sizes = m, self._indices.shape[1], k
        # Layers of any size have them compiled, as a run of this kind is compiled only once.
        _ = self._list.address, self._product.address

    def listing(self) -> Instruction:
        m = self._sizes[0]
        numbers = m, *self._sizes
        return Instruction(self._list, (self._x, self._indices), numbers, -(-m // _PIECE), _PIECE)

    def times(
        self, matrix: np.ndarray, out: np.ndarray, extra: np.ndarray, code: int, l2: float = 0.0
    ) -> Instruction:
        o = matrix.shape[1]
        arrays = self._x, self._indices, matrix, out, extra
        numbers = o, *self._sizes, extra.size, code
        return Instruction(self._product, arrays, numbers, -(-o // TILE), TILE, (l2, 0.0))


class Batch:
    """A batch x (n, ...) of a data set with this share of zeros, and its lists by image and by
    pixel.
    """

    def __init__(self, x: np.ndarray, zeros: float) -> None:
        self.x = x.reshape(len(x), x.size // len(x))
        self.zeros = zeros
        self.is_listed = False
        self.by_image = Lists(self.x, _ROWS)
        self.by_pixel = Lists(self.x, _COLUMNS)

    def listing(self, unless_listed: bool = False) -> list[Instruction]:
        if unless_listed and self.is_listed:
            return []
        self.is_listed = True
        return [self.by_image.listing(), self.by_pixel.listing()]
