"""Operators of dense networks as rows of numbers, and the compiled loop that executes a piece of a row.

A row is int64: the operation, the number of its pieces, six addresses of arrays, five sizes or codes; two float64
scalars stand beside it. The pieces of a row can be executed in any order and by any thread. They follow from the
shapes alone and each number is computed in one piece, so the result does not depend on the number of threads. Blocks
of a product begin at multiples of 16 rows or columns: there BLAS's kernel sums an element as in the whole product.
"""

from functools import cache
from typing import Any

import numpy as np
from numba import carray, types

from kernels.activations import LINEAR
from kernels.compiled import compiled_fast, compiled_for_c
from kernels.sequential.batches import gather_copied, gather_scaled
from kernels.sequential.losses import (
    loop_softmax_cross_entropy,
    loop_squared_error,
    loop_squared_error_classes,
)
from kernels.vectorized import c_functions, update_loops
from kernels.vectorized.activations import (
    SIGMOID,
    TANH,
    add_bias,
    multiply_by_derivative,
    one_over_one_plus,
    worker_sigmoid,
    worker_tanh,
)
from kernels.vectorized.c_functions import FUNCTIONS
from kernels.vectorized.native import float32s, float64s, int32s, int64s, uint8s
from kernels.vectorized.thread_pool import ALIGNMENT

(
    GATHER_PIXELS, GATHER_FLOATS, GATHER_INTEGERS, ADVANCE, DENSE, INPUT_GRADIENT, WEIGHT_GRADIENT, BIAS_GRADIENT,
    CROSS_ENTROPY, ERROR_CLASSES, ERROR, SGD, MOMENTUM, ADAM, L1,
) = range(15)  # fmt: skip

# Indices in a row: operation, pieces, addresses, numbers.
PIECES, ADDRESSES, NUMBERS, LENGTH = 1, 2, 8, 13


@compiled_fast
def _bound(length: int, pieces: int, piece: int, alignment: int) -> int:
    """The start of piece number `piece` of `length`."""
    width = -(-length // pieces)
    width = -(-width // alignment) * alignment
    return min(length, piece * width)


@compiled_fast
def _block(rows: int, columns: int, pieces: int, piece: int) -> tuple[int, int, int, int]:
    """(first row, last row, first column, last column) of a piece of an array: the longer side is divided."""
    if rows > columns:
        first, last = _bound(rows, pieces, piece, ALIGNMENT), _bound(rows, pieces, piece + 1, ALIGNMENT)
        return first, last, 0, columns
    first, last = _bound(columns, pieces, piece, ALIGNMENT), _bound(columns, pieces, piece + 1, ALIGNMENT)
    return 0, rows, first, last


@compiled_fast
def _contiguous_rows(rows: int, width: int, columns: int) -> int:
    """How many rows of a block lie one after the other in an array with so many columns: all, or 1."""
    return rows if width == columns else 1


@compiled_fast
def bias_gradient_loop(grad_z: np.ndarray, out: np.ndarray) -> None:
    """out (o,) = sum of grad_z (n, o) over n, in its order."""
    out[:] = 0
    for n in range(grad_z.shape[0]):
        for o in range(grad_z.shape[1]):
            out[o] += grad_z[n, o]


@compiled_fast
def _one_unit(x: np.ndarray, w: np.ndarray, out: np.ndarray) -> None:
    """out (n, 1) = x (n, i) · w (i,), for workers."""
    for n in range(x.shape[0]):
        total = x.dtype.type(0)
        for i in range(x.shape[1]):
            total += x[n, i] * w[i]
        out[n, 0] = total


@compiled_fast
def _one_unit_weight_gradient(x: np.ndarray, grad_z: np.ndarray, out: np.ndarray) -> None:
    """out (i,) = sum of x (n, i) · grad_z (n,) over n, in its order, for workers."""
    out[:] = 0
    for n in range(x.shape[0]):
        for i in range(x.shape[1]):
            out[i] += x[n, i] * grad_z[n]


@compiled_fast
def _dense(row: np.ndarray, piece: int, functions: np.ndarray) -> None:
    """Addresses x, w, b, out; numbers n, i, o, activation, whether of a worker."""
    n, i, o, code, is_worker = row[8], row[9], row[10], row[11], row[12]
    top, bottom, left, right = _block(n, o, row[PIECES], piece)
    if top >= bottom or left >= right:
        return
    rows, width = bottom - top, right - left
    x, w, out = row[2] + 4 * top * i, row[3] + 4 * left, row[5] + 4 * (top * o + left)
    if is_worker and o == 1:
        _one_unit(carray(float32s(x), (rows, i)), carray(float32s(w), (i,)), carray(float32s(out), (rows, 1)))
    else:
        c_functions.product(functions, False, False, rows, width, i, x, i, w, o, out, o)
    b = carray(float32s(row[4] + 4 * left), (width,))
    count = _contiguous_rows(rows, width, o)
    for first in range(0, rows, count):
        _bias_and_activate(
            carray(float32s(out + 4 * first * o), (count, width)), b, code, is_worker, functions
        )


@compiled_fast
def _bias_and_activate(
    out: np.ndarray, b: np.ndarray, code: int, is_worker: int, functions: np.ndarray
) -> None:
    """out (n, o) = f(out + b (o,))."""
    if is_worker and code == SIGMOID:
        worker_sigmoid(out, b)
        return
    if is_worker and code == TANH:
        worker_tanh(out, b)
        return
    add_bias(out, b, code)
    if code in (SIGMOID, TANH):
        index = c_functions.EXP if code == SIGMOID else c_functions.TANH
        c_functions.apply(
            functions[index], functions[index + 1], out.ctypes.data, out.size, np.empty(5, np.int64)
        )
    if code == SIGMOID:
        one_over_one_plus(out)


@compiled_fast
def _input_gradient(row: np.ndarray, piece: int, functions: np.ndarray) -> None:
    """Addresses grad_z, w, y, out; numbers n, i, o, activation."""
    n, i, o, code = row[8], row[9], row[10], row[11]
    top, bottom, left, right = _block(n, i, row[PIECES], piece)
    if top >= bottom or left >= right:
        return
    rows, width, offset = bottom - top, right - left, 4 * (top * i + left)
    grad_z, w, y, out = row[2] + 4 * top * o, row[3] + 4 * left * o, row[4] + offset, row[5] + offset
    if o == 1:
        factors, weights = carray(float32s(grad_z), (rows,)), carray(float32s(w), (width,))
        for k in range(rows):
            line = carray(float32s(out + 4 * k * i), (width,))
            for j in range(width):
                line[j] = factors[k] * weights[j]
    else:
        c_functions.product(functions, False, True, rows, width, o, grad_z, o, w, o, out, i)
    if code != LINEAR:
        count = _contiguous_rows(rows, width, i)
        for first in range(0, rows, count):
            start = 4 * first * i
            multiply_by_derivative(
                carray(float32s(out + start), (count, width)),
                carray(float32s(y + start), (count, width)),
                code,
            )


@compiled_fast
def _weight_gradient(row: np.ndarray, piece: int, functions: np.ndarray) -> None:
    """Addresses x, grad_z, out; numbers n, i, o, whether of a worker."""
    n, i, o = row[8], row[9], row[10]
    top, bottom, left, right = _block(i, o, row[PIECES], piece)
    if top >= bottom or left >= right:
        return
    if row[11] and o == 1:
        x, grad_z = carray(float32s(row[2]), (n, i)), carray(float32s(row[3]), (n,))
        _one_unit_weight_gradient(x, grad_z, carray(float32s(row[4]), (i,)))
        return
    c_functions.product(
        functions, True, False, bottom - top, right - left, n, row[2] + 4 * top, i, row[3] + 4 * left, o,
        row[4] + 4 * (top * o + left), o,
    )  # fmt: skip


@compiled_fast
def _gather(row: np.ndarray) -> None:
    """Addresses source, order, counters, out; numbers rows of out, numbers in a row, rows of source."""
    rows, width, images = row[8], row[9], row[10]
    order, counters = carray(int32s(row[3]), (images,)), carray(int32s(row[4]), (2,))
    if row[0] == GATHER_PIXELS:
        source = carray(uint8s(row[2]), (images, width))
        gather_scaled(source, order, counters, carray(float32s(row[5]), (rows, width)))
    elif row[0] == GATHER_FLOATS:
        numbers = carray(float32s(row[2]), (images, width))
        gather_copied(numbers, order, counters, carray(float32s(row[5]), (rows, width)))
    else:
        integers = carray(int32s(row[2]), (images, width))
        gather_copied(integers, order, counters, carray(int32s(row[5]), (rows, width)))


@compiled_fast
def _loss(row: np.ndarray) -> None:
    """Addresses y, answers, metrics, out; numbers n, o, activation."""
    n, o, code = row[8], row[9], row[10]
    y, out = carray(float32s(row[2]), (n, o)), carray(float32s(row[5]), (n, o))
    metrics = carray(float64s(row[4]), (2,))
    if row[0] == CROSS_ENTROPY:
        loop_softmax_cross_entropy(y, carray(int32s(row[3]), (n,)), metrics, out)
    elif row[0] == ERROR_CLASSES:
        loop_squared_error_classes(y, carray(int32s(row[3]), (n,)), code, metrics, out)
    else:
        loop_squared_error(y, carray(float32s(row[3]), (n, o)), code, metrics, out)


@compiled_fast
def _advance(row: np.ndarray) -> None:
    """Addresses counters, metrics, history; numbers examples, rows of history or 0 if there is none."""
    counters = carray(int32s(row[2]), (2,))
    if row[9]:
        metrics, history = carray(float64s(row[3]), (2,)), carray(float64s(row[4]), (row[9], 2))
        history[counters[1] % row[9]] = metrics
        metrics[:] = 0
    counters[0] += row[8]
    counters[1] += 1


@compiled_fast
def _update(row: np.ndarray, scalars: np.ndarray, piece: int) -> None:
    """Addresses p, g, first state, second state, rate, counters; numbers size, Nesterov; scalars L2 or L1, beta."""
    first = _bound(row[8], row[PIECES], piece, ALIGNMENT)
    size = _bound(row[8], row[PIECES], piece + 1, ALIGNMENT) - first
    p, g = carray(float32s(row[2] + 4 * first), (size,)), carray(float32s(row[3] + 4 * first), (size,))
    if row[0] == L1:
        update_loops.l1_loop(p, g, scalars[0])
        return
    rate = carray(float32s(row[6]), (1,))
    if row[0] == SGD:
        update_loops.sgd_loop(p, g, rate, scalars[0])
        return
    v = carray(float32s(row[4] + 4 * first), (size,))
    if row[0] == MOMENTUM:
        update_loops.momentum_loop(p, g, v, rate, scalars[1], row[9] != 0, scalars[0])
    else:
        powers = carray(float32s(row[5] + 4 * first), (size,))
        update_loops.adam_loop(p, g, v, powers, rate, carray(int32s(row[7]), (2,)), scalars[0])


@compiled_fast
def execute_piece(row: np.ndarray, scalars: np.ndarray, piece: int, functions: np.ndarray) -> None:
    """Execute one piece of a row; `functions` are the addresses that `c_functions.find` returns."""
    operation = row[0]
    if operation == DENSE:
        _dense(row, piece, functions)
    elif operation == INPUT_GRADIENT:
        _input_gradient(row, piece, functions)
    elif operation == WEIGHT_GRADIENT:
        _weight_gradient(row, piece, functions)
    elif operation == BIAS_GRADIENT:
        bias_gradient_loop(carray(float32s(row[2]), (row[8], row[9])), carray(float32s(row[3]), (row[9],)))
    elif operation <= GATHER_INTEGERS:
        _gather(row)
    elif operation == ADVANCE:
        _advance(row)
    elif operation >= SGD:
        _update(row, scalars, piece)
    else:
        _loss(row)


def _execute_piece_at(row: int, scalars: int, piece: int, functions: int) -> None:
    """`execute_piece` with the addresses of its arrays."""
    execute_piece(
        carray(int64s(row), (LENGTH,)), carray(float64s(scalars), (2,)), piece,
        carray(int64s(functions), (FUNCTIONS,)),
    )  # fmt: skip


@cache
def piece_function() -> Any:
    """`execute_piece` for C: void (int64 row, int64 scalars, int64 piece, int64 functions), all but piece addresses.

    Compiled into the loop of another function, the compiler would not use vector lanes for all of it.
    """
    return compiled_for_c(_execute_piece_at, (types.int64,) * 4)
